package meaning

import "unicode"

// Latin tells whether most letters of a text are Latin ones, so that the built-in encoder may know what it says: it was
// trained on English, and to it the letters of other scripts are all the same. A text without letters has nothing to
// say. Only the beginning is looked at, which is all that an encoder sees.
func Latin(text string) bool {
	latin, other := 0, 0
	for i, r := range text {
		switch {
		case i >= maxText:
			return latin > other
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			latin++
		case r < 0x80 || !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	return latin > other
}
