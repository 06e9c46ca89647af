package screen

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// jumbled are the words that orders to a model are made of, by their first and last letter and the others in the order
// of the alphabet. A word whose inner letters changed their places is found by that.
var jumbled = sync.OnceValue(func() map[string]string {
	of := map[string]string{}
	for list := range lexicon.Lists("screen") {
		if list.Name != "jumbled" {
			continue
		}
		for word := range list.All {
			of[innerSorted(word)] = word
		}
	}
	return of
})

// unjumble gives a sentence with such words as they are meant to be, and tells whether several are not.
func unjumble(text string) (string, bool) {
	const several = 3
	var b strings.Builder
	n, done := 0, 0
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			i++
			continue
		}
		end := wordEnd(text, i)
		if word := text[i:end]; len(word) >= shortestJumble && len(word) <= longestJumble {
			lower := strings.ToLower(word)
			if meant := jumbled()[innerSorted(lower)]; meant != "" && meant != lower {
				b.WriteString(text[done:i])
				b.WriteString(meant)
				done = end
				n++
			}
		}
		i = end
	}
	if n < several {
		return text, false
	}
	b.WriteString(text[done:])
	return b.String(), true
}

const (
	shortestJumble = 4 // letters
	longestJumble  = 16
)

// innerSorted is a word with its inner letters in the order of the alphabet.
func innerSorted(word string) string {
	var room [longestJumble]byte
	if len(word) > len(room) {
		return word
	}
	n := copy(room[:], word)
	for i := 2; i < n-1; i++ {
		for j := i; j > 1 && room[j] < room[j-1]; j-- {
			room[j], room[j-1] = room[j-1], room[j]
		}
	}
	return string(room[:n])
}
