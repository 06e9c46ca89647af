package sealed

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// Of a list row everything that mail says is one sealed record, in the place of the snippet. A snippet is valid UTF-8,
// and a record never is. The first records were text, with a mark. That there is a code is still seen, because lists
// ask for it, and so is the hash of the Message-ID, which finds threads and duplicates.
const (
	rowKind, contentKind = "row", "content"
	rowMark              = "\x01seal:"
	someCode             = "*"
)

// rowTexts are the fields of a message that are sealed.
func rowTexts(m *mailbox.Message) []*string {
	return []*string{&m.From.Address, &m.From.Name, &m.To, &m.Subject, &m.Snippet, &m.Code, &m.MessageID, &m.Recipient}
}

// sealRow makes of a message what is stored of it.
func (t *tx) sealRow(ctx context.Context, m *mailbox.Message) error {
	plain := packBefore(m.Verdict.Encode(), m.From.Address, m.From.Name, m.To, m.Subject, m.Snippet, m.Code,
		m.MessageID, m.Recipient, "")
	sealed, err := t.seal(ctx, seal.ByID(rowKind, m.Mailbox, m.ID), plain)
	if err != nil {
		return err
	}
	m.From, m.To, m.Subject, m.Recipient, m.Verdict = mailbox.Address{}, "", "", "", mailbox.Verdict{}
	m.Snippet = string(sealed)
	if m.Code != "" {
		m.Code = someCode
	}
	if m.MessageID != "" {
		m.MessageID = rows.HashedMessageID(m.MessageID)
	}
	return nil
}

func isSealedRow(snippet string) bool {
	return strings.HasPrefix(snippet, rowMark) || seal.Sealed([]byte(snippet))
}

// openRow fills in what was sealed of a message. Where the key was destroyed the fields stay empty.
func (r *reader) openRow(ctx context.Context, m *mailbox.Message) error {
	sealed := []byte(m.Snippet)
	var err error
	if text, ok := strings.CutPrefix(m.Snippet, rowMark); ok {
		sealed, err = base64.RawStdEncoding.DecodeString(text)
	}
	if err != nil || !seal.Sealed(sealed) {
		return nil // not sealed, or a mail that begins so
	}
	plain, err := r.ring.Open(ctx, seal.ByID(rowKind, m.Mailbox, m.ID), sealed)
	switch {
	case errors.Is(err, seal.ErrShredded):
		m.Snippet, m.Code, m.MessageID = "", "", ""
		return nil
	case err != nil:
		return fmt.Errorf("open the row of message %s: %w", m.ID, err)
	}
	if plain, err = unpack(plain, append(rowTexts(m), new(string))...); err != nil {
		return fmt.Errorf("open the row of message %s: %w", m.ID, err)
	}
	m.Verdict = mailbox.DecodeVerdict(string(plain))
	return nil
}

func (r *reader) Message(ctx context.Context, num mailbox.Num, id mailbox.ID) (mailbox.Message, error) {
	return one(ctx, r.openRow)(r.Reader.Message(ctx, num, id))
}

// Messages looks for a sender itself: the store cannot read it. Rows of before there was encryption are found too.
func (r *reader) Messages(ctx context.Context, num mailbox.Num, f store.MessageFilter) ([]mailbox.Message, error) {
	if f.From == "" {
		return all(ctx, r.openRow)(r.Reader.Messages(ctx, num, f))
	}
	var found []mailbox.Message
	page, skip := f, f.Offset
	for page.From, page.Offset, page.Limit = "", 0, senderPage; ; {
		list, err := r.Reader.Messages(ctx, num, page)
		if list, err = all(ctx, r.openRow)(list, err); err != nil {
			return nil, err
		}
		for _, m := range list {
			switch {
			case !m.From.Has(f.From):
			case skip > 0:
				skip--
			default:
				if found = append(found, m); len(found) == f.Limit {
					return found, nil
				}
			}
		}
		if len(list) < senderPage {
			return found, nil
		}
		if page.Oldest {
			page.After = list[len(list)-1].Seq
		} else {
			page.Before = list[len(list)-1].Seq
		}
	}
}

const senderPage = 500

func (r *reader) Duplicate(ctx context.Context, num mailbox.Num, messageID string,
	digest mailbox.Digest) (mailbox.Message, error) {
	return one(ctx, r.openRow)(r.Reader.Duplicate(ctx, num, messageID, digest))
}

// WithMessageID finds rows that are sealed, and those that are not.
func (r *reader) WithMessageID(ctx context.Context, num mailbox.Num, messageID string,
	limit int) ([]mailbox.Message, error) {
	list, err := r.Reader.WithMessageID(ctx, num, messageID, limit)
	if err != nil || len(list) == limit {
		return list, err
	}
	more, err := r.Reader.WithMessageID(ctx, num, rows.HashedMessageID(messageID), limit-len(list))
	if more, err = all(ctx, r.openRow)(more, err); err != nil {
		return nil, err
	}
	for _, m := range more {
		if m.MessageID == messageID {
			list = append(list, m)
		}
	}
	return list, nil
}

