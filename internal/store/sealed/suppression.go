package sealed

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// A suppression is stored under a hash of its address; the address is sealed with the detail.
const suppressionKind = "suppression"

func suppressionRecord(num mailbox.Num, hash string) seal.Record {
	return seal.Record{Kind: suppressionKind, Mailbox: num, ID: []byte(hash)}
}

func (r *reader) openSuppression(ctx context.Context, s *mailbox.Suppression) error {
	if !isHash(s.Address) {
		return nil
	}
	return r.openTexts(ctx, suppressionRecord(s.Mailbox, s.Address), s.Detail, &s.Address, &s.Detail)
}

func (r *reader) Suppression(ctx context.Context, num mailbox.Num, address string) (s mailbox.Suppression, err error) {
	hash, ok, err := r.known(ctx, num, address)
	if err == nil && ok {
		if s, err = r.Reader.Suppression(ctx, num, hash); err == nil {
			return s, r.openSuppression(ctx, &s)
		}
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return s, err
	}
	return r.Reader.Suppression(ctx, num, address)
}

func (r *reader) Suppressions(ctx context.Context, num mailbox.Num, f store.SuppressionFilter) (
	[]mailbox.Suppression, error) {
	return all(ctx, r.openSuppression)(r.Reader.Suppressions(ctx, num, f))
}

func (t *tx) InsertSuppression(ctx context.Context, s mailbox.Suppression) error {
	if !t.sealing(s.Mailbox) {
		if _, err := t.Suppression(ctx, s.Mailbox, s.Address); !errors.Is(err, store.ErrNotFound) {
			return err // it is there
		}
		return t.writer.InsertSuppression(ctx, s)
	}
	if _, err := t.Reader.Suppression(ctx, s.Mailbox, s.Address); !errors.Is(err, store.ErrNotFound) {
		return err // it is there, from before there was encryption
	}
	hash, err := t.digest(ctx, s.Mailbox, s.Address)
	if err == nil {
		s.Detail, err = t.sealTexts(ctx, suppressionRecord(s.Mailbox, hash), s.Address, s.Detail)
	}
	if err != nil {
		return err
	}
	s.Address = hash
	return t.writer.InsertSuppression(ctx, s)
}

func (t *tx) DeleteSuppression(ctx context.Context, num mailbox.Num, address string) error {
	hash, ok, err := t.known(ctx, num, address)
	if err == nil && ok {
		if err = t.writer.DeleteSuppression(ctx, num, hash); err == nil {
			return nil
		}
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return t.writer.DeleteSuppression(ctx, num, address)
}
