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
	if h.out.String() == "" && !r.root.has(nodePlain) {
		h.nested = true // a message that is nothing but another one
		h.node(r.root)
	}
	m.HTML, cut = cutText(h.out.String(), r.lim.HTML)
	m.HTMLTruncated = cut || h.cut
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

// add appends a text. Between two there is a line end; where the one before ends with one that is enough, unless each is to have its own.
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
	returned bool // messages that reports return count too
}

func (t *textWriter) empty() bool { return trimSpace(t.String()) == "" }

func (t *textWriter) node(n *node) {
	if int64(len(t.String())) > t.max {
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
	if trimSpace(text) != "" {
		t.joined.add(text, false)
	}
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
}

func (h *htmlWriter) node(n *node) {
	switch n.kind {
	case nodeHTML:
		h.cut = h.cut || n.cut
		if n.text != "" {
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
