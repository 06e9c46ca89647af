package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) MailboxAt(_ context.Context, address string) (m mailbox.Mailbox, err error) {
	return one(q.sql(`SELECT `+rows.MailboxColumns+` FROM addresses a JOIN mailboxes m ON m.num = a.box WHERE a.address = ?`).
		text(address), rows.Mailbox)
}

func (q *queries) Mailboxes(_ context.Context, f store.MailboxFilter) ([]mailbox.Mailbox, error) {
	sql := `SELECT ` + rows.MailboxColumns + ` FROM mailboxes m
		WHERE m.num < ?1 AND m.num > ?6 AND (?2 = '' OR m.status = ?2) AND (?3 = '' OR instr(m.address, ?3) > 0)`
	if !f.Key.IsZero() {
		sql += ` AND m.num IN (SELECT box FROM key_boxes WHERE key = ?7 UNION SELECT box FROM keys WHERE id = ?7)`
	}
	b := q.sql(sql + rows.MailboxOrder(f) + ` LIMIT ?4 OFFSET ?5`).
		int(rows.Below(int64(f.Before))).text(string(f.Status)).text(f.Query).int(int64(f.Limit)).int(int64(f.Offset)).
		num(f.After)
	if !f.Key.IsZero() {
		b.id(f.Key)
	}
	return all(b, rows.Mailbox)
}

// used is a mailbox's Seq as Use has read it. It holds until the same job changes it.
type used struct {
	box mailbox.Num
	seq int64
}

func (q *queries) Use(_ context.Context, num mailbox.Num) (u mailbox.Use, err error) {
	err = q.sql(`SELECT seq, bytes, inbound + outbound FROM counters WHERE box = ?`).num(num).one(func(r row) {
		q.used = used{num, r.Int(0)}
		u = mailbox.Use{Bytes: r.Int(1), Messages: r.Int(2)}
	})
	return u, err
}

func (q *queries) Above(_ context.Context, u mailbox.Use, after mailbox.Num, limit int) ([]mailbox.Num, error) {
	return all(q.sql(`SELECT c.box FROM counters c JOIN mailboxes m ON m.num = c.box
		WHERE c.box > ? AND m.scope = 'mailbox' AND (c.bytes >= ? OR c.inbound + c.outbound >= ?) ORDER BY c.box LIMIT ?`).
		num(after).int(u.Bytes).int(u.Messages).int(int64(limit)), rows.Num)
}

func (q *queries) MailboxDomains(context.Context) ([]store.DomainCount, error) {
	return all(q.sql(`SELECT substr(address, instr(address, '@') + 1) AS domain, m.domain_owner, count(*),
			count(*) FILTER (WHERE c.inbound + c.outbound > 0 OR EXISTS (SELECT 1 FROM keys k WHERE k.box = m.num)),
			min(m.num)
		FROM mailboxes m JOIN counters c ON c.box = m.num GROUP BY domain, m.domain_owner ORDER BY count(*) DESC, domain, m.domain_owner`),
		rows.DomainCount)
}

func (q *queries) InsertMailbox(ctx context.Context, m mailbox.Mailbox) (mailbox.Num, error) {
	addresses := append([]string{m.Address}, m.Aliases...)
	// Looked at first: a caller that goes on with another name must find nothing of the one that was refused.
	for i, a := range addresses {
		owner, err := q.owner(a)
		if err != nil {
			return 0, err
		}
		if owner != 0 || slices.Contains(addresses[:i], a) {
			return 0, store.ErrTaken
		}
	}
	err := q.sql(`INSERT INTO mailboxes (address, aliases, scope, created_at, expires_at, status, paused_by, pause_reason,
		paused_at, hook_url, hook_failed, hook_fails, hook_tried, hook_error, domain_owner, control, profile, client)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`).
		text(m.Address).text(strings.Join(m.Aliases, " ")).text(string(m.Scope)).time(m.CreatedAt).time(m.ExpiresAt).
		text(string(m.Status)).text(string(m.PausedBy)).text(m.PauseReason).time(m.PausedAt).
		text(m.Webhook.URL).bool(m.Webhook.Failed).int(int64(m.Webhook.ConsecutiveFailures)).
		time(m.Webhook.LastAttemptAt).text(m.Webhook.LastError).num(m.DomainOwner).
		text(m.Control().Encode()).text(m.Profile().Encode()).text(m.Profile().Client()).run()
	if err != nil {
		return 0, err
	}
	num := q.conn.LastInsertRowID()
	for _, a := range addresses {
		if err := q.insertAddress(a, mailbox.Num(num)); err != nil {
			return 0, err
		}
	}
	return mailbox.Num(num), q.sql(`INSERT INTO counters VALUES (?, 0, max(?, (SELECT number FROM gone)), 0, 0, 0, 0, 0, 0)`).
		int(num).time(m.CreatedAt).run()
}

