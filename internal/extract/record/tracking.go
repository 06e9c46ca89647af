package record

import (
	"net/url"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// parcelNo is a number that could be a tracking number.
type parcelNo struct {
	number  string
	line    int
	labels  int // 2 after a label, 1 after a word that may be one
	guesses []guess
	wrong   bool // it has the form of a carrier's numbers and not their check digit
}

// maxParcels is how many parcels are given of a mail.
const maxParcels = 20

// parcelNos returns the numbers of parcels: those with labels, and those that can be nothing else.
func (r *reader) parcelNos() []parcelNo {
	var list []parcelNo
	add := func(p parcelNo) {
		for i := range list {
			if list[i].number == p.number {
				list[i].labels = max(list[i].labels, p.labels)
				return
			}
		}
		if len(list) < maxParcels {
			p.guesses, p.wrong = identify(p.number), misprinted(p.number)
			list = append(list, p)
		}
	}
	r.each(trackNo, func(i int, h hit) bool {
		r.labelledNos(i, h, 2, add)
		return false
	})
	r.each(track, func(i int, h hit) bool {
		if rest := r.page.lines[i].folded[h.to:]; !h.is(trackNo) && strings.IndexByte(mailbox.Cut(rest, 30), ':') >= 0 {
			r.labelledNos(i, h, 1, add)
		}
		return false
	})
	sender := r.senderCarrier()
	for i := range r.page.lines {
		l := &r.page.lines[i]
		for word := range strings.FieldsFuncSeq(l.text, notInNumber) {
			if len(word) < shortestNo {
				continue
			}
			guesses := identify(word)
			if soleCarrier(guesses) != "" {
				add(parcelNo{number: word, line: i})
			} else if sender >= 0 && len(word) >= ownNo && isGuess(guesses, sender) && l.means(parcel|track) > 0 {
				add(parcelNo{number: word, line: i, labels: 1}) // a carrier that speaks of a parcel of its own
			}
		}
	}
	r.linkedNos(add)
	return list
}

const (
	shortestNo = 8
	ownNo      = 12 // of a number that only its sender vouches for: telephone numbers are shorter
)

// senderCarrier returns the carrier that the mail is from, -1 if it is none.
func (r *reader) senderCarrier() int {
	if c := carrierAt(r.domain); c >= 0 && !carriers()[c].shop() {
		return c
	}
	return -1
}

func notInNumber(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z')
}

// labelledNos adds the numbers after a label.
func (r *reader) labelledNos(i int, h hit, labels int, add func(parcelNo)) {
	for _, v := range r.page.values(i, h) {
		if v.at != i && (v.line.startsLabel(trackNo) || v.line.url) {
			return
		}
		if v.at != i && labels < 2 {
			return
		}
		numbers := numbersIn(v, v.at == i)
		for _, n := range numbers {
			add(parcelNo{number: n, line: v.at, labels: labels})
		}
		if len(numbers) > 0 || v.at != i && !strings.Contains(v.folded(), "\t") && v.to-v.from > 60 {
			return
		}
	}
}

// numbersIn returns the numbers of a value, which may be written in groups; words says whether some may stand before
// them.
func numbersIn(v value, words bool) (list []string) {
	text := v.text()
	if at := strings.Index(text, "http"); at >= 0 {
		text = text[:at]
	}
	parts := strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \t,;()[]<>|、。，（）【】", r) ||
			r >= 0x2e80
	})
	for i := 0; i < len(parts) && len(list) < 10; i++ {
		if (i > 5 || i > 0 && !words) && len(list) == 0 {
			break
		}
		number, used := joinedNumber(parts[i:])
		if used == 0 {
			continue
		}
		if days := dates(fold(strings.Join(parts[i:i+used], " "))); len(days) > 0 && days[0].year != 0 {
			continue
		}
		list = append(list, number)
		i += used - 1
	}
	return list
}

// joinedNumber reads the number that begins with the first word, and returns how many words it has.
func joinedNumber(words []string) (number string, used int) {
	joined, best := "", 0
	for n, w := range words {
		bare := bareNumber(w)
		if bare == "" || n > 0 && len(bare) > 10 || n > 9 || len(joined)+len(bare) > 40 {
			break
		}
		joined += bare
		list := identify(joined)
		weight := 0
		if len(list) > 0 {
			weight = list[0].weight() + 1
		}
		if weight > best || weight == best && best > 2 {
			number, used, best = joined, n+1, weight
		}
	}
	if best > 2 {
		return number, used
	}
	if whole, all := groups(words); all > max(used, 1) {
		return whole, all
	}
	if best > 0 {
		return number, used
	}
	raw := strings.ToUpper(strings.Trim(words[0], ".:#*\"'-–"))
	if countDigits(raw) >= 5 && len(raw) <= 40 && bareNumber(words[0]) != "" && words[0][0] != '+' {
		return raw, 1
	}
	return "", 0
}

