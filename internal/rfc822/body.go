package rfc822

import "strings"

// bodies makes Text and HTML of the tree.
func (r *result) bodies(m *Message) {
	t := &textWriter{max: r.lim.Text}
	t.node(r.root)
	if t.empty() {
		t.returned = true
		t.node(r.root)
	}
	if t.empty() && r.spare != nil {
		t.node(r.spare)
	}
	m.Text, m.TextFromHTML = t.String(), t.fromHTML
	cut := false
	m.Text, cut = cutText(m.Text, r.lim.Text)
	m.TextTruncated = cut || t.cut

	h := &htmlWriter{}
	h.node(r.root)
	if h.out.Len() == 0 && !r.root.has(nodePlain) {
		h.nested = true // a message that is nothing but another one
		h.node(r.root)
	}
	m.HTML, cut = cutText(h.out.String(), r.lim.HTML)
	m.HTMLTruncated = cut || h.cut
}

// textWriter joins the texts of a tree in order.
type textWriter struct {
	strings.Builder
	max      int64
	fromHTML bool
	cut      bool
	returned bool // messages that reports return count too
}

func (t *textWriter) empty() bool { return trimSpace(t.Builder.String()) == "" }

func (t *textWriter) node(n *node) {
	if int64(t.Len()) > t.max {
		return
	}
	switch n.kind {
	case nodePlain:
		t.add(n.text, n.cut)
	case nodeHTML:
		if text := n.htmlText(t.max); text != "" {
			t.fromHTML = true
			t.add(text, n.cut)
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

// add appends a text on a line of its own.
func (t *textWriter) add(text string, cut bool) {
	t.cut = t.cut || cut
	if trimSpace(text) == "" {
		return
	}
	if s := t.Builder.String(); s != "" && s[len(s)-1] != '\n' {
		t.WriteByte('\n')
	}
	t.WriteString(text)
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
	written := map[string]bool{}
	for _, k := range plain {
		if k.kind == nodePlain && written[k.text] {
			continue
		}
		written[k.text] = true
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
	text := trimSpace(p.Builder.String())
	if !hasContent(text) {
		return true
	}
	const short, ratio = 400, 4
	if len(text) > short {
		return false
	}
	h := &textWriter{max: max}
	h.node(html[0])
	full := trimSpace(h.Builder.String())
	if len(full) <= len(text)*ratio {
		return false
	}
	if hasContentInFull(text, full) {
		return false
	}
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
	out    strings.Builder
	cut    bool
	nested bool
}

func (h *htmlWriter) node(n *node) {
	switch n.kind {
	case nodeHTML:
		h.cut = h.cut || n.cut
		if h.out.Len() > 0 && n.text != "" {
			h.out.WriteByte('\n')
		}
		h.out.WriteString(n.text)
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
