package sender

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

const (
	maxHead   = 256 << 10 // bytes of a header, as many as the reader of mail takes
	maxFields = 2000
)

// head is the header of a message. All its lines end in CRLF.
type head struct {
	fields []headField
	// it breaks RFC 5322 in a way that lets readers disagree about what is in it: nothing in it can be trusted
	broken bool
	size   int64 // in the message, with the empty line
	bareLF bool  // the lines of the message end in LF
}

// headField is a field of it.
type headField struct {
	name string // in lower case
	raw  []byte // with the name and all line ends
}

// readHead reads the header of a message. An error is one of reading.
func readHead(r io.ReaderAt, size int64) (head, error) {
	buf := make([]byte, 0, min(size, 8<<10))
	for {
		n, err := r.ReadAt(buf[len(buf):cap(buf)], int64(len(buf)))
		if n < cap(buf)-len(buf) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return head{}, err
		}
		buf = buf[:cap(buf)]
		text, bareLF, ended := cutHead(buf)
		switch {
		case ended, int64(len(buf)) == size:
			h := head{size: int64(len(text)), bareLF: bareLF}
			h.parse(text)
			return h, nil
		case len(buf) >= maxHead:
			h := head{size: size}
			h.parse(buf)
			h.broken = true
			return h, nil
		}
		buf = append(make([]byte, 0, min(size, maxHead, 4*int64(len(buf)))), buf...)
	}
}

// cutHead returns the header with the empty line after it. The first line says how lines end.
func cutHead(buf []byte) (text []byte, bareLF, ended bool) {
	first := bytes.IndexByte(buf, '\n')
	end := "\r\n\r\n"
	if bareLF = first == 0 || first > 0 && buf[first-1] != '\r'; bareLF {
		end = "\n\n"
	}
	if bytes.HasPrefix(buf, []byte(end[len(end)/2:])) {
		return buf[:len(end)/2], bareLF, true
	}
	if i := bytes.Index(buf, []byte(end)); i >= 0 {
		return buf[:i+len(end)], bareLF, true
	}
	return buf, bareLF, false
}

// parse splits the header into its fields.
func (h *head) parse(text []byte) {
	if h.bareLF {
		h.broken = bytes.IndexByte(text, '\r') >= 0
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	for len(text) > 0 && !bytes.Equal(text, []byte("\r\n")) {
		end := bytes.Index(text, []byte("\r\n"))
		if end < 0 {
			end = len(text)
		}
		line := text[:end]
		h.broken = h.broken || bytes.IndexByte(line, '\r') >= 0 || bytes.IndexByte(line, '\n') >= 0
		end = min(end+2, len(text))
		h.addLine(text[:end], len(line))
		text = text[end:]
		if bytes.Equal(text, []byte("\r\n")) {
			return
		}
	}
}

// addLine takes a line; n is its length without its end.
func (h *head) addLine(line []byte, n int) {
	if n > 0 && (line[0] == ' ' || line[0] == '\t') && len(h.fields) > 0 {
		last := &h.fields[len(h.fields)-1]
		last.raw = last.raw[:len(last.raw)+len(line)] // lines follow each other in the text
		return
	}
	name := fieldName(line[:n])
	if name == "" || len(h.fields) == maxFields {
		h.broken = true
		return
	}
	h.fields = append(h.fields, headField{name, line})
}

// fieldName is the name that a line begins with. RFC 5322 4.5 allows blanks before the colon.
func fieldName(line []byte) string {
	name, _, has := bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return ""
		}
	}
	if !has {
		return ""
	}
	return strings.ToLower(string(name))
}

// count is how many fields have a name.
func (h *head) count(name string) int {
	n := 0
	for _, f := range h.fields {
		if f.name == name {
			n++
		}
	}
	return n
}

// hashFields hashes the fields that a signature names: the last one of a name first, and names that are not there, or
// not so often, are nothing (RFC 6376 5.4.2). self is the signature's own field, -1 where it is not in the header yet.
func (h *head) hashFields(to io.Writer, names []string, self int, relaxed bool) {
	left := make(map[string][]int, len(names)) // fields that were not hashed yet, in order
	for _, name := range names {
		left[name] = nil
	}
	for i, f := range h.fields {
		if list, named := left[f.name]; named && i != self {
			left[f.name] = append(list, i)
		}
	}
	var buf []byte
	for _, name := range names {
		list := left[name]
		if len(list) == 0 {
			continue
		}
		i := list[len(list)-1]
		left[name] = list[:len(list)-1]
		buf = canonField(buf[:0], h.fields[i].raw, relaxed)
		to.Write(append(buf, "\r\n"...))
	}
}

// canonField appends a field in canonical form, without the line end after it (RFC 6376 3.4.1, 3.4.2).
func canonField(to, raw []byte, relaxed bool) []byte {
	raw = bytes.TrimSuffix(raw, []byte("\r\n"))
	if !relaxed {
		return append(to, raw...)
	}
	name, value, _ := bytes.Cut(raw, []byte(":"))
	to = append(to, bytes.ToLower(bytes.TrimRight(name, " \t"))...)
	to = append(to, ':')
	blank, any := false, false
	for i, c := range value {
		switch {
		case c == ' ' || c == '\t':
			blank = true
			continue
		case c == '\r' && i+1 < len(value) && value[i+1] == '\n', c == '\n' && i > 0 && value[i-1] == '\r':
			continue
		}
		if blank && any {
			to = append(to, ' ')
		}
		to = append(to, c)
		blank, any = false, true
	}
	return to
}
