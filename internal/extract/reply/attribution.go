package reply

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// evidence is what in a line speaks for an attribution.
type evidence uint8

const (
	hasMail evidence = 1 << iota
	hasDate
	hasTime
	hasVerb
	hasOpener
	hasBracket // around the address
	hasQuote   // quoted lines follow

	looked // the line was looked at
)

func (e evidence) all(of evidence) bool { return e&of == of }

// enough says whether a text with a colon at its end introduces what somebody else wrote.
func (e evidence) enough() bool {
	return e.strong() || e.all(hasVerb|hasQuote) || e.all(hasDate|hasTime|hasQuote) ||
		e.all(hasMail|hasQuote) && e&(hasOpener|hasDate|hasTime) != 0
}

// strong says that it does so whatever stands around it.
func (e evidence) strong() bool {
	return e.all(hasVerb|hasMail) && e&(hasBracket|hasDate|hasTime) != 0 || e.all(hasMail|hasDate|hasTime) ||
		e.all(hasVerb|hasDate|hasTime)
}

const (
	maxAttributionLine  = 300 // bytes of a line of an attribution
	maxAttributionSize  = 400 // bytes of all its lines
	maxAttributionWords = 36
	maxAttributionLines = 5
)

// attributionEnd says whether a line may be the last one of an attribution.
func attributionEnd(body string) bool {
	if body == "" || len(body) > maxAttributionLine {
		return false
	}
	switch body[len(body)-1] {
	case ':':
		return true
	case '-': // Zoho: "---- On ... wrote ----", now with three at the end
		return (strings.HasSuffix(body, " ---") || strings.HasSuffix(body, " ----")) && has(body[max(0, len(body)-30):],
			wrote)
	}
	if strings.HasSuffix(body, "：") {
		return true
	}
	return strings.IndexByte(body, '@') > 0 && is(lastWord(body), wrote) // the colon was lost
}

// attributionAt returns the first line of the attribution that ends at line e.
func attributionAt(ls []line, e int) (start int, ok bool) {
	if !attributionEnd(ls[e].body) {
		return e, isDateFirst(ls, e) || isRunIn(ls[e].body) || isHeaded(ls, e)
	}
	if isBareAttribution(ls, e) {
		return e, true
	}
	w := attributionWindow(ls, e)
	var seen evidence
	if quoteFollows(ls, e) {
		seen = hasQuote
	}
	if start, ok = w.start(seen); ok {
		start = acrossGap(ls, start, e)
	}
	return start, ok
}

// isHeaded is an attribution without a colon above the head of the message: "On <date> at <time> Ann wrote" and then
// "From: Ann".
func isHeaded(ls []line, e int) bool {
	body := ls[e].body
	if body == "" || len(body) > maxAttributionLine || e+1 == len(ls) || ls[e+1].depth != ls[e].depth {
		return false
	}
	f, _ := fieldIn(ls[e+1].body)
	return f&fieldFrom != 0 && evidenceIn(&ls[e]).all(hasOpener|hasVerb|hasDate|hasTime)
}

// acrossGap takes in a line with the date that stands above an empty line.
//
// QUIRK: Windows Mail breaks "On <date> <name>" from "<address> wrote:".
func acrossGap(ls []line, start, e int) int {
	if start < 2 || !ls[start-1].blank() || ls[start-2].depth != ls[e].depth || ls[start-2].kind != own {
		return start
	}
	for k := start; k <= e; k++ {
		if evidenceIn(&ls[k])&(hasDate|hasTime) != 0 {
			return start
		}
	}
	if above := ls[start-2].body; len(above) <= maxAttributionLine && evidenceIn(&ls[start-2]).all(hasOpener|hasDate|
		hasTime) && wordCount(above, 15) < 15 {
		return start - 2
	}
	return start
}

// isDateFirst is an attribution without a colon that begins with a date: Gmail once wrote "2013/7/20 Ann <address>",
// and "2016-03-03 17:21 GMT+01:00 Ann".
func isDateFirst(ls []line, e int) bool {
	body := ls[e].body
	if body == "" || len(body) > maxAttributionLine || body[0] < '0' || body[0] > '9' || len(body) < 12 {
		return false
	}
	if year, n := readNumber(body); n != 4 || year.value < 1990 || year.value > 2100 || !strings.ContainsRune("-/.",
		rune(body[4])) {
		return false
	}
	if e > 0 && !ls[e-1].blank() || e+1 < len(ls) && !ls[e+1].blank() && ls[e+1].depth == ls[e].depth {
		return false
	}
	found := evidenceIn(&ls[e])
	return found&hasMail != 0 && body[len(body)-1] == '>' || found.all(hasDate|hasTime) &&
		strings.Contains(body[:min(len(body), 24)], " GMT")
}

// isBareAttribution is an attribution with nothing but an address and a verb, as mail programs on phones write it below
// an empty line: "ann@example.com wrote:".
func isBareAttribution(ls []line, e int) bool {
	body := ls[e].body
	who, verb, ok := strings.Cut(body, " ")
	if !ok || !hasAddress(who) || wordCount(verb, 4) >= 4 || !is(lastWord(verb), wrote) {
		return false
	}
	return e > 0 && (ls[e-1].blank() || ls[e-1].kind == dropped) && e+1 < len(ls) && ls[e+1].blank()
}

