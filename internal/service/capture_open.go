package service

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// captureTally says, once it is counted in the first slot, that a store was made by a test server; and in the second,
// that it was served as a deployment since: then it can hold mailboxes that nobody may read without a key.
const captureTally = "captured mail"

const (
	slotCaptured = iota
	slotServed
)

var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// captureFits refuses to show a deployment's mail without a key, and to take a test server's mailboxes for those of a
// deployment. It notes what the store is.
func (s *Service) captureFits(ctx context.Context, there store.Census) error {
	var made, served int64
	err := s.view(ctx, func(r store.Reader) (err error) {
		if made, err = r.Tally(ctx, 0, captureTally, slotCaptured); err == nil {
			served, err = r.Tally(ctx, 0, captureTally, slotServed)
		}
		return err
	})
	switch test := made > 0 && served == 0; {
	case err != nil || s.catchesAll() == test:
		return err
	case s.catchesAll() && len(there.Boxes) > 0:
		return &MismatchError{fmt.Sprintf("the data folder has mailboxes that were not made by catch_all (%d on %s), "+
			"and their mail would be shown without a key: give catch_all a data_dir of its own",
			there.Boxes[0].Mailboxes, there.Boxes[0].Domain)}
	case s.catchesAll():
		return s.markStore(ctx, slotCaptured)
	case !s.opt.AllowMismatch:
		return &MismatchError{"the data folder holds captured mail: it was made with catch_all=on. Set that, choose " +
			"another data_dir, or set domain_mismatch=allow to serve it as a deployment from now on"}
	}
	return s.markStore(ctx, slotServed)
}

func (s *Service) markStore(ctx context.Context, slot int64) error {
	return s.update(ctx, func(tx store.Tx) error { return tx.Count(ctx, mailbox.Num(0), captureTally, slot, forever) })
}
