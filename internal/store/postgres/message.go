package postgres

import (
	"context"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	messageColumns = `box, seq, ` + rows.MessageColumns
	messageWidth   = 2 + rows.MessageWidth
)

func scanMessage(r row) mailbox.Message {
	m := rows.Message(r[2:])
	m.Mailbox, m.Seq = r.Num(0), r.Int(1)
	return m
}

const (
	messageIn  = `SELECT ` + messageColumns + ` FROM messages WHERE id = $1 AND box = $2`
	messageAny = `SELECT ` + messageColumns + ` FROM messages WHERE id = $1`
)

func (q *queries) Message(_ context.Context, num mailbox.Num, id mailbox.ID) (m mailbox.Message, err error) {
	if num != 0 {
		q.lock(num)
		err = q.sql(messageIn).id(id).num(num).one(func(r row) { m = scanMessage(r) })
		return m, err
	}
	q.lockOf(`SELECT box FROM messages WHERE id = $1`, func(b *stmt) *stmt { return b.id(id) })
	return one(q.sql(messageAny).id(id), scanMessage)
}

func (q *queries) Content(_ context.Context, m mailbox.Message) (store.Content, error) {
	q.lock(m.Mailbox)
	return one(q.sql(`SELECT blob, packed FROM docs WHERE box = $1 AND seq = $2`).
		num(m.Mailbox).int(m.Seq), rows.Content)
}

func (q *queries) Mentioned(_ context.Context, num mailbox.Num, messageID string) (found bool, err error) {
	q.lock(num)
	err = q.sql(`SELECT 1 FROM refs WHERE box = $1 AND hash = $2 LIMIT 1`).num(num).int(rows.MessageIDHash(messageID)).
		each(func(row) error { found = true; return nil })
	return found, err
}

// duplicate looks at the newest 50 with this Message-ID: a sender who uses one for all its mail must not make each cost
// more.
const duplicate = `SELECT ` + messageColumns + ` FROM (SELECT seq AS s FROM refs WHERE box = $1 AND hash = $2 AND own
	ORDER BY seq DESC LIMIT 50) r JOIN messages ON box = $1 AND seq = r.s WHERE NOT outbound AND digest = $3 LIMIT 1`

func (q *queries) Duplicate(_ context.Context, num mailbox.Num, messageID string,
	digest mailbox.Digest) (mailbox.Message, error) {
	q.lock(num)
	return one(q.sql(duplicate).num(num).int(rows.MessageIDHash(messageID)).blob(digest[:]), scanMessage)
}

func (q *queries) WithMessageID(_ context.Context, num mailbox.Num, messageID string,
	limit int) ([]mailbox.Message, error) {
	q.lock(num)
	return all(q.sql(`SELECT `+messageColumns+` FROM messages WHERE box = $1 AND message_id = $3 AND seq IN (
		SELECT seq FROM refs WHERE box = $1 AND hash = $2 AND own) ORDER BY seq LIMIT $4`).
		num(num).int(rows.MessageIDHash(messageID)).text(messageID).int(int64(limit)), scanMessage)
}

const blobsInUse = `SELECT key FROM unnest($1::bytea[]) key WHERE EXISTS (SELECT 1 FROM docs WHERE blob = key)
	OR EXISTS (SELECT 1 FROM draft_files WHERE blob = key)
	OR EXISTS (SELECT 1 FROM quarantine WHERE blob = key)`

func (q *queries) BlobsInUse(_ context.Context, keys []string) ([]string, error) {
	return all(q.sql(blobsInUse).texts(keys), rows.Text)
}

