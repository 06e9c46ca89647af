package record

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// document is what is read of HTML.
type document struct {
	page   *page
	blocks []string // JSON-LD, as it stands there
	items  []*node  // microdata
	title  string
}

const (
	maxHTML   = 2 << 20
	maxBlocks = 50
	maxBlock  = 512 << 10
)

// readHTML reads HTML as it comes, without making a tree of it: markup in mail is too broken for the rules of browsers,
// which would close the scope of an item where its sender did not mean to.
func readHTML(subject, s string) *document {
	d := &document{page: &page{}}
	out := layout{page: d.page}
	d.page.add(subject, true)
	scopes := microdata{}
	z := html.NewTokenizer(strings.NewReader(cut(s, maxHTML)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			out.newline()
			d.items = scopes.finish()
			if subject == "" && d.title != "" {
				d.page.lines[0] = phrased(tidy(d.title))
			}
			return d
		case html.TextToken:
			text := string(z.Text())
			out.text(text)
			scopes.text(text)
		case html.StartTagToken:
			d.start(z, &out, &scopes, false)
		case html.SelfClosingTagToken:
			d.start(z, &out, &scopes, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			out.end(tag)
			scopes.end(tag)
		}
	}
}

// start takes an element. What lies inside scripts and the like is read here, and is no text.
func (d *document) start(z *html.Tokenizer, out *layout, scopes *microdata, closed bool) {
	marked := bytes.Contains(z.Raw(), []byte("item")) || bytes.Contains(z.Raw(), []byte("ITEM"))
	name, more := z.TagName()
	tag := atom.Lookup(name)
	var attrs attributes
	if marked || tag == atom.A || tag == atom.Img || tag == atom.Script { // the others' are of no use here
		attrs = readAttributes(z, more)
	}
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Iframe, atom.Noembed, atom.Noframes, atom.Textarea, atom.Xmp:
		if closed {
			return
		}
		inside := ""
		if z.Next() == html.TextToken {
			inside = string(z.Raw())
		}
		if tag == atom.Title {
			d.title = cut(html.UnescapeString(inside), 300)
		}
		if kind := strings.ToLower(attrs.get("type")); tag == atom.Script && (strings.Contains(kind, "ld+json") || strings.Contains(kind, "json+ld")) && len(d.blocks) < maxBlocks {
			d.blocks = append(d.blocks, cut(inside, maxBlock))
		}
		return
	}
	out.start(tag, attrs)
	scopes.start(tag, attrs, closed)
}

// attributes are those of one element that are of use.
type attributes []html.Attribute

// maxAttributes is how many are read of an element.
const maxAttributes = 40

func readAttributes(z *html.Tokenizer, more bool) attributes {
	var list attributes
	for more && len(list) < maxAttributes {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch string(key) {
		case "type", "href", "src", "content", "datetime", "value", "data", "alt", "itemscope", "itemtype", "itemprop":
			list = append(list, html.Attribute{Key: string(key), Val: string(val)})
		}
	}
	return list
}

func (a attributes) get(key string) string {
	v, _ := a.lookup(key)
	return v
}

func (a attributes) lookup(key string) (string, bool) {
	for _, at := range a {
		if at.Key == key {
			return at.Val, true
		}
	}
	return "", false
}

// layout makes lines of text and elements.
type layout struct {
	page *page
	line strings.Builder
	href string // of the open anchor
	from int    // where its text begins in line
	size int
}

func (o *layout) text(s string) {
	if o.size += len(s); o.size <= maxPage {
		o.line.WriteString(strings.Map(blankSpace, s))
	}
}

// blankSpace makes spaces of line ends and tabs, which mean nothing in HTML and something in a page.
func blankSpace(r rune) rune {
	if r == '\n' || r == '\r' || r == '\t' {
		return ' '
	}
	return r
}

func (o *layout) newline() {
	o.closeLink()
	text := o.line.String()
	o.line.Reset()
	if text != "" {
		o.page.add(text, false)
	}
}

func (o *layout) start(tag atom.Atom, attrs attributes) {
	switch {
	case tag == atom.Td || tag == atom.Th:
		o.line.WriteByte('\t')
	case tag == atom.A:
		o.closeLink()
		o.href, o.from = strings.TrimSpace(attrs.get("href")), o.line.Len()
	case tag == atom.Img:
		if o.href != "" && o.size < maxPage {
			o.line.WriteString(" " + cut(attrs.get("alt"), 200) + " ")
		}
	case isBlock(tag):
		o.newlineIn()
	}
}

// newlineIn ends a line inside an anchor, which goes on.
func (o *layout) newlineIn() {
	href := o.href
	if href != "" && strings.TrimSpace(o.line.String()[o.from:]) == "" {
		o.href = ""
	}
	o.newline()
	o.href, o.from = href, 0
}

func (o *layout) end(tag atom.Atom) {
	switch {
	case tag == atom.A:
		o.closeLink()
	case isBlock(tag):
		o.newlineIn()
	}
}

// closeLink notes the open anchor.
func (o *layout) closeLink() {
	if strings.HasPrefix(o.href, "http") && strings.IndexByte(o.href, '.') > 0 && len(o.page.links) < maxLinks {
		o.page.links = append(o.page.links, link{url: o.href, text: squeeze(o.line.String()[min(o.from, o.line.Len()):]), line: len(o.page.lines)})
	}
	o.href = ""
}

func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.Br, atom.Tr, atom.Table, atom.Li, atom.Ul, atom.Ol, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Hr, atom.Body, atom.Center, atom.Blockquote, atom.Pre, atom.Dl, atom.Dt, atom.Dd, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Tbody, atom.Thead:
		return true
	}
	return false
}
