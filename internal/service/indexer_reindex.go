package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Reindexing is how far making the index anew has come, in mailboxes. Done is what this node has seen: after a restart it counts from
// there. Running is false when nothing is left to do.
type Reindexing struct {
	Running     bool
	Done, Total int64
}

// reindexPage is how many mailboxes are noted in one update.
const reindexPage = 1000

var errNoReindex = mailbox.Errorf(mailbox.Unimplemented, "reindex_unavailable", "This service has no index that can be made anew while it serves.")

// Reindex has the index of words made anew, mailbox by mailbox, in the background. What there is serves until it is replaced. Asked for
// again before it is done, it begins anew with those that are done.
func (s *Service) Reindex(ctx context.Context, _ Access) error {
	if _, ok := s.opt.Index.(store.RenewIndex); !ok {
		return errNoReindex
	}
	for before := mailbox.Num(0); ; {
		var page []mailbox.Mailbox
		err := s.view(ctx, func(r store.Reader) (err error) {
			page, err = r.Mailboxes(ctx, store.MailboxFilter{Before: before, Limit: reindexPage})
			return err
		})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		nums := make([]mailbox.Num, len(page))
		for i, b := range page {
			nums[i] = b.Num
		}
		if err := renew(ctx, s.opt.Index, nums...); err != nil {
			return fail(err)
		}
		before = nums[len(nums)-1]
	}
	s.renewals.due.Store(true)
	s.wake(wake.Index, 0)
	_, err := s.reindexing(ctx)
	return err
}

// ReindexProgress tells how far that has come.
func (s *Service) ReindexProgress(ctx context.Context, _ Access) (Reindexing, error) {
	return s.reindexing(ctx)
}

func (s *Service) reindexing(ctx context.Context) (Reindexing, error) {
	x, ok := s.opt.Index.(store.RenewIndex)
	if !ok {
		return Reindexing{}, errNoReindex
	}
	_, left, err := x.Renewals(ctx, 1)
	if err != nil {
		return Reindexing{}, fail(err)
	}
	return s.renewals.progress(left), nil
}

// progress makes of what is left how far it has come since the list was last empty.
func (r *renewals) progress(left int64) Reindexing {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total = max(r.total, left)
	p := Reindexing{Running: left > 0, Done: r.total - left, Total: r.total}
	if left == 0 {
		r.total = 0
	}
	return p
}

// unsupported tells whether an index cannot do something.
func unsupported(err error) bool { return errors.Is(err, errors.ErrUnsupported) }
