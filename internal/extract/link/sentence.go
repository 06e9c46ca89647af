package link

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

const (
	reach        = 600 // bytes: how far back a link's meaning is looked for
	maxSentences = 5   // and in how many sentences
	reachAfter   = 200 // bytes
)

// before gives the text that stands before a link back to the end of the last sentence, and where that begins.
// Sentences end at their signs, at empty lines and at bars and bullets.
func before(text string, end int) (sentence string, start int) {
	floor := max(0, end-reach)
	something := false
	for start = end; start > floor && !(something && endsAt(text, start)); start-- {
		something = something || text[start-1] > ' '
	}
	return text[start:end], start
}

// after returns the rest of the sentence that a link stands in, as far as the line is not left with the link.
func after(text string, start, limit int) string {
	limit = min(limit, start+reachAfter)
	rest := strings.TrimLeft(text[start:limit], " \t>)]\"'")
	if rest == "" || rest[0] == '\n' {
		return ""
	}
	for end := start + 1; end < limit; end++ {
		if endsAt(text, end) {
			return text[start:end]
		}
	}
	return text[start:limit]
}

// endsAt tells whether a sentence ends right before text[i].
func endsAt(text string, i int) bool {
	switch c := text[i-1]; c {
	case '!', '?':
		return i == len(text) || text[i] <= ' '
	case '.':
		if i == len(text) || text[i] > ' ' {
			return i == len(text) || i > 1 && isLower(text[i-2]) && text[i] >= 'A' && text[i] <= 'Z'
		}
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[i:min(len(text), i+8)], " \n"))
		return !unicode.IsLower(next) // as after "el. " in Lithuanian, "e.g. " in English
	case '|':
		return true
	case '\n':
		return i > 1 && text[i-2] == '\n'
	case 0x81, 0x82, 0x9F, 0xA2, 0xA4, 0xB7: // last bytes of the signs below
		return endsAtSign(text[:i])
	}
	return false
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func endsAtSign(s string) bool {
	for _, sign := range [...]string{"。", "！", "？", "•", "·", "।", "؟"} {
		if strings.HasSuffix(s, sign) {
			return true
		}
	}
	return false
}

// endsBefore tells whether a sentence ends before text[i], and there is nothing after it.
func endsBefore(text string, i int) bool {
	last := strings.TrimRight(text[:i], " \n")
	return strings.Contains(text[len(last):i], "\n\n") || last == "" || endsAt(text, len(last))
}

// nearby is what the sentences around a link mean.
type nearby struct {
	own   lexicon.Set // the sentence it stands in
	empty bool        // of which nothing is before it
	label bool        // or no more than a few words

	text  string // of the page
	start int    // where the sentence begins
	link  int    // where the link is
}

// around reads the sentence that the i-th link of a page stands in. What follows one that shows no text is not about
// it: such are logos, at the top.
func (p *page) around(i int, blank bool) nearby {
	s := p.spans[i]
	prev, next := 0, len(p.text)
	if i > 0 {
		prev = min(p.spans[i-1].end, s.start)
	}
	if i+1 < len(p.spans) {
		next = max(p.spans[i+1].start, s.end)
	}
	sentence, start := before(p.text, s.start)
	if start < prev {
		sentence, start = p.text[prev:s.start], prev
	}
	const short = 40
	length := len(strings.TrimSpace(sentence))
	n := nearby{empty: length == 0, label: length > 0 && length <= short, text: p.text, start: start, link: s.start}
	n.own = texts().In(sentence)
	if n.own.Any(alarm|ignore) && !n.own.Any(click) && endsBefore(p.text, s.start) {
		n.own, n.empty, n.label = 0, true, false // it is over: the link is another matter
	}
	if n.own&^click == 0 && !blank {
		n.own |= texts().In(after(p.text, s.end, next))
	}
	return n
}

// before reads the sentences before that one, the nearest first.
func (n nearby) before() iter.Seq[lexicon.Set] {
	return func(yield func(lexicon.Set) bool) {
		start := n.start
		for k := 0; k < maxSentences && start > 0 && n.link-start < reach; k++ {
			var sentence string
			if sentence, start = before(n.text, start); !yield(texts().In(sentence)) {
				return
			}
		}
	}
}
