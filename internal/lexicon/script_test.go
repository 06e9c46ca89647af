package lexicon

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// Scripts are looked up by blocks of characters, and are the same as those of each.
func TestScriptAt(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		text := []byte(string(r) + "a")
		if script, n := ScriptAt(text, 0); script != ScriptOf(r) || n != len(text)-1 {
			t.Errorf("%U has script %d and %d bytes", r, script, n)
		}
		if EndsWord("a"+string(r), 1) == (ScriptOf(r) == Spaced) {
			t.Errorf("%U ends a word: %v", r, ScriptOf(r) != Spaced)
		}
	}
}
