package sealed

import (
	"context"
	"encoding/binary"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
)

// Of an entry of a message's history all facts are sealed, and carried by the recipient; of who did it only what is
// somebody's address. Which key has read a message is looked up.
const historyKind = "history"

func historyRecord(num mailbox.Num, seq int64, e mailbox.HistoryEntry) seal.Record {
	return seal.BySeq(historyKind+" "+string(e.Kind), num, seq, e.At.UnixMilli())
}

func (t *tx) AppendHistory(ctx context.Context, num mailbox.Num, seq int64, e mailbox.HistoryEntry, keep int) error {
	address := ""
	if strings.HasPrefix(e.Actor, mailbox.ReviewerByMail) {
		address = strings.TrimPrefix(e.Actor, mailbox.ReviewerByMail)
	}
	if facts := e.Encode(); t.sealing(num) && facts+address != "" {
		text, err := t.sealTexts(ctx, historyRecord(num, seq, e), address, facts)
		if err != nil {
			return err
		}
		e.Actor = strings.TrimSuffix(e.Actor, address)
		e.HistoryFacts = mailbox.HistoryFacts{Recipient: text}
	}
	return t.writer.AppendHistory(ctx, num, seq, e, keep)
}

func (r *reader) History(ctx context.Context, num mailbox.Num, seq int64) ([]mailbox.HistoryEntry, error) {
	list, err := r.Reader.History(ctx, num, seq)
	for i := range list {
		e := &list[i]
		if err != nil || !strings.HasPrefix(e.Recipient, textMark) {
			continue
		}
		var address, facts string
		err = r.openTexts(ctx, historyRecord(num, seq, *e), e.Recipient, &address, &facts)
		e.Actor, e.HistoryFacts = e.Actor+address, mailbox.DecodeHistoryFacts(facts)
	}
	return list, err
}

// What an event says about a recipient is sealed, and carried by the recipient.
const resultKind = "result"

func resultRecord(num mailbox.Num, e mailbox.Event) seal.Record {
	rec := seal.ByID(resultKind+" "+string(e.Kind), num, e.Message)
	rec.ID = binary.BigEndian.AppendUint64(rec.ID[:len(rec.ID):len(rec.ID)], uint64(e.At.UnixMilli()))
	return rec
}

func (t *tx) AppendEvent(ctx context.Context, e *mailbox.Event) error {
	plain := e.Result
	if t.sealing(e.Mailbox) && plain.Recipient+plain.Reason != "" {
		text, err := t.sealTexts(ctx, resultRecord(e.Mailbox, *e), plain.Recipient, plain.Reason)
		if err != nil {
			return err
		}
		e.Result.Recipient, e.Result.Reason = text, ""
	}
	err := t.writer.AppendEvent(ctx, e)
	e.Result = plain
	return err
}

func (r *reader) openResult(ctx context.Context, e *mailbox.Event) error {
	return r.openTexts(ctx, resultRecord(e.Mailbox, *e), e.Result.Recipient, &e.Result.Recipient, &e.Result.Reason)
}
