package record

import (
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// page is the readable part of a mail: its subject, and its lines without the blank ones.
type page struct {
	lines []line // the first is the subject
	links []link
}

// link is an address in a page.
type link struct {
	url  string
	text string // what stands on it
	line int
}

// How much of a page is read.
const (
	maxLines = 3000
	maxPage  = 200 << 10
	maxLinks = 500
)

// textPage makes a page of plain text.
func textPage(subject, text string) *page {
	p := &page{}
	p.add(subject, true)
	forwarded := isForward(subject)
	for l := range strings.SplitSeq(mailbox.Cut(text, maxPage), "\n") {
		if strings.HasPrefix(l, ">") && !forwarded {
			continue // what somebody else wrote in another mail
		}
		l = strings.TrimLeft(l, ">|* \t")
		p.add(columns(l), false)
	}
	p.textLinks()
	return p
}

// isForward says whether a subject is that of a mail that was passed on, so that what it quotes is what it is about.
func isForward(subject string) bool {
	mark, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(subject)), ":")
	return ok && strings.Contains(" fwd fw wg tr rv i vs pd enc doorst 转发 轉寄 전달 ", " "+mark+" ")
}

// columns makes one tab of three spaces or more, with which plain text parts columns.
func columns(s string) string {
	if !strings.Contains(s, "   ") {
		return s
	}
	var b strings.Builder
	for s != "" {
		at := strings.Index(s, "   ")
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		b.WriteByte('\t')
		s = strings.TrimLeft(s[at:], " \t")
	}
	return b.String() + s
}

// add appends a line, in pieces if it is long. Blank ones are left out, but for the subject.
func (p *page) add(text string, subject bool) {
	text = tidy(strings.Map(visible, text))
	if text == "" && !subject {
		return
	}
	for len(p.lines) < maxLines {
		piece := text
		if len(piece) > maxLine/2 {
			piece = mailbox.Cut(piece, maxLine/2)
			if space := strings.LastIndexByte(piece, ' '); space > 0 {
				piece = piece[:space]
			}
		}
		p.lines = append(p.lines, phrased(piece))
		text = strings.TrimLeft(text[len(piece):], " ")
		if text == "" || subject {
			return
		}
	}
}

// phrased folds a line and finds its phrases.
func phrased(text string) line {
	l := newLine(text)
	l.hits = find(phrases(), nil, l.folded)
	return l
}

// visible drops characters that have no width. QUIRK: senders put them into numbers so that no reader makes links of
// them.
func visible(r rune) rune {
	switch {
	case r == 0xad, r == 0xfeff, 0x200b <= r && r <= 0x200f, 0x2060 <= r && r <= 0x2064, r == 0x34f:
		return -1
	}
	return r
}

// tidy makes one space of every run of blanks in a cell. Cells are parted by tabs, of which the first cell of a row of
// HTML has one before it; empty cells stay, so that columns can be counted.
func tidy(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return squeeze(s)
	}
	cells := strings.Split(s, "\t")
	for i, c := range cells {
		cells[i] = squeeze(c)
	}
	return strings.TrimRight(strings.TrimPrefix(strings.Join(cells, "\t"), "\t"), "\t")
}

// textLinks finds the addresses in the lines.
func (p *page) textLinks() {
	for i := range p.lines {
		l := &p.lines[i]
		for at := 0; len(p.links) < maxLinks; {
			n := strings.Index(l.text[at:], "http")
			if n < 0 {
				break
			}
			at += n
			if end := urlEnd(l.text, at); end > at {
				p.links = append(p.links, link{url: l.text[at:end], line: i})
				l.url = l.url || at == 0 && end == len(l.text)
				at = end
			} else {
				at += 4
			}
		}
	}
}

// urlEnd returns where the address that begins at i ends, i if there is none.
func urlEnd(s string, i int) int {
	rest := s[i:]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") {
		return i
	}
	end := len(rest)
	if dot := strings.IndexByte(rest, '.'); dot < 0 {
		return i
	}
	for j, r := range rest {
		if r <= ' ' || strings.ContainsRune("<>\"`{}|\\^[]", r) || r >= utf8.RuneSelf && isDense(r) {
			end = j
			break
		}
	}
	if again := strings.Index(rest[4:end], "http"); again > 4 && (strings.HasPrefix(rest[4+again:], "http://") ||
		strings.HasPrefix(rest[4+again:], "https://")) && strings.IndexByte("=/&?", rest[3+again]) < 0 {
		end = 4 + again // two addresses without a blank between them
	}
	return i + len(strings.TrimRight(rest[:end], ".,;:!?)'"))
}

// has says whether a phrase of the meaning is in the lines from one to before the other.
func (p *page) has(m meaning, from, to int) bool {
	for i := from; i < to && i < len(p.lines); i++ {
		for _, h := range p.lines[i].hits {
			if h.is(m) {
				return true
			}
		}
	}
	return false
}

// anywhere says whether a phrase of the meaning is in the page.
func (p *page) anywhere(m meaning) bool { return p.has(m, 0, len(p.lines)) }

// count gives in how many lines there is a phrase of the meaning.
func (p *page) count(m meaning) (n int) {
	for i := range p.lines {
		if p.has(m, i, i+1) {
			n++
		}
	}
	return n
}
