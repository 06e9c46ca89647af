package code

// class says what a byte of folded text is.
type class uint8

const (
	classDigit class = 1 << iota
	classUpper
	classLower
	classAddress // may stand in a web or mail address

	classLetter = classUpper | classLower
	classAlnum  = classLetter | classDigit
)

var classes = func() (t [256]class) {
	for i := range t {
		switch c := byte(i); {
		case c >= '0' && c <= '9':
			t[i] = classDigit | classAddress
		case c >= 'A' && c <= 'Z':
			t[i] = classUpper | classAddress
		case c >= 'a' && c <= 'z':
			t[i] = classLower | classAddress
		}
	}
	for _, c := range []byte("@._-+/:?=&%#~!$;") {
		t[c] |= classAddress
	}
	return t
}()

func isDigit(c byte) bool  { return classes[c]&classDigit != 0 }
func isUpper(c byte) bool  { return classes[c]&classUpper != 0 }
func isLower(c byte) bool  { return classes[c]&classLower != 0 }
func isLetter(c byte) bool { return classes[c]&classLetter != 0 }
func isAlnum(c byte) bool  { return classes[c]&classAlnum != 0 }

// isAddressByte may stand in a web or mail address.
func isAddressByte(c byte) bool { return classes[c]&classAddress != 0 }
