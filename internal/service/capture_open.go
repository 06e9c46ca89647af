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

type captureSlot int64

const (
	slotCaptured captureSlot = iota
	slotServed
	slotNone captureSlot = -1
)

var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// captureFits refuses to show a deployment's mail without a key, and to take a test server's mailboxes for those of a
// deployment. It returns what is to be noted of the store.
func (s *Service) captureFits(ctx context.Context, there store.Census) (mark captureSlot, err error) {
	var made, served int64
	err = s.view(ctx, func(r store.Reader) (err error) {
		if made, err = r.Tally(ctx, 0, captureTally, int64(slotCaptured)); err == nil {
			served, err = r.Tally(ctx, 0, captureTally, int64(slotServed))
		}
		return err
	})
	switch test := made > 0 && served == 0; {
	case err != nil || s.catchesAll() == test:
		return slotNone, err
	case s.catchesAll() && len(there.Boxes) > 0:
		return slotNone, &MismatchError{fmt.Sprintf("the data folder has mailboxes that were not made by catch_all "+
			"(%d on %s), and their mail would be shown without a key: give catch_all a data_dir of its own",
			there.Boxes[0].Mailboxes, there.Boxes[0].Domain)}
	case s.catchesAll():
		return slotCaptured, nil
	case !s.opt.AllowMismatch:
		return slotNone, &MismatchError{"the data folder holds captured mail: it was made with catch_all=on. Set " +
			"that, choose another data_dir, or set domain_mismatch=allow to serve it as a deployment from now on"}
	}
	return slotServed, nil
}

func (s *Service) markStore(ctx context.Context, slot captureSlot) error {
	if slot == slotNone {
		return nil
	}
	return s.update(ctx, func(tx store.Tx) error {
		return tx.Count(ctx, mailbox.Num(0), captureTally, int64(slot), forever)
	})
}
