package client

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// watch ends a request that stands still.
type watch struct {
	stall  time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc
	ctx    context.Context // of the request, to tell why it ended

	mu    sync.Mutex
	ended bool
}

// stalled is why a request was ended that stood still. It is a time-out for those who ask as net.Error does.
type stalled time.Duration

func (s stalled) Error() string   { return fmt.Sprintf("nothing was heard for %v", time.Duration(s)) }
func (s stalled) Timeout() bool   { return true }
func (s stalled) Temporary() bool { return true }

// newWatch begins to watch: the time runs.
func newWatch(ctx context.Context, stall time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{stall: stall, cancel: cancel, ctx: ctx}
	w.timer = time.AfterFunc(stall, func() { cancel(stalled(stall)) })
	return ctx, w
}

// progress records that bytes moved: the timeout starts over.
func (w *watch) progress() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.timer.Reset(w.stall)
	}
}

// pause stops the timeout until something is awaited again: the caller may take its time.
func (w *watch) pause() { w.timer.Stop() }

// end gives back what the watch holds.
func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.timer.Stop()
	w.cancel(nil)
}

// cause is why a request failed: the watch's reason, if it was the watch, and else the error that came.
func (w *watch) cause(err error) error {
	if why, ok := context.Cause(w.ctx).(stalled); ok {
		return why
	}
	return err
}

// watchedBody is the body of an answer. Time runs only while somebody waits for more of it.
type watchedBody struct {
	io.ReadCloser
	watch *watch
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.watch.progress()
	n, err := b.ReadCloser.Read(p)
	b.watch.pause()
	if err != nil && err != io.EOF {
		err = b.watch.cause(err)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.watch.end()
	return b.ReadCloser.Close()
}
