package postgres

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	quarantineOf = `SELECT ` + rows.QuarantinedColumns + ` FROM quarantine
		WHERE box = $1 AND released_at = 0 AND expires_at > $2 AND n < $3 ORDER BY n DESC LIMIT $4 OFFSET $5`
	quarantineOfAll = `SELECT ` + rows.QuarantinedColumns + ` FROM quarantine
		WHERE released_at = 0 AND expires_at > $1 AND n < $2 ORDER BY n DESC LIMIT $3 OFFSET $4`
)

func (q *queries) Quarantine(_ context.Context, num mailbox.Num, f store.QuarantineFilter) ([]store.Quarantined,
	error) {
	q.lock(num)
	s := q.sql(quarantineOfAll)
	if num != 0 {
		s = q.sql(quarantineOf).num(num)
	}
	return all(s.time(f.At).int(rows.Below(f.Before)).int(int64(f.Limit)).int(int64(f.Offset)), rows.Quarantined)
}

func (q *queries) InsertQuarantined(_ context.Context, m *store.Quarantined, c store.Content) error {
	if _, err := q.box(m.Mailbox); err != nil {
		return err
	}
	s := q.sql(`INSERT INTO quarantine (box, id, received_at, expires_at, released_at, message, size, digest,
		head, packed, blob) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) RETURNING n`).num(m.Mailbox).id(m.ID).time(m.ReceivedAt).
		time(m.ExpiresAt).time(m.ReleasedAt).id(m.Message).int(m.Size).blob(m.Digest[:]).blob(m.Head).blob(c.Packed)
	if c.Blob == "" {
		s.null()
	} else {
		s.text(c.Blob)
	}
	return s.one(func(r row) { m.Number = r.Int(0) })
}

func (q *queries) MarkReleased(_ context.Context, m store.Quarantined) error {
	q.lock(m.Mailbox)
	return q.sql(`UPDATE quarantine SET released_at = $1, message = $2, head = '', packed = '', blob = NULL
		WHERE id = $3`).
		time(m.ReleasedAt).id(m.Message).id(m.ID).run()
}

// trimQuarantine passes over mail that is just being released.
const trimQuarantine = `DELETE FROM quarantine m USING (SELECT n FROM quarantine WHERE expires_at <= $1
	ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) old WHERE m.n = old.n RETURNING coalesce(m.blob, '')`

func (q *queries) TrimQuarantine(_ context.Context, at time.Time, limit int) (blobs []string, removed int, more bool,
	err error) {
	err = q.sql(trimQuarantine).time(at).int(int64(limit)).each(func(r row) error {
		if removed++; r.Text(0) != "" {
			blobs = append(blobs, r.Text(0))
		}
		return nil
	})
	return blobs, removed, removed >= limit, err
}
