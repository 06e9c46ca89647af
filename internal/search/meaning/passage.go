package meaning

import (
	"strings"
	"unicode"
)

const (
	// maxPassage is about what 128 tokens hold, in bytes, with some to spare.
	maxPassage = 800
	// maxWord is the longest word that can say something: longer ones are addresses, keys and encoded data.
	maxWord = 40
	// leastLead and maxLead are how many words of a text its first sentence may have: a greeting is none, and some
	// never end.
	leastLead, maxLead = 5, 30
	// maxBody is how much of a text is looked at for its first sentences.
	maxBody = 16 << 10
)

// Passage is what of a mail is given to an encoder: the subject and the first sentences of the text. Addresses of
// pages, rules of dashes and endless words are left out. The text should be what the sender wrote, without the mail it
// answers.
func Passage(subject, text string) string {
	var out strings.Builder
	words(&out, subject)
	if out.Len() > 0 && !strings.ContainsRune(".!?:", rune(out.String()[out.Len()-1])) {
		out.WriteByte('.')
	}
	if len(text) > maxBody {
		text = text[:maxBody]
	}
	words(&out, text)
	return strings.ToValidUTF8(out.String(), "")
}

// Lead is the beginning of a Passage, which says what the mail is about: the subject and the first sentence.
func Lead(subject, text string) string {
	var lead []string
	for word := range strings.FieldsSeq(text[:min(len(text), maxBody)]) {
		if !says(word) {
			continue
		}
		lead = append(lead, word)
		ends := strings.ContainsRune(".!?;", rune(word[len(word)-1]))
		if len(lead) == maxLead || ends && len(lead) >= leastLead {
			break
		}
	}
	return Passage(subject, strings.Join(lead, " "))
}

// words adds the words of a text that say something, with one space between, as long as there is room.
func words(out *strings.Builder, text string) {
	for word := range strings.FieldsSeq(text) {
		if !says(word) {
			continue
		}
		if room := maxPassage - out.Len() - 1; len(word) > room {
			if len(word) > maxWord && !isASCII(word) { // a sentence, or a whole text, of a script without spaces
				out.WriteByte(' ')
				out.WriteString(strings.ToValidUTF8(word[:max(room, 0)], ""))
			}
			return
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
}

// says tells whether a word can say something: it has a letter or a digit, and is no address of a page.
func says(word string) bool {
	if len(word) > maxWord && isASCII(word) || strings.Contains(word, "://") || strings.HasPrefix(word, "www.") {
		return false
	}
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// isASCII tells whether a word is of the kind that has spaces around it: a Chinese sentence is one long "word".
func isASCII(word string) bool {
	for i := range len(word) {
		if word[i] >= 0x80 {
			return false
		}
	}
	return true
}
