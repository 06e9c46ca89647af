package view

import (
	"strings"
	"sync"

	"golang.org/x/net/html/atom"
)

// builder follows which elements are open, and writes what they show.
type builder struct {
	lexer
	view    *View
	scratch View // memory for the lists of the next view
	stack   []element
	open    [256]int32 // how many elements are open, by a hash of their tag
	active  []formatting
	dead    int    // how many of them are closed
	kids    []node // the children of the open elements that are closed, if a selector asks for them

	sheet   *sheet
	matched []match
	inline  []decl                 // of all inline styles
	styles  map[string]inlineStyle // which of them each style says
	late    bool                   // it has to be read again
	missed  bool                   // and what follows the elements was not looked for everywhere
	second  bool                   // what follows each element is known
	roots   [2][]byte              // the attributes of all tags of html and body
	headTag tag                    // that of the head

	sheetsKnown bool
	facts       []facts         // what the first reading found of each element, by its number
	having      map[having]bool // which elements have what :has asks for
	elements    int32

	shown, hidden lines
	flow
	block, row int32
	cell       int32

	streams       bool // nothing is kept but the text
	quirks        bool
	bodyOpen      bool
	linkColour    colour
	areas         []int32 // links of image maps
	mapped        bool    // an image has a map
	named, marker string  // attributes of the tag at hand: name, and what marks signatures
	rows          int32
	msoAt         int  // how much was shown when something for Outlook alone was met, -1 for never
	notMso        bool // what is read now is not for Outlook
}

// node is what selectors ask of an element.
type node struct {
	atom      atom.Atom
	name      string
	attrs     string
	id, class string
	index     int32 // among its siblings, from 1
	number    int32 // of all elements, -1 for one that is not followed
}

// element is an open element.
type element struct {
	node
	style  computed
	inline string // the style attribute

	hidden, hasHref, presented, border bool
	painted, sized, spaced, mono       bool   // what the element says itself
	isItem                             bool   // of microdata
	keep                               bool   // white space is kept in it
	space                              *space // that it takes; nil where that does not matter
	positioned                         bool   // it moves as it says, or what stands in it does by it

	list   int   // of a list: the number of the last item, or bulleted
	link   int32 // -1 for none
	active int32 // its place among the formatting elements, -1 for none
	quote  uint8
	item   int32 // its place in the list of microdata, -1 for none
	end    MarkKind

	gone      uint64 // of a table: the columns that are collapsed
	columns   uint8  // of a table, or of a row: how many columns there are so far
	groupGone bool   // of a table: the columns of the group at hand are collapsed

	children int32
	written  bool  // text stands directly in it
	kidsFrom int32 // where its children begin in kids
	row      int32 // that was open around it
	cell     int32
	from     int32 // how much was shown at its beginning
	run      int32 // the first run in it
}

// formatting is an element of the list of active formatting elements, or a marker.
type formatting struct {
	node
	marker, dead bool
	open         bool // it is on the stack
}

// inlineStyle is what a style attribute says.
type inlineStyle struct {
	from, to int32 // of its declarations
	border   bool  // it draws one
}

const bulleted = -1

// maxOpen is how many elements are followed within each other. Browsers have such a limit, too. What is deeper stands
// in the innermost that is followed, and hides as it does.
const maxOpen = 512

// builders are the memory that reading takes. Nothing of one document is left to the next but room.
var builders = sync.Pool{New: func() any { return &builder{sheet: &sheet{}, styles: map[string]inlineStyle{}} }}

func newBuilder(doc string) *builder {
	b := builders.Get().(*builder)
	b.lexer, b.view = lexer{doc: doc}, &View{Links: b.scratch.Links, Boxes: b.scratch.Boxes, Marks: b.scratch.Marks,
		Asides: b.scratch.Asides}
	b.quirks, b.msoAt, b.headTag = isQuirks(doc), -1, globalTag(atom.Head)
	b.sheet.quirks, b.sheet.vars = b.quirks, variables{doc: doc}
	b.sheet.budget = b.sheet.budgetFor(doc)
	b.view.Runs = make([]Run, 0, len(doc)/160+8)
	return b
}

