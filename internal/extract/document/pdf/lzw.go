package pdf

// lzw reads LZW as PDF has it: codes of 9 to 12 bits, highest bit first, which grow one code early.
type lzw struct {
	b     []byte
	acc   uint32
	bits  uint
	width uint
	next  int // the code that will be entered next
	prev  int // the code before, or -1
	from  [4096]uint16
	last  [4096]byte
	out   []byte // decoded and not yet read
	buf   [4096]byte
}

const (
	lzwClear = 256
	lzwEnd   = 257
)

func newLZW(b []byte) *lzw { return &lzw{b: b, width: 9, next: 258, prev: -1} }

func (z *lzw) Read(p []byte) (int, error) {
	return drain(p, &z.out, z.step)
}

// step decodes codes until one gives bytes.
func (z *lzw) step() bool {
	for {
		code, ok := z.code()
		switch {
		case !ok || code == lzwEnd || code > z.next || code == z.next && z.prev < 0:
			return false
		case code == lzwClear:
			z.width, z.next, z.prev = 9, 258, -1
			continue
		}
		z.out = z.expand(code)
		z.enter(z.out[0])
		z.prev = code
		return true
	}
}

func (z *lzw) code() (int, bool) {
	for z.bits < z.width {
		if len(z.b) == 0 {
			return 0, false
		}
		z.acc = z.acc<<8 | uint32(z.b[0])
		z.b = z.b[1:]
		z.bits += 8
	}
	z.bits -= z.width
	return int(z.acc>>z.bits) & (1<<z.width - 1), true
}

// expand returns the bytes of a code. The code that is not yet entered is the one before, and its first byte once more.
func (z *lzw) expand(code int) []byte {
	i := len(z.buf)
	fresh := code == z.next
	if fresh {
		i--
		code = z.prev
	}
	for code >= 258 && i > 1 {
		i--
		z.buf[i] = z.last[code]
		code = int(z.from[code])
	}
	i--
	z.buf[i] = byte(code)
	if fresh {
		z.buf[len(z.buf)-1] = z.buf[i]
	}
	return z.buf[i:]
}

// enter makes a code of the one before and the first byte of this one.
func (z *lzw) enter(c byte) {
	if z.prev < 0 || z.next >= 4096 {
		return
	}
	z.from[z.next], z.last[z.next] = uint16(z.prev), c
	z.next++
	if z.next+1 >= 1<<z.width && z.width < 12 {
		z.width++
	}
}
