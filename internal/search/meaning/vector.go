package meaning

import (
	"encoding/binary"
	"math"
)

const (
	// MaxDims is the most dimensions that a vector may have.
	MaxDims = 4096
	// head is what precedes the dimensions of a vector.
	head = 4
)

// Vector is a direction as it is stored: four bytes that hold, as a little-endian float32, one over the length of what
// follows, then one signed byte for each dimension. The bytes are scaled so that the largest is 127, so nothing is lost
// to models with a few large dimensions. A text without meaning, such as an empty one, has a vector of length zero, and
// its cosine to everything is zero.
type Vector []byte

// Dims is the number of dimensions.
func (v Vector) Dims() int { return max(len(v)-head, 0) }

// Valid tells whether v can have come from this package: bytes from elsewhere may be anything.
func (v Vector) Valid() bool {
	if v.Dims() == 0 || v.Dims() > MaxDims {
		return false
	}
	inverse := v.inverse()
	return inverse >= 0 && inverse <= 1 // false for NaN; a length that is not zero is at least one
}

func (v Vector) inverse() float32 { return math.Float32frombits(binary.LittleEndian.Uint32(v)) }

// round makes the vector of a direction; its values must be finite.
func round(values []float32) Vector {
	v := make(Vector, head+len(values))
	var most float32
	for _, x := range values {
		most = max(most, x, -x)
	}
	if most == 0 {
		return v
	}
	square := 0
	for i, x := range values {
		q := int(math.RoundToEven(float64(x) / float64(most) * math.MaxInt8))
		v[head+i] = byte(int8(q))
		square += q * q
	}
	binary.LittleEndian.PutUint32(v, math.Float32bits(float32(1/math.Sqrt(float64(square)))))
	return v
}
