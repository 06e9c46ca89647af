package link

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// prose is how many words a text may have for a name like "example.com" in it to be taken for what the link leads to.
// In longer ones, such as headlines, it may be what they are about.
const prose = 6

// mismatch is the domain that a visible text names and that belongs to another organization than the target; "" if
// there is none. tracked says that the target is one of those who count clicks, which are known to lead on.
func mismatch(text, target string) (shows string, tracked bool) {
	if strings.IndexByte(text, '.') < 0 && isASCII(text) || text == target && strings.IndexByte(text, '@') < 0 {
		return "", false
	}
	words := strings.Fields(text)
	goal := ""
	for i, w := range words {
		const most = 20
		if i == most {
			break
		}
		for _, named := range domainsIn(w, len(words) <= prose) {
			if goal == "" {
				target = unwrap(target)
				goal = registrable(hostOf(target))
			}
			if !sameOrganization(named, goal) {
				return named, trackers[goal]
			}
		}
	}
	return "", false
}

// domainsIn returns the registrable domains that a word names to a reader. A bare name counts where bare says so, and
// if its end is one that domains have and files do not.
func domainsIn(word string, bare bool) []string {
	word = strings.Trim(visible(word), "\"'«»“”„‘’()[]{}<>,;:!?*")
	n := schemeLength(word)
	if n == 0 && !hasPrefixFold(word, "www.") {
		if !bare || strings.IndexByte(word, '@') >= 0 {
			return nil
		}
		written := authority("//" + word)
		host := plainHost(written)
		if !isName(host) || startsSentence(written) {
			return nil
		}
		return []string{registrable(host)}
	}
	if n == 0 {
		word = "//" + word
	}
	user, _ := hostPort(authority(word))
	named := []string{registrable(plainHost(hostOf(word)))}
	user, _, _ = strings.Cut(user, ":")
	if user = plainHost(user); isName(user) {
		named = append(named, registrable(user)) // what a reader takes for the host
	}
	return named
}

// isName tells whether a host is one that people know as a name: with an end that is on the list of public suffixes.
func isName(host string) bool {
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || strings.Trim(host, "0123456789.") == "" || strings.ContainsAny(host, "/\\ %&=+#$") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	return (icann || strings.IndexByte(suffix, '.') >= 0) && !isFileType(host[dot+1:])
}

// startsSentence tells of "over.Next": two words, and no space after the full stop.
func startsSentence(host string) bool {
	end := host[strings.LastIndexByte(host, '.')+1:]
	return len(end) > 1 && end[0] >= 'A' && end[0] <= 'Z' && isLower(end[1])
}

// isFileType tells of ends that are of domains and of files: README.md is no domain to a reader.
func isFileType(end string) bool {
	switch end {
	case "md", "py", "rs", "sh", "pl", "zip", "mov", "so", "ps", "tf", "cc", "ai", "ml", "mk", "app", "java",
		"download":
		return true
	}
	return false
}

// registrable is the part of a host that somebody has registered, in ASCII. What has none is its own.
func registrable(host string) string {
	if ascii, err := lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// lookup is how browsers turn names into ASCII. It never changes.
var lookup = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// plainHost is a host as a reader reads it: widths and dots of other scripts are plain ones, and letters that look like
// Latin ones are, if all letters of the label do or are.
func plainHost(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if isASCII(host) {
		return host
	}
	if shown, err := lookup.ToUnicode(host); err == nil {
		host = shown
	}
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if latin, ok := latinLookalike(l); ok && isASCII(labels[len(labels)-1]) {
			labels[i] = latin
		}
	}
	return strings.Join(labels, ".")
}

// latinLookalike reads a label with the eyes of a Latin reader; false if it has letters that are like none.
func latinLookalike(label string) (string, bool) {
	var b strings.Builder
	for _, r := range label {
		if r >= utf8.RuneSelf {
			latin, ok := lookalikes[r]
			if !ok {
				return "", false
			}
			r = latin
		}
		b.WriteRune(r)
	}
	return b.String(), true
}

// lookalikes are the letters that are most often put for Latin ones.
var lookalikes = map[rune]rune{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'ӏ': 'l', 'о': 'o', 'р': 'p', 'ԛ': 'q',
	'ѕ': 's',
	'у': 'y', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'к': 'k', 'м': 'm', 'т': 't', 'в': 'b', 'н': 'h', 'г': 'r', 'п': 'n',
	'ь': 'b',
	'α': 'a', 'ε': 'e', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'γ': 'y',
	'ω': 'w',
	'ı': 'i', 'ɑ': 'a', 'ɡ': 'g', 'ɩ': 'i', 'ⅼ': 'l', 'օ': 'o', 'ո': 'n', 'ս': 'u', 'հ': 'h',
	'ḷ': 'l', 'ạ': 'a', 'ẹ': 'e', 'ị': 'i', 'ọ': 'o', 'ụ': 'u', 'ṃ': 'm', 'ṇ': 'n', 'ṣ': 's', 'ṭ': 't', 'ỵ': 'y',
}

// visible is a word without what cannot be seen.
func visible(word string) string {
	if isASCII(word) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if lexicon.Invisible(r) {
			return -1
		}
		return r
	}, word)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
