package screen

import "strings"

// aside are the words of "ignore all of your previous instructions".
var aside = func() map[string]byte {
	of := map[string]byte{}
	for kind, words := range map[byte]string{
		'v': "ignore ignoring disregard disregarding forget override overrule discard abandon bypass",
		'p': "previous prior earlier preceding above foregoing all any every your existing original initial other " +
			"former past",
		'f': "of the my these those and or system user developer you were given have been before",
		'n': "instruction instructions directive directives prompt prompts rules guidelines commands orders " +
			"constraints context programming",
	} {
		for w := range strings.FieldsSeq(words) {
			of[w] = kind
		}
	}
	return of
}()

// setsAside tells whether a sentence orders to set instructions aside in so many words, with nothing else
// between them.
func setsAside(text string) bool {
	verb, prior := false, false
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c > 'z' || !isLetter(byte(c)) }) {
		switch aside[strings.ToLower(word)] {
		case 'v':
			verb, prior = true, false
		case 'p':
			prior = verb
		case 'f':
		case 'n':
			if prior {
				return true
			}
			verb = false
		default:
			verb, prior = false, false
		}
	}
	return false
}