// give hands the memory back, unless a document of an unusual kind has made it large.
func (b *builder) give() {
	const most = 256 << 10 // bytes, roughly
	if cap(b.shown.buf)+cap(b.hidden.buf) > most || cap(b.stack) > 128 || cap(b.kids) > 1000 ||
		cap(b.sheet.parts) > 2000 || len(b.styles) > 500 {
		return
	}
	clear(b.stack[:cap(b.stack)])
	clear(b.active[:cap(b.active)])
	clear(b.kids[:cap(b.kids)])
	clear(b.styles)
	scratch := b.scratch
	b.sheet.reset()
	*b = builder{stack: b.stack[:0], active: b.active[:0], kids: b.kids[:0], sheet: b.sheet, matched: b.matched[:0],
		inline: b.inline[:0],
		styles: b.styles, facts: b.facts[:0], shown: lines{buf: b.shown.buf[:0]},
		hidden: lines{buf: b.hidden.buf[:0]}, areas: b.areas[:0]}
	b.scratch = scratch
	builders.Put(b)
}

// isQuirks tells whether browsers read a document in quirks mode.
func isQuirks(doc string) bool {
	const mark = "<!doctype"
	for doc = trimStart(doc); strings.HasPrefix(doc, "<!--"); doc = trimStart(doc) {
		_, n := commentAt(doc)
		doc = doc[n:]
	}
	if len(doc) < len(mark) || !strings.EqualFold(doc[:len(mark)], mark) {
		return true
	}
	kind, _, _ := strings.Cut(doc[len(mark):min(len(doc), 200)], ">")
	if kind = trim(kind); len(kind) == len("html") && strings.EqualFold(kind, "html") {
		return false
	}
	kind = strings.ToLower(kind)
	switch {
	case strings.Contains(kind, "html 4.0") && !strings.Contains(kind, "strict") && !strings.Contains(kind, "http"):
		return strings.Contains(kind, "transitional") || strings.Contains(kind, "frameset")
	case strings.Contains(kind, "html 3") || strings.Contains(kind, "html 2"):
		return true
	}
	return !strings.Contains(kind, "html")
}

func trimStart(s string) string {
	s = strings.TrimPrefix(s, "\ufeff")
	for s != "" && s[0] <= ' ' {
		s = s[1:]
	}
	return s
}

func (b *builder) read() {
	b.push(b.elementOf(b.root(0, globalTag(atom.Html))))
	for b.at < len(b.doc) {
		if text := b.text(); text != "" {
			b.write(text)
		}
		if b.at >= len(b.doc) {
			break
		}
		b.take(b.markup())
	}
	b.closeTo(0)
}

// take applies what markup returned.
func (b *builder) take(t tag, comment string, ok bool) {
	switch {
	case !ok:
		b.comment(comment)
	case t.name == "":
	case t.end:
		b.endTag(t)
	default:
		b.startTag(t)
	}
}

// comment notes a comment, and what is for Outlook alone.
func (b *builder) comment(s string) {
	if len(s) >= 3 && s[0] == '[' {
		switch low := lowered(s[:min(len(s), 40)]); {
		case strings.HasPrefix(low, "[if !mso"):
			b.notMso = true
		case strings.HasPrefix(low, "[if") && strings.Contains(low, "mso"):
			b.msoAt = len(b.shown.buf)
		}
	}
	if b.notMso && strings.Contains(s, "[endif]") && !strings.HasPrefix(s, "[if") {
		b.notMso = false
	}
	const shortest = 8
	if len(s) >= shortest {
		b.aside(Comment, "", s)
	}
}

// msoTwin tells whether what is hidden from Outlook has a twin for it, so that everybody else sees it.
//
// QUIRK: buttons are made twice, once for Outlook and once for all others, with mso-hide:all.
func (b *builder) msoTwin() bool { return b.notMso || b.msoAt >= 0 && b.msoAt == len(b.shown.buf) }

func (b *builder) top() *element { return &b.stack[len(b.stack)-1] }

// ensureBody opens the body, which may lack a tag.
func (b *builder) ensureBody() {
	if !b.bodyOpen {
		b.openBody(globalTag(atom.Body))
	}
}

func (b *builder) openBody(t tag) *element {
	b.bodyOpen = true
	if len(b.stack) > 0 {
		b.styleOf(&b.stack[0], &rootStyle) // its sheets are known now
		b.countKid(b.headTag)
	}
	return b.push(b.elementOf(b.root(1, t)))
}

// root is a tag of html or body with the attributes of all of them, once they are known.
func (b *builder) root(i int, t tag) tag {
	if b.sheetsKnown {
		t.attrs = string(b.roots[i])
	}
	return t
}

// addRoot notes the attributes of a tag of html or body. Those of later ones count where the first has none such.
func (b *builder) addRoot(i int, t tag) {
	if b.sheetsKnown || b.streams {
		return
	}
	b.late = b.late || t.attrs != "" && len(b.roots[i]) > 0
	b.roots[i] = append(append(b.roots[i], t.attrs...), ' ')
}

