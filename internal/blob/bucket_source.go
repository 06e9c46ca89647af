package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// bucketTail is how much of an object's end is read when it is opened. It holds the index, and small objects as a
// whole.
const bucketTail = 256 << 10

// bucketSource reads a packed stream from a bucket. The first read at a place asks for just its bytes; if the next one
// goes on where that ended, it asks for all the rest, and the reads after it are served from that one answer. One
// goroutine at a time may use it, which an object sees to.
type bucketSource struct {
	bucket *Bucket
	name   string
	size   int64
	tail   []byte  // the end of the object
	next   int64   // where the last read ended, -1 before the first
	stream *stream // the answer under way, nil if there is none
}

// stream is an answer that is read bit by bit.
type stream struct {
	body   io.ReadCloser
	at     int64 // where the next byte belongs
	left   int64 // how many are to come
	cancel context.CancelFunc
	timer  *time.Timer // ends it when it stands still, and runs only while somebody waits
}

// openSource reads the end of the object, which tells its size.
func (b *Bucket) openSource(ctx context.Context, name string) (*bucketSource, error) {
	s := &bucketSource{bucket: b, name: name, next: -1}
	err := b.call(ctx, func(ctx context.Context, alive func()) error {
		var opt minio.GetObjectOptions
		if err := opt.SetRange(0, -bucketTail); err != nil {
			return err
		}
		body, info, head, err := b.client.GetObject(ctx, b.name, name, opt)
		if err != nil {
			return err
		}
		defer body.Close()
		s.size = wholeSize(head, info.Size)
		if s.size < 0 || info.Size > bucketTail || info.Size < min(s.size, bucketTail) {
			return fmt.Errorf("%w: %d bytes instead of the end of the object", ErrCorrupt, info.Size)
		}
		s.tail = make([]byte, info.Size)
		_, err = io.ReadFull(lively{body, alive}, s.tail)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// wholeSize is the size of the object of which an answer has a part: "bytes 100-199/200". Without that the answer is
// the object.
func wholeSize(head http.Header, got int64) int64 {
	text := head.Get("Content-Range")
	if text == "" {
		return got
	}
	_, whole, _ := strings.Cut(text, "/")
	size, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return -1
	}
	return size
}

func (s *bucketSource) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= s.size {
		return 0, io.EOF
	}
	tailAt := s.size - int64(len(s.tail))
	remote := int(min(max(tailAt-off, 0), int64(len(p))))
	n, err := s.fetch(p[:remote], off)
	if err != nil {
		return n, err
	}
	n += copy(p[remote:], s.tail[max(off-tailAt, 0):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// fetch fills p, going on after what it has when a try fails.
func (s *bucketSource) fetch(p []byte, off int64) (n int, err error) {
	sequential := off == s.next
	for try := 1; n < len(p); try++ {
		var more int
		more, err = s.read(p[n:], off+int64(n), sequential)
		n += more
		if err == nil {
			continue
		}
		s.hangUp()
		if try >= s.bucket.times.tries || !transient(err) || !s.bucket.backoff(context.Background(), try) {
			return n, explain(context.Background(), err)
		}
	}
	s.next = off + int64(n)
	return n, nil
}

// read reads what comes at once, from the answer under way if that is at the right place.
func (s *bucketSource) read(p []byte, off int64, sequential bool) (int, error) {
	if s.stream == nil || s.stream.at != off || s.stream.left < int64(len(p)) {
		s.hangUp()
		end := off + int64(len(p))
		if sequential {
			end = s.size - int64(len(s.tail))
		}
		var err error
		if s.stream, err = s.bucket.openStream(s.name, off, end); err != nil {
			return 0, err
		}
	}
	n, err := s.stream.read(p, s.bucket.times.patience)
	if s.stream.left == 0 {
		s.hangUp()
	}
	return n, err
}

// openStream asks for the bytes from off to end.
func (b *Bucket) openStream(name string, off, end int64) (*stream, error) {
	var opt minio.GetObjectOptions
	if err := opt.SetRange(off, end-1); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background()) // ends with the stream, not with a call
	timer := time.AfterFunc(b.times.patience, cancel)
	body, info, _, err := b.client.GetObject(ctx, b.name, name, opt)
	timer.Stop()
	if err == nil && info.Size != end-off {
		err = errors.Join(fmt.Errorf("%w: %d bytes instead of %d", ErrCorrupt, info.Size, end-off), body.Close())
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return &stream{body: body, at: off, left: end - off, cancel: cancel, timer: timer}, nil
}

// read fills p, which is no longer than what is left, unless the stream breaks.
func (s *stream) read(p []byte, patience time.Duration) (int, error) {
	s.timer.Reset(patience)
	defer s.timer.Stop()
	n, err := io.ReadFull(lively{s.body, func() { s.timer.Reset(patience) }}, p)
	s.at += int64(n)
	s.left -= int64(n)
	return n, err
}

// hangUp ends the answer under way.
func (s *bucketSource) hangUp() {
	if s.stream == nil {
		return
	}
	if s.stream.left == 0 {
		_, _ = s.stream.body.Read(make([]byte, 1)) // the end, which lets the connection be used again
	}
	s.stream.cancel()
	_ = s.stream.body.Close()
	s.stream = nil
}

func (s *bucketSource) Close() error {
	s.hangUp()
	return nil
}
