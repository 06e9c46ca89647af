package sealed

import (
	"context"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
)

// How a mailbox sends is counted by the addresses that it sends to. A tally with an address is stored under its hash;
// a pace is one sealed record, carried by an address.
const paceKind = "pace"

func (r *reader) Tally(ctx context.Context, num mailbox.Num, what string, slot int64) (int64, error) {
	used, err := r.Reader.Tally(ctx, num, what, slot)
	if err != nil || !strings.Contains(what, "@") {
		return used, err
	}
	hash, ok, err := r.known(ctx, num, what)
	if err != nil || !ok {
		return used, err
	}
	sealed, err := r.Reader.Tally(ctx, num, hash, slot)
	return used + sealed, err
}

func (t *tx) Count(ctx context.Context, num mailbox.Num, what string, slot int64, until time.Time) (err error) {
	if t.sealing(num) && strings.Contains(what, "@") {
		if what, err = t.digest(ctx, num, what); err != nil {
			return err
		}
	}
	return t.writer.Count(ctx, num, what, slot, until)
}

func (r *reader) Pace(ctx context.Context, num mailbox.Num) (mailbox.Pace, error) {
	p, err := r.Reader.Pace(ctx, num)
	if err != nil || len(p.To) != 1 {
		return p, err
	}
	for text := range p.To {
		if isHash(text) {
			var plain string
			err = r.openTexts(ctx, seal.BySeq(paceKind, num), text, &plain)
			p = mailbox.DecodePace(plain)
		}
	}
	return p, err
}

func (t *tx) SetPace(ctx context.Context, num mailbox.Num, p mailbox.Pace) error {
	if t.sealing(num) && len(p.To) > 0 {
		text, err := t.sealTexts(ctx, seal.BySeq(paceKind, num), p.Encode())
		if err != nil {
			return err
		}
		p = mailbox.Pace{To: map[string]float64{text: 1}}
	}
	return t.writer.SetPace(ctx, num, p)
}

// The Message-ID of a send that may be repeated is sealed with the message's.
const idempotentKind = "idempotent"

func idempotentRecord(i mailbox.Idempotent) seal.Record {
	return seal.Record{Kind: idempotentKind, Mailbox: i.Mailbox, ID: i.Key[:]}
}

func (r *reader) Idempotent(ctx context.Context, num mailbox.Num, key [32]byte) (mailbox.Idempotent, error) {
	i, err := r.Reader.Idempotent(ctx, num, key)
	if err == nil {
		err = r.openTexts(ctx, idempotentRecord(i), i.MessageID, &i.MessageID)
	}
	return i, err
}

func (t *tx) InsertIdempotent(ctx context.Context, i mailbox.Idempotent) (err error) {
	if t.sealing(i.Mailbox) && i.MessageID != "" {
		if i.MessageID, err = t.sealTexts(ctx, idempotentRecord(i), i.MessageID); err != nil {
			return err
		}
	}
	return t.writer.InsertIdempotent(ctx, i)
}
