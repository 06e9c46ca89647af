package rfc822

import (
	"slices"
	"strings"
)

// bodies makes Text and HTML of the tree.
func (r *result) bodies(m *Message) {
	t := r.textBody(r.lim.Text)
	m.Text, m.TextFromHTML = t.String(), t.fromHTML
	m.Alternative = len(t.used) > 0 && len(t.used) == t.others
	cut := false
	m.Text, cut = cutText(m.Text, r.lim.Text)
	m.TextTruncated = cut || t.cut

	h := r.htmlBody()
	m.HTML, cut = cutText(h.out.String(), r.lim.HTML)
	m.HTMLTruncated = cut || h.cut
	if !cut && len(h.used) == 1 {
		m.html = h.used[0]
	}
}

// textBody joins the texts of the tree, up to max bytes or a little more.
func (r *result) textBody(max int64) *textWriter {
	t := &textWriter{max: max}
	t.node(r.root)
	if len(t.used) == 0 {
		t.returned = true
		t.node(r.root)
	}
	if len(t.used) == 0 && r.spare != nil {
		t.node(r.spare)
	}
	return t
}

// htmlBody joins the HTML of the tree.
func (r *result) htmlBody() *htmlWriter {
	h := &htmlWriter{}
	h.node(r.root)
	if len(h.used) == 0 && !r.root.has(nodePlain) {
		h.nested = true // a message that is nothing but another one
		h.node(r.root)
	}
	return h
}

// joined is one text after the other. Most messages have only one, which is not copied.
type joined struct {
	first string
	all   strings.Builder // as soon as there is a second
}

func (j *joined) String() string {
	if j.all.Len() > 0 {
		return j.all.String()
	}
	return j.first
}

// add appends a text. Between two there is a line end; where the one before ends with one that is enough, unless each
// is to have its own.
func (j *joined) add(text string, own bool) {
	before := j.String()
	if before == "" {
		j.first = text
		return
	}
	if j.all.Len() == 0 {
		j.all.WriteString(before)
	}
	if own || before[len(before)-1] != '\n' {
		j.all.WriteByte('\n')
	}
	j.all.WriteString(text)
}

// textWriter joins the texts of a tree in order.
type textWriter struct {
	joined
	max      int64
	fromHTML bool
	cut      bool
	returned bool    // messages that reports return count too
	used     []*node // whose texts these are
	within   bool    // what is written has an alternative in HTML
	others   int     // how many have such an alternative
}

func (t *textWriter) node(n *node) {
	if int64(len(t.String())) > t.max {
		return
	}
	switch n.kind {
	case nodePlain:
		t.add(n, n.text)
	case nodeHTML:
		if text := n.seen().Text(); text != "" || n.long {
			t.fromHTML = true
			t.add(n, text)
		}
	case nodeAlternative:
		t.alternative(n)
	case nodeReturned:
		if !t.returned {
			return
		}
		fallthrough
	default:
		for _, k := range n.kids {
			t.node(k)
		}
	}
}

// add appends the text of a node on a line of its own.
func (t *textWriter) add(n *node, text string) {
	t.cut = t.cut || n.cut
	if !n.long && trimSpace(text) == "" {
		return
	}
	t.used = append(t.used, n)
	if t.within {
		t.others++
	}
	t.joined.add(text, false)
}

// alternative writes the plain renderings, or where they say nothing the HTML. Several plain ones that differ
// are all kept: then they were not alternatives, whatever the sender called them.
func (t *textWriter) alternative(n *node) {
	var plain, html []*node
	for _, k := range n.kids {
		switch {
		case k.has(nodeHTML):
			html = append(html, k)
		case k.has(nodePlain) || k.kind == nodeMessage:
			plain = append(plain, k)
		}
	}
	if len(html) > 0 && isStub(plain, html, t.max) {
		t.node(html[0])
		return
	}
	if len(html) > 0 {
		defer func(before bool) { t.within = before }(t.within)
		t.within = true
	}
	type words struct {
		text string
		all  uint64
	}
	written := map[words]bool{}
	for _, k := range plain {
		w := words{text: k.text}
		if k.long { // there is more of it
			w = words{all: k.part.stats.sum.Sum64()}
		}
		if k.kind == nodePlain && written[w] {
			continue
		}
		written[w] = true
		t.node(k)
	}
}

// stubWords are what programs put into the plain part when they have nothing to put there.
var stubWords = [...]string{"html", "does not support", "doesn't support", "unable to display", "view this", "view the",
	"view in", "view email", "view online", "web browser", "webversion", "web version", "click here to view"}

// isStub says whether the plain renderings leave out what the HTML says: they are empty, or short words about
// needing an HTML reader.
func isStub(plain, html []*node, max int64) bool {
	p := &textWriter{max: max}
	for _, k := range plain {
		p.node(k)
	}
	if slices.ContainsFunc(p.used, func(n *node) bool { return n.long }) {
		return false
	}
	text := trimSpace(p.String())
	if !hasContent(text) {
		return true
	}
	const short, ratio = 400, 4
	if len(text) > short || !hasStubWord(text) {
		return false
	}
	h := &textWriter{max: max}
	h.node(html[0])
	full := trimSpace(h.String())
	return len(full) > len(text)*ratio && !hasContentInFull(text, full)
}

func hasStubWord(text string) bool {
	low := strings.ToLower(text)
	for _, w := range stubWords {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// hasContent says whether there is a letter or digit in s, outside web addresses.
func hasContent(s string) bool {
	for w := range strings.FieldsSeq(s) {
		w = strings.TrimLeft(w, "<([*")
		if hasFold(w, "http://") || hasFold(w, "https://") {
			continue
		}
		for i := range len(w) {
			if isAlphanumeric(w[i]) || w[i] >= 0x80 {
				return true
			}
		}
	}
	return false
}

// hasContentInFull says whether a short text carries a number that the full one has: a code is content, however
// short the text around it.
func hasContentInFull(text, full string) bool {
	digits := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] >= '0' && text[i] <= '9' {
			digits++
			continue
		}
		if digits >= 4 && strings.Contains(full, text[i-digits:i]) {
			return true
		}
		digits = 0
	}
	return false
}

// htmlWriter joins the HTML of a tree in order.
type htmlWriter struct {
	out    joined
	cut    bool
	nested bool
	used   []*node // whose HTML this is
}

func (h *htmlWriter) node(n *node) {
	switch n.kind {
	case nodeHTML:
		h.cut = h.cut || n.cut
		if n.text != "" || n.long {
			h.used = append(h.used, n)
			h.out.add(n.text, true)
		}
	case nodeMessage:
		if !h.nested {
			return
		}
		fallthrough
	case nodeSequence, nodeAlternative:
		for _, k := range n.kids {
			h.node(k)
		}
	}
}
