package pdf

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// The reasons for which a document is not read.
var (
	ErrFormat   = errors.New("pdf: no pages found")
	ErrPassword = errors.New("pdf: needs a password, or an encryption that is not known")
)

// Is says whether bytes begin like a document. QUIRK: something may stand before it.
func Is(head []byte) bool { return bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) }

// Text returns the text of a document, cut at about most bytes. Whole is false where there may be more: the text was
// cut, or the budget came to its end. The text may be empty: a scanned page has none.
func Text(b []byte, bud *bound.Budget, most int) (text string, whole bool, err error) {
	f, err := open(b, bud)
	if err != nil {
		return "", false, err
	}
	f.most = most
	var out strings.Builder
	pages := 0
	f.pages(func(p page) bool {
		pages++
		f.write(&out, p)
		return out.Len() < most && bud.Pause()
	})
	if pages == 0 && !bud.Over() && !bud.Short() {
		return "", false, ErrFormat
	}
	return out.String(), out.Len() < most && !bud.Over() && !bud.Short(), nil
}

// pageEnd stands between pages: a form feed.
const pageEnd = "\f"

// write adds the text of a page. Pages without text are left out.
func (f *file) write(out *strings.Builder, p page) {
	pieces := f.pieces(p)
	text := layout(pieces)
	for i := range pieces {
		f.bud.Give(pieceBytes + len(pieces[i].text))
	}
	if text == "" {
		return
	}
	if out.Len() > 0 {
		out.WriteString("\n" + pageEnd)
	}
	out.WriteString(text)
}
