package document

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// maxEntries bounds the files of an archive. A report with a picture on each page has some hundreds.
const maxEntries = 5000

// archive is a zipped document.
type archive struct {
	d     *document
	files map[string]*zip.File
}

// zipped reads a document that is an archive of XML. What is in it says what it is.
func (d *document) zipped() error {
	// The directory is counted before it is read: each of its entries takes many times its size in memory.
	if bytes.Count(d.data, []byte("PK\x01\x02")) > maxEntries {
		return bound.ErrMore
	}
	z, err := zip.NewReader(bytes.NewReader(d.data), int64(len(d.data)))
	if err != nil {
		return errFormat
	}
	a := archive{d: d, files: make(map[string]*zip.File, len(z.File))}
	for _, f := range z.File {
		if _, twice := a.files[f.Name]; !twice {
			a.files[f.Name] = f
		}
	}
	switch {
	case a.files["word/document.xml"] != nil:
		return a.word()
	case a.files["xl/workbook.xml"] != nil:
		return a.sheets()
	case a.files["ppt/presentation.xml"] != nil:
		return a.slides()
	case a.files["content.xml"] != nil:
		return a.openDocument()
	}
	return errKind
}

// walk reads one file of the archive. A file that is not there is empty.
func (a *archive) walk(name string, to markup) error {
	f := a.files[name]
	if f == nil {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return errFormat
	}
	err = a.d.walk(r, to)
	if cerr := r.Close(); err == nil && cerr != nil && cerr != io.EOF {
		return errFormat
	}
	return err
}

// numbered are the files prefix1.xml, prefix2.xml and so on, in order of their numbers.
func (a *archive) numbered(prefix string) []string {
	type entry struct {
		n    int
		name string
	}
	var found []entry
	for name := range a.files {
		middle, ok := strings.CutPrefix(name, prefix)
		middle, ok2 := strings.CutSuffix(middle, ".xml")
		if n, err := strconv.Atoi(middle); ok && ok2 && err == nil {
			found = append(found, entry{n, name})
		}
	}
	slices.SortFunc(found, func(x, y entry) int {
		if x.n != y.n {
			return x.n - y.n
		}
		return strings.Compare(x.name, y.name)
	})
	names := make([]string, len(found))
	for i, e := range found {
		names[i] = e.name
	}
	return names
}

// word reads a text document: its text, notes, and what stands at the top and bottom of its pages.
func (a *archive) word() error {
	names := []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"}
	names = append(names, a.numbered("word/header")...)
	names = append(names, a.numbered("word/footer")...)
	return a.each(names)
}

// slides reads a presentation.
func (a *archive) slides() error { return a.each(a.numbered("ppt/slides/slide")) }

// each reads the files, with an empty line between. What is broken after the first text does not count.
func (a *archive) each(names []string) error {
	for _, name := range names {
		a.d.out.breaks = 2
		if err := a.walk(name, &markedText{out: &a.d.out, elements: officeElements}); err != nil {
			return a.broken(err)
		}
	}
	return nil
}

// broken says what an error means after some text was read: the rest is missing.
func (a *archive) broken(err error) error {
	if len(a.d.out.b) == 0 {
		return err
	}
	a.d.cut = true
	return nil
}
