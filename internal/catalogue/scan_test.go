package catalogue

import (
	"strings"
	"testing"
	"unicode"
)

// A part of a text is found wherever it stands, and whichever of its characters is the rarest.
func TestIn(t *testing.T) {
	text := "the quick-brown fox, zzzebra 2026: ünder zz"
	for from := range len(text) {
		for to := from; to <= len(text); to++ {
			for _, value := range []string{text[from:to], text[from:to] + "x", "q" + text[from:to]} {
				term := Term{Value: value}
				if got, want := term.in(text), strings.Contains(text, value); got != want {
					t.Fatalf("%q in the text: %v, want %v", value, got, want)
				}
			}
		}
	}
}

// Characters of ASCII and others are folded by the same rule.
func TestFold(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x3000; r++ {
		all.WriteRune(r)
		all.WriteString("A ")
	}
	all.WriteString("\xff <Ö>")
	want := strings.Join(strings.FieldsFunc(strings.Map(unicode.ToLower, all.String()), separates), " ")
	if got := Fold(all.String()); got != want {
		t.Error("a character is folded by another rule")
	}
}
