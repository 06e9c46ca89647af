package document

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// sheets reads a spreadsheet: the cells of each row, with tabs between. Numbers are given as they are stored.
func (a *archive) sheets() error {
	s := &sharedStrings{d: a.d}
	if err := a.walk("xl/sharedStrings.xml", s); err != nil && len(s.list) == 0 {
		return err
	}
	for _, name := range a.numbered("xl/worksheets/sheet") {
		a.d.out.breaks = 2
		if err := a.walk(name, &sheet{out: &a.d.out, shared: s.list}); err != nil {
			return a.broken(err)
		}
	}
	return nil
}

// sharedStrings reads the texts that cells refer to by number.
type sharedStrings struct {
	d    *document
	list []string
	b    strings.Builder
	inT  bool
	over bool
}

func (s *sharedStrings) start(name string, _ []xml.Attr) {
	switch name {
	case "si":
		s.b.Reset()
	case "t":
		s.inT = true
	case "rPh": // how it is pronounced
		s.inT = false
	}
}

func (s *sharedStrings) end(name string) {
	switch name {
	case "t":
		s.inT = false
	case "si":
		if s.over = s.over || !s.d.bud.Take(s.b.Len()+32); !s.over {
			s.list = append(s.list, s.b.String())
		}
		s.b.Reset()
	}
}

func (s *sharedStrings) text(b []byte) {
	if s.inT && s.b.Len() < maxText {
		s.b.Write(b)
	}
}

// sheet reads one sheet.
type sheet struct {
	out    *lines
	shared []string
	kind   string // of the cell: "s" is a number of a shared text
	inV    bool
	value  []byte
}

func (s *sheet) start(name string, attrs []xml.Attr) {
	switch name {
	case "c":
		s.kind = attribute(attrs, "t")
		s.value = s.value[:0]
	case "v", "t":
		s.inV = true
	}
}

func (s *sheet) end(name string) {
	switch name {
	case "v", "t":
		s.inV = false
	case "c":
		s.out.words(s.cell())
		s.out.cell()
	case "row":
		s.out.lineEnd()
	}
}

// cell is what a cell shows.
func (s *sheet) cell() string {
	v := string(s.value)
	s.value = s.value[:0]
	switch s.kind {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && i >= 0 && i < len(s.shared) {
			return strings.ReplaceAll(s.shared[i], "\n", " ")
		}
		return ""
	case "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[v]
	}
	return v
}

func (s *sheet) text(b []byte) {
	if s.inV && len(s.value) < maxText {
		s.value = append(s.value, b...)
	}
}
