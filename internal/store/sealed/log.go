package sealed

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// A refusal of mail for a mailbox that there is says who wrote to it: that is sealed with the mailbox's key. Refusals
// of mail for nobody are in clear, and go when the log is full. The stage of a refusal is a word of ours and carries
// the record, with the mailbox's number: its address may be another one when the log is read.
const rejectKind = "reject"

func rejectRecord(num mailbox.Num, r mailbox.Reject) seal.Record {
	id := binary.BigEndian.AppendUint64(nil, uint64(r.At.UnixMilli()))
	return seal.Record{Kind: rejectKind, Mailbox: num, ID: append(id, r.Address...)}
}

func (t *tx) AppendRejects(ctx context.Context, rs []mailbox.Reject, keep int) error {
	if !t.ring.On() {
		return t.writer.AppendRejects(ctx, rs, keep)
	}
	stored := make([]mailbox.Reject, len(rs))
	for i, r := range rs {
		box, err := t.MailboxAt(ctx, r.Address)
		switch {
		case errors.Is(err, store.ErrNotFound):
			stored[i] = r
			continue
		case err != nil:
			return err
		}
		text, err := t.sealTexts(ctx, rejectRecord(box.Num, r), r.Sender, r.Recipient, r.Remote, r.Reply)
		if errors.Is(err, seal.ErrLost) { // the log goes on, without what the key would have hidden
			stored[i] = mailbox.Reject{At: r.At, Address: r.Address, Stage: r.Stage, Recipient: r.Address}
			continue
		}
		if err != nil {
			return err
		}
		stored[i] = mailbox.Reject{At: r.At, Address: r.Address,
			Stage: r.Stage + hashMark + strconv.FormatInt(int64(box.Num), 10) + text}
	}
	return t.writer.AppendRejects(ctx, stored, keep)
}

func (r *reader) Rejects(ctx context.Context, f store.LogFilter) ([]store.Entry[mailbox.Reject], error) {
	list, err := r.Reader.Rejects(ctx, f)
	for i := range list {
		e := &list[i].Value
		stage, text, ok := strings.Cut(e.Stage, hashMark)
		if err != nil || !ok {
			continue
		}
		digits, _, _ := strings.Cut(text, textMark)
		num, bad := strconv.ParseInt(digits, 10, 64)
		if bad != nil {
			continue
		}
		e.Stage = stage
		err = r.openTexts(ctx, rejectRecord(mailbox.Num(num), *e), text[len(digits):], &e.Sender, &e.Recipient,
			&e.Remote, &e.Reply)
		if errors.Is(err, seal.ErrLost) { // so that the others can be read
			e.Recipient, err = e.Address, nil
		}
	}
	return list, err
}
