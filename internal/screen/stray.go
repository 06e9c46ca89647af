package screen

import (
	"strings"
)

// maxStray is how many tasks without a connection a mail has at most: one with more of them is about such things.
const maxStray = 2

// stray looks whether a sentence is a task for a model that has nothing to do with the mail it stands in, such as a
// question of general knowledge, a poem to write or a text to translate in the middle of a receipt. It stands in a line
// of its own, speaks of nobody, and no word of it is anywhere else in the mail.
func (r *reader) stray(text string) {
	const longest = 160
	if r.layer != layerText || r.depth > 0 || len(text) > longest || r.strays > maxStray || isFromList(r.mail) ||
		!r.words.AtStart(text).Any(asksFor) || speaksOfSomebody(text) || !r.standsAlone(text) {
		return
	}
	if r.strays++; r.strays <= maxStray && !r.connected(text) {
		r.strayed = text
	}
}

// addStray keeps the finding of it. A mail that speaks of models, or is full of such tasks, has none.
func (r *reader) addStray() {
	if r.strayed == "" || r.strays > maxStray || r.about > 0 {
		return
	}
	r.add(found{Finding: Finding{Rule: "unconnected task", Layer: layerText, Excerpt: excerpt(r.strayed)}, points: 2})
}

func isFromList(m *Mail) bool {
	return m.Header != nil && (m.Header("List-Id") != "" || m.Header("List-Unsubscribe") != "")
}

// standsAlone tells whether a sentence is a line of its own in a longer text.
func (r *reader) standsAlone(text string) bool {
	const fewest = 200 // bytes of the rest
	if len(r.text) < len(text)+fewest {
		return false
	}
	start := strings.Index(r.text[r.at:min(len(r.text), r.at+2*longestSentence+len(text))], text)
	if start < 0 {
		return false // it was disguised
	}
	start += r.at
	const near = 40 // bytes of white space
	before := strings.TrimRight(r.text[max(0, start-near):start], " \t\r")
	after := r.text[start+len(text):]
	after = strings.TrimLeft(after[:min(len(after), near)], " \t\r\"'")
	return (before == "" || before[len(before)-1] == '\n') &&
		(after == "" || after[0] == '\n' || text[len(text)-1] == '\n')
}

// speaksOfSomebody tells whether a sentence has to do with those who write to each other, or with something that was
// said before.
func speaksOfSomebody(text string) bool {
	text = strings.ToLower(text)
	for _, asked := range []string{"can you ", "could you ", "do you say", "how do i ", "show me", "give me",
		"teach me", "how can i "} {
		text = strings.ReplaceAll(text, asked, " ")
	}
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c > 'z' || !isLetter(byte(c)) }) {
		switch word {
		case "you", "your", "yours", "my", "me", "our", "ours", "we", "us", "this", "these", "those", "it", "i", "they",
			"them", "he", "she", "his", "her", "their", "here", "below", "attached", "above", "today", "tomorrow":
			return true
		}
	}
	return false
}

// connected tells whether a longer word of a sentence is elsewhere in the text.
func (r *reader) connected(text string) bool {
	const long = 5
	whole := strings.ToLower(r.text)
	text = strings.ToLower(text)
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c > 'z' || !isLetter(byte(c)) }) {
		if len(word) >= long && strings.Count(whole, word) > strings.Count(text, word) {
			return true
		}
	}
	return false
}
