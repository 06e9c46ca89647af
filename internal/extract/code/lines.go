package code

import (
	"bytes"
	"sort"
)

// How far from a token that stands alone a label may be, in lines with text.
const (
	linesAbove = 3
	linesBelow = 2
)

// relateAbove looks at the lines above a token that stands alone: the last label of the nearest line that has one
// counts.
func (p *page) relateAbove(t *token, r *relation) {
	from, _ := p.lineAt(t.start, t.end)
	for n := 0; n < linesAbove && from > 0; n++ {
		line := p.lineBefore(from)
		if n == 0 {
			points, leads := p.bids(line)
			r.aside += points
			r.numbered = leads == leadsNumber
			if leads != leadsNowhere && p.isApart(t) {
				r.cue = r.cue || leads >= leadsOn || t.place.strong || p.text[line.end-1] == ':'
				r.bid = r.bid || leads >= leadsOn
			}
		}
		if len(p.labels) == 0 {
			return
		}
		l := p.lastName(line)
		if l == nil {
			from = line.start
			continue
		}
		if l.kinds.has(kindOther) {
			r.against(otherAbove(p, l, line, n))
			return
		}
		r.better(l.worth()-0.5*float64(n), l, "below")
		return
	}
}

// isQuoted says whether the line of i quotes another mail.
func (p *page) isQuoted(i int) bool {
	from := lastLineEnd(p.text[:i]) + 1
	return from < i && p.text[from] == '>'
}

// lead is where a line leads to.
type lead uint8

const (
	leadsNowhere lead = iota
	leadsFor          // it says what for: you need for signing in
	leadsOn           // it bids to use what is below it
	leadsNumber       // the same, but calls it no more than a number
)

// bids is what a line adds that leads to the line below it: it ends with a colon, or bids to use what follows. It leads
// on where it ends with such a word, or is short and begins with it.
func (p *page) bids(line span) (points float64, leads lead) {
	if line.size() == 0 {
		return 0, leadsNowhere
	}
	end := line.start + len(bytes.TrimRight(p.text[line.start:line.end], ".。"))
	open := end == line.end && !p.endsSentence(end-1)
	if p.text[line.end-1] == ':' {
		points = 0.5
	}
	for i := p.labelsFrom(line.end) - 1; i >= 0 && p.labels[i].start >= line.start; i-- {
		l := &p.labels[i]
		d := measure(p.text, l.end, end)
		switch last := !d.stop && !d.number; {
		case l.kinds.has(kindIt) && !l.kinds.any(naming|setOf(kindCue)) && !d.stop && d.words <= 8 && points > 0:
			return points, leadsNumber // give them this number:
		case l.kinds.has(kindPurpose) && last:
			leads = max(leads, leadsFor)
		case l.kinds.has(kindCue):
			if last && (open && (d.words <= 1 || points > 0 && d.words <= 6) ||
				l.start == line.start && d.words > 1 && line.size() < 64) {
				leads = leadsOn
			}
			return points + 1, leads
		}
	}
	return points, leads
}

// otherAbove is what a label of something else says about what stands n lines below it, and one for the line itself.
func otherAbove(p *page, l *label, line span, n int) float64 {
	last := measure(p.text, l.end, line.end).words <= 2
	switch {
	case last && n < 2:
		return -6 + 2*float64(n)
	case line.size() < 48 && n == 0:
		return -6
	case n == 0:
		return -2
	}
	return 0
}

// lineBefore is the last line with text that ends before i.
func (p *page) lineBefore(i int) span {
	end := i
	for end > 0 && p.text[end-1] == '\n' {
		end--
	}
	return span{lastLineEnd(p.text[:end]) + 1, end}
}

// lastName is the last label in a line that names something and has no number of its own there. A word for a code
// counts before a word for something else in the same sentence: the code for your order.
func (p *page) lastName(line span) *label {
	var other *label
	last := p.labelsFrom(line.end) - 1
	for i := last; i >= 0 && i > last-2*maxLabels && p.labels[i].start >= line.start; i-- {
		l := &p.labels[i]
		if !l.names() || l.warned || p.hasToken(l.end, line.end) || measure(p.text, l.end, line.end).number {
			continue
		}
		switch {
		case other == nil && l.kinds.has(kindOther):
			other = l
		case other == nil:
			return l
		case l.kinds.any(positive):
			if l.upTo.until(other.from).stop {
				return other
			}
			return l
		}
	}
	return other
}

// hasToken says whether a token begins between the two places.
func (p *page) hasToken(from, to int) bool {
	t := p.tokenFrom(from)
	return t != nil && t.start < to
}

// tokenFrom is the first token that begins at or after i.
func (p *page) tokenFrom(i int) *token {
	n := sort.Search(len(p.tokens), func(n int) bool { return p.tokens[n].start >= i })
	if n == len(p.tokens) {
		return nil
	}
	return &p.tokens[n]
}

// relateBelow looks at the lines below: 123456, and then "is your code" or "Enter this code".
func (p *page) relateBelow(t *token, r *relation) {
	_, to := p.lineAt(t.start, t.end)
	for n := 0; n < linesBelow && to < len(p.text); n++ {
		line := p.lineAfter(to)
		i := p.labelsFrom(line.start)
		if n == 0 && i < len(p.labels) && p.labels[i].start == line.start && p.labels[i].kinds.has(kindIt) &&
			p.labels[i].kinds.has(kindCue) && t.shape <= shapeHyphen {
			r.cue, r.aside = true, r.aside+1 // enter it on the page
		}
		for ; i < len(p.labels) && p.labels[i].start < line.end; i++ {
			l := &p.labels[i]
			if l.kinds.any(positive) && !p.hasToken(l.end, line.end) {
				r.better(l.worth()-1-0.5*float64(n), l, "above")
				return
			}
			if l.names() {
				return
			}
		}
		to = line.end
	}
}

// lineAfter is the first line with text that begins after i.
func (p *page) lineAfter(i int) span {
	for i < len(p.text) && p.text[i] == '\n' {
		i++
	}
	end := bytes.IndexByte(p.text[i:], '\n')
	if end < 0 {
		return span{i, len(p.text)}
	}
	return span{i, i + end}
}