// InsertMessage knows the Seq from the lock, so that everything can go out with whatever is asked next.
func (q *queries) InsertMessage(ctx context.Context, m *mailbox.Message, c store.Content) error {
	b, err := q.box(m.Mailbox)
	if err != nil {
		return err
	}
	m.Seq, m.Thread = q.next(b), m.ID
	q.mail = true
	place := q.place()
	if err := q.count(m, place); err != nil {
		return err
	}
	if err := q.insertRow(m, b, place); err != nil {
		return err
	}
	if c, err = c.Sealed(m.Seq); err != nil {
		return err
	}
	if err := q.insertDoc(m, c); err != nil {
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

const insertMessage = `INSERT INTO messages (place, top, box, seq, id, older, outbound, seen, received_at, size, attachments, status, labels,
	from_addr, from_name, from_lower, to_addr, subject, snippet, code, message_id, recipient, digest, taken, verdict, held)
	VALUES ($1,greatest($2::bigint, $1),$3,$4,$5,false,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25)`

func (q *queries) insertRow(m *mailbox.Message, b *box, place int64) error {
	s := q.sql(insertMessage).int(place).int(b.top).num(m.Mailbox).int(m.Seq).id(m.ID).bool(
		m.Direction == mailbox.Outbound).bool(m.Seen).
		time(m.ReceivedAt).int(m.Size).int(int64(m.Attachments)).text(m.Status).text(strings.Join(m.Labels, " ")).
		text(m.From.Address).text(m.From.Name)
	if lower, as := lowered(m.From); as {
		s.null()
	} else {
		s.text(lower)
	}
	return s.text(m.To).text(m.Subject).text(m.Snippet).text(m.Code).text(m.MessageID).
		text(rows.Recipient(*m)).blob(m.Digest[:]).bool(m.Taken).text(m.Verdict.Encode()).bool(m.Held).run()
}

func (q *queries) insertDoc(m *mailbox.Message, c store.Content) error {
	s := q.sql(`INSERT INTO docs (box, seq, packed, blob) VALUES ($1, $2, $3, $4)`).num(m.Mailbox).int(m.Seq).blob(
		c.Packed)
	if c.Blob != "" {
		s.text(c.Blob)
	} else {
		s.null()
	}
	return s.run()
}

// count adds a message to its mailbox's counters. A message that came before the turn of the month and is stored after
// it does not turn the month back.
func (q *queries) count(m *mailbox.Message, place int64) error {
	in, unseen := int64(1), int64(1)
	if m.Direction == mailbox.Outbound {
		in = 0
	}
	if m.Seen {
		unseen = 0
	}
	q.grow(m.Mailbox, m.Size, 1)
	return q.sql(`UPDATE counters SET top = greatest(top, $1), seq = $2, inbound = inbound + $3, outbound = outbound + 1 - $3,
		unseen = unseen + $4, bytes = bytes + $5,
		this_month = CASE WHEN month = $6 THEN this_month + 1 WHEN month - 1 = $6 THEN this_month ELSE 1 END,
		month = CASE WHEN month - 1 = $6 THEN month ELSE $6 END WHERE box = $7`).
		int(place).int(m.Seq).int(in).int(unseen).int(m.Size).int(int64(mailbox.MonthOf(m.ReceivedAt))).num(
		m.Mailbox).run()
}

func (q *queries) noteLabels(num mailbox.Num, labels []string) error {
	for _, l := range labels {
		if slices.Contains(mailbox.AutomaticLabels(), l) {
			continue
		}
		if err := q.sql(`INSERT INTO labels VALUES ($1, $2) ON CONFLICT DO NOTHING`).num(num).text(l).run(); err != nil {
			return err
		}
	}
	return nil
}

func (q *queries) insertRef(m mailbox.Message, messageID string, own bool) error {
	return q.sql(`INSERT INTO refs (box, hash, seq, own) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`).
		num(m.Mailbox).int(rows.MessageIDHash(messageID)).int(m.Seq).bool(own).run()
}

// wasSeen tells whether a message is marked as seen: store.ErrNotFound if there is none.
func (q *queries) wasSeen(m mailbox.Message) (seen bool, err error) {
	q.lock(m.Mailbox)
	return one(q.sql(`SELECT seen FROM messages WHERE box = $1 AND seq = $2`).num(m.Mailbox).int(m.Seq), rows.Bool)
}

func (q *queries) UpdateMessage(_ context.Context, m mailbox.Message) error {
	wasSeen, err := q.wasSeen(m)
	if err != nil {
		return err
	}
	err = q.sql(`UPDATE messages SET seen = $1, labels = $2, status = $3, code = $4, taken = $5, snippet = $6 WHERE box = $7 AND seq = $8`).
		bool(m.Seen).text(strings.Join(m.Labels, " ")).text(m.Status).text(m.Code).bool(m.Taken).text(m.Snippet).num(
		m.Mailbox).int(m.Seq).run()
	if err != nil {
		return err
	}
	if wasSeen != m.Seen {
		more := int64(1)
		if m.Seen {
			more = -1
		}
		if err := q.sql(`UPDATE counters SET unseen = unseen + $1 WHERE box = $2`).int(more).num(m.Mailbox).run(); err != nil {
			return err
		}
	}
	return q.noteLabels(m.Mailbox, m.Labels)
}

func (q *queries) UpdateStatus(_ context.Context, num mailbox.Num, seq int64, status string) error {
	q.lock(num)
	return q.sql(`UPDATE messages SET status = $1 WHERE box = $2 AND seq = $3 AND status <> $1`).text(status).num(
		num).int(seq).run()
}

func (q *queries) DeleteMessage(_ context.Context, m mailbox.Message, answers []string) error {
	seen, err := q.wasSeen(m)
	if err != nil {
		return err
	}
	if err := q.leaveThread(m); err != nil {
		return err
	}
	for _, sql := range []string{
		`DELETE FROM docs WHERE box = $1 AND seq = $2`,
		`DELETE FROM messages WHERE box = $1 AND seq = $2`,
	} {
		if err := q.sql(sql).num(m.Mailbox).int(m.Seq).run(); err != nil {
			return err
		}
	}
	err = q.DeleteTexts(m)
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
		err = q.forget(m.Mailbox, m.Seq)
	}
	if err != nil {
		return err
	}
	for _, id := range append([]string{m.MessageID}, answers...) {
		err := q.sql(`DELETE FROM refs WHERE box = $1 AND hash = $2 AND seq = $3`).
			num(m.Mailbox).int(rows.MessageIDHash(id)).int(m.Seq).run()
		if err != nil {
			return err
		}
	}
	return q.discount(m, seen)
}

// discount takes a message off its mailbox's counters.
func (q *queries) discount(m mailbox.Message, seen bool) error {
	in, unseen := int64(1), int64(1)
	if m.Direction == mailbox.Outbound {
		in = 0
	}
	if seen {
		unseen = 0
	}
	q.grow(m.Mailbox, -m.Size, -1)
	return q.sql(`UPDATE counters SET inbound = inbound - $1, outbound = outbound - 1 + $1, unseen = unseen - $2, bytes = bytes - $3,
		this_month = this_month - CASE month WHEN $4 THEN 1 ELSE 0 END WHERE box = $5`).
		int(in).int(unseen).int(m.Size).int(int64(mailbox.MonthOf(m.ReceivedAt))).num(m.Mailbox).run()
}
