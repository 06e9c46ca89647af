package view

import (
	"math"
	"strconv"
	"strings"
)

// unit is that of a length.
type unit uint8

const (
	unitNone unit = iota // not set
	unitPx
	unitEm
	unitPercent
	unitAuto
)

// length is a length as written.
type length struct {
	n float32
	u unit
}

// The reference: what relative lengths are of.
const (
	screenWidth  = 800
	screenHeight = 1000
	rootSize     = 16
)

// px is the length in pixels, for an element with a font size and something that percents are of.
func (l length) px(font, whole float32) float32 {
	switch l.u {
	case unitEm:
		return l.n * font
	case unitPercent:
		return l.n * whole / 100
	}
	return l.n
}

func (l length) set() bool { return l.u != unitNone && l.u != unitAuto }

// parseLength reads a length, an angle in degrees or a plain number. Numbers without a unit are pixels, as in quirks
// mode.
func parseLength(s string) (length, bool) {
	n, rest, ok := number(s)
	if !ok {
		if strings.IndexByte(s, '(') < 0 {
			return length{}, false
		}
		v, ok := evaluate(s, screenWidth)
		return length{v, unitPx}, ok
	}
	unit := strings.TrimSpace(rest)
	switch unit {
	case "", "px":
		return length{n, unitPx}, true
	case "em":
		return length{n, unitEm}, true
	case "%":
		return length{n, unitPercent}, true
	}
	u, ok := units[unit]
	return length{n * u.n, u.u}, ok
}

// units are the others, with what one of them is.
var units = map[string]length{
	"pt": {4.0 / 3, unitPx}, "pc": {16, unitPx}, "in": {96, unitPx}, "cm": {96 / 2.54, unitPx},
	"mm": {9.6 / 2.54, unitPx}, "q": {2.4 / 2.54, unitPx},
	"ex": {0.5, unitEm}, "ch": {0.5, unitEm}, "ic": {1, unitEm}, "cap": {0.7, unitEm}, "lh": {1.2, unitEm},
	"rem": {rootSize, unitPx}, "rex": {rootSize / 2, unitPx}, "rch": {rootSize / 2, unitPx},
	"ric": {rootSize, unitPx}, "rcap": {0.7 * rootSize, unitPx}, "rlh": {1.2 * rootSize, unitPx},
	"vw": ofWidth, "vi": ofWidth, "dvw": ofWidth, "svw": ofWidth, "lvw": ofWidth, "cqw": ofWidth, "cqi": ofWidth,
	"vmin": ofWidth, "cqmin": ofWidth, "vh": ofHeight, "vb": ofHeight, "dvh": ofHeight, "svh": ofHeight,
	"lvh": ofHeight, "cqh": ofHeight, "cqb": ofHeight, "vmax": ofHeight, "cqmax": ofHeight,
	"deg": {1, unitPx}, "turn": {360, unitPx}, "grad": {0.9, unitPx}, "rad": {180 / math.Pi, unitPx},
}

var ofWidth, ofHeight = length{screenWidth / 100, unitPx}, length{screenHeight / 100, unitPx}

// number reads the number that s begins with.
func number(s string) (n float32, rest string, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	digits := 0
	whole, frac, scale := float64(0), float64(0), float64(1)
	for ; i < len(s) && s[i]-'0' < 10; i++ {
		whole = whole*10 + float64(s[i]-'0')
		digits++
	}
	if i+1 < len(s) && s[i] == '.' && s[i+1]-'0' < 10 {
		for i++; i < len(s) && s[i]-'0' < 10; i++ {
			scale /= 10
			frac += float64(s[i]-'0') * scale
			digits++
		}
	}
	if digits == 0 {
		return 0, s, false
	}
	v := whole + frac
	if i+1 < len(s) && s[i] == 'e' && (s[i+1]-'0' < 10 || i+2 < len(s) && (s[i+1] == '-' || s[i+1] == '+') &&
		s[i+2]-'0' < 10) {
		j := i + 2
		for j < len(s) && s[j]-'0' < 10 {
			j++
		}
		if e, err := strconv.Atoi(s[i+1 : j]); err == nil {
			v *= math.Pow(10, float64(min(max(e, -40), 40)))
		}
		i = j
	}
	if s[0] == '-' {
		v = -v
	}
	return float32(v), s[i:], true
}

// numbers reads the lengths of a list, at most as many as there is room for. What is no length is left out.
func numbers(s string, into []length) []length {
	for s != "" && len(into) < cap(into) {
		var word string
		word, s = cutWord(s)
		if l, ok := parseLength(word); ok {
			into = append(into, l)
		} else if word == "auto" || word == "none" {
			into = append(into, length{0, unitAuto})
		} else if n, _, ok := number(word); ok {
			into = append(into, length{n, unitPx})
		}
	}
	return into
}

// cutWord parts the first word of a list from the others: at a space, a comma or a slash that stands in no brackets.
func cutWord(s string) (word, rest string) {
	for s != "" && partsWords(s[0]) {
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' || c == '"' || c == '\'':
			i = skipNested(s, i)
		case partsWords(c):
			return s[:i], s[i:]
		}
	}
	return s, ""
}

func partsWords(c byte) bool { return c <= ' ' || c == ',' || c == '/' || c == ')' }
