package view

import (
	"math"
	"strings"
)

// transform is a matrix of CSS, by rows: it moves a point of an element to its place on the screen.
type transform [4][4]float64

var identity = transform{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}

func (m *transform) times(n *transform) (out transform) {
	for i := range out {
		for k := range out {
			for j := range out {
				out[i][k] += m[i][j] * n[j][k]
			}
		}
	}
	return out
}

// shape is what a transformation leaves to see.
type shape struct {
	kw    keyword
	scale float32 // how much smaller text gets, 0 for not at all
	z     float32 // how much nearer it comes
}

// transformOf reads a list of transformations, and tells what is left to see: nothing (kwHidden), something elsewhere
// (kwAway), or its back (kwTurned).
func transformOf(value string) shape {
	all := identity
	for value != "" {
		open := strings.IndexByte(value, '(')
		if open < 0 {
			break
		}
		end := min(skipNested(value, open), len(value))
		one, ok := transformation(trim(value[:open]), value[open+1:end])
		if !ok {
			return shape{kw: kwUndecided}
		}
		all = all.times(&one)
		value = strings.TrimLeft(value[min(end+1, len(value)):], " ,\t\n")
	}
	return all.effect()
}

// effect tells what a transformation leaves to see of text that stands at the origin.
func (m *transform) effect() shape {
	w := m[3][3]
	if w <= 0 { // it is behind the one who looks
		return shape{kw: kwHidden}
	}
	// How the plane of the text is stretched where it begins.
	var d [2][2]float64
	for i := range d {
		for k := range d {
			d[i][k] = (m[i][k]*w - m[i][3]*m[3][k]) / (w * w)
		}
	}
	area := math.Abs(d[0][0]*d[1][1] - d[0][1]*d[1][0])
	wide, high := math.Hypot(d[0][0], d[1][0]), math.Hypot(d[0][1], d[1][1])
	least := min(wide, high, area/max(wide, high, 1e-9)) // the narrow side of what a square becomes
	switch x, y := m[0][3]/w, m[1][3]/w; {
	case !(least >= 0.02) || !(max(wide, high) < 1e4):
		return shape{kw: kwHidden}
	case x <= -farFlow || x >= farRight || y <= -farFlow || y >= farRight:
		return shape{kw: kwAway}
	case m[2][2] < 0:
		return shape{kwTurned, float32(least), float32(m[2][3])}
	}
	return shape{kwShown, float32(least), float32(m[2][3])}
}

// transformation is the matrix of one function. False is one that is not known.
func transformation(name, args string) (m transform, ok bool) {
	var room [16]length
	list := numbers(args, room[:0])
	at := func(i int, otherwise float64) float64 {
		if i >= len(list) {
			return otherwise
		}
		return float64(list[i].n)
	}
	move := func(i int, whole float32) float64 {
		if i >= len(list) {
			return 0
		}
		return float64(list[i].px(rootSize, whole))
	}
	angle := at(len(list)-1, 0) * math.Pi / 180
	if m = identity; len(list) == 0 && name != "perspective" {
		return m, false
	}
	switch name {
	case "scale", "scale3d":
		m[0][0] = scaleOf(list[0])
		if m[1][1] = m[0][0]; len(list) > 1 {
			m[1][1] = scaleOf(list[1])
		}
	case "scalex":
		m[0][0] = scaleOf(list[0])
	case "scaley":
		m[1][1] = scaleOf(list[0])
	case "translate", "translate3d":
		m[0][3], m[1][3], m[2][3] = move(0, screenWidth), move(1, screenWidth), move(2, 0)
	case "translatex":
		m[0][3] = move(0, screenWidth)
	case "translatey":
		m[1][3] = move(0, screenWidth)
	case "translatez":
		m[2][3] = move(0, 0)
	case "scalez":
	case "rotate", "rotatez":
		m = rotation(0, 0, 1, angle)
	case "rotatex":
		m = rotation(1, 0, 0, angle)
	case "rotatey":
		m = rotation(0, 1, 0, angle)
	case "rotate3d":
		m = rotation(at(0, 0), at(1, 0), at(2, 0), angle)
	case "skewx":
		m[0][1] = math.Tan(angle)
	case "skewy":
		m[1][0] = math.Tan(angle)
	case "skew":
		m[0][1], m[1][0] = math.Tan(at(0, 0)*math.Pi/180), math.Tan(at(1, 0)*math.Pi/180)
	case "matrix":
		m[0][0], m[0][1], m[0][3] = at(0, 1), at(2, 0), at(4, 0)
		m[1][0], m[1][1], m[1][3] = at(1, 0), at(3, 1), at(5, 0)
	case "matrix3d":
		for i := range 16 {
			m[i%4][i/4] = at(i, m[i%4][i/4])
		}
	case "perspective":
		if d := move(0, 0); d > 0 {
			m[3][2] = -1 / max(d, 1)
		}
	default:
		return m, false
	}
	return m, true
}

func scaleOf(l length) float64 { return float64(share(l, 1)) }

// rotation turns by an angle around an axis.
func rotation(x, y, z, angle float64) transform {
	n := math.Sqrt(x*x + y*y + z*z)
	if n == 0 {
		return identity
	}
	x, y, z = x/n, y/n, z/n
	s, c := math.Sincos(angle)
	t := 1 - c
	return transform{
		{t*x*x + c, t*x*y - s*z, t*x*z + s*y, 0},
		{t*x*y + s*z, t*y*y + c, t*y*z - s*x, 0},
		{t*x*z - s*y, t*y*z + s*x, t*z*z + c, 0},
		{0, 0, 0, 1},
	}
}

// rotateOf is the property rotate as a function: "x 90deg", "1 0 0 90deg" or "45deg".
func rotateOf(value string) string {
	words := strings.Fields(value)
	if len(words) == 4 {
		return "rotate3d(" + value + ")"
	}
	axis, angle := "", ""
	for _, w := range words {
		if w == "x" || w == "y" || w == "z" {
			axis = w
		} else {
			angle = w
		}
	}
	return "rotate" + axis + "(" + angle + ")"
}
