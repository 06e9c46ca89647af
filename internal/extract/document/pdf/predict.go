package pdf

// predict undoes the prediction that a filter was told to do (ISO 32000 7.4.4.4), in place.
func (f *file) predict(b []byte, parms dict) []byte {
	kind := integer(f.resolve(parms["Predictor"]))
	if kind < 2 {
		return b
	}
	colors := within(integer(f.resolve(parms["Colors"])), 1, 32)
	depth := within(integer(f.resolve(parms["BitsPerComponent"])), 8, 16)
	columns := within(integer(f.resolve(parms["Columns"])), 1, 1<<20)
	pixel := max(1, colors*depth/8)
	row := (colors*depth*columns + 7) / 8
	if kind == 2 {
		for i := range b {
			if depth == 8 && i%row >= pixel {
				b[i] += b[i-pixel]
			}
		}
		return b
	}
	return png(b, row, pixel)
}

// within is n, or what it is where it was not said; never more than most.
func within(n, unsaid, most int) int {
	if n <= 0 {
		return unsaid
	}
	return min(n, most)
}

// png undoes the filters of PNG: each row has a byte in front that names its own.
func png(b []byte, row, pixel int) []byte {
	out := b[:0]
	above := make([]byte, min(row, len(b)))
	for len(b) > 1 {
		kind, line := b[0], b[1:min(len(b), row+1)]
		b = b[min(len(b), row+1):]
		start := len(out)
		for i, c := range line {
			var left, up, corner byte
			if i >= pixel {
				left, corner = out[start+i-pixel], above[i-pixel]
			}
			up = above[i]
			out = append(out, c+predicted(kind, left, up, corner))
		}
		copy(above, out[start:])
	}
	return out
}

func predicted(kind, left, up, corner byte) byte {
	switch kind {
	case 1:
		return left
	case 2:
		return up
	case 3:
		return byte((int(left) + int(up)) / 2)
	case 4:
		return paeth(left, up, corner)
	}
	return 0
}

// paeth is the neighbour nearest to left + up - corner.
func paeth(left, up, corner byte) byte {
	p := int(left) + int(up) - int(corner)
	dl, du, dc := abs(p-int(left)), abs(p-int(up)), abs(p-int(corner))
	switch {
	case dl <= du && dl <= dc:
		return left
	case du <= dc:
		return up
	}
	return corner
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
