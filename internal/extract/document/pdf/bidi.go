package pdf

import (
	"slices"
	"strings"
	"unicode"
)

// A page has its glyphs as they are seen, from left to right. Hebrew and Arabic are read the other way, and text is
// kept in the order of reading.

// isRightToLeft says whether a letter is written from right to left.
func isRightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 && unicode.IsLetter(r) || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefe
}

// isMark is an accent or vowel sign that belongs to the letter drawn with it.
func isMark(r rune) bool { return unicode.Is(unicode.Mn, r) }

// logical puts a line into the order in which it is read.
func logical(s string) string {
	if !strings.ContainsFunc(s, isRightToLeft) {
		return s
	}
	rs := []rune(s)
	right, left := 0, 0
	for _, r := range rs {
		switch {
		case isRightToLeft(r):
			right++
		case unicode.IsLetter(r):
			left++
		}
	}
	if right >= left {
		turn(rs)
		return string(rs)
	}
	for i := 0; i < len(rs); i++ { // a line of another script: only what is written from the right
		if !isRightToLeft(rs[i]) {
			continue
		}
		end := i + 1
		for j := i + 1; j < len(rs) && !isLeftToRight(rs[j]); j++ {
			if isRightToLeft(rs[j]) || isMark(rs[j]) {
				end = j + 1
			}
		}
		turn(rs[i:end])
		i = end
	}
	return string(rs)
}

// isLeftToRight is a letter or digit that is written from left to right.
func isLeftToRight(r rune) bool {
	return unicode.IsDigit(r) || unicode.IsLetter(r) && !isRightToLeft(r)
}

// turn reverses runes, and then what is written from left to right among them.
func turn(rs []rune) {
	slices.Reverse(rs)
	for i := 0; i < len(rs); {
		if !isLeftToRight(rs[i]) {
			i++
			continue
		}
		end := leftToRightEnd(rs, i)
		slices.Reverse(rs[i:end])
		i = end
	}
	for i := 1; i < len(rs); i++ { // marks follow their letters
		if isMark(rs[i-1]) && isRightToLeft(rs[i]) && !isMark(rs[i]) && (i < 2 || !isRightToLeft(rs[i-2])) {
			rs[i-1], rs[i] = rs[i], rs[i-1]
		}
	}
}

// leftToRightEnd is the end of what begins at i and is written from left to right: a number with its signs, or words.
func leftToRightEnd(rs []rune, i int) int {
	letters := false
	end := i
	for j := i; j < len(rs) && !isRightToLeft(rs[j]); j++ {
		switch {
		case isLeftToRight(rs[j]):
			letters = letters || unicode.IsLetter(rs[j])
			end = j + 1
		case (rs[j] == ' ' || rs[j] == '\t') && !letters:
			return end // adjacent numbers are read from the right
		}
	}
	return end
}
