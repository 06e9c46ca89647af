package rfc822

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html/atom"
)

// breaks says how many line ends an element brings before and after it: 2 leave an empty line, 0 is an element
// within a line.
func breaks(tag atom.Atom) int {
	switch tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Pre, atom.Ul, atom.Ol,
		atom.Dl, atom.Hr, atom.Article, atom.Section, atom.Fieldset, atom.Figure:
		return 2
	case atom.Div, atom.Tr, atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Li, atom.Dt, atom.Dd, atom.Center,
		atom.Address, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside, atom.Form, atom.Body, atom.Html,
		atom.Caption, atom.Figcaption, atom.Legend, atom.Details, atom.Summary, atom.Dir, atom.Menu, atom.Option,
		atom.Marquee, atom.Hgroup:
		return 1
	}
	return 0
}

// isSkipped is an element whose content nobody reads.
func isSkipped(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Template, atom.Iframe, atom.Noscript, atom.Noembed, atom.Noframes,
		atom.Svg, atom.Textarea, atom.Datalist, atom.Object, atom.Applet:
		return true
	}
	return false
}

// isVoid is an element without content.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case 0, atom.Br, atom.Img, atom.Hr, atom.Input, atom.Meta, atom.Link, atom.Base, atom.Col, atom.Area, atom.Wbr,
		atom.Embed, atom.Param, atom.Source, atom.Track, atom.Basefont, atom.Bgsound, atom.Frame, atom.Keygen:
		return true
	}
	return false
}

// attributes is what a start tag says that matters for reading.
type attributes struct {
	hidden bool
	shown  bool // the inline style says that it is
	pixel  bool // an image of one point
	size   fontSize
	alt    string
	class  string
	id     string
	first  int // of an ordered list
}

type fontSize uint8

const (
	sizeInherited fontSize = iota
	sizeZero
	sizeSome
)

// maxAttributes bounds what is read of one tag.
const maxAttributes = 100

func (r *htmlReader) attributes(more bool) attributes {
	a := attributes{first: 1}
	for n := 0; more && n < maxAttributes; n++ {
		var key, val []byte
		key, val, more = r.z.TagAttr()
		switch string(key) {
		case "hidden":
			a.hidden = true
		case "style":
			a.style(val)
		case "alt":
			a.alt = string(val)
		case "class":
			if len(r.sheet) > 0 {
				a.class = string(val)
			}
		case "id":
			if len(r.sheet) > 0 {
				a.id = string(val)
			}
		case "width", "height":
			if s := string(val); s == "1" || s == "0" || s == "1px" {
				a.pixel = true
			}
		case "size": // <font size>
			a.size = sizeSome
		case "start":
			if n, err := strconv.Atoi(string(val)); err == nil && n >= 0 && n < 1e6 {
				a.first = n
			}
		}
	}
	a.hidden = a.hidden || r.sheet.hides(a)
	return a
}

// style reads the declarations that hide an element.
func (a *attributes) style(css []byte) {
	const longest = 4 << 10
	css = css[:min(len(css), longest)]
	var room [512]byte
	flat := room[:0]
	for _, c := range css {
		if !isSpace(c) {
			flat = append(flat, lower(c))
		}
	}
	clipped, flatBox := false, false
	for len(flat) > 0 {
		var decl []byte
		decl, flat, _ = bytes.Cut(flat, []byte(";"))
		name, value, _ := bytes.Cut(decl, []byte(":"))
		value = bytes.TrimSuffix(value, []byte("!important"))
		switch string(name) {
		case "display":
			a.hidden = a.hidden || string(value) == "none"
			a.shown = string(value) != "none"
		case "visibility":
			a.hidden = a.hidden || string(value) == "hidden" || string(value) == "collapse"
		case "opacity":
			a.hidden = a.hidden || isZero(value)
		case "overflow":
			clipped = string(value) == "hidden"
		case "max-height", "height", "max-width", "width":
			flatBox = flatBox || isZero(value)
		case "font-size":
			// QUIRK: layouts set it to zero around cells to close gaps, and to something inside them.
			a.size = sizeSome
			if isZero(value) {
				a.size = sizeZero
			} else if isRelative(value) {
				a.size = sizeInherited
			}
		}
	}
	a.hidden = a.hidden || clipped && flatBox
}

// isZero says whether a CSS length is nothing: 0, 0px, 0.0em. One pixel is nothing to a reader too, but layouts
// use it for rules.
func isZero(v []byte) bool {
	digits := bytes.TrimRight(v, "abcdefghijklmnopqrstuvwxyz%")
	return len(digits) > 0 && len(bytes.Trim(digits, "0.")) == 0 && bytes.IndexByte(digits, '0') >= 0
}

// isRelative says whether a size depends on the one around it.
func isRelative(v []byte) bool {
	return bytes.HasSuffix(v, []byte("%")) || bytes.HasSuffix(v, []byte("em")) && !bytes.HasSuffix(v, []byte("rem")) ||
		string(v) == "inherit"
}

func itoa(n int) string { return strconv.Itoa(n) }
