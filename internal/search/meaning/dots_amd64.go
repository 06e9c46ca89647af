package meaning

import "golang.org/x/sys/cpu"

// hasWide tells whether dotsWide may be called.
func hasWide() bool { return cpu.X86.HasAVX2 }

// hasVNNI tells whether dotsVNNI may be called.
func hasVNNI() bool { return cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI }

// dotsWide multiplies rows with the first values of x, as many as are whole blocks, and says how many. The caller has
// checked that rows holds every row.
func dotsWide(out []int32, rows []byte, stride int, x []int16) int {
	const block, double, rowsAtOnce = 16, 32, 8
	blocks := len(x) / block
	if blocks == 0 {
		clear(out)
		return 0
	}
	if n := len(out) &^ (rowsAtOnce - 1); n > 0 && len(x)%double == 0 && hasVNNI() {
		dotsVNNI(&out[0], &rows[0], n, stride, &x[0], len(x)/double)
		if out = out[n:]; len(out) == 0 {
			return len(x)
		}
		rows = rows[n*stride:]
	}
	dotsAVX2(&out[0], &rows[0], len(out), stride, &x[0], blocks)
	return blocks * block
}

// dotsAVX2 sets n numbers at out to the products of n rows, stride bytes apart, with 16*blocks values at x. All three
// counts are positive.
//
//go:noescape
func dotsAVX2(out *int32, rows *byte, n, stride int, x *int16, blocks int)

// dotsVNNI is the same for 32*blocks values; n is a multiple of 8.
//
//go:noescape
func dotsVNNI(out *int32, rows *byte, n, stride int, x *int16, blocks int)

// dotsVNNI2 is dotsVNNI for two rows of values, with a place for the products of each.
//
//go:noescape
func dotsVNNI2(out, more *int32, rows *byte, n, stride int, x, y *int16, blocks int)

// dotsBW2 is dotsVNNI2 for processors whose AVX-512 is older.
//
//go:noescape
func dotsBW2(out, more *int32, rows *byte, n, stride int, x, y *int16, blocks int)

// dotsBoth multiplies rows with two factors at once, where that can be done, and says whether it was. Rows holds
// len(out) rows without gaps.
func dotsBoth(out, more []int32, rows []byte, x, y factor) bool {
	const block, rowsAtOnce = 32, 8
	n := len(x.wide)
	if !cpu.X86.HasAVX512BW || len(out) == 0 || len(out)%rowsAtOnce != 0 || len(more) != len(out) || n == 0 ||
		n%block != 0 || len(y.wide) != n || len(rows) < len(out)*n {
		return false
	}
	if hasVNNI() {
		dotsVNNI2(&out[0], &more[0], &rows[0], len(out), n, &x.wide[0], &y.wide[0], n/block)
	} else {
		dotsBW2(&out[0], &more[0], &rows[0], len(out), n, &x.wide[0], &y.wide[0], n/block)
	}
	return true
}
