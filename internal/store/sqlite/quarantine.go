package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	quarantineOf = `SELECT ` + rows.QuarantinedColumns + ` FROM quarantine
		WHERE box = ?1 AND released_at = 0 AND expires_at > ?2 AND (?3 = 0 OR n < ?3) ORDER BY n DESC LIMIT ?4 OFFSET ?5`
	quarantineOfAll = `SELECT ` + rows.QuarantinedColumns + ` FROM quarantine
		WHERE ?1 = 0 AND released_at = 0 AND expires_at > ?2 AND (?3 = 0 OR n < ?3) ORDER BY n DESC LIMIT ?4 OFFSET ?5`
)

func (q *queries) Quarantine(_ context.Context, num mailbox.Num, f store.QuarantineFilter) ([]store.Quarantined,
	error) {
	sql := quarantineOf
	if num == 0 {
		sql = quarantineOfAll
	}
	return all(q.sql(sql).num(num).time(f.At).int(f.Before).int(int64(f.Limit)).int(int64(f.Offset)), rows.Quarantined)
}

func (q *queries) InsertQuarantined(_ context.Context, m *store.Quarantined, c store.Content) error {
	there, err := one(q.sql(`SELECT EXISTS (SELECT 1 FROM counters WHERE box = ?)`).num(m.Mailbox), rows.Int)
	if err == nil && there == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	b := q.sql(`INSERT INTO quarantine (box, id, received_at, expires_at, released_at, message, size, digest,
		head, packed, blob) VALUES (?,?,?,?,?,?,?,?,?,?,?)`).num(m.Mailbox).id(m.ID).time(m.ReceivedAt).time(m.ExpiresAt).
		time(m.ReleasedAt).id(m.Message).int(m.Size).blob(m.Digest[:]).blob(m.Head).blob(c.Packed)
	if c.Blob == "" {
		b.null()
	} else {
		b.text(c.Blob)
	}
	err = b.run()
	m.Number = q.conn.LastInsertRowID()
	return err
}

func (q *queries) MarkReleased(_ context.Context, m store.Quarantined) error {
	return q.sql(`UPDATE quarantine SET released_at = ?, message = ?, head = x'', packed = x'', blob = NULL
		WHERE id = ?`).
		time(m.ReleasedAt).id(m.Message).id(m.ID).run()
}

const (
	oldQuarantine  = `(SELECT n FROM quarantine WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`
	oldQuarantined = `SELECT blob FROM quarantine WHERE blob IS NOT NULL AND n IN ` + oldQuarantine
	trimQuarantine = `DELETE FROM quarantine WHERE n IN ` + oldQuarantine
)

func (q *queries) TrimQuarantine(_ context.Context, at time.Time, limit int) (blobs []string, removed int, more bool,
	err error) {
	if blobs, err = all(q.sql(oldQuarantined).time(at).int(int64(limit)), rows.Text); err != nil {
		return nil, 0, false, err
	}
	err = q.sql(trimQuarantine).time(at).int(int64(limit)).run()
	removed = q.conn.Changes()
	return blobs, removed, removed >= limit, err
}
