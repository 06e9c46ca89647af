package index

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Reindexing is how far rebuilding the index has come, in mailboxes and in their messages. Done is what this node has
// seen: after a restart it counts from there. The messages of a mailbox that is being rebuilt count one by one on the
// node that does it; elsewhere they count when the mailbox is done. Running is false when nothing is left to do.
type Reindexing struct {
	Running                     bool
	Done, Total                 int64
	MessagesDone, MessagesTotal int64
}

// reindexPage is how many mailboxes are noted in one update, or asked for their messages at a time.
const reindexPage = 1000

var errNoReindex = mailbox.Errorf(mailbox.Unimplemented, "reindex_unavailable", "This service has no search, so "+
	"there is no index to rebuild.")

// Reindex has the index of words rebuilt, mailbox by mailbox, in the background. What there is serves until it is
// replaced. Asked for again before it is done, it starts over with those that are done.
func (ix *Index) Reindex(ctx context.Context) error {
	if ix.opt.Index == nil {
		return errNoReindex
	}
	for before := mailbox.Num(0); ; {
		var page []mailbox.Mailbox
		err := ix.opt.Store.View(ctx, func(r store.Reader) (err error) {
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
		if err := renew(ctx, ix.opt.Index, nums...); err != nil {
			return err
		}
		before = nums[len(nums)-1]
	}
	ix.renewals.forget()
	ix.renewals.due.Store(true)
	ix.opt.Wake(wake.Index)
	_, err := ix.Reindexing(ctx)
	return err
}

// Reindexing tells how far that has come.
func (ix *Index) Reindexing(ctx context.Context) (Reindexing, error) {
	if ix.opt.Index == nil {
		return Reindexing{}, errNoReindex
	}
	// before the list is read: a mailbox that is done in between is off it, and counts as a whole
	at := ix.renewals.begin()
	list, err := ix.opt.Index.Renewals(ctx, math.MaxInt32)
	if err != nil {
		return Reindexing{}, err
	}
	for {
		p, unknown := ix.renewals.progress(list, at)
		if len(unknown) == 0 {
			return p, nil
		}
		if err := ix.sizeRenewals(ctx, unknown); err != nil {
			return Reindexing{}, err
		}
	}
}

// sizeRenewals notes how many messages mailboxes have. It is read once for each, from the sums that are kept.
func (ix *Index) sizeRenewals(ctx context.Context, nums []mailbox.Num) error {
	for page := range slices.Chunk(nums, reindexPage) {
		var holdings map[mailbox.Num]mailbox.Holding
		err := ix.opt.Store.View(ctx, func(r store.Reader) (err error) {
			holdings, err = r.Holdings(ctx, page...)
			return err
		})
		if err != nil {
			return err
		}
		ix.renewals.size(page, holdings)
	}
	return nil
}

// size notes what mailboxes hold that are seen on the list for the first time. One that is gone has nothing.
func (r *renewals) size(nums []mailbox.Num, holdings map[mailbox.Num]mailbox.Holding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sizes == nil {
		r.sizes = make(map[mailbox.Num]int64)
	}
	for _, num := range nums {
		if _, known := r.sizes[num]; known {
			continue // another caller was faster
		}
		r.sizes[num] = holdings[num].Inbound + holdings[num].Outbound
		r.messages += r.sizes[num]
	}
}

// progress makes of the list how far it has come since that was last empty, or tells of which mailboxes the size is not
// known yet.
func (r *renewals) progress(list []mailbox.Num, at reached) (p Reindexing, unknown []mailbox.Num) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var waiting int64
	for _, num := range list {
		size, known := r.sizes[num]
		if !known {
			unknown = append(unknown, num)
		}
		if num == at.num {
			size -= min(size, at.messages)
		}
		waiting += size
	}
	if len(unknown) > 0 {
		return p, unknown
	}
	left := int64(len(list))
	r.total = max(r.total, left)
	p = Reindexing{Running: left > 0, Done: r.total - left, Total: r.total, MessagesDone: r.messages - waiting,
		MessagesTotal: r.messages}
	r.seen = time.Now()
	if left == 0 {
		r.countAnew()
	}
	return p, nil
}

// begin is called before the list is looked at. It tells how far this node is with the mailbox that it rebuilds.
func (r *renewals) begin() reached {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.seen) > notedFor { // the list may have been empty since, and other nodes do not tell
		r.countAnew()
	}
	return r.reached
}

// reach notes how far that is.
func (r *renewals) reach(at reached) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reached = at
	if at.num != 0 {
		r.seen = time.Now()
	}
}

// forget lets what is on the list now be the whole.
func (r *renewals) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.countAnew()
}

func (r *renewals) countAnew() { r.total, r.messages, r.sizes = 0, 0, nil }
