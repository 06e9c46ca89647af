package record

import (
	"slices"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// carrier is who brings parcels: what it is called, where its pages are, and what its numbers look like.
type carrier struct {
	name    string
	names   string // in text, folded, parted by commas
	domains string // parted by spaces
	shapes  []shape
}

// carriers are in the order in which they are believed where a number could be of several.
var carriers = sync.OnceValue(func() (list []carrier) {
	for line := range dataLines(carrierTable) {
		field, indented := strings.CutPrefix(line, "  ")
		if !indented {
			list = append(list, carrier{name: strings.TrimPrefix(line, otherPosts)})
			continue
		}
		c := &list[len(list)-1]
		key, value, _ := strings.Cut(field, " ")
		switch key {
		case "names":
			c.names = value
		case "domains":
			c.domains += " " + value
		case "form", "sure":
			pattern, check, _ := strings.Cut(value, " ; ")
			c.shapes = append(c.shapes, shape{pattern, checks[check], key == "sure"})
		}
	}
	return list
})

// otherPosts stands for the post of a country that has no entry of its own: it has no name.
const otherPosts = "-"

// checks are the rules of check digits by the names that the table of carriers has for them.
var checks = map[string]func(string) bool{
	"": nil, "ups": upsCheck, "ontrac": ontracCheck, "gs1": gs1Check, "s10": s10Check, "fedex": fedexCheck,
	"mod7": mod7Check, "ident": identCheck, "mod37": mod37Check, "luhn": luhnCheck, "uspsRouted": uspsRouted,
	"uspsImplied": uspsImplied, "lastFourteen": lastFourteen, "lastFifteen": lastFifteen, "lastSixteen": lastSixteen,
}

// uspsImplied is the check of a number whose first two digits are left out.
func uspsImplied(s string) bool { return gs1Check("91" + s) }

// lastSixteen is GS1's check without the two digits that name the kind of container.
func lastSixteen(s string) bool { return gs1Check(s[2:]) }

// uspsRouted is the check of a number with the routing code for the address before it.
func uspsRouted(s string) bool { return gs1Check(s[len(s)-22:]) }

// guess is a carrier whose number one could be.
type guess struct {
	carrier int // index
	checked bool
	strong  bool
}

// identify returns the carriers that have such numbers, the surest first.
func identify(number string) []guess {
	var list []guess
	if len(number) < 8 || len(number) > 40 || countDigits(number) < 5 {
		return nil
	}
	for i, c := range carriers() {
		for _, s := range c.shapes {
			if s.fits(number) {
				list = append(list, guess{i, s.check != nil, s.strong})
				break
			}
		}
	}
	slices.SortStableFunc(list, func(a, b guess) int { return b.weight() - a.weight() })
	return list
}

func (g guess) weight() int { return 2*b2i(g.strong) + b2i(g.checked) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// soleCarrier returns the carrier of a number that can be nobody else's.
func soleCarrier(list []guess) string {
	if len(list) > 0 && list[0].strong {
		return carriers()[list[0].carrier].name
	}
	return ""
}

// carrierNames finds the names of carriers. What a name means is the carrier's number, counted from one.
var carrierNames = sync.OnceValue(func() *lexicon.Table {
	s := lexicon.Section{Means: map[string]meaning{}, Fold: appendPhrase}
	return s.CompileLists(func(yield func(lexicon.List) bool) {
		for i, c := range carriers() {
			s.Means[c.name] = meaning(i + 1)
			if !yield(lexicon.List{Name: c.name, Phrases: c.names}) {
				return
			}
		}
	})
})

// carriersIn returns the carriers that are named in a folded text. A name inside a longer one with dashes is none.
func carriersIn(folded string) []int {
	var list []int
	for _, h := range find(carrierNames(), nil, folded) {
		if h.from > 0 && folded[h.from-1] == '-' || h.to < len(folded) && (folded[h.to] == '@' ||
			folded[h.to] == '\'' && carriers()[h.means-1].name == "UPS") {
			continue
		}
		list = append(list, int(h.means)-1)
	}
	return list
}

// carrierName returns the usual name of a carrier; what is not known stays as it is.
func carrierName(s string) string {
	if list := carriersIn(fold(s)); len(list) > 0 {
		return carriers()[list[0]].name
	}
	return plainValue(s)
}

// carrierDomains returns the carriers by their domains.
var carrierDomains = sync.OnceValue(func() map[string]int {
	table := map[string]int{}
	for i, c := range carriers() {
		for d := range strings.FieldsSeq(c.domains) {
			table[d] = i
		}
	}
	return table
})

// carrierAt returns the carrier whose domain it is, -1 if there is none.
func carrierAt(host string) int {
	for host != "" {
		if i, ok := carrierDomains()[host]; ok {
			return i
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return -1
}