// isRunIn is an attribution with the first words of the history after it, as Yahoo on phones leaves them: "On ..., Ann
// <address> wrote:   Hi". It has to be all there, as people write such lines too.
func isRunIn(body string) bool {
	body = body[:min(len(body), maxAttributionLine)]
	if strings.IndexByte(body, '@') < 0 {
		return false
	}
	head, _, ok := strings.Cut(body, ":  ")
	if !ok || !hasAddress(head) {
		return false
	}
	return is(lastWord(head), wrote) && dateTime(head) == hasDate|hasTime && opens(head)
}

// window is the lines that may belong to an attribution, the last one first.
type window struct {
	ls    []line
	last  int
	parts [maxAttributionLines]evidence
	count int
}

func attributionWindow(ls []line, e int) *window {
	w := &window{ls: ls, last: e}
	size, words, seen := 0, 0, evidence(0)
	for k := e; k >= 0 && w.count < maxAttributionLines; k-- {
		l := &ls[k]
		if l.blank() || l.kind != own || l.depth != ls[e].depth || k < e && endsSentence(l.body) {
			break
		}
		size += len(l.body)
		words += wordCount(l.body, maxAttributionWords+1)
		if size > maxAttributionSize || words > maxAttributionWords {
			break
		}
		part := evidenceIn(l)
		if part&seen != 0 {
			break // it has a date or a time already
		}
		seen |= part & (hasDate | hasTime)
		w.parts[w.count] = part
		w.count++
	}
	return w
}

// endsSentence says that a line is the last one of a sentence, so that an attribution does not go on from it. Dates end
// in short words with a dot.
func endsSentence(body string) bool {
	switch body[len(body)-1] {
	case '!', '?', ':', ';':
		return true
	case '.':
		last := body[strings.LastIndexByte(body, ' ')+1:]
		return utf8.RuneCountInString(last) > 5
	}
	return false
}

// start finds the line that the attribution begins with.
func (w *window) start(quoted evidence) (int, bool) {
	n := w.nearest(quoted, evidence.strong)
	if n < 0 {
		n = w.nearest(quoted, evidence.enough)
	}
	if n < 0 {
		return 0, false
	}
	return w.last - w.extend(n), true
}

// extend takes in the parts above part n that belong to it: an attribution has one address, one date and one time, and
// the part above may have what is still missing.
func (w *window) extend(n int) int {
	var seen evidence
	for k := range n + 1 {
		seen |= w.parts[k]
	}
	const once = hasMail | hasDate | hasTime
	for ; n+1 < w.count; n++ {
		above := w.parts[n+1] & once
		if above&seen != 0 || above == hasTime || above == 0 && !w.broken(n) && !w.opened(n+1) {
			break
		}
		seen |= above
	}
	return n
}

// opened says that part n is the beginning of an attribution: an opener with a number, or with little else.
func (w *window) opened(n int) bool {
	if w.parts[n]&hasOpener == 0 {
		return false
	}
	return w.numbered(n) || wordCount(w.body(n), 5) < 5 && !strings.HasSuffix(w.body(n), ".")
}

// body is the text of part n.
func (w *window) body(n int) string { return w.ls[w.last-n].body }

// nearest returns the part that completes the evidence: the nearest one with an opener and a number, else the nearest
// one with a date, else the nearest one.
func (w *window) nearest(seen evidence, complete func(evidence) bool) int {
	first, dated := -1, -1
	for n := range w.count {
		part := w.parts[n]
		seen = seen&^hasOpener | part
		if !complete(seen) {
			continue
		}
		if part&hasOpener != 0 && (part&(hasDate|hasTime) != 0 || w.numbered(n)) {
			return n
		}
		if first < 0 {
			first = n
		}
		if dated < 0 && part&hasDate != 0 {
			dated = n
		}
		if part.all(hasVerb | hasMail | hasDate | hasTime) {
			break
		}
	}
	if dated >= 0 {
		return dated
	}
	return first
}

// numbered says that there is a digit in part n.
func (w *window) numbered(n int) bool {
	return strings.ContainsFunc(w.body(n), unicode.IsDigit)
}

// broken says that part n begins within a name and its address, so that the part above it belongs to it.
func (w *window) broken(n int) bool {
	here, above := w.body(n), w.body(n+1)
	if strings.HasSuffix(above, "<") || strings.HasSuffix(above, "(") {
		return true
	}
	return here[0] == '<' || here[0] == '(' || here[0] == '['
}

// evidenceIn looks at one line.
func evidenceIn(l *line) evidence {
	if l.evidence&looked == 0 {
		l.evidence = looked | dateTime(l.body) | wordEvidence(l.body)
		if hasAddress(l.body) {
			l.evidence |= hasMail
			if strings.ContainsAny(l.body, "<>()[]") {
				l.evidence |= hasBracket
			}
		}
	}
	return l.evidence &^ looked
}

func wordEvidence(body string) (e evidence) {
	if has(body, wrote) {
		e |= hasVerb
	}
	if opens(body) {
		e |= hasOpener
	}
	return e
}

// hasAddress says that there is a mail address in s.
func hasAddress(s string) bool {
	at := strings.IndexByte(s, '@')
	return at > 0 && at+1 < len(s) && isAddress(s[at-1]) && isAddress(s[at+1])
}

// opens says that a line begins as an attribution does.
func opens(body string) bool {
	first := firstWord(body)
	if first == "" || strings.Index(body, first) > 12 {
		return false
	}
	return words().AtStart(first).Any(opener)
}

// isAddress is a character next to the @ of an address. Marks of direction may stand there.
func isAddress(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '+' || c == '[' ||
		c >= utf8.RuneSelf
}
