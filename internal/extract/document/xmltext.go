package document

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// xmlText returns the text of an XML document of any kind: a line for each element that has some.
func (d *document) xmlText() error {
	charset := d.part.Charset
	if charset == "" {
		charset = declared(d.data, "encoding=")
	}
	err := d.walk(strings.NewReader(rfc822.Text(d.data, charset)), anyXML{d})
	if err != nil && len(d.out.b) > 0 {
		d.cut = true // what there is until the break
		return nil
	}
	return err
}

// anyXML parts text at every tag.
type anyXML struct{ d *document }

func (x anyXML) start(string, []xml.Attr) { x.d.out.lineEnd() }
func (x anyXML) end(string)               { x.d.out.lineEnd() }

func (x anyXML) text(b []byte) {
	if len(b) < maxText && !isPacked(b) {
		x.d.out.words(string(bytes.TrimSpace(b)))
	}
}

// isPacked says whether a text is a file in base64: long, and hardly a blank.
func isPacked(b []byte) bool {
	return len(b) > 400 && bytes.Count(b, []byte(" "))*200 < len(b)
}
