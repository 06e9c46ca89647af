package reply

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// set is a set of words or phrases in lower case.
type set map[string]bool

// phrases reads a list that is parted by commas.
func phrases(list string) []string {
	all := strings.Split(list, ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

func newSet(lists ...string) set {
	s := set{}
	for _, list := range lists {
		for _, phrase := range phrases(list) {
			s[phrase] = true
		}
	}
	return s
}

// lexicon is every word that is looked up.
type lexicon struct {
	verbs, openers set // of attributions
	fields         map[string]field
	separators     set
	sentFirst      map[string][]string // how lines of devices begin, by their first word
	sentLast       set                 // how they end
	devices        set
	signOffs       set
	phoneLabels    set
	titles         set                 // of legal notices
	warnings       set                 // first words of banners
	notices        map[string][]string // stems, by their first bytes
	excuse         []string
}

// words is the lexicon. It is made at the first use and never changed.
var words = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		verbs:       newSet(verbsLatin, verbsOther),
		openers:     newSet(openers),
		fields:      map[string]field{},
		separators:  newSet(separatorsOriginal, separatorsForward, separatorsTopic),
		sentFirst:   map[string][]string{},
		sentLast:    newSet(sentLast),
		devices:     newSet(devices),
		signOffs:    newSet(signOffs),
		phoneLabels: newSet(phoneLabels),
		titles:      newSet(noticeTitles),
		warnings:    newSet(warnings),
		notices:     map[string][]string{},
		excuse:      phrases(excuseStems),
	}
	for f, list := range fieldNames {
		for name := range newSet(list) {
			l.fields[name] |= 1 << f
		}
	}
	for _, stem := range phrases(noticeStems) {
		l.notices[stem[:stemKey]] = append(l.notices[stem[:stemKey]], stem)
	}
	for phrase := range newSet(sentFirst) {
		first, _, _ := strings.Cut(phrase, " ")
		l.sentFirst[first] = append(l.sentFirst[first], phrase)
	}
	return l
})

// lower is s in lower case. Most is ASCII and short.
func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// firstWord is the letters s begins with, after anything that is none.
func firstWord(s string) string {
	from := strings.IndexFunc(s, unicode.IsLetter)
	if from < 0 {
		return ""
	}
	return s[from : from+wordLength(s[from:])]
}

// wordLength is how many bytes of letters and marks s begins with.
func wordLength(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c|0x20 < 'a' || c|0x20 > 'z' {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return i
		}
		i += n
	}
	return len(s)
}

// hasWord says whether a word of s is in the set.
func (s set) hasWord(text string) bool {
	for text != "" {
		n := wordLength(text)
		if n > 0 && s[lower(text[:n])] {
			return true
		}
		if n < len(text) {
			_, w := utf8.DecodeRuneInString(text[n:])
			n += w
		}
		text = text[n:]
	}
	return false
}

// containsAny says whether one of parts is in s.
func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
