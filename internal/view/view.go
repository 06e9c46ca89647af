// Package view reads the HTML of a mail as a person sees it in a mail program: 800 pixels wide, in the light scheme,
// with details open, with images blocked, and without scripts.
//
// [Read] turns a document into runs of text. Each run says in which block and cell it stands, which link it belongs to,
// how it is set, how deep it is quoted, and whether a person sees it; if not, by which rule. Everything else in Mailkin
// that reads HTML reads this: the text of the body, codes, links, records, replies and screening. Nobody else decides
// what is hidden.
//
//	document ─► tags and text (lex.go) ─► open elements (build.go) ─► style of each (css.go, match.go, style.go)
//	                                                                     │
//	                             runs, links, boxes, marks ◄── layout ◄──┴─► hidden by which rule (hide.go)
//
// The cascade is that of browsers as far as mail uses it: style sheets with selectors by type, class, id, attribute,
// place and kinship, specificity, !important, inline styles, inheritance, and the presentational attributes of HTML.
// @media is evaluated for the reference above. Remote sheets are not loaded, as no mail program loads them.
//
// Work and memory are linear in the size of the document. Matching selectors has a budget of steps for each byte;
// elements that are opened after it is spent count as hidden ([Unread]), so that a hostile sheet cannot make hidden
// text visible.
package view

import "strings"

// View is a document as a person sees it.
type View struct {
	Runs   []Run
	Links  []Link
	Boxes  []Box   // elements with little text in them
	Marks  []Mark  // what mail programs put around quotations and signatures
	Items  []Item  // microdata
	Asides []Aside // what is no text of the document: comments, scripts, attributes with words in them

	Title string // of the document, as written in its head

	text   string
	hidden string   // the text that is not shown
	why    []Reason // of what Unseen returns
}

// Run is a piece of text that is set in one way.
type Run struct {
	Text   string // as shown: references are resolved, white space is collapsed, characters without width are gone
	Gap    Gap    // what stands between it and the run before it that is shown or hidden as it is
	Style  Style  // how it is set; inherited
	Quote  uint8  // how many quotations it stands in
	Hidden Reason // 0 for what is shown
	Block  int32  // the number of its block; a block is a paragraph, a cell, an item of a list
	Row    int32  // the number of its table row, 0 outside of tables
	Cell   int32  // the number of its cell in the row, from 1; 0 outside of tables
	Link   int32  // index of its link, or -1
	At     int32  // where it stands in the text that is shown, or in that which is hidden
	end    int32
}

// Gap is the white space before a run.
type Gap uint8

// The gaps, wider ones last.
const (
	GapNone  Gap = iota
	GapSpace     // a space
	GapCell      // it begins a cell
	GapLine      // it begins a line, by a line break
	GapBlock     // it begins a block
	GapBlank     // an empty line is between
)

// Style is how something is set.
type Style uint8

// The styles. Alt marks the text of an image, which is shown where images are blocked.
const (
	Bold Style = 1 << iota
	Heading
	Large  // 20 pixels or more
	Spaced // letters are set apart
	Mono
	Alt
)

// Link is an anchor.
type Link struct {
	Href   string
	Hidden Reason // no part of it can be seen
	Label  string // of an area of an image
	Images bool   // it has an image
	Run    int32  // the first run at or after its beginning
	End    int32  // the first run at or after its end
	rank   int32
}

// Box is an element whose visible text is short, as a code is.
type Box struct {
	First, Last int32 // its runs
	Style       Style // that it sets itself, not what it inherits
}

// Aside is what a document holds besides its text.
type Aside struct {
	Kind AsideKind
	Name string // of an attribute; of a script its type
	Text string // as written
}

// AsideKind is where an aside stands.
type AsideKind uint8

// The kinds.
const (
	Comment AsideKind = iota
	Script
	Attribute
)

// Text is what a person reads: blocks and breaks end lines, cells of a row are parted by tabs, items have a sign before
// them.
func (v *View) Text() string { return v.text }

// Read reads a document. It never fails.
func Read(html []byte) *View { return ReadString(string(html)) }

// ReadString is Read for a string. The view refers to it.
func ReadString(doc string) *View {
	if strings.IndexByte(doc, '<') < 0 {
		return readPlain(unescape(doc))
	}
	b := newBuilder(doc)
	b.read()
	for b.late {
		// A sheet stands after text that it may apply to, or asks for what follows; or something covers text before
		// it. Where a sheet after text asks for what follows, it takes one reading more to find that.
		again := newBuilder(doc)
		again.sheet, b.sheet = b.sheet, again.sheet
		again.facts, b.facts = b.facts, again.facts
		again.having, again.roots, again.late = b.having, b.roots, b.missed
		again.sheet.budget, again.sheetsKnown, again.second = again.sheet.budgetFor(doc), true, !b.missed
		b.give()
		b = again
		b.read()
	}
	defer b.give()
	return b.finish()
}

// readPlain reads text whose lines count.
//
// QUIRK: plain text that is labelled text/html keeps its lines.
func readPlain(text string) *View {
	var out lines
	v := &View{}
	block := int32(0)
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		from, gap := out.write(line, true)
		if end := len(out.buf); end > from {
			block++
			v.Runs = append(v.Runs, Run{At: int32(from), end: int32(end), Gap: gap, Block: block, Link: -1})
		}
		out.lineEnd()
		text = rest
	}
	all := string(out.buf)
	for i := range v.Runs {
		v.Runs[i].Text = all[v.Runs[i].At:v.Runs[i].end]
	}
	v.text = strings.TrimRight(all, " \t\n")
	return v
}