func (q *queries) SkipMailboxes(_ context.Context, num mailbox.Num) (given mailbox.Num, err error) {
	given, err = one(q.sql(`SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'mailboxes'`), rows.Num)
	if err != nil || given >= num {
		return given, err
	}
	if err := q.sql(`DELETE FROM sqlite_sequence WHERE name = 'mailboxes'`).run(); err != nil {
		return given, err
	}
	return given, q.sql(`INSERT INTO sqlite_sequence (name, seq) VALUES ('mailboxes', ?)`).num(num).run()
}

// owner is the mailbox that an address or alias belongs to, or 0.
func (q *queries) owner(address string) (num mailbox.Num, err error) {
	err = q.sql(`SELECT box FROM addresses WHERE address = ?`).text(address).one(
		func(r row) { num = r.Num(0) })
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return num, err
}

func (q *queries) insertAddress(address string, num mailbox.Num) error {
	return q.sql(`INSERT INTO addresses (address, box) VALUES (?, ?)`).text(address).num(num).run()
}

func (q *queries) RenameMailbox(ctx context.Context, num mailbox.Num, address string) error {
	m, err := q.Mailbox(ctx, num)
	if err != nil || m.Address == address {
		return err
	}
	owner, err := q.owner(address)
	if err != nil {
		return err
	}
	if owner != 0 && owner != num {
		return store.ErrTaken
	}
	if owner == 0 {
		if err := q.insertAddress(address, num); err != nil {
			return err
		}
	}
	aliases := slices.DeleteFunc(m.Aliases, func(a string) bool { return a == address })
	return q.sql(`UPDATE mailboxes SET address = ?, aliases = ? WHERE num = ?`).
		text(address).text(strings.Join(append(aliases, m.Address), " ")).num(num).run()
}

func (q *queries) RemoveMailbox(_ context.Context, num mailbox.Num) error {
	for _, sql := range []string{
		`DELETE FROM mailboxes WHERE num = ?`,
		`DELETE FROM rejects WHERE address IN (SELECT address FROM addresses WHERE box = ?)`,
		`DELETE FROM addresses WHERE box = ?`,
		`DELETE FROM key_boxes WHERE key IN (SELECT id FROM keys WHERE box = ?)`,
		`DELETE FROM key_boxes WHERE box = ?`,
		`DELETE FROM keys WHERE box = ?`,
		`DELETE FROM claims WHERE box = ?`,
		`DELETE FROM bootstraps WHERE box = ?`,
		`DELETE FROM domain_reports WHERE domain IN (SELECT id FROM domains WHERE box = ?)`,
		`DELETE FROM domains WHERE box = ?`,
		`DELETE FROM paces WHERE box = ?`,
		`DELETE FROM hook_targets WHERE box = ?`,
		`DELETE FROM hook_routes WHERE box = ?`,
		`UPDATE gone SET number = max(number, (SELECT event_base + seq FROM counters WHERE box = ?))`,
		`DELETE FROM counters WHERE box = ?`,
		`DELETE FROM bases WHERE box = ?`,
		`INSERT INTO purges VALUES (?)`,
		`INSERT INTO forgotten (box, seq) VALUES (?, 0)`,
	} {
		if err := q.sql(sql).num(num).run(); err != nil {
			return err
		}
	}
	return nil
}

