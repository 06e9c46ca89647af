package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// clock is the time that all nodes share: that of the database. A node whose own clock is ahead would take others'
// leases before their end.
type clock struct {
	offset atomic.Int64 // of the database's to this machine's
}

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

const (
	clockSlack = 50 * time.Millisecond // as much as an answer may be late
	clockWrong = time.Second           // worth a word
)

// set compares this machine's clock with another.
func (c *clock) set(ctx context.Context, ask func(context.Context) (time.Time, error), log *slog.Logger) error {
	before := time.Now()
	theirs, err := ask(ctx)
	if err != nil {
		return err
	}
	took := time.Since(before)
	if took > clockWrong {
		return nil // it says too little
	}
	offset := theirs.Sub(before.Add(took / 2))
	was := time.Duration(c.offset.Load())
	if (offset - was).Abs() <= max(took, clockSlack) {
		return nil
	}
	if offset.Abs() <= max(took, clockSlack) {
		offset = 0
	}
	c.offset.Store(int64(offset))
	if offset.Abs() > clockWrong {
		log.Warn("the clock of this machine is not that of the database, which is taken; set it", "off by",
			-offset.Round(time.Millisecond))
	}
	return nil
}
