package screen

import (
	"strconv"
	"strings"
)

// numbered looks for text that is written as the numbers of its characters, parted by spaces: binary, hexadecimal or
// decimal.
func (r *reader) numbered(text string) {
	const shortestRun = 48
	for i := shortestRun / 2; i < len(text); i += shortestRun / 2 {
		if text[i] <= ' ' || !numbers[text[i]] {
			continue
		}
		start, end := i, i
		for start > 0 && numbers[text[start-1]] {
			start--
		}
		for end < len(text) && numbers[text[end]] {
			end++
		}
		if end-start >= shortestRun {
			r.spellOut(strings.FieldsFunc(text[start:min(end, start+longestCode)],
				func(c rune) bool { return c == ' ' || c == ',' || c == '\n' }))
		}
		i = max(i, end)
	}
}

// numbers are what numbers in a row consist of.
var numbers = func() (of [256]bool) {
	for _, c := range "0123456789abcdefABCDEF ,\n" {
		of[c] = true
	}
	return of
}()

// spellOut reads numbers as characters, in the base in which they all are some.
func (r *reader) spellOut(numbers []string) {
	for _, base := range []int{2, 10, 16} {
		plain := make([]byte, 0, len(numbers))
		for _, n := range numbers {
			c, err := strconv.ParseUint(n, base, 8)
			if err != nil || base == 2 && len(n) < 7 {
				break
			}
			plain = append(plain, byte(c))
		}
		if len(plain) == len(numbers) && isProse(plain) {
			r.unseal(string(plain))
			return
		}
	}
}
