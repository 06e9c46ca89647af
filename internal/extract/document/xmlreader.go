package document

import (
	"encoding/xml"
	"io"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// Bounds of XML.
const (
	maxToken = 512 << 10 // bytes of one tag: its attributes take many times that in memory
	maxText  = 64 << 10  // bytes of one text; the rest of it is passed over
)

// guard passes bytes to a decoder one by one, so that no token grows beyond all measure, and passes over the rest of a
// text that is too long to have been written by people: files that are packed into XML.
type guard struct {
	r     io.Reader
	bud   *bound.Budget
	left  *int64 // bytes that may still be read
	buf   []byte
	chunk [8 << 10]byte
	token int // bytes since the last token
	text  int // bytes since the last angle bracket
	tag   bool
}

func (g *guard) ReadByte() (byte, error) {
	for {
		c, err := g.next()
		if err != nil {
			return 0, err
		}
		switch {
		case c == '<':
			g.tag, g.text = true, 0
		case c == '>':
			g.tag, g.text = false, 0
		default:
			if g.text++; !g.tag && g.text > maxText {
				continue
			}
		}
		if g.token++; g.token > maxToken {
			return 0, bound.ErrMore
		}
		return c, nil
	}
}

func (g *guard) next() (byte, error) {
	if len(g.buf) == 0 {
		if !g.bud.Pause() {
			return 0, bound.ErrOver
		}
		n, err := g.r.Read(g.chunk[:])
		if *g.left -= int64(n); *g.left < 0 {
			return 0, bound.ErrMore
		}
		if n == 0 {
			if err == nil {
				err = io.ErrNoProgress
			}
			return 0, err
		}
		g.buf = g.chunk[:n]
	}
	c := g.buf[0]
	g.buf = g.buf[1:]
	return c, nil
}

// Read is there because a decoder asks for it; it uses ReadByte.
func (g *guard) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c, err := g.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// markup is who is told what an XML document has.
type markup interface {
	start(name string, attrs []xml.Attr)
	end(name string)
	text(b []byte)
}

// walk reads XML and tells to about it, by names without their spaces. It does not ask for elements to be closed in
// order; definitions of entities are passed over, so that nothing is loaded and nothing multiplies.
func (d *document) walk(r io.Reader, to markup) error {
	g := &guard{r: r, bud: d.bud, left: d.lim.Unpack}
	dec := xml.NewDecoder(g)
	dec.Strict = false
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for !d.out.full && d.bud.Step() {
		t, err := dec.RawToken()
		g.token = 0
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			to.start(t.Name.Local, t.Attr)
		case xml.EndElement:
			to.end(t.Name.Local)
		case xml.CharData:
			to.text(t)
		}
	}
	if !d.out.full {
		return bound.ErrOver
	}
	return nil
}

// attribute is the value of an attribute, by its name without a space.
func attribute(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
