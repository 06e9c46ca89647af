// Package sealed puts encryption between the service and a store: what mail says is sealed with the key of its mailbox
// on its way in, and opened on its way out. It is the same for every store. What was stored before there was encryption
// stays readable.
package sealed

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// Store is a store whose mail is sealed.
type Store struct {
	store.Store
	ring  *seal.Ring
	names names
}

// New seals what is stored in another store.
func New(in store.Store, ring *seal.Ring) *Store { return &Store{Store: in, ring: ring} }

func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.View(ctx, func(r store.Reader) error { return fn(&reader{r, s.ring, &s.names}) })
}

func (s *Store) Ask(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.Ask(ctx, func(r store.Reader) error { return fn(&reader{r, s.ring, &s.names}) })
}

// Update destroys the keys of the mailboxes that fn removes when that is committed. Should the process end before that,
// Purge does it.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	var removed []mailbox.Num
	err := s.Store.Update(ctx, func(in store.Tx) error {
		t := &tx{reader: &reader{in, s.ring, &s.names}, writer: in}
		err := fn(t)
		removed = t.removed
		return err
	})
	for _, num := range removed {
		if err != nil {
			break
		}
		err = s.ring.Shred(context.WithoutCancel(ctx), num)
	}
	return err
}

// reader opens what it reads.
type reader struct {
	store.Reader
	ring  *seal.Ring
	names *names
}

// writer is the half of a store.Tx that is not a store.Reader.
type writer interface {
	store.MailboxWriter
	store.RetiredWriter
	store.KeyWriter
	store.ClaimWriter
	store.MessageWriter
	store.ThreadWriter
	store.EventWriter
	store.PartTextWriter
	store.QuarantineWriter
	store.DraftWriter
	store.SendWriter
	store.SuppressionWriter
	store.ListWriter
	store.DeliveryWriter
	store.ReviewWriter
	store.HistoryWriter
	store.ContactWriter
	store.PolicyWriter
	store.HookWriter
	store.HookTargetWriter
	store.HookRouteWriter
	store.SecretWriter
	store.DomainWriter
	store.DomainReportWriter
	store.ObservationWriter
	store.LogWriter
	store.IndexWriter
}

// tx seals what it writes.
type tx struct {
	*reader
	writer
	removed []mailbox.Num
}

var _ store.Tx = (*tx)(nil)

// mayHaveNone refuses a mailbox that has no key although it had one. Its key is lost, and must not be replaced by
// another one. A mailbox from before there was encryption gets its key with what is sealed next.
func (r *reader) mayHaveNone(ctx context.Context, num mailbox.Num) error {
	if has, err := r.ring.HasKey(ctx, num); has || err != nil || !r.ring.On() {
		return nil // what is wrong with a key is told by what uses it
	}
	had, err := hadKey(ctx, r.Reader, num)
	if err == nil && had {
		err = r.ring.Lost(num, seal.ErrNoKey)
	}
	return err
}

// hadKey tells whether a mailbox once had a key: it was noted, or its newest message is sealed.
func hadKey(ctx context.Context, r mailReader, num mailbox.Num) (bool, error) {
	if noted, err := r.KeyNoted(ctx, num); noted || err != nil {
		return noted, err
	}
	newest, err := r.Messages(ctx, num, store.MessageFilter{Limit: 1})
	return err == nil && len(newest) > 0 && isSealedRow(newest[0].Snippet), err
}

// mayHaveNone is that of a reader, for what is sealed outside of an update of the store.
func (s *Store) mayHaveNone(ctx context.Context, num mailbox.Num) error {
	if has, err := s.ring.HasKey(ctx, num); has || err != nil {
		return nil
	}
	return s.Store.Ask(ctx, func(in store.Reader) error {
		return (&reader{in, s.ring, &s.names}).mayHaveNone(ctx, num)
	})
}

// seal seals a record. A mailbox whose key was destroyed is gone.
func (t *tx) seal(ctx context.Context, rec seal.Record, plain []byte) ([]byte, error) {
	if err := t.mayHaveNone(ctx, rec.Mailbox); err != nil {
		return nil, err
	}
	sealed, err := t.ring.Seal(ctx, rec, plain)
	if errors.Is(err, seal.ErrShredded) {
		err = store.ErrNotFound
	}
	return sealed, err
}

// InsertMailbox makes the mailbox's key, too, and notes it. It is durable before the mailbox is.
func (t *tx) InsertMailbox(ctx context.Context, m mailbox.Mailbox) (mailbox.Num, error) {
	num, err := t.writer.InsertMailbox(ctx, m)
	if err == nil && t.ring.On() {
		if err = t.ring.NewKey(ctx, num); err == nil {
			err = t.writer.NoteKey(ctx, num)
		}
	}
	return num, err
}

func (t *tx) RemoveMailbox(ctx context.Context, num mailbox.Num) error {
	err := t.writer.RemoveMailbox(ctx, num)
	if err == nil {
		t.removed = append(t.removed, num)
	}
	return err
}

func (t *tx) Purge(ctx context.Context, num mailbox.Num, limit int) (removed int, done bool, err error) {
	if !slices.Contains(t.removed, num) { // then it was committed that it is gone
		if err := t.ring.Shred(ctx, num); err != nil {
			return 0, false, err
		}
	}
	return t.writer.Purge(ctx, num, limit)
}

// one opens what was read; the function that opens it comes first, so that both results of the reading can follow.
func one[T any](ctx context.Context, open func(context.Context, *T) error) func(T, error) (T, error) {
	return func(v T, err error) (T, error) {
		if err == nil {
			err = open(ctx, &v)
		}
		return v, err
	}
}

// all is one for a list.
func all[T any](ctx context.Context, open func(context.Context, *T) error) func([]T, error) ([]T, error) {
	return func(list []T, err error) ([]T, error) {
		for i := range list {
			if err == nil {
				err = open(ctx, &list[i])
			}
		}
		return list, err
	}
}
