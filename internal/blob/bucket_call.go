package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// times are how long a Bucket waits.
type times struct {
	tries    int
	patience time.Duration // without any progress
	longest  time.Duration // for a request as a whole
	pause    time.Duration // before the second try; before the third it is three times that
}

var usualTimes = times{tries: 3, patience: 3 * time.Second, longest: 2 * time.Minute, pause: 100 * time.Millisecond}

// copySpeed is, in bytes per second, what a service is expected to copy at least, which it does without a sign of life.
const copySpeed = 16 << 20

// call makes a request that may be made again: it tries until there is an answer. The function calls alive whenever
// something has moved. The error is one that users of a Store know.
func (b *Bucket) call(ctx context.Context, fn func(ctx context.Context, alive func()) error) error {
	return b.callFor(ctx, b.times.patience, fn)
}

func (b *Bucket) callFor(ctx context.Context, patience time.Duration, fn func(ctx context.Context,
	alive func()) error) error {
	err := b.once(ctx, patience, fn)
	for try := 1; try < b.times.tries && transient(err) && b.backoff(ctx, try); try++ {
		err = b.once(ctx, patience, fn)
	}
	return explain(ctx, err)
}

// once makes a request and gives it up when it stands still.
func (b *Bucket) once(ctx context.Context, patience time.Duration, fn func(ctx context.Context,
	alive func()) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, b.times.longest)
	defer cancel()
	timer := time.AfterFunc(patience, cancel)
	defer timer.Stop()
	err := fn(limited, func() { timer.Reset(patience) })
	if limited.Err() != nil {
		// The other end may have gone without a word; the idle connections to it would be tried one by one.
		b.pool.CloseIdleConnections()
		if err == nil {
			err = limited.Err() // a listing that is cancelled ends as if it were complete
		}
	}
	return err
}

// backoff waits before the next try, and tells whether there may be one.
func (b *Bucket) backoff(ctx context.Context, try int) bool {
	pause := b.times.pause
	if try > 1 {
		pause *= 3
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause/2 + rand.N(pause/2+1)):
		return true
	}
}

// transient tells whether the same request may well succeed a moment later.
func transient(err error) bool {
	var answer minio.ErrorResponse
	switch {
	case err == nil || errors.Is(err, ErrCorrupt):
		return false
	case !errors.As(err, &answer):
		return true // no answer at all
	}
	switch answer.Code {
	case "SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout": // of one of many, which has no status
		return true
	}
	switch status := answer.StatusCode; status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
		return true
	case http.StatusConflict: // with another request for the same name, or on versitygw for the same folder
		return true
	default:
		return status >= 500 && status != http.StatusNotImplemented
	}
}

// explain turns an error of the service or the network into one that users of a Store know. Everything that is not
// about the one object counts as ErrUnavailable, wrong keys and a missing bucket too: nobody's request can succeed
// then, and the operator of the service reads why.
func explain(ctx context.Context, err error) error {
	switch {
	case err == nil || errors.Is(err, ErrCorrupt):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	switch code(err) {
	case "NoSuchKey":
		return ErrNotFound
	case "PreconditionFailed":
		return fs.ErrExist
	case "NotImplemented":
		return fmt.Errorf("%w: %w", ErrUnavailable, errors.ErrUnsupported)
	case "InvalidRange":
		return fmt.Errorf("%w: empty object", ErrCorrupt)
	}
	if !transient(err) {
		return fmt.Errorf("%w: %w: %s", ErrUnavailable, ErrRefused, describe(err))
	}
	return fmt.Errorf("%w: %s", ErrUnavailable, describe(err))
}

// code is what the service calls an error; empty if it did not answer.
func code(err error) string {
	var answer minio.ErrorResponse
	errors.As(err, &answer)
	return answer.Code
}

var plainCode = pattern(`^[A-Za-z0-9]{1,60}$`)

// describe says in words of our own what went wrong: the words of others may hold addresses, keys, or anything that an
// unknown server sends.
func describe(err error) string {
	var answer minio.ErrorResponse
	var request *url.Error
	switch {
	case errors.As(err, &answer) && plainCode().MatchString(answer.Code):
		return fmt.Sprintf("%s (status %d)", answer.Code, answer.StatusCode)
	case errors.As(err, &answer):
		return fmt.Sprintf("status %d", answer.StatusCode)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &request) && strings.Contains(request.Err.Error(), "foreign host"):
		return "connection closed"
	case errors.As(err, &request):
		return request.Err.Error()
	}
	return err.Error()
}

// lively tells the watch over a request that bytes have moved.
type lively struct {
	io.Reader
	alive func()
}

func (l lively) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if n > 0 {
		l.alive()
	}
	return n, err
}
