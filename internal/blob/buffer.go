package blob

import (
	"math/bits"
	"sync"
)

const (
	minBuffer   = 1 << 17
	bufferSizes = 4 // 128 KB to 1 MB
	// Room beyond a power of two: what zstd adds to an incompressible frame, an index of a few hundred frames, and the
	// bytes its fast copy may write past the end.
	bufferSlack = 4 << 10
)

// buffers are pooled by size, so that a session with 100 KB never sits on a buffer of 1 MB.
var buffers [bufferSizes]sync.Pool

type buffer struct{ b []byte }

// newBuffer returns an empty buffer with room for n bytes and the slack.
func newBuffer(n int) *buffer {
	class := sizeClass(n)
	if class >= bufferSizes {
		return &buffer{b: make([]byte, 0, n+bufferSlack)}
	}
	if b, ok := buffers[class].Get().(*buffer); ok {
		return b
	}
	return &buffer{b: make([]byte, 0, minBuffer<<class+bufferSlack)}
}

// free returns the buffer to its pool; nil is fine. One that an append has replaced by another size is left to the
// garbage collector.
func (b *buffer) free() {
	if b == nil {
		return
	}
	n := cap(b.b) - bufferSlack
	if class := sizeClass(n); class < bufferSizes && n == minBuffer<<class {
		b.b = b.b[:0]
		buffers[class].Put(b)
	}
}

// grown returns a buffer with the same content and room for n bytes; b itself if it has that.
func (b *buffer) grown(n int) *buffer {
	if n+bufferSlack <= cap(b.b) {
		return b
	}
	big := newBuffer(n)
	big.b = append(big.b, b.b...)
	b.free()
	return big
}

// sizeClass is the number of doublings of minBuffer that hold n bytes.
func sizeClass(n int) int {
	if n <= minBuffer {
		return 0
	}
	return bits.Len(uint(n-1) / minBuffer)
}
