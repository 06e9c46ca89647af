package index

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/search/segment"
)

// maxReopens is how often a search begins again: segments that were merged while it ran are in others now.
const maxReopens = 8

// reopening reads segments, and again without those that cannot be read.
func (x *finder) reopening(ctx context.Context, read func() error) error {
	for tries := 1; ; tries++ {
		err := read()
		if !isDamage(err) || tries == maxReopens {
			return err
		}
		if err := x.reopen(ctx, err); err != nil {
			return err
		}
	}
}

// reopen gets the segments again. If they are the same, one of them is damaged: the search goes on without it, and
// looks through the newest messages instead.
func (x *finder) reopen(ctx context.Context, cause error) error {
	before := x.segments()
	x.ix.searched.forget(x.num)
	if err := x.open(ctx); err != nil {
		return err
	}
	after := x.segments()
	x.readers = slices.DeleteFunc(x.readers, func(r *segment.Reader) bool { return slices.Contains(x.bad, r.ID()) })
	if !slices.Equal(before, after) && !x.lost {
		return nil
	}
	x.ix.damaged(x.num, cause)
	var at *segment.ReadError
	if errors.As(cause, &at) {
		x.bad = append(x.bad, at.ID)
		x.readers = slices.DeleteFunc(x.readers, func(r *segment.Reader) bool { return r.ID() == at.ID })
	} else {
		x.readers = nil
	}
	if x.lost {
		return nil
	}
	x.lost = true
	return x.wait(ctx, 0)
}

// segments are those that the mailbox has.
func (x *finder) segments() (ids []segment.ID) {
	for _, r := range x.readers {
		ids = append(ids, r.ID())
	}
	return ids
}
