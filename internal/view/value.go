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
	screenHeight = 600
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

// parseLength reads a length. Numbers without a unit are pixels, as in quirks mode.
func parseLength(s string) (length, bool) {
	if strings.HasPrefix(s, "calc(") || strings.HasPrefix(s, "min(") || strings.HasPrefix(s, "max(") ||
		strings.HasPrefix(s, "clamp(") {
		return parseCalc(s)
	}
	n, rest, ok := number(s)
	if !ok {
		return length{}, false
	}
	switch strings.TrimSpace(rest) {
	case "", "px":
		return length{n, unitPx}, true
	case "pt":
		return length{n * 4 / 3, unitPx}, true
	case "em":
		return length{n, unitEm}, true
	case "ex", "ch":
		return length{n / 2, unitEm}, true
	case "rem":
		return length{n * rootSize, unitPx}, true
	case "%":
		return length{n, unitPercent}, true
	case "vw", "vi", "dvw", "svw", "lvw", "vmax":
		return length{n * screenWidth / 100, unitPx}, true
	case "vh", "vb", "dvh", "svh", "lvh", "vmin":
		return length{n * screenHeight / 100, unitPx}, true
	case "cm":
		return length{n * 96 / 2.54, unitPx}, true
	case "mm":
		return length{n * 9.6 / 2.54, unitPx}, true
	case "q":
		return length{n * 2.4 / 2.54, unitPx}, true
	case "in":
		return length{n * 96, unitPx}, true
	case "pc":
		return length{n * 16, unitPx}, true
	}
	return length{}, false
}

// maxMath is how long a calc() may be that is read: functions in functions are read again at each level.
const maxMath = 200

// parseCalc reads sums and products of lengths, each operand in pixels of the root's font: "calc(0px * 1)".
func parseCalc(s string) (length, bool) {
	if len(s) > maxMath {
		return length{}, false
	}
	name, inside, _ := strings.Cut(s, "(")
	inside = strings.TrimSuffix(inside, ")")
	switch name {
	case "min", "max", "clamp":
		var best float32
		for i, part := range strings.Split(inside, ",") {
			l, ok := sum(part)
			if !ok || i > 2 {
				return length{}, false
			}
			switch v := l.px(rootSize, screenWidth); {
			case i == 0, name == "min" && v < best, name != "min" && i == 1 && v > best, name == "clamp" && i == 2 &&
				v < best:
				best = v
			}
		}
		return length{best, unitPx}, true
	}
	return sum(inside)
}

// sum reads "a + b - c", where each is a product.
func sum(s string) (length, bool) {
	var total, product float32
	sign, op := float32(1), byte('+')
	if strings.IndexByte(s, '(') < 0 { // the order of brackets is not followed
		s = strings.NewReplacer("*", " * ", "/", " / ").Replace(s)
	}
	fields := strings.Fields(s)
	if len(fields) > 9 || len(fields)%2 == 0 {
		return length{}, false
	}
	for i, f := range fields {
		if i%2 == 1 {
			op = f[0]
			continue
		}
		l, ok := parseLength(strings.Trim(f, "()"))
		if !ok {
			return length{}, false
		}
		v := l.px(rootSize, screenWidth)
		switch op {
		case '*':
			product *= v
		case '/':
			if v != 0 {
				product /= v
			}
		case '+', '-':
			total += sign * product
			product, sign = v, 1
			if op == '-' {
				sign = -1
			}
		default:
			return length{}, false
		}
	}
	return length{total + sign*product, unitPx}, true
}

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

// numbers reads all numbers of s with their units as lengths, at most as many as there is room for.
func numbers(s string, into []length) []length {
	for s != "" && len(into) < cap(into) {
		i := strings.IndexAny(s, "0123456789.-+a")
		if i < 0 {
			break
		}
		s = s[i:]
		if strings.HasPrefix(s, "auto") {
			into, s = append(into, length{0, unitAuto}), s[4:]
			continue
		}
		n, rest, ok := number(s)
		if !ok {
			s = s[1:]
			continue
		}
		end := 0
		for end < len(rest) && (isLetter(rest[end]) || rest[end] == '%') {
			end++
		}
		l, ok := parseLength(s[:len(s)-len(rest)+end])
		if !ok {
			l = length{n, unitPx}
		}
		into, s = append(into, l), rest[end:]
	}
	return into
}
