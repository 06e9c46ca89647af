package rfc822

import "strings"

// capture keeps the decoded bytes of a text until it is complete and its characters can be read.
type capture struct {
	entity
	res  *result
	node *node
	buf  []byte
	max  int64 // bytes to keep
	left *int64
	cut  bool

	index int        // its number among the captures of the message
	stats *byteStats // of all bytes; nil: nobody asks
}

// capture begins to keep a body text.
func (r *result) capture(n *node, e entity) *capture {
	left := &r.textLeft
	if n.kind == nodeHTML {
		left = &r.htmlLeft
	}
	c := &capture{entity: e, res: r, node: n, left: left, index: r.captures}
	c.max = max(*left, 0) * charsetWidth(e.charset)
	r.captures++
	if r.survey {
		c.max, c.stats = max(c.max, surveyText), &byteStats{}
		c.stats.sum.SetSeed(r.seed)
	}
	return c
}

// fallback begins to keep the text of an attachment, nil where it is not worth it: what is text, is not kept
// aside on purpose, and comes first, is shown where the message has no other text.
func (r *result) fallback(e entity, root bool) *capture {
	if r.spare != nil || !strings.HasPrefix(e.media, "text/") || e.media == "text/rfc822-headers" {
		return nil
	}
	if e.disposition == "attachment" && !root {
		return nil
	}
	r.spare = &node{kind: bodyKind(e.media)}
	c := r.capture(r.spare, e)
	c.left = new(int64) // it takes no room from a body that may still come
	return c
}

func (c *capture) write(b []byte) {
	if c.res.tap != nil {
		c.res.tap(c.index, b)
		return
	}
	if c.stats != nil {
		c.stats.write(b)
	}
	if room := c.max - int64(len(c.buf)); int64(len(b)) > room {
		b = b[:max(room, 0)]
		c.cut = true
	}
	c.buf = append(c.buf, b...)
}

// finish turns the bytes into text.
func (c *capture) finish() {
	if c.res.tap != nil {
		c.res.tap(c.index, nil)
		return
	}
	if c.stats != nil {
		c.node.long, c.node.part = c.cut && c.stats.words, c.bodyPart()
	}
	text, known := decodeText(c.buf, c.charset, c.node.kind == nodeHTML, c.cut)
	if !known {
		c.res.defect(DefectCharsetUnknown)
	}
	if c.flowed {
		text = unflow(text, c.delSp)
	}
	if c.salvage && isHTMLDocument(text) {
		c.node.kind = nodeHTML
	}
	c.node.text, c.node.cut = text, c.cut
	*c.left -= int64(len(text))
	c.buf = nil
}

// bodyPart says how to read the text once more.
func (c *capture) bodyPart() *bodyPart {
	c.stats.finish()
	set := c.charset
	if set == "" && c.node.kind == nodeHTML {
		set = metaCharset(c.buf)
	}
	mark := string(c.buf[:min(len(c.buf), 3)])
	return &bodyPart{index: c.index, flowed: c.flowed, delSp: c.delSp, set: set, mark: mark, stats: c.stats}
}

// isHTMLDocument says whether a text without a type is HTML.
func isHTMLDocument(s string) bool {
	s = trimSpace(s)
	return hasFold(s, "<html") || hasFold(s, "<!doctype html") || hasFold(s, "<body")
}

// drop forgets the text and its place.
func (c *capture) drop() {
	c.node.kind = nodeNone
	c.buf = nil
}
