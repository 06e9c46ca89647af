package sealed

import (
	"context"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// Of a hook its body is sealed once, and what its receiver answered with each attempt: as the error of one attempt,
// which is otherwise a sentence of ours.
const (
	hookKind    = "webhook body"
	hookLogKind = "webhook log"
)

func (r *reader) openHook(ctx context.Context, h *mailbox.Hook) (err error) {
	if h.Body, err = r.open(ctx, seal.ByID(hookKind, h.Mailbox, h.ID), h.Body); err == nil {
		err = r.openHookLog(ctx, h)
	}
	return err
}

func (r *reader) openHookLog(ctx context.Context, h *mailbox.Hook) error {
	if len(h.Log) != 1 || !strings.HasPrefix(hashMark+h.Log[0].Error, textMark) {
		return nil
	}
	var log string
	err := r.openTexts(ctx, seal.ByID(hookLogKind, h.Mailbox, h.ID), hashMark+h.Log[0].Error, &log)
	h.Log = mailbox.DecodeAttempts(log)
	return err
}

func (t *tx) sealHookLog(ctx context.Context, h *mailbox.Hook) error {
	if !t.sealing(h.Mailbox) || len(h.Log) == 0 {
		return nil
	}
	text, err := t.sealTexts(ctx, seal.ByID(hookLogKind, h.Mailbox, h.ID), mailbox.EncodeAttempts(h.Log))
	// A log has no control characters.
	h.Log = []mailbox.HookAttempt{{At: h.Log[len(h.Log)-1].At, Error: strings.TrimPrefix(text, hashMark)}}
	return err
}

func (r *reader) Hook(ctx context.Context, num mailbox.Num, id mailbox.ID) (mailbox.Hook, error) {
	return one(ctx, r.openHook)(r.Reader.Hook(ctx, num, id))
}

func (r *reader) Hooks(ctx context.Context, num mailbox.Num, f store.HookFilter) ([]mailbox.Hook, error) {
	return all(ctx, r.openHookLog)(r.Reader.Hooks(ctx, num, f))
}

func (r *reader) DueHooks(ctx context.Context, target int64, at time.Time, limit int) ([]mailbox.Hook, error) {
	return all(ctx, r.openHook)(r.Reader.DueHooks(ctx, target, at, limit))
}

func (t *tx) InsertHook(ctx context.Context, h *mailbox.Hook) error {
	row := *h
	err := t.sealHook(ctx, &row)
	if err == nil {
		err = t.writer.InsertHook(ctx, &row)
	}
	h.N = row.N
	return err
}

func (t *tx) UpdateHook(ctx context.Context, h mailbox.Hook) error {
	if err := t.sealHookLog(ctx, &h); err != nil {
		return err
	}
	return t.writer.UpdateHook(ctx, h)
}

func (t *tx) ScrubHook(ctx context.Context, h mailbox.Hook) error {
	if err := t.sealHook(ctx, &h); err != nil {
		return err
	}
	return t.writer.ScrubHook(ctx, h)
}

func (t *tx) sealHook(ctx context.Context, h *mailbox.Hook) (err error) {
	if h.Body, err = t.seal(ctx, seal.ByID(hookKind, h.Mailbox, h.ID), h.Body); err == nil {
		err = t.sealHookLog(ctx, h)
	}
	return err
}
