package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/mailkin/mailkin/api"
)

// payload is the body of a request. It may be attached several times, one after the other, if it rewinds.
type payload interface {
	mediaType() string
	attach(req *http.Request, w *watch) error
	rewinds() bool
}

// object is a body in JSON that is held in memory.
type object []byte

// newObject returns the body of a value. All values are of this package, so none fails.
func newObject(v any) object {
	b, err := api.Marshal(v)
	if err != nil {
		return object(`null`) // the service refuses it
	}
	return b
}

func (object) mediaType() string { return "application/json" }
func (object) rewinds() bool     { return true }

func (o object) attach(req *http.Request, _ *watch) error {
	req.ContentLength = int64(len(o))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(o)), nil }
	req.Body, _ = req.GetBody()
	return nil
}

// sourceError is an error of what the caller gave us to read.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return "read what is to be sent: " + e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

// stream is a body that is read from the caller's own readers while it is sent, and never held as a whole.
type stream struct {
	media   string
	build   func() io.Reader // puts the body together from the sources, which are at their beginning
	sources []*source
}

func (s *stream) mediaType() string { return s.media }

func (s *stream) rewinds() bool {
	for _, one := range s.sources {
		if !one.rewinds() {
			return false
		}
	}
	return true
}

func (s *stream) attach(req *http.Request, w *watch) error {
	for _, one := range s.sources {
		if err := one.rewind(); err != nil {
			return &sourceError{err}
		}
	}
	req.Body = &streamBody{from: s.build(), watch: w, free: make(chan struct{}, 1)}
	req.ContentLength = -1
	return nil
}

// source is a reader of the caller. It can be read again if it can seek.
type source struct {
	io.Reader
	seeker  io.Seeker // nil: it cannot
	start   int64
	touched bool
}

func newSource(r io.Reader) *source {
	s := &source{Reader: r}
	if seeker, ok := r.(io.Seeker); ok {
		// QUIRK: a pipe is an os.File that says only here that it cannot seek.
		if at, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.seeker, s.start = seeker, at
		}
	}
	return s
}

func (s *source) rewinds() bool { return s.seeker != nil || !s.touched }

func (s *source) rewind() error {
	if !s.touched {
		return nil
	}
	if s.seeker == nil {
		return errors.New("it cannot be read twice")
	}
	_, err := s.seeker.Seek(s.start, io.SeekStart)
	return err
}

func (s *source) Read(p []byte) (int, error) {
	s.touched = true
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &sourceError{err}
	}
	return n, err
}

// streamBody is a stream on its way. It stops reading from the caller's readers when the call is over, even if the
// transport would still like more.
type streamBody struct {
	from  io.Reader
	watch *watch
	free  chan struct{} // holds one while somebody reads
	over  bool          // guarded by free
}

func (b *streamBody) Read(p []byte) (int, error) {
	b.free <- struct{}{}
	defer func() { <-b.free }()
	if b.over {
		return 0, io.ErrClosedPipe
	}
	b.watch.pause() // the caller's reader may take its time
	n, err := b.from.Read(p)
	b.watch.progress()
	return n, err
}

// Close is called by the transport, maybe after the call is over.
func (b *streamBody) Close() error { return nil }

// detach ends the reading of a body. It waits for a read that is under way, unless ctx ends.
func detach(ctx context.Context, body io.ReadCloser) error {
	b, ok := body.(*streamBody)
	if !ok {
		return nil
	}
	select {
	case b.free <- struct{}{}:
		b.over = true
		<-b.free
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
