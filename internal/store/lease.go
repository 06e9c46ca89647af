package store

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// ErrFenced is what an update answers when the lease it was made under is somebody else's by now. Nothing was stored.
var ErrFenced = errors.New("lease is held by another node")

// Leaser lets one of several nodes do what only one may do at a time. A store that belongs to one process has none.
type Leaser interface {
	// Lease takes what for holder, or goes on having it, for ttl from now; ok is false where another holder has it. The
	// clock is the store's. The fence stays the same as long as nobody else had the lease in between, and is higher
	// than all before otherwise: a write that names it is refused when it comes too late. A holder is a node; within it
	// one goroutine leases one thing.
	Lease(ctx context.Context, what, holder string, ttl time.Duration) (fence int64, ok bool, err error)
	// Unlease gives it back, so that the next holder need not wait for its end. One that is not holder's stays as it
	// is.
	Unlease(ctx context.Context, what, holder string) error
	Sharer
}

// FencedIndex is an Index that several nodes write.
type FencedIndex interface {
	Index
	// Fenced returns the same index, whose updates are ErrFenced once another holder has the lease.
	Fenced(what string, fence int64) Index
	// Within returns the same index, which lists only mailboxes of some partitions.
	Within(partitions []int) Index
}

// Turn is one node's part in work that nodes take in turns.
type Turn struct {
	Leaser Leaser // nil: this node is alone, and it is always its turn
	What   string
	Holder string
	// TTL is how long the others wait for a node that died. A third of it is how often the lease is asked for.
	TTL time.Duration
	Log *slog.Logger

	failing *bool // the lease could not be asked for the last time, which was logged
}

// Run calls work whenever it is this node's turn, until ctx ends or work returns nil or an error of its own. The ctx of
// work ends when the lease can no longer be counted on; with a cause of ErrFenced if another node may have it. Work
// that returns then, or that returns ErrFenced, is called again at the next turn.
func (t Turn) Run(ctx context.Context, work func(ctx context.Context, fence int64) error) error {
	if t.Leaser == nil {
		return work(ctx, 0)
	}
	t.failing = new(bool)
	for ctx.Err() == nil {
		asked := time.Now()
		fence, ok := t.ask(ctx)
		if !ok {
			pause(ctx, t.TTL/3)
			continue
		}
		lost, err := t.hold(ctx, fence, asked, work)
		t.giveBack(ctx)
		if !lost {
			return err
		}
	}
	return ctx.Err()
}

// hold runs work and renews the lease meanwhile. lost: work was ended because the lease was.
func (t Turn) hold(ctx context.Context, fence int64, since time.Time, work func(context.Context, int64) error) (
	lost bool, err error) {
	return t.keep(ctx, since, func(term context.Context) error { return work(term, fence) },
		func(term context.Context) (same, known bool) {
			again, ok := t.ask(term)
			return ok && again == fence, ok || again != 0
		},
		func() { t.Log.Warn("a lease is lost", "what", t.What) })
}

// keep runs work and asks meanwhile whether what it works with is still the same, and whether that is known. lost: work
// was ended because it is not, which is first told to gone.
func (t Turn) keep(ctx context.Context, since time.Time, work func(context.Context) error,
	ask func(context.Context) (same, known bool), gone func()) (lost bool, err error) {
	term, end := context.WithCancelCause(ctx)
	defer end(nil)
	done := make(chan error, 1)
	go func() { done <- work(term) }()
	tick := time.NewTicker(t.TTL / 3)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if errors.Is(err, ErrFenced) {
				pause(ctx, t.TTL/fencedPart)
			}
			return errors.Is(err, ErrFenced), err
		case <-term.Done():
			return false, <-done
		case <-tick.C:
		}
		asked := time.Now()
		same, known := ask(term)
		switch {
		case same:
			since = asked
			continue
		case !known && time.Since(since) < t.TTL*2/3:
			continue // the store may only be slow
		}
		if ctx.Err() == nil {
			gone()
		}
		end(ErrFenced)
		err = <-done
		return ctx.Err() == nil, err
	}
}

// fencedPart is the part of the TTL after which a node whose update was fenced asks again.
const fencedPart = 15

// held is what ask returns for a lease that is another's.
const held = -1

// ask asks for the lease: the fence, or false and held where another node has it, or false and 0 where that is not
// known.
func (t Turn) ask(ctx context.Context) (fence int64, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, t.TTL/3)
	defer cancel()
	fence, ok, err := t.Leaser.Lease(ctx, t.What, t.Holder, t.TTL)
	switch {
	case err != nil:
		if ctx.Err() == nil && !*t.failing {
			*t.failing = true
			t.Log.Warn("ask for a lease", "what", t.What, "error", err)
		}
		return 0, false
	case !ok:
		*t.failing = false
		return held, false
	}
	*t.failing = false
	return fence, true
}

// giveBack lets another node go on at once, also when ctx has ended.
func (t Turn) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.TTL/3)
	defer cancel()
	if err := t.Leaser.Unlease(ctx, t.What, t.Holder); err != nil {
		t.Log.Warn("give a lease back", "what", t.What, "error", err)
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