// groups joins a number that is written in groups of three to five digits.
func groups(words []string) (number string, used int) {
	for _, w := range words {
		if len(w) < 3 || len(w) > 5 || countDigits(w) != len(w) {
			break
		}
		number += w
		used++
	}
	if len(number) < 8 || len(number) > 30 {
		return "", 0
	}
	return number, used
}

// bareNumber returns a word without the dashes and dots in it, empty if it has other signs or no digit.
func bareNumber(w string) string {
	w = strings.Trim(w, ".:#*\"'")
	bare := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' {
			return -1
		}
		return r
	}, strings.ToUpper(w))
	if strings.ContainsFunc(bare, notInNumber) || countDigits(bare) == 0 {
		return ""
	}
	return bare
}

func countDigits(s string) (n int) {
	for i := range len(s) {
		n += b2i(isDigit(s[i]))
	}
	return n
}

// misprinted says whether a number has the form of one that nothing else has, and a wrong check digit.
func misprinted(number string) bool {
	for _, c := range carriers() {
		for _, s := range c.shapes {
			if s.check != nil && s.strong && fits(s.pattern, number) {
				return !s.check(number)
			}
		}
	}
	return false
}

// linkedNos adds the numbers that links to carriers carry.
func (r *reader) linkedNos(add func(parcelNo)) {
	for _, l := range r.page.links {
		u, err := url.Parse(l.url)
		if err != nil {
			continue
		}
		at := carrierAt(strings.ToLower(u.Hostname()))
		for part := range strings.FieldsFuncSeq(u.Path+"&"+u.RawQuery,
			func(r rune) bool { return strings.ContainsRune("/&;=", r) }) {
			part = strings.ToUpper(part)
			guesses := identify(part)
			if soleCarrier(guesses) != "" || at >= 0 && countDigits(part) >= 8 && (isGuess(guesses, at) ||
				len(part) < 30 && !strings.ContainsFunc(part, notInNumber)) {
				add(parcelNo{number: part, line: l.line, labels: b2i(at >= 0)})
			}
		}
	}
}

func isGuess(list []guess, carrier int) bool {
	for _, g := range list {
		if g.carrier == carrier {
			return true
		}
	}
	return false
}

// carrierOf returns the carrier of a parcel: the one that is named, if it has such numbers; the one that alone has; the
// one that is named all the same; the first whose check digit is right.
func (r *reader) carrierOf(p parcelNo) string {
	named := r.namedCarriers(p.line)
	for _, c := range named {
		for _, g := range p.guesses {
			if g.carrier == c {
				return carriers()[c].name
			}
		}
	}
	if name := soleCarrier(p.guesses); name != "" {
		return name
	}
	if len(named) > 0 {
		return carriers()[named[0]].name
	}
	for _, g := range p.guesses {
		if g.checked && r.lang != "ja" { // three Japanese carriers have the same numbers
			return carriers()[g.carrier].name
		}
	}
	return ""
}

// namedCarriers returns the carriers that the mail names: the sender, after a label, close to the line, anywhere.
func (r *reader) namedCarriers(line int) []int {
	list := carriersIn(fold(r.mail.FromName))
	if c := carrierAt(r.domain); c >= 0 && !carriers()[c].shop() {
		list = append(list, c)
	}
	r.each(carrierIs, func(i int, h hit) bool {
		for _, v := range r.page.values(i, h) {
			if found := carriersIn(mailbox.Cut(v.folded(), 60)); len(found) > 0 {
				list = append(list, found...)
				break
			}
		}
		return false
	})
	for _, away := range []int{0, 1, -1, 2, -2, 3, -3} {
		if i := line + away; i >= 0 && i < len(r.page.lines) {
			list = append(list, carriersIn(r.page.lines[i].folded)...)
		}
	}
	if r.carriers == nil {
		r.carriers = r.carriersAnywhere()
	}
	return append(list, r.carriers...)
}

// carriersAnywhere returns the carriers that the mail has links to, and those that it names.
func (r *reader) carriersAnywhere() []int {
	list := []int{}
	for _, l := range r.page.links {
		if u, err := url.Parse(l.url); err == nil {
			if c := carrierAt(strings.ToLower(u.Hostname())); c >= 0 && !carriers()[c].shop() {
				list = append(list, c)
			}
		}
	}
	for i := range r.page.lines {
		list = append(list, carriersIn(r.page.lines[i].folded)...)
	}
	return list
}

// shop says whether a carrier is a shop as well, whose domain says nothing about parcels.
func (c carrier) shop() bool { return c.name == "Amazon Logistics" }
