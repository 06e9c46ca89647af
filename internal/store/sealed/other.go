package sealed

import (
	"context"
	"encoding/binary"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// Kinds of records beside messages.
const (
	textKind       = "attachment text"
	draftHeadKind  = "draft head"
	draftBodyKind  = "draft body"
	draftFileKind  = "draft file"
	heldHeadKind   = "quarantine head"
	heldPackedKind = "quarantine content"
)

func (r *reader) PartTexts(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64][]byte, error) {
	texts, err := r.Reader.PartTexts(ctx, num, seqs...)
	for seq, b := range texts {
		if err == nil {
			texts[seq], err = r.open(ctx, seal.BySeq(textKind, num, seq), b)
		}
	}
	return texts, err
}

func (t *tx) PutTexts(ctx context.Context, num mailbox.Num, seq int64, packed []byte) error {
	sealed, err := t.seal(ctx, seal.BySeq(textKind, num, seq), packed)
	if err != nil {
		return err
	}
	return t.writer.PutTexts(ctx, num, seq, sealed)
}

// Drafts.

func (r *reader) openDraft(ctx context.Context, d *store.Draft) (err error) {
	if d.Head, err = r.open(ctx, seal.ByID(draftHeadKind, d.Mailbox, d.ID), d.Head); err == nil {
		d.Body, err = r.open(ctx, seal.ByID(draftBodyKind, d.Mailbox, d.ID), d.Body)
	}
	return err
}

func (r *reader) Draft(ctx context.Context, num mailbox.Num, id mailbox.ID) (store.Draft, error) {
	return one(ctx, r.openDraft)(r.Reader.Draft(ctx, num, id))
}

func (r *reader) Drafts(ctx context.Context, num mailbox.Num, f store.DraftFilter) ([]store.Draft, error) {
	return all(ctx, r.openDraft)(r.Reader.Drafts(ctx, num, f))
}

func (t *tx) sealDraft(ctx context.Context, d *store.Draft) (err error) {
	if len(d.Head) > 0 {
		d.Head, err = t.seal(ctx, seal.ByID(draftHeadKind, d.Mailbox, d.ID), d.Head)
	}
	if err == nil && len(d.Body) > 0 {
		d.Body, err = t.seal(ctx, seal.ByID(draftBodyKind, d.Mailbox, d.ID), d.Body)
	}
	return err
}

func (t *tx) InsertDraft(ctx context.Context, d *store.Draft) error {
	row := *d
	if err := t.sealDraft(ctx, &row); err != nil {
		return err
	}
	err := t.writer.InsertDraft(ctx, &row)
	d.Number = row.Number
	return err
}

func (t *tx) UpdateDraft(ctx context.Context, d store.Draft) error {
	if err := t.sealDraft(ctx, &d); err != nil {
		return err
	}
	return t.writer.UpdateDraft(ctx, d)
}

func fileRecord(num mailbox.Num, id mailbox.ID, n int) seal.Record {
	rec := seal.ByID(draftFileKind, num, id)
	rec.ID = binary.BigEndian.AppendUint64(rec.ID[:len(rec.ID):len(rec.ID)], uint64(n))
	return rec
}

func (r *reader) DraftFile(ctx context.Context, num mailbox.Num, id mailbox.ID, n int) (store.Content, error) {
	c, err := r.Reader.DraftFile(ctx, num, id, n)
	if err != nil {
		return c, err
	}
	return r.openContent(ctx, fileRecord(num, id, n), c)
}

func (t *tx) InsertDraftFile(ctx context.Context, num mailbox.Num, id mailbox.ID, n int, c store.Content) (err error) {
	if c.Packed, err = t.seal(ctx, fileRecord(num, id, n), c.Packed); err != nil {
		return err
	}
	return t.writer.InsertDraftFile(ctx, num, id, n, c)
}

// Mail in quarantine.

func (r *reader) openHeld(ctx context.Context, q *store.Quarantined) (err error) {
	q.Head, err = r.open(ctx, seal.ByID(heldHeadKind, q.Mailbox, q.ID), q.Head)
	return err
}

func (r *reader) Quarantined(ctx context.Context, num mailbox.Num, id mailbox.ID) (store.Quarantined, error) {
	return one(ctx, r.openHeld)(r.Reader.Quarantined(ctx, num, id))
}

func (r *reader) Quarantine(ctx context.Context, num mailbox.Num, f store.QuarantineFilter) ([]store.Quarantined,
	error) {
	return all(ctx, r.openHeld)(r.Reader.Quarantine(ctx, num, f))
}

func (r *reader) QuarantinedContent(ctx context.Context, num mailbox.Num, id mailbox.ID) (store.Content, error) {
	c, err := r.Reader.QuarantinedContent(ctx, num, id)
	if err != nil {
		return c, err
	}
	return r.openContent(ctx, seal.ByID(heldPackedKind, num, id), c)
}

func (t *tx) InsertQuarantined(ctx context.Context, q *store.Quarantined, c store.Content) (err error) {
	row := *q
	if row.Head, err = t.seal(ctx, seal.ByID(heldHeadKind, q.Mailbox, q.ID), q.Head); err != nil {
		return err
	}
	if c.Packed, err = t.seal(ctx, seal.ByID(heldPackedKind, q.Mailbox, q.ID), c.Packed); err != nil {
		return err
	}
	err = t.writer.InsertQuarantined(ctx, &row, c)
	q.Number = row.Number
	return err
}