func (r *reader) Conversation(ctx context.Context, num mailbox.Num, thread mailbox.ID, after int64,
	limit int) ([]mailbox.Message, error) {
	return all(ctx, r.openRow)(r.Reader.Conversation(ctx, num, thread, after, limit))
}

func (r *reader) NotIndexed(ctx context.Context, num mailbox.Num, after int64, limit int) ([]mailbox.Message, error) {
	return all(ctx, r.openRow)(r.Reader.NotIndexed(ctx, num, after, limit))
}

func (r *reader) MessagesAt(ctx context.Context, num mailbox.Num, seqs ...int64) ([]mailbox.Message, error) {
	return all(ctx, r.openRow)(r.Reader.MessagesAt(ctx, num, seqs...))
}

func (r *reader) Events(ctx context.Context, num mailbox.Num, after int64, limit int) ([]mailbox.Event, error) {
	list, err := r.Reader.Events(ctx, num, after, limit)
	for i := range list {
		if err == nil && list[i].Mail != nil {
			err = r.openRow(ctx, list[i].Mail)
		}
		if err == nil {
			err = r.openResult(ctx, &list[i])
		}
	}
	return list, err
}

// Threads counts participants itself: the store cannot read them.
func (r *reader) Threads(ctx context.Context, num mailbox.Num, f store.ThreadFilter) ([]mailbox.Thread, error) {
	list, err := r.Reader.Threads(ctx, num, f)
	for i := range list {
		t := &list[i]
		if err == nil {
			err = r.openRow(ctx, &t.Latest)
		}
		if err != nil {
			return nil, err
		}
		t.Participants = []mailbox.Address{t.Latest.From}
		if t.Count == 1 {
			continue
		}
		sample, err := r.Messages(ctx, num, store.MessageFilter{Thread: t.ID, Limit: rows.ThreadSample})
		if err != nil {
			return nil, err
		}
		for _, m := range sample {
			rows.AddToThread(t, m)
		}
	}
	return list, err
}

func (r *reader) Content(ctx context.Context, m mailbox.Message) (store.Content, error) {
	c, err := r.Reader.Content(ctx, m)
	if err != nil {
		return c, err
	}
	return r.openContent(ctx, seal.BySeq(contentKind, m.Mailbox, m.Seq), c)
}

func (r *reader) Contents(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64]store.Content, error) {
	contents, err := r.Reader.Contents(ctx, num, seqs...)
	for seq, c := range contents {
		if err == nil {
			contents[seq], err = r.openContent(ctx, seal.BySeq(contentKind, num, seq), c)
		}
	}
	return contents, err
}

// openContent opens a content. One whose key was destroyed is gone.
func (r *reader) openContent(ctx context.Context, rec seal.Record, c store.Content) (store.Content, error) {
	var err error
	c.Packed, err = r.open(ctx, rec, c.Packed)
	return c, err
}

// open opens a record. One whose key was destroyed is gone.
func (r *reader) open(ctx context.Context, rec seal.Record, b []byte) ([]byte, error) {
	plain, err := r.ring.Open(ctx, rec, b)
	if errors.Is(err, seal.ErrShredded) {
		err = fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	return plain, err
}

// InsertMessage seals the row by the message's id, and its content by its Seq, which the store assigns.
func (t *tx) InsertMessage(ctx context.Context, m *mailbox.Message, c store.Content) error {
	if !t.ring.On() {
		return t.writer.InsertMessage(ctx, m, c)
	}
	row, packed := *m, c.Packed
	if err := t.sealRow(ctx, &row); err != nil {
		return err
	}
	c.Seal = func(seq int64) ([]byte, error) {
		return t.seal(ctx, seal.BySeq(contentKind, m.Mailbox, seq), packed)
	}
	if err := t.writer.InsertMessage(ctx, &row, c); err != nil {
		return err
	}
	m.Seq, m.Thread = row.Seq, row.Thread
	return nil
}

// UpdateMessage seals a row again that is sealed, with what may change.
func (t *tx) UpdateMessage(ctx context.Context, m mailbox.Message) error {
	stored, err := t.Reader.Message(ctx, m.Mailbox, m.ID)
	if err != nil || !isSealedRow(stored.Snippet) {
		if errors.Is(err, store.ErrNotFound) {
			err = nil // the store says what that means
		}
		if err != nil {
			return err
		}
		return t.writer.UpdateMessage(ctx, m)
	}
	if err := t.openRow(ctx, &stored); err != nil {
		return err
	}
	stored.Code, stored.Snippet = m.Code, m.Snippet
	if err := t.sealRow(ctx, &stored); err != nil {
		return err
	}
	m.Code, m.Snippet = stored.Code, stored.Snippet
	return t.writer.UpdateMessage(ctx, m)
}
