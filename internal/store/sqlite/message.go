package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	messageColumns = `pk, ` + rows.MessageColumns
	messageWidth   = 1 + rows.MessageWidth
)

func scanMessage(r row) mailbox.Message {
	m := rows.Message(r.From(1))
	m.Mailbox, m.Seq = unpack(r.Int(0))
	return m
}

func (q *queries) Message(_ context.Context, num mailbox.Num, id mailbox.ID) (m mailbox.Message, err error) {
	err = q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE id = ?`).id(id).one(
		func(r row) { m = scanMessage(r) })
	if err == nil && num != 0 && m.Mailbox != num {
		return mailbox.Message{}, store.ErrNotFound
	}
	return m, err
}

func (q *queries) Content(_ context.Context, m mailbox.Message) (store.Content, error) {
	return one(q.sql(`SELECT d.blob, d.packed FROM messages m JOIN docs d ON d.doc = m.doc WHERE m.pk = ?`).
		int(pack(m.Mailbox, m.Seq)), rows.Content)
}

func (q *queries) Mentioned(_ context.Context, num mailbox.Num, messageID string) (found bool, err error) {
	err = q.sql(`SELECT 1 FROM refs WHERE box = ? AND hash = ? LIMIT 1`).num(num).int(rows.MessageIDHash(messageID)).
		each(func(row) error { found = true; return nil })
	return found, err
}

func (q *queries) Duplicate(_ context.Context, num mailbox.Num, messageID string,
	digest mailbox.Digest) (mailbox.Message, error) {
	// The newest 50 with this Message-ID: a sender who uses one for all its mail must not make each cost more.
	return one(q.sql(`SELECT `+messageColumns+` FROM (SELECT box, seq FROM refs WHERE box = ? AND hash = ? AND own = 1
		ORDER BY seq DESC LIMIT 50) r JOIN messages ON pk = r.box << 32 | r.seq WHERE outbound = 0 AND digest = ? LIMIT 1`).
		num(num).int(rows.MessageIDHash(messageID)).blob(digest[:]), scanMessage)
}

func (q *queries) WithMessageID(_ context.Context, num mailbox.Num, messageID string,
	limit int) ([]mailbox.Message, error) {
	return all(q.sql(`SELECT `+messageColumns+` FROM (SELECT box, seq FROM refs WHERE box = ? AND hash = ? AND own = 1
		ORDER BY seq) r JOIN messages ON pk = r.box << 32 | r.seq WHERE message_id = ? ORDER BY pk LIMIT ?`).
		num(num).int(rows.MessageIDHash(messageID)).text(messageID).int(int64(limit)), scanMessage)
}

func (q *queries) BlobsInUse(_ context.Context, keys []string) (used []string, err error) {
	for _, key := range keys {
		err := q.sql(`SELECT EXISTS (SELECT 1 FROM docs WHERE blob = ?1) OR EXISTS (SELECT 1 FROM draft_files WHERE blob = ?1)
			OR EXISTS (SELECT 1 FROM quarantine WHERE blob = ?1)`).
			text(key).one(func(r row) {
			if r.Bool(0) {
				used = append(used, key)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return used, nil
}

func (q *queries) InsertMessage(ctx context.Context, m *mailbox.Message, c store.Content) error {
	if err := q.count(m); err != nil {
		return err
	}
	c, err := c.Sealed(m.Seq)
	if err != nil {
		return err
	}
	doc, err := q.insertDoc(c, pack(m.Mailbox, m.Seq))
	if err != nil {
		return err
	}
	m.Thread = m.ID
	err = q.sql(`INSERT INTO messages (pk, id, doc, older, outbound, seen, received_at, size, attachments, status, labels, from_addr,
		from_name, to_addr, subject, snippet, code, message_id, recipient, digest, taken, verdict, held) VALUES (?,?,?,0,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`).
		int(pack(m.Mailbox, m.Seq)).id(m.ID).int(doc).bool(m.Direction == mailbox.Outbound).bool(m.Seen).
		time(m.ReceivedAt).int(m.Size).int(int64(m.Attachments)).text(m.Status).text(strings.Join(m.Labels, " ")).
		text(m.From.Address).text(m.From.Name).text(m.To).text(m.Subject).text(m.Snippet).text(m.Code).text(
		m.MessageID).
		text(rows.Recipient(*m)).blob(m.Digest[:]).bool(m.Taken).text(m.Verdict.Encode()).bool(m.Held).run()
	if err != nil {
		return err
	}
	if err := q.noteLabels(m.Mailbox, m.Labels); err != nil {
		return err
	}
	if m.MessageID == "" {
		return nil
	}
	return q.insertRef(*m, m.MessageID, true)
}

// insertDoc appends the content of a message. Its number is the time in microseconds, and in any case higher than all
// before it: one that was used is not used again after its row is deleted, so that a worker that goes through the docs
// in their order can remember how far it has come. AUTOINCREMENT would promise the same, for one more page in every
// commit.
func (q *queries) insertDoc(c store.Content, message int64) (int64, error) {
	doc := max(q.doc+1, time.Now().UnixMicro())
	var b *stmt
	if len(c.Packed) < payloadLeast {
		b = q.sql(`INSERT INTO docs (doc, packed, message, blob) VALUES (?, ?, ?, ?)`).int(doc).blob(c.Packed).int(
			message)
	} else {
		q.payload.bytes = c.Packed
		defer func() { q.payload.bytes = nil }()
		b = q.sql(`INSERT INTO docs (doc, packed, message, blob) VALUES (?, CAST(payload() AS BLOB), ?, ?)`).int(
			doc).int(message)
	}
	if c.Blob != "" {
		b.text(c.Blob)
	} else {
		b.null()
	}
	q.doc = doc
	if err := b.run(); err != nil || len(c.Packed) < payloadLeast {
		return doc, err
	}
	return doc, q.checkDoc(doc, len(c.Packed))
}

// errPayload is that something else than a message was about to be stored in its place.
var errPayload = errors.New("a content was not taken over whole")

// checkDoc looks at the length of a content that came by the function: the library takes an error of a function for its
// value, so that where memory is short the text of an error would be stored for a message. Such a text is shorter than
// anything that comes this way.
func (q *queries) checkDoc(doc int64, want int) error {
	have := int64(-1)
	err := q.sql(`SELECT length(packed) FROM docs WHERE doc = ?`).int(doc).one(func(r row) { have = r.Int(0) })
	if err == nil && have != int64(want) {
		err = fmt.Errorf("%w: %w: %d bytes of %d", store.ErrStorage, errPayload, have, want)
	}
	return err
}

// payload is what the SQL function payload() gives: a long value on its way in. A parameter is copied byte by byte,
// which for a mail of 100 KB takes longer than writing it. The function says that it is text, because that is lent to
// SQLite where a blob would be copied once more; that the bytes are none is for the statement to say, which changes
// nothing but the type. Only the writer has one, and it is one goroutine at a time.
type payload struct {
	bytes []byte
	fails error // for tests
}

// payloadLeast is from how many bytes on calling a function costs less than copying.
const payloadLeast = 4 << 10

func (p *payload) value(sqlite.Context, []sqlite.Value) (sqlite.Value, error) {
	return sqlite.TextValue(unsafe.String(unsafe.SliceData(p.bytes), len(p.bytes))), p.fails
}

// count adds a message to its mailbox's counters and takes its sequence number from there. A message that came before
// the turn of the month and is stored after it does not turn the month back.
func (q *queries) count(m *mailbox.Message) error {
	out := m.Direction == mailbox.Outbound
	seq := q.used.seq
	if q.used.box != m.Mailbox {
		// Not with RETURNING: that makes SQLite keep a journal for the statement, which costs more than asking.
		err := q.sql(`SELECT seq FROM counters WHERE box = ?`).num(m.Mailbox).one(func(r row) { seq = r.Int(0) })
		if err != nil {
			return err
		}
	}
	q.used, m.Seq = used{}, seq+1
	return q.sql(`UPDATE counters SET seq = seq + 1, inbound = inbound + ?1, outbound = outbound + ?2, unseen = unseen + ?3,
		bytes = bytes + ?4, this_month = CASE ?5 WHEN month THEN this_month + 1 WHEN month - 1 THEN this_month ELSE 1 END,
		month = iif(?5 = month - 1, month, ?5) WHERE box = ?6`).
		bool(!out).bool(out).bool(!m.Seen).int(m.Size).int(int64(mailbox.MonthOf(m.ReceivedAt))).num(m.Mailbox).run()
}

func (q *queries) noteLabels(num mailbox.Num, labels []string) error {
	for _, l := range labels {
		if slices.Contains(mailbox.AutomaticLabels(), l) {
			continue
		}
		if err := q.sql(`INSERT OR IGNORE INTO labels VALUES (?, ?)`).num(num).text(l).run(); err != nil {
			return err
		}
	}
	return nil
}

func (q *queries) insertRef(m mailbox.Message, messageID string, own bool) error {
	return q.sql(`INSERT OR IGNORE INTO refs (box, hash, seq, own) VALUES (?,?,?,?)`).
		num(m.Mailbox).int(rows.MessageIDHash(messageID)).int(m.Seq).bool(own).run()
}

func (q *queries) UpdateMessage(_ context.Context, m mailbox.Message) error {
	var wasSeen bool
	pk := pack(m.Mailbox, m.Seq)
	if err := q.sql(`SELECT seen FROM messages WHERE pk = ?`).int(pk).one(func(r row) { wasSeen = r.Bool(0) }); err != nil {
		return err
	}
	err := q.sql(`UPDATE messages SET seen = ?, labels = ?, status = ?, code = ?, taken = ?, snippet = ? WHERE pk = ?`).
		bool(m.Seen).text(strings.Join(m.Labels, " ")).text(m.Status).text(m.Code).bool(m.Taken).text(m.Snippet).int(
		pk).run()
	if err != nil {
		return err
	}
	if wasSeen != m.Seen {
		err := q.sql(`UPDATE counters SET unseen = unseen + iif(?, -1, 1) WHERE box = ?`).
			bool(m.Seen).num(m.Mailbox).run()
		if err != nil {
			return err
		}
	}
	return q.noteLabels(m.Mailbox, m.Labels)
}

func (q *queries) UpdateStatus(_ context.Context, num mailbox.Num, seq int64, status string) error {
	return q.sql(`UPDATE messages SET status = ?1 WHERE pk = ?2 AND status <> ?1`).text(status).int(pack(num,
		seq)).run()
}

func (q *queries) DeleteMessage(_ context.Context, m mailbox.Message, answers []string) error {
	pk := pack(m.Mailbox, m.Seq)
	if err := q.leaveThread(pk); err != nil {
		return err
	}
	var seen bool
	var doc int64
	err := q.sql(`SELECT seen, doc FROM messages WHERE pk = ?`).int(pk).one(
		func(r row) { seen, doc = r.Bool(0), r.Int(1) })
	if err == nil {
		err = q.deleteContent(doc)
	}
	if err == nil {
		err = q.sql(`DELETE FROM messages WHERE pk = ?`).int(pk).run()
	}
	if err == nil {
		err = q.DeleteTexts(m)
	}
	if err == nil {
		err = q.insertEvent(m.Seq, rows.Departed(m))
	}
	if err == nil {
		err = q.DeleteHistory(m)
	}
	if err == nil && m.Direction == mailbox.Outbound {
		err = q.DeleteDeliveries(m)
	}
	if err == nil && m.Direction == mailbox.Outbound { // also where it was held only when it was due
		err = q.DeleteReview(m)
	}
	if err == nil {
		err = q.forget(m.Mailbox, m.Seq, doc)
	}
	if err != nil {
		return err
	}
	for _, id := range append([]string{m.MessageID}, answers...) {
		err := q.sql(`DELETE FROM refs WHERE box = ? AND hash = ? AND seq = ?`).
			num(m.Mailbox).int(rows.MessageIDHash(id)).int(m.Seq).run()
		if err != nil {
			return err
		}
	}
	out := m.Direction == mailbox.Outbound
	return q.sql(`UPDATE counters SET inbound = inbound - ?1, outbound = outbound - ?2, unseen = unseen - ?3, bytes = bytes - ?4,
		this_month = this_month - (month = ?5) WHERE box = ?6`).
		bool(!out).bool(out).bool(!seen).int(m.Size).int(int64(mailbox.MonthOf(m.ReceivedAt))).num(m.Mailbox).run()
}
