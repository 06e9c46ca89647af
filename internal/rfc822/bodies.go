package rfc822

import (
	"hash/maphash"
	"io"
	"iter"
)

// Bodies says what the bodies of a message are made of, so that they can be written whole, however long they are,
// without being in memory. What it takes to write them is bounded by the buffers of its readers, about a megabyte.
//
// A message is read once by ScanBodies, and once more for each body that is written: which parts are shown, and in
// which character set, can be told only at the end. Both readings are the same parser's, and find the same parts.
type Bodies struct {
	text, html []bodyPart
	shown      []bodyPart // html, of which the readable text is wanted
}

// bodyPart is a text of the message that a body is made of.
type bodyPart struct {
	index  int    // its number among the texts that the parser finds
	html   bool   // it is HTML of which the readable text is wanted
	flowed bool   // RFC 3676
	delSp  bool   //
	set    string // its character set, as far as it is declared
	mark   string // its first bytes
	stats  *byteStats
}

const (
	surveyTexts = 64 << 10 // what is kept of the texts of a message to see what they are
	surveyText  = 4 << 10  // and of each at least
)

// rawPiece is how much of a message is read at a time.
const rawPiece = 64 << 10

// ScanBodies finds out what the bodies of a message are made of. Where there are several texts it chooses by their
// beginnings.
func ScanBodies(raw io.Reader) (*Bodies, error) {
	p := NewParser(Limits{Skim: true, Text: surveyTexts, HTML: surveyTexts})
	p.res.survey, p.res.seed = true, maphash.MakeSeed()
	if _, err := io.CopyBuffer(struct{ io.Writer }{p}, struct{ io.Reader }{raw}, make([]byte, rawPiece)); err != nil {
		return nil, err
	}
	p.finish()
	t, h := p.res.textBody(maxKept), p.res.htmlBody()
	return &Bodies{text: bodyParts(t.used, true), html: bodyParts(h.used, false), shown: bodyParts(h.used, true)}, nil
}

func bodyParts(nodes []*node, readable bool) []bodyPart {
	parts := make([]bodyPart, len(nodes))
	for i, n := range nodes {
		parts[i] = *n.part
		parts[i].html = readable && n.kind == nodeHTML
	}
	return parts
}

// WriteText writes Message.Text whole. raw returns the bytes of the same message.
func (b *Bodies) WriteText(to io.Writer, raw io.Reader) error {
	return writeParts(&joiner{to: to}, raw, b.text)
}

// WriteHTMLText writes what Message.HTML shows, whole. raw returns the bytes of the same message.
func (b *Bodies) WriteHTMLText(to io.Writer, raw io.Reader) error {
	return writeParts(&joiner{to: to}, raw, b.shown)
}

// WriteHTML writes Message.HTML whole. raw returns the bytes of the same message.
func (b *Bodies) WriteHTML(to io.Writer, raw io.Reader) error {
	return writeParts(&joiner{to: to, own: true}, raw, b.html)
}

// writeParts reads the message up to the last of the parts, which are in the order in which the parser finds them.
func writeParts(to *joiner, raw io.Reader, parts []bodyPart) error {
	if len(parts) == 0 {
		return nil
	}
	next, stop := iter.Pull2(pieces(raw, parts))
	defer stop()
	for i := range parts {
		r := &partReader{next: next, index: parts[i].index}
		to.waits = to.any
		err := parts[i].write(to, r)
		if err == nil {
			_, err = io.Copy(io.Discard, r) // what is no character any more
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the part's text.
func (p *bodyPart) write(to io.Writer, r io.Reader) error {
	r = p.characters(r)
	if p.flowed {
		r = newStepReader(r, (&flow{delSp: p.delSp}).step)
	}
	switch {
	case !p.html:
		_, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{r}, make([]byte, stepSize))
		return err
	case !p.stats.tags:
		return writePlainInHTML(to, r)
	}
	return writeHTMLText(to, r)
}

// bodyPiece is some bytes of a text, or its end.
type bodyPiece struct {
	index int
	b     []byte // nil: the end
}

// pieces reads a message and returns the decoded bytes of those parts, which are good until the next piece is asked
// for.
func pieces(raw io.Reader, parts []bodyPart) iter.Seq2[bodyPiece, error] {
	wanted := make(map[int]bool, len(parts))
	for _, p := range parts {
		wanted[p.index] = true
	}
	return func(yield func(bodyPiece, error) bool) {
		over := false
		p := NewParser(Limits{Skim: true})
		p.res.tap = func(index int, b []byte) { over = over || wanted[index] && !yield(bodyPiece{index, b}, nil) }
		buf := make([]byte, rawPiece)
		for !over {
			n, err := raw.Read(buf)
			_, _ = p.Write(buf[:n]) // it never fails
			switch {
			case over:
			case err == io.EOF:
				p.finish()
				return
			case err != nil:
				yield(bodyPiece{}, err)
				return
			}
		}
	}
}

// partReader returns the bytes of one part.
type partReader struct {
	next  func() (bodyPiece, error, bool)
	index int
	rest  []byte
	err   error
}

func (r *partReader) Read(b []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		p, err, ok := r.next()
		switch {
		case err != nil:
			r.err = err
		case !ok, p.index != r.index, p.b == nil:
			r.err = io.EOF
		default:
			r.rest = p.b
		}
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// joiner writes one text after the other, as joined does.
type joiner struct {
	to    io.Writer
	own   bool // each has its own line end
	any   bool // something was written
	last  byte
	waits bool // a line end may be due before what comes next
}

func (j *joiner) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if j.waits && (j.own || j.last != '\n') {
		if _, err := j.to.Write([]byte("\n")); err != nil {
			return 0, err
		}
	}
	j.waits, j.any, j.last = false, true, b[len(b)-1]
	return j.to.Write(b)
}
