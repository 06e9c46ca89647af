package sealed

import (
	"context"
	"errors"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// Contacts are only looked for, never shown: they are kept as a keyed hash before the domain, which is compared with
// those of new senders.
func (r *reader) hashed(ctx context.Context, num mailbox.Num, address string) (string, error) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address, nil
	}
	if err := r.mayHaveNone(ctx, num); err != nil {
		return "", err
	}
	local, err := r.ring.Hash(ctx, num, address[:at])
	if errors.Is(err, seal.ErrShredded) {
		err = store.ErrNotFound
	}
	return local + address[at:], err
}

// Contact finds those of before there was encryption, too.
func (r *reader) Contact(ctx context.Context, num mailbox.Num, address string) (store.Contact, error) {
	c, err := r.Reader.Contact(ctx, num, address)
	if err != nil || c.Correspondent {
		return c, err
	}
	hashed, err := r.hashed(ctx, num, address)
	if err != nil {
		return c, err
	}
	sealed, err := r.Reader.Contact(ctx, num, hashed)
	return store.Contact{Known: c.Known || sealed.Known, Correspondent: sealed.Correspondent}, err
}

func (t *tx) InsertContact(ctx context.Context, num mailbox.Num, address string, correspondent bool) error {
	hashed, err := t.hashed(ctx, num, address)
	if err != nil {
		return err
	}
	return t.writer.InsertContact(ctx, num, hashed, correspondent)
}
