package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// maxCorrespondents bounds the domains that one mail is compared with.
const maxCorrespondents = 2000

// domainOf is the domain of an address, in lower case and as people read it: without punycode.
func domainOf(address string) string {
	const longest = 255 // RFC 1035 2.3.4
	i := strings.LastIndexByte(address, '@')
	if i < 0 || len(address)-i > longest {
		return ""
	}
	d := strings.ToLower(strings.Trim(address[i+1:], "<> .\t"))
	if strings.Contains(d, "xn--") {
		if u, err := idna.Punycode.ToUnicode(d); err == nil {
			return u
		}
	}
	return d
}

// registrable is the part of a domain that somebody has registered, or the domain where that is not known.
func registrable(domain string) string {
	if r, err := publicsuffix.EffectiveTLDPlusOne(domain); err == nil {
		return r
	}
	return domain
}

// SameOrganization tells whether two domains were registered as one.
func SameOrganization(a, b string) bool {
	a, b = registrable(strings.ToLower(a)), registrable(strings.ToLower(b))
	return a == b && a != ""
}

// looksAlike tells whether the sender's domain can be taken for one that is known.
func (v *trustView) looksAlike() bool {
	if v.domain == "" || len(v.Correspondents) == 0 || freeMail[v.registrable] {
		return false
	}
	mine := skeleton(label(v.registrable))
	alike := false
	for i, d := range v.Correspondents {
		if i == maxCorrespondents {
			break
		}
		theirs := registrable(strings.ToLower(d))
		if theirs == v.registrable || d == v.domain {
			return false
		}
		alike = alike || isAlike(v.registrable, theirs, mine)
	}
	return alike
}

// isAlike compares two registrable domains; skeleton is that of the first's label.
func isAlike(a, b, skeletonA string) bool {
	const shortest = 4 // shorter ones are a letter apart by chance
	la, lb := label(a), label(b)
	if len(lb) < shortest || len(la) > len(lb)+8 || len(lb) > len(la)+8 {
		return false
	}
	if la == lb {
		return false // example.com and example.org: companies have both
	}
	if skeletonA == skeleton(lb) {
		return true
	}
	return len(lb) > shortest && isOneEdit(la, lb) || isExtended(la, lb)
}

// isExtended tells of a known name with a word for trust in front or after: "example-login".
func isExtended(a, b string) bool {
	const shortest = 5
	rest, ok := strings.CutPrefix(a, b)
	if !ok {
		rest, ok = strings.CutSuffix(a, b)
	}
	if !ok || len(b) < shortest {
		return false
	}
	switch strings.Trim(rest, "-") {
	case "login", "signin", "secure", "security", "verify", "verification", "support", "account", "accounts", "billing",
		"update", "auth":
		return true
	}
	return false
}

// label is the first label of a registrable domain.
func label(domain string) string {
	l, _, _ := strings.Cut(domain, ".")
	return l
}

// skeleton is a label as it looks: without accents, with Latin letters for those that look like them, and one sign for
// letters and digits that are taken for each other.
func skeleton(l string) string {
	out := strings.Map(func(c rune) rune {
		switch c = lookAlike(unicode.ToLower(c)); c {
		case '0':
			return 'o'
		case '1', 'i', '|':
			return 'l'
		case '3':
			return 'e'
		case '5':
			return 's'
		case '-':
			return -1
		}
		if c >= utf8.RuneSelf {
			c = withoutAccent(c)
		}
		return c
	}, l)
	return pairs.Replace(out)
}

// pairs are two letters that look like one.
var pairs = strings.NewReplacer("rn", "m", "vv", "w", "cl", "d")

// isOneEdit tells whether one letter more, less or other, or two that changed places, make one word of the other.
func isOneEdit(a, b string) bool {
	ra, rb := []rune(a), []rune(b)
	for len(ra) > 0 && len(rb) > 0 && ra[0] == rb[0] {
		ra, rb = ra[1:], rb[1:]
	}
	for len(ra) > 0 && len(rb) > 0 && ra[len(ra)-1] == rb[len(rb)-1] {
		ra, rb = ra[:len(ra)-1], rb[:len(rb)-1]
	}
	if len(ra) == 2 && len(rb) == 2 {
		return ra[0] == rb[1] && ra[1] == rb[0]
	}
	return len(ra) <= 1 && len(rb) <= 1
}

// mixesAlphabets tells whether a label of the sender's domain has Latin letters and others that look like them.
func (v *trustView) mixesAlphabets() bool {
	for l := range strings.SplitSeq(v.domain, ".") {
		if isMixed(l) {
			return true
		}
	}
	return false
}

// isMixed tells whether a word has Latin letters and others that look like them.
func isMixed(word string) bool {
	latin, foreign := false, false
	for _, c := range word {
		latin = latin || c < utf8.RuneSelf && unicode.IsLetter(c)
		foreign = foreign || c >= utf8.RuneSelf && unicode.In(c, unicode.Cyrillic, unicode.Greek, unicode.Armenian)
	}
	return latin && foreign
}

// isExecutable tells whether a file name in lower case is that of a program.
func isExecutable(name string) bool {
	i := strings.LastIndexByte(name, '.')
	return i >= 0 && executable[name[i+1:]]
}

// isDisguised tells of a name such as "invoice.pdf.exe", or one that is written from right to left.
func isDisguised(name string) bool {
	if strings.ContainsAny(name, "\u202e\u202d\u2066\u2067") {
		return true
	}
	if !isExecutable(name) && !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm") {
		return false
	}
	rest := name[:strings.LastIndexByte(name, '.')]
	return document[strings.TrimSpace(rest[strings.LastIndexByte(rest, '.')+1:])] && strings.Contains(rest, ".")
}
