package pdf

import "math"

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times is first m, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// moved is m with its origin moved by x and y, in its own measure.
func (m matrix) moved(x, y float64) matrix {
	m[4] += x*m[0] + y*m[2]
	m[5] += x*m[1] + y*m[3]
	return m
}

// height is how large one unit upwards becomes.
func (m matrix) height() float64 { return math.Hypot(m[2], m[3]) }

// sound says whether m has only numbers that can be sorted and compared.
func (m matrix) sound() bool {
	for _, v := range m {
		if math.IsNaN(v) || math.Abs(v) > 1e12 {
			return false
		}
	}
	return true
}

// matrixOf reads six operands.
func matrixOf(v []float64) matrix {
	if len(v) != 6 {
		return identity
	}
	return matrix(v)
}
