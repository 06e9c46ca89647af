package link

// page is a text with links in it: a body as text, or what HTML shows.
type page struct {
	text  string
	spans []span // in order, none within another
	// shown are addresses that anchors show as their text. They are not links: their anchors are.
	shown []string
}

// span is where a link is.
type span struct {
	start, end int // of what a reader sees of it
	url        string
	label      string // what a reader sees, where it is not text[start:end]
	bare       bool   // an address in the text, not an anchor
}

// seen is what a reader sees of the i-th link.
func (p *page) seen(i int) string {
	if s := p.spans[i]; s.label == "" {
		return p.text[s.start:s.end]
	}
	return p.spans[i].label
}
