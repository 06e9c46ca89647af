package sealed

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// A contact is only looked for: it is kept as a keyed hash. The domain behind it can be read with the mailbox's key,
// because it is compared with those of new senders.
func (r *reader) hashed(ctx context.Context, num mailbox.Num, address string) (string, error) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address, nil
	}
	if err := r.mayHaveNone(ctx, num); err != nil {
		return "", err
	}
	local, domain, err := r.ring.SealAddress(ctx, num, address[:at], address[at+1:])
	if err == nil && local != address[:at] {
		domain = hashMark + domain
	}
	if errors.Is(err, seal.ErrShredded) {
		err = store.ErrNotFound
	}
	return local + "@" + domain, err
}

// Contact finds those of before there was encryption, too. One that is sealed says all: InsertContact saw to that.
func (r *reader) Contact(ctx context.Context, num mailbox.Num, address string) (store.Contact, error) {
	hashed, err := r.hashed(ctx, num, address)
	if err != nil {
		return store.Contact{}, err
	}
	c, err := r.Reader.Contact(ctx, num, hashed)
	if err != nil || c.Known || hashed == address {
		return c, err
	}
	return r.Reader.Contact(ctx, num, address)
}

// domainsFrom is more than a store looks at: sealed names are in another order.
const domainsFrom = 10_000

func (r *reader) ContactDomains(ctx context.Context, num mailbox.Num, limit int) ([]string, error) {
	list, err := r.Reader.ContactDomains(ctx, num, domainsFrom)
	for i, name := range list {
		if err == nil && isHash(name) {
			list[i], err = r.ring.OpenName(ctx, num, name[len(hashMark):])
		}
	}
	if errors.Is(err, seal.ErrShredded) {
		return nil, nil
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), limit)], err
}

func (t *tx) InsertContact(ctx context.Context, num mailbox.Num, address string, correspondent bool) error {
	hashed, err := t.hashed(ctx, num, address)
	if err == nil && hashed != address && !correspondent {
		var known store.Contact
		known, err = t.Contact(ctx, num, address)
		correspondent = known.Correspondent
	}
	if err != nil {
		return err
	}
	return t.writer.InsertContact(ctx, num, hashed, correspondent)
}