// purgeSteps empty a removed mailbox, each at most a given number of rows at a time: first its messages, then what may
// be left.
var purgeSteps = []string{
	`DELETE FROM docs WHERE doc IN (SELECT doc FROM messages WHERE pk BETWEEN ?1 AND ?2 ORDER BY pk LIMIT ?3)`,
	`DELETE FROM messages WHERE pk IN (SELECT pk FROM messages WHERE pk BETWEEN ?1 AND ?2 ORDER BY pk LIMIT ?3)`,
	`DELETE FROM part_texts WHERE box = ?1 >> 32 AND seq IN (SELECT seq FROM part_texts WHERE box = ?1 >> 32 ORDER BY seq LIMIT ?3)`,
	`DELETE FROM text_work WHERE step = 0 AND box = ?1 >> 32 AND seq IN (SELECT seq FROM text_work WHERE step = 0 AND box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM text_work WHERE step = 1 AND box = ?1 >> 32 AND seq IN (SELECT seq FROM text_work WHERE step = 1 AND box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM events WHERE pk IN (SELECT pk FROM events WHERE pk BETWEEN ?1 AND ?2 ORDER BY pk LIMIT ?3)`,
	`DELETE FROM refs WHERE box = ?1 >> 32 AND (hash, seq) IN (SELECT hash, seq FROM refs WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM labels WHERE box = ?1 >> 32 AND label IN (SELECT label FROM labels WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM contacts WHERE box = ?1 >> 32 AND address IN (SELECT address FROM contacts WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM deliveries WHERE box = ?1 >> 32 AND (seq, n) IN (SELECT seq, n FROM deliveries WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM history WHERE box = ?1 >> 32 AND (seq, n) IN (SELECT seq, n FROM history WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM tallies WHERE box = ?1 >> 32 AND (what, slot) IN (SELECT what, slot FROM tallies WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM idempotents WHERE box = ?1 >> 32 AND key IN (SELECT key FROM idempotents WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM drafts WHERE n IN (SELECT n FROM drafts WHERE box = ?1 >> 32 AND sent_at = 0 LIMIT ?3)`,
	`DELETE FROM drafts WHERE n IN (SELECT n FROM drafts WHERE box = ?1 >> 32 AND sent_at > 0 LIMIT ?3)`,
	`DELETE FROM draft_files WHERE box = ?1 >> 32 AND (draft, n) IN (SELECT draft, n FROM draft_files WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM reviews WHERE n IN (SELECT n FROM reviews WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM suppressions WHERE n IN (SELECT n FROM suppressions WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM quarantine WHERE n IN (SELECT n FROM quarantine WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM lists WHERE n IN (SELECT n FROM lists WHERE box = ?1 >> 32 LIMIT ?3)`,
	`DELETE FROM hooks WHERE n IN (SELECT n FROM hooks WHERE box = ?1 >> 32 ORDER BY n LIMIT ?3)`,
	`DELETE FROM merged WHERE id IN (SELECT id FROM merged WHERE box = ?1 >> 32 LIMIT ?3)`,
}

func (q *queries) Purge(_ context.Context, num mailbox.Num, limit int) (removed int, done bool, err error) {
	low, high := span(num, 0)
	done = true
	for _, sql := range purgeSteps {
		if err := q.sql(sql).int(low).int(high).int(int64(limit)).run(); err != nil {
			return 0, false, err
		}
		n := q.conn.Changes()
		removed, done = removed+n, done && n < limit
	}
	if !done {
		return removed, false, nil
	}
	return removed, true, q.sql(`DELETE FROM purges WHERE box = ?`).num(num).run()
}

func (q *queries) Mailbox(_ context.Context, num mailbox.Num) (m mailbox.Mailbox, err error) {
	return one(q.sql(`SELECT `+rows.MailboxColumns+` FROM mailboxes m WHERE m.num = ?`).
		num(num), rows.Mailbox)
}

func (q *queries) Counters(_ context.Context, num mailbox.Num) (mailbox.Counters, error) {
	return one(q.sql(`SELECT inbound, outbound, unseen, bytes, month, this_month FROM counters WHERE box = ?`).
		num(num), rows.Counters)
}
