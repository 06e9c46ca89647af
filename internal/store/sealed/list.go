package sealed

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// An entry of a mailbox's list is stored under a hash of its pattern; the pattern is sealed with the note. Those of the
// deployment belong to no mailbox and are in clear.
const listKind = "list"

func listRecord(num mailbox.Num, l mailbox.List, hash mailbox.Pattern) seal.Record {
	return seal.Record{Kind: listKind + " " + string(l), Mailbox: num, ID: []byte(hash)}
}

func (r *reader) openListed(ctx context.Context, e *mailbox.Listed) error {
	if !isHash(string(e.Pattern)) {
		return nil
	}
	pattern := string(e.Pattern)
	err := r.openTexts(ctx, listRecord(e.Mailbox, e.List, e.Pattern), e.Note, &pattern, &e.Note)
	e.Pattern = mailbox.Pattern(pattern)
	return err
}

// Listed finds entries that are sealed, and those that are not.
func (r *reader) Listed(ctx context.Context, num mailbox.Num, patterns []mailbox.Pattern) ([]mailbox.Listed, error) {
	stored := patterns[:len(patterns):len(patterns)]
	for _, p := range patterns {
		hash, ok, err := r.known(ctx, num, string(p))
		if err != nil {
			return nil, err
		}
		if ok {
			stored = append(stored, mailbox.Pattern(hash))
		}
	}
	return all(ctx, r.openListed)(r.Reader.Listed(ctx, num, stored))
}

func (r *reader) ListEntries(ctx context.Context, num mailbox.Num, l mailbox.List, f store.ListFilter) (
	[]mailbox.Listed, error) {
	return all(ctx, r.openListed)(r.Reader.ListEntries(ctx, num, l, f))
}

// PutListed takes the place of an entry from before there was encryption, too, or from while it was on.
func (t *tx) PutListed(ctx context.Context, e mailbox.Listed) error {
	if e.Mailbox == 0 {
		return t.writer.PutListed(ctx, e)
	}
	other, there, err := t.known(ctx, e.Mailbox, string(e.Pattern))
	if err != nil {
		return err
	}
	if t.sealing(e.Mailbox) {
		other, there = string(e.Pattern), true
		hash, err := t.digest(ctx, e.Mailbox, string(e.Pattern))
		if err != nil {
			return err
		}
		e.Note, err = t.sealTexts(ctx, listRecord(e.Mailbox, e.List, mailbox.Pattern(hash)), string(e.Pattern), e.Note)
		if err != nil {
			return err
		}
		e.Pattern = mailbox.Pattern(hash)
	}
	if there {
		err = t.writer.DeleteListed(ctx, e.Mailbox, e.List, mailbox.Pattern(other))
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return t.writer.PutListed(ctx, e)
}

func (t *tx) DeleteListed(ctx context.Context, num mailbox.Num, l mailbox.List, p mailbox.Pattern) error {
	hash, ok, err := t.known(ctx, num, string(p))
	if err == nil && ok {
		if err = t.writer.DeleteListed(ctx, num, l, mailbox.Pattern(hash)); err == nil {
			return nil
		}
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return t.writer.DeleteListed(ctx, num, l, p)
}
