package rfc822

import (
	"hash/maphash"
	"slices"
)

// result gathers what the parsers of one message find.
type result struct {
	lim      Limits
	msg      Message
	entities int // opened so far
	messages int // open now, one in the other
	root     *node
	textLeft int64
	htmlLeft int64
	spare    *node // text to fall back on where there is no body
	captures int   // begun so far

	survey bool                      // to say what bodies are made of: see ScanBodies
	seed   maphash.Seed              //
	tap    func(index int, b []byte) // takes the bytes of texts in place of the captures, and nil at their ends
}

func newResult(lim Limits, root *node) *result {
	return &result{lim: lim, root: root, textLeft: lim.Text, htmlLeft: lim.HTML}
}

// defect notes what was wrong, once.
func (r *result) defect(d Defect) {
	if !slices.Contains(r.msg.Defects, d) {
		r.msg.Defects = append(r.msg.Defects, d)
	}
}

// admit counts one more entity and says whether it is within the limit.
func (r *result) admit() bool {
	if r.entities++; r.entities > r.lim.Parts {
		r.defect(DefectTooManyParts)
		return false
	}
	return true
}

// addPart gives a part its number.
func (r *result) addPart(p Part) int {
	p.Index = len(r.msg.Parts) + 1
	r.msg.Parts = append(r.msg.Parts, p)
	return p.Index - 1
}

// message puts the result together.
func (r *result) message(p *Parser) *Message {
	m := &r.msg
	m.Size = p.pos
	if p.digest != nil {
		p.digest.Sum(m.Digest[:0])
	}
	h := m.Header
	m.From, m.Sender, m.ReplyTo = h.addresses("From"), h.addresses("Sender"), h.addresses("Reply-To")
	m.To, m.Cc, m.Bcc = h.addresses("To"), h.addresses("Cc"), h.addresses("Bcc")
	if len(m.From) == 0 {
		r.defect(DefectFromMissing)
	}
	m.Subject = h.First("Subject")
	if ids := messageIDs(h.Raw("Message-ID")); len(ids) > 0 {
		m.MessageID = ids[0]
	}
	m.InReplyTo = messageIDs(h.Raw("In-Reply-To"))
	m.References = messageIDs(h.Raw("References"))
	if raw := h.Raw("Date"); raw != "" {
		if m.Date = parseDate(raw); m.Date.IsZero() {
			r.defect(DefectDate)
		}
	}
	r.bodies(m)
	return m
}
