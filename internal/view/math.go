package view

import (
	"math"
	"slices"
	"strings"
)

// evaluate works out calc() and the other functions of mathematics, in pixels, degrees and plain numbers; percents are
// of whole. It is false where that cannot be told.
func evaluate(s string, whole float64) (float32, bool) {
	e := expression{s: s, whole: whole}
	v := e.value()
	ok := !e.bad && trim(e.s) == ""
	return float32(v), ok
}

// expression is what is left to be read of one.
type expression struct {
	s     string
	whole float64
	bad   bool
}

// next takes a character, if it comes next.
func (e *expression) next(chars string) byte {
	e.s = trimStart(e.s)
	if e.s == "" || strings.IndexByte(chars, e.s[0]) < 0 {
		return 0
	}
	c := e.s[0]
	e.s = e.s[1:]
	return c
}

func (e *expression) sum() float64 {
	total := e.product()
	for !e.bad {
		switch e.next("+-") {
		case '+':
			total += e.product()
		case '-':
			total -= e.product()
		default:
			return total
		}
	}
	return total
}

func (e *expression) product() float64 {
	v := e.value()
	for !e.bad {
		switch e.next("*/") {
		case '*':
			v *= e.value()
		case '/':
			v /= e.value()
		default:
			return v
		}
	}
	return v
}

// value reads a number, or what stands in brackets after the name of a function or none.
func (e *expression) value() float64 {
	e.s = trimStart(e.s)
	if n, rest, ok := number(e.s); ok {
		end := 0
		for end < len(rest) && (isLetter(rest[end]) || rest[end] == '%') {
			end++
		}
		l, ok := parseLength(e.s[:len(e.s)-len(rest)+end])
		if e.s = rest[end:]; !ok {
			e.bad = true
		}
		if l.u == unitPercent {
			return float64(n) * e.whole / 100
		}
		return float64(l.px(rootSize, 0))
	}
	name, rest := identifier(e.s)
	if e.s = rest; e.next("(") == 0 {
		e.bad = true
		return 0
	}
	return e.function(name)
}

// function reads the arguments of one, and works it out.
func (e *expression) function(name string) float64 {
	var room [4]float64
	args := room[:0]
	if name == "env" { // without a notch, all are 0
		e.s = e.s[min(skipNested("("+e.s, 0), len(e.s)):]
		return 0
	}
	for !e.bad {
		if args = append(args, e.sum()); e.next(",") == 0 {
			break
		}
	}
	e.next(")") // or the value ends here
	f := mathFunctions[name]
	if f == nil || e.bad {
		e.bad = true
		return 0
	}
	return f(args)
}

// mathFunctions are those that mail has. What another one comes to cannot be told.
var mathFunctions = map[string]func([]float64) float64{
	"": first, "calc": first, "-webkit-calc": first,
	"min":   slices.Min[[]float64],
	"max":   slices.Max[[]float64],
	"clamp": func(a []float64) float64 { return max(a[0], min(a[min(1, len(a)-1)], a[len(a)-1])) },
	"abs":   func(a []float64) float64 { return math.Abs(a[0]) },
}

func first(a []float64) float64 { return a[0] }
