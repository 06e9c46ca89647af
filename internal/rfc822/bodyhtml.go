package rfc822

import (
	"bytes"
	"errors"
	"io"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/mailkin/mailkin/internal/view"
)

// maxToken is how long a tag, comment or run of text may be that is read as one while HTML comes in pieces. A longer
// text is cut, and a longer tag is read without the value that makes it so long: most likely an image.
const maxToken = 256 << 10

// htmlReader reads HTML that comes in pieces.
type htmlReader struct {
	z   *html.Tokenizer
	out *view.Stream
	raw atom.Atom // the element that is open in which tags are text

	cut   html.TokenType // what was too long to be read as one token; 0: a tag
	tail  []byte         // of it
	again bool           // the next tag was read before
}

// read reads tokens until there are no more.
func (r *htmlReader) read() error {
	for r.out.Err() == nil {
		switch kind := r.z.Next(); kind {
		case html.ErrorToken:
			return r.z.Err()
		case html.TextToken:
			r.out.Token(string(r.cutShort(kind)))
		case html.StartTagToken, html.SelfClosingTagToken:
			if !r.again {
				r.start()
			}
			r.again = false
		case html.EndTagToken:
			r.raw = 0
			r.out.Token(string(r.z.Raw()))
		default:
			r.out.Token(string(r.cutShort(kind)))
		}
	}
	return nil
}

// start takes the start of an element.
func (r *htmlReader) start() {
	r.out.Token(string(r.z.Raw()))
	name, _ := r.z.TagName()
	switch tag := atom.Lookup(name); {
	case tag == atom.Noscript:
		r.z.NextIsNotRawText() // no mail program runs scripts, so it is shown
	case isRawText(tag):
		r.raw = tag
	}
}

// writeHTMLText writes the text of a view, without a limit.
func writeHTMLText(to io.Writer, doc io.Reader) error {
	r := htmlReader{out: view.NewStream(to)}
	in := &unreader{r: doc}
	for {
		r.z = html.NewTokenizer(in)
		r.z.SetMaxBuf(maxToken)
		err := r.read()
		if errors.Is(err, html.ErrBufferExceeded) {
			err = r.goOn(in)
		}
		switch {
		case r.out.Err() != nil:
			return r.out.Err()
		case err == io.EOF:
			return r.out.Close()
		case err != nil:
			return err
		}
	}
}

// writePlainInHTML writes text that is labelled as HTML, without a limit.
func writePlainInHTML(to io.Writer, doc io.Reader) error {
	out := view.NewStream(to)
	lines := newStepReader(doc, func(dst, src []byte, eof bool) ([]byte, int) {
		n := wholeLines(src, eof)
		return append(dst, html.UnescapeString(string(src[:n]))...), n
	})
	words := newStepReader(lines, func(dst, src []byte, eof bool) ([]byte, int) {
		if !eof {
			src = trimHalfRune(src)
		}
		out.Plain(string(src))
		return dst, len(src)
	})
	if _, err := io.Copy(io.Discard, words); err != nil {
		return err
	}
	return errors.Join(out.Err(), out.Close())
}

// cutShort tells whether the token at hand is not whole, because it is too long, and notes how to go on.
func (r *htmlReader) cutShort(kind html.TokenType) (text []byte) {
	raw := r.z.Raw()
	if len(raw) < maxToken {
		return raw
	}
	r.cut = kind
	if kind != html.TextToken {
		r.tail = append(r.tail[:0], raw...)
		return raw
	}
	const longest = 40 // of what may be the beginning of a tag or a reference
	whole := trimHalfRune(raw)
	if i := bytes.LastIndexAny(whole[len(whole)-longest:], "<&"); i >= 0 {
		whole = whole[:len(whole)-longest+i]
	}
	r.tail = append(r.tail[:0], raw[len(whole):]...)
	return whole
}

// goOn puts back what another tokenizer has to begin with after a token that was too long.
func (r *htmlReader) goOn(in *unreader) (err error) {
	in.unread(r.z.Buffered())
	switch r.cut {
	case html.TextToken:
		in.unread(r.tail)
		if r.raw != 0 {
			r.again = true
			in.unread([]byte("<" + r.raw.String() + ">"))
		}
	case html.CommentToken, html.DoctypeToken:
		begin, end := "<!", ">"
		if bytes.HasPrefix(r.tail, []byte("<!--")) {
			begin, end = "<!--", "-->"
		}
		in.unread(r.tail[len(r.tail)-2:])
		err = in.skipTo(end)
		in.unread([]byte(begin))
	default:
		err = r.shorten(in, bytes.Clone(r.z.Raw()))
	}
	r.cut = 0
	return err
}

// shorten puts back a tag that is too long, without the value at which it was cut, or without any.
func (r *htmlReader) shorten(in *unreader, tag []byte) error {
	quote, from := openQuote(tag)
	if quote != 0 && from < maxToken/2 {
		err := in.skipTo(string(quote))
		in.unread(tag[:from])
		return err
	}
	name := 2 // "<a", "</"
	for name < len(tag) && isAlphanumeric(tag[name]) {
		name++
	}
	if quote != 0 {
		if err := in.skipTo(string(quote)); err != nil {
			return err
		}
	}
	err := in.skipTo(">")
	in.unread(tag[:name])
	return err
}

// openQuote finds the quoted value that is not ended in a tag, and where it begins.
func openQuote(tag []byte) (quote byte, from int) {
	last := byte(0) // before white space
	for i, c := range tag {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && last == '=':
			quote, from = c, i+1
		}
		if !isSpace(c) {
			last = c
		}
	}
	return quote, from
}

// isRawText is an element in which tags are text.
func isRawText(tag atom.Atom) bool {
	switch tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title,
		atom.Xmp:
		return true
	}
	return false
}

// unreader is a reader that takes back bytes.
type unreader struct {
	r     io.Reader
	ahead []byte
}

func (u *unreader) Read(b []byte) (int, error) {
	if len(u.ahead) == 0 {
		return u.r.Read(b)
	}
	n := copy(b, u.ahead)
	u.ahead = u.ahead[n:]
	return n, nil
}

func (u *unreader) unread(b []byte) { u.ahead = append(bytes.Clone(b), u.ahead...) }

// skipTo leaves out everything before end.
func (u *unreader) skipTo(end string) error {
	buf := make([]byte, 0, 4<<10)
	for {
		n, err := u.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if i := bytes.Index(buf, []byte(end)); i >= 0 {
			u.unread(buf[i:])
			return nil
		}
		if err != nil {
			return err
		}
		buf = buf[:copy(buf, buf[max(0, len(buf)-len(end)+1):])]
	}
}