// write takes a run of text.
func (b *builder) write(text string) {
	if !b.bodyOpen {
		if trim(text) == "" {
			return
		}
		b.ensureBody()
	}
	if len(b.active) > 0 {
		b.reconstruct()
	}
	e := b.top()
	e.written = true
	if e.style.text != 0 && e.style.hide == 0 && trim(text) == "" {
		b.shown.space = true // it parts words, however small it is
	}
	reason := e.style.text
	if e.style.window != nil && b.beyond(e, text) && reason == 0 {
		reason = Clip
	}
	b.run(text, e, reason, e.runStyle())
}

// run writes text as a run.
func (b *builder) run(text string, e *element, reason Reason, style Style) {
	out := &b.shown
	if reason != 0 {
		out = &b.hidden
	}
	var from int
	var gap Gap
	if strings.IndexByte(text, '&') < 0 {
		from, gap = out.write(text, e.keep)
	} else {
		from, gap = b.writeEscaped(out, text, e.keep)
	}
	if len(out.buf) <= from || b.streams {
		return
	}
	if e.link >= 0 {
		b.view.Links[e.link].show(reason)
	}
	b.view.Runs = append(b.view.Runs, Run{Gap: gap, Style: style, Quote: e.quote, Hidden: reason, Block: b.block,
		Row:  b.row,
		Cell: b.cell, Link: e.link, At: int32(from), end: int32(len(out.buf))})
}

// writeEscaped writes text with references in it.
func (b *builder) writeEscaped(out *lines, text string, pre bool) (from int, gap Gap) {
	out.at, out.gap = -1, GapNone
	for {
		amp := strings.IndexByte(text, '&')
		if amp < 0 {
			break
		}
		out.text(text[:amp], pre)
		n := referenceLength(text[amp:])
		out.text(reference(text[amp:amp+n]), pre)
		text = text[amp+n:]
	}
	out.text(text, pre)
	if out.at < 0 {
		return len(out.buf), GapNone
	}
	return out.at, out.gap
}

// runStyle is how text in an element is set.
func (e *element) runStyle() (s Style) {
	c := &e.style
	if c.bold {
		s |= Bold
	}
	if c.mono {
		s |= Mono
	}
	if c.font >= largeFont {
		s |= Large
	}
	if c.spacing >= 2 {
		s |= Spaced
	}
	if isHeading(e.atom) {
		s |= Heading
	}
	return s
}

// ownStyle is how an element itself says that its text is set.
func (e *element) ownStyle() (s Style) {
	if isHeading(e.atom) {
		s |= Heading
	}
	switch e.atom {
	case atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		s |= Mono
	case atom.B, atom.Strong:
		s |= Bold
	}
	if e.mono {
		s |= Mono
	}
	if e.sized && e.style.font >= largeFont || e.sized && e.atom == atom.Font && e.style.font > rootSize {
		s |= Large
	}
	if e.spaced && e.style.spacing >= 1.5 {
		s |= Spaced
	}
	return s
}

// show notes that some of a link is shown, or by which rule it is not.
func (l *Link) show(reason Reason) {
	switch {
	case reason == 0:
		l.rank, l.Hidden = 2, 0
	case l.rank == 0:
		l.rank, l.Hidden = 1, reason
	}
}

// out is where what stands in an element is written.
func (b *builder) out(e *element) *lines {
	if e.style.hide != 0 {
		return &b.hidden
	}
	return &b.shown
}

// own copies a list into memory of its own, as much as it needs.
func own[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := append(make([]T, 0, len(list)), list...)
	clear(list) // they hold on to the document
	return out
}

// finish returns the view.
func (b *builder) finish() *View {
	v := b.view
	b.scratch = View{Links: v.Links[:0], Boxes: v.Boxes[:0], Marks: v.Marks[:0], Asides: v.Asides[:0]}
	v.Links, v.Boxes, v.Marks, v.Asides = own(v.Links), own(v.Boxes), own(v.Marks), own(v.Asides)
	if b.mapped {
		for _, i := range b.areas {
			v.Links[i].show(0)
		}
	}
	text := string(b.shown.buf)
	hidden := string(b.hidden.buf)
	v.text, v.hidden = strings.TrimRight(text, " \t\n"), hidden
	for i := range v.Runs {
		r := &v.Runs[i]
		all := text
		if r.Hidden != 0 {
			all = hidden
		}
		r.Text = all[r.At:r.end]
	}
	return v
}
