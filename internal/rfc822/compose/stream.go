package compose

import (
	"fmt"
	"io"
	"slices"
)

// streamChunk is how much of an attachment is read at once: whole lines of base64.
const streamChunk = 512 * base64Line

// stream is bytes that are read while they are written, as they are or in base64.
type stream struct {
	open   func() (io.ReadCloser, error)
	size   int64
	base64 bool
	name   string

	rc   io.ReadCloser
	in   []byte
	read int64
}

// length is what the stream becomes.
func (s *stream) length() int64 {
	if s.base64 {
		return base64Size(s.size)
	}
	return s.size
}

// next appends the next chunk and says whether it was the last.
func (s *stream) next(dst []byte) (chunk []byte, done bool, err error) {
	if s.rc == nil {
		if s.rc, err = s.open(); err != nil {
			return dst, false, fmt.Errorf("open attachment %q: %w", clip(s.name), err)
		}
		s.in = make([]byte, min(s.size+1, streamChunk)) // one more, to see the end
	}
	n, err := io.ReadFull(s.rc, s.in)
	done = err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !done {
		return dst, false, fmt.Errorf("read attachment %q: %w", clip(s.name), err)
	}
	continued := s.read > 0 && n > 0
	if s.read += int64(n); s.read > s.size || done && s.read < s.size {
		return dst, false, fmt.Errorf("read attachment %q: it does not have the %d bytes it should", clip(s.name),
			s.size)
	}
	if !s.base64 {
		return append(dst, s.in[:n]...), done, nil
	}
	return s.encode(dst, s.in[:n], continued), done, nil
}

// encode appends base64 with line ends between lines: before a chunk that is not the first, none after the last line.
func (s *stream) encode(dst, src []byte, continued bool) []byte {
	dst = slices.Grow(dst, int(base64Size(int64(len(src))))+4)
	if continued {
		dst = append(dst, '\r', '\n')
	}
	dst = appendBase64(dst, src)
	if len(src) > 0 && len(src)%base64Line == 0 {
		dst = dst[:len(dst)-2]
	}
	return dst
}

func (s *stream) close() error {
	if s.rc == nil {
		return nil
	}
	rc := s.rc
	s.rc = nil
	return rc.Close()
}
