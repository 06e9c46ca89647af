package meaning

import "unicode"

// Says tells whether a text has a letter: otherwise it has nothing to say.
func Says(text string) bool {
	latin, other := letters(text)
	return latin+other > 0
}

// foreign tells whether no more than half of the letters of a text are Latin ones. The English encoder does not know
// what it says: to it the letters of other scripts are all the same.
func foreign(text string) bool {
	latin, other := letters(text)
	return other > 0 && other >= latin
}

// letters counts the letters of the beginning of a text, which is all that an encoder sees.
func letters(text string) (latin, other int) {
	for _, r := range text[:min(len(text), maxText)] {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			latin++
		case r < 0x80 || !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	return latin, other
}
