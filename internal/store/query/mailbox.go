package query

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	controlled = `SELECT ` + rows.MailboxColumns + ` FROM mailboxes m WHERE m.control <> ''
		AND m.num > ?1 ORDER BY m.num LIMIT ?2`
	Expired = `SELECT ` + rows.MailboxColumns + ` FROM mailboxes m WHERE m.expires_at > 0 AND m.expires_at <= ?1
	ORDER BY m.expires_at LIMIT ?2`
)

func (q Queries[R]) Controlled(_ context.Context, after mailbox.Num, limit int) ([]mailbox.Mailbox, error) {
	return all(q, rows.Mailbox, controlled, after, limit)
}

func (q Queries[R]) DropAlias(_ context.Context, num mailbox.Num, alias string) error {
	q.conn.Lock(num)
	m, err := one(q, rows.Mailbox, `SELECT `+rows.MailboxColumns+` FROM mailboxes m WHERE m.num = ?1`, num)
	if err != nil {
		return err
	}
	at := slices.Index(m.Aliases, alias)
	if at < 0 {
		return store.ErrNotFound
	}
	if err := q.run(`DELETE FROM addresses WHERE address = ?1`, alias); err != nil {
		return err
	}
	return q.run(`UPDATE mailboxes SET aliases = ?1 WHERE num = ?2`, strings.Join(slices.Delete(m.Aliases, at, at+1),
		" "), num)
}

func (q Queries[R]) Expired(_ context.Context, at time.Time, limit int) ([]mailbox.Mailbox, error) {
	return all(q, rows.Mailbox, Expired, at, limit)
}

func (q Queries[R]) Purging(context.Context) ([]mailbox.Num, error) {
	return all(q, rows.Num, `SELECT box FROM purges ORDER BY box`)
}

func (q Queries[R]) KeyNoted(_ context.Context, num mailbox.Num) (bool, error) {
	return one(q, rows.Bool, `SELECT EXISTS (SELECT 1 FROM mailboxes WHERE num = ?1 AND keyed)`, num)
}

func (q Queries[R]) KeysNotNoted(_ context.Context, after mailbox.Num, limit int) ([]mailbox.Num, error) {
	return all(q, rows.Num, `SELECT num FROM mailboxes WHERE num > ?1 AND NOT keyed ORDER BY num LIMIT ?2`, after,
		limit)
}

func (q Queries[R]) UpdateMailbox(_ context.Context, m mailbox.Mailbox) error {
	q.conn.Lock(m.Num)
	return q.run(`UPDATE mailboxes SET scope = ?1, status = ?2, paused_by = ?3, pause_reason = ?4, paused_at = ?5,
		expires_at = ?6, hook_url = ?7, hook_failed = ?8, hook_fails = ?9, hook_tried = ?10, hook_error = ?11, control = ?12, profile = ?13
		WHERE num = ?14`,
		Word(m.Scope), Word(m.Status), Word(m.PausedBy), m.PauseReason, m.PausedAt, m.ExpiresAt, m.Webhook.URL,
		m.Webhook.Failed, m.Webhook.ConsecutiveFailures, m.Webhook.LastAttemptAt, m.Webhook.LastError,
		m.Control().Encode(), m.Profile().Encode(), m.Num)
}

func (q Queries[R]) NoteKey(_ context.Context, num mailbox.Num) error {
	return q.run(`UPDATE mailboxes SET keyed = true WHERE num = ?1`, num)
}

// MailboxOf in an update locks the name as well: where nobody has it, nobody else gets it.
func (q Queries[R]) MailboxOf(_ context.Context, client string) (mailbox.Mailbox, error) {
	q.conn.Advise("client", []byte(client))
	return one(q, rows.Mailbox,
		`SELECT `+rows.MailboxColumns+` FROM mailboxes m WHERE m.client = ?1 AND m.client <> ''`, client)
}
