package meaning

import "encoding/binary"

const (
	// lanesBlock is how many values the portable product takes at a time.
	lanesBlock = 8
	// most is the largest value of a factor. With it, 1536 products of a factor with signed bytes cannot overflow 32
	// bits, neither in the sum nor in the portable product's half sums of unsigned bytes. Vectors have more dimensions
	// but, as factors, values of 127 at most.
	most = 8191
)

// factor is the right side of many products: a row of small whole numbers.
type factor struct {
	wide  []int16
	lanes []uint64 // the same for the portable product, two values to a word; empty where that is not used
	bias  int32    // 128 times the sum of what is in lanes
}

// newFactor takes the values over, at most 8191 each way.
func newFactor(values []int16) factor {
	f := factor{wide: values}
	if !hasWide() {
		f.lanes = make([]uint64, len(values)/2)
		f.bias = pack(f.lanes, values)
	}
	return f
}

// dots multiplies each of len(out) rows of signed bytes with x. Row i begins at rows[i*stride] and has as many bytes as
// x has values.
func dots(out []int32, rows []byte, stride int, x factor) {
	n := len(x.wide)
	if len(out) == 0 || n == 0 {
		clear(out)
		return
	}
	rows = rows[:(len(out)-1)*stride+n]
	done := 0
	if len(x.lanes) > 0 {
		done = n &^ (lanesBlock - 1)
		for i := range out {
			out[i] = dotLanes(rows[i*stride:][:done], x.lanes) - x.bias
		}
	} else {
		done = dotsWide(out, rows, stride, x.wide)
	}
	if done == n {
		return
	}
	for i := range out {
		for j := done; j < n; j++ {
			out[i] += int32(int8(rows[i*stride+j])) * int32(x.wide[j])
		}
	}
}

// pack lays out values for dotLanes, as far as whole blocks go, and returns 128 times their sum.
//
// Of eight bytes b0…b7 a word, masked, holds bk in its lower half and bk+4 in its upper half. Multiplied with a word
// that holds xk+4 in its lower half and xk in its upper half it gives, in the upper half, bk·xk + bk+4·xk+4: two
// products of the sum that is wanted for one multiplication. The lower half collects bk·xk+4, which nobody wants but
// whose sign borrows from the upper half.
func pack(lanes []uint64, values []int16) int32 {
	var sum int32
	for i := 0; i+lanesBlock <= len(values); i += lanesBlock {
		for k := range 4 {
			low, high := int64(values[i+k+4]), int64(values[i+k])
			lanes[i/2+k] = uint64(low) + uint64(high)<<32
			sum += int32(low + high)
		}
	}
	return 128 * sum
}

// dotLanes multiplies a row, each byte raised by 128 so that it has no sign, with packed values.
func dotLanes(row []byte, lanes []uint64) int32 {
	const (
		raise = 0x8080808080808080
		mask  = 0x000000FF000000FF
	)
	var a, b uint64
	lanes = lanes[:len(row)/2]
	for len(row) >= lanesBlock && len(lanes) >= 4 {
		w := binary.LittleEndian.Uint64(row) ^ raise
		a += (w&mask)*lanes[0] + (w>>8&mask)*lanes[1]
		b += (w>>16&mask)*lanes[2] + (w>>24&mask)*lanes[3]
		row, lanes = row[lanesBlock:], lanes[4:]
	}
	sum := int64(a + b)
	return int32((sum - int64(int32(sum))) >> 32) // the upper half, without what the sign of the lower half borrowed
}
