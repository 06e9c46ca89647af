package sealed

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// mailReader is what a comparison of keys and mailboxes reads.
type mailReader interface {
	Mailboxes(ctx context.Context, f store.MailboxFilter) ([]mailbox.Mailbox, error)
	Messages(ctx context.Context, num mailbox.Num, f store.MessageFilter) ([]mailbox.Message, error)
	KeyNoted(ctx context.Context, num mailbox.Num) (bool, error)
}

// Compared is how keys and mailboxes fit.
type Compared struct {
	Kept int           // keys of mailboxes that there are
	Lost []string      // addresses of mailboxes that had a key and have none
	Dead []string      // addresses of mailboxes that are there though their keys were destroyed
	Left []mailbox.Num // of mailboxes that were deleted, and whose keys are there all the same
}

// Compare compares the keys with the mailboxes. A mailbox's key is there before the mailbox is: one that is made
// meanwhile may be among those that are left.
func Compare(ctx context.Context, r mailReader, keys seal.Table) (c Compared, err error) {
	there, destroyed, err := keys.Keys(ctx)
	if err != nil {
		return c, err
	}
	has := make(map[mailbox.Num]bool, len(there)) // false: it was destroyed
	for _, num := range destroyed {
		has[num] = false
	}
	for _, num := range there {
		has[num] = true
	}
	boxes := make(map[mailbox.Num]bool)
	const page = 1000
	for f := (store.MailboxFilter{Oldest: true, Limit: page}); ; {
		list, err := r.Mailboxes(ctx, f)
		if err != nil {
			return c, err
		}
		for _, m := range list {
			boxes[m.Num], f.After = true, m.Num
			if alive, known := has[m.Num]; known {
				if !alive {
					c.Dead = append(c.Dead, m.Address)
				}
				continue
			}
			lost, err := hadKey(ctx, r, m.Num)
			if err == nil && lost { // it may have been made since the keys were listed
				var key []byte
				key, err = keys.Key(ctx, m.Num)
				lost = key == nil
			}
			if err != nil {
				return c, err
			}
			if lost {
				c.Lost = append(c.Lost, m.Address)
			}
		}
		if len(list) < page {
			break
		}
	}
	for _, num := range there {
		if boxes[num] {
			c.Kept++
		} else {
			c.Left = append(c.Left, num)
		}
	}
	return c, nil
}
