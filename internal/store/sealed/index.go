package sealed

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	blockKind  = "index block"
	vectorKind = "vector"
)

// NewIndex seals what is stored in an index: its blocks of words, and its vectors.
func (s *Store) NewIndex(in store.Index) store.Index {
	x := index{in, s.ring, s}
	if _, ok := in.(store.ScrubIndex); ok {
		return scrubIndex{x}
	}
	if _, ok := in.(store.FencedIndex); ok {
		return fencedIndex{x}
	}
	return x
}

type index struct {
	store.Index
	ring *seal.Ring
	mail *Store
}

type scrubIndex struct{ index }

func (x scrubIndex) Scrub(ctx context.Context, room int64) (bool, error) {
	return x.Index.(store.ScrubIndex).Scrub(ctx, room)
}

type fencedIndex struct{ index }

func (x fencedIndex) Fenced(what string, fence int64) store.Index {
	return x.mail.NewIndex(x.Index.(store.FencedIndex).Fenced(what, fence))
}

func (x fencedIndex) Within(partitions []int) store.Index {
	return x.mail.NewIndex(x.Index.(store.FencedIndex).Within(partitions))
}

func (x index) Block(ctx context.Context, num mailbox.Num, segment int64, n int) ([]byte, error) {
	b, err := x.Index.Block(ctx, num, segment, n)
	if err != nil {
		return nil, err
	}
	b, err = x.ring.Open(ctx, seal.BySeq(blockKind, num, segment, int64(n)), b)
	if errors.Is(err, seal.ErrShredded) {
		err = store.ErrNotFound
	}
	return b, err
}

func (x index) Vectors(ctx context.Context, num mailbox.Num, each func(seq int64, vector []byte) error) error {
	return x.Index.Vectors(ctx, num, func(seq int64, b []byte) error {
		vector, err := x.ring.Open(ctx, seal.BySeq(vectorKind, num, seq), b)
		if errors.Is(err, seal.ErrShredded) {
			return nil
		}
		if err != nil {
			return err
		}
		return each(seq, vector)
	})
}

// Update skips what is about a mailbox whose key was destroyed: it is being deleted.
func (x index) Update(ctx context.Context, fn func(store.IndexTx) error) error {
	return x.Index.Update(ctx, func(in store.IndexTx) error { return fn(indexTx{in, ctx, x}) })
}

type indexTx struct {
	store.IndexTx
	ctx context.Context // of the one update
	of  index
}

// seal seals a record; nil: the mailbox is being deleted.
func (t indexTx) seal(rec seal.Record, plain []byte) ([]byte, error) {
	if err := t.of.mail.mayHaveNone(t.ctx, rec.Mailbox); err != nil {
		return nil, err
	}
	sealed, err := t.of.ring.Seal(t.ctx, rec, plain)
	if errors.Is(err, seal.ErrShredded) {
		return nil, nil
	}
	return sealed, err
}

func (t indexTx) PutBlock(num mailbox.Num, segment int64, n int, data []byte) error {
	sealed, err := t.seal(seal.BySeq(blockKind, num, segment, int64(n)), data)
	if err != nil || sealed == nil {
		return err
	}
	return t.IndexTx.PutBlock(num, segment, n, sealed)
}

func (t indexTx) PutVector(num mailbox.Num, seq int64, vector []byte) error {
	sealed, err := t.seal(seal.BySeq(vectorKind, num, seq), vector)
	if err != nil || sealed == nil {
		return err
	}
	return t.IndexTx.PutVector(num, seq, sealed)
}
