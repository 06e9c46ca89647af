package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	boxAt     = `SELECT box FROM addresses WHERE address = $1`
	mailboxAt = `SELECT ` + rows.MailboxColumns + ` FROM addresses a JOIN mailboxes m ON m.num = a.box WHERE a.address = $1`
)

// MailboxAt in an update locks the address as well: where nobody has it, nobody else gets it.
func (q *queries) MailboxAt(ctx context.Context, address string) (m mailbox.Mailbox, err error) {
	q.lockOf(boxAt, func(b *stmt) *stmt { return b.text(address) })
	q.advise("address", []byte(address))
	err = q.sql(mailboxAt).text(address).one(func(r row) { m = rows.Mailbox(r) })
	// it has become somebody's while the lock was waited for
	if err == nil && q.locks != nil && q.locks.boxes[m.Num] == nil {
		return q.Mailbox(ctx, m.Num)
	}
	return m, err
}

const mailboxes = `SELECT ` + rows.MailboxColumns + ` FROM mailboxes m
	WHERE m.num < $1 AND m.num > $6 AND ($2 = '' OR m.status = $2) AND ($3 = ''::bytea OR position($3 IN m.address) > 0)`

func (q *queries) Mailboxes(_ context.Context, f store.MailboxFilter) ([]mailbox.Mailbox, error) {
	sql := mailboxes
	if !f.Key.IsZero() {
		sql += ` AND m.num IN (SELECT box FROM key_boxes WHERE key = $7 UNION SELECT box FROM keys WHERE id = $7)`
	}
	b := q.sql(sql + rows.MailboxOrder(f) + ` LIMIT $4 OFFSET $5`).
		int(rows.Below(int64(f.Before))).word(string(f.Status)).text(f.Query).int(int64(f.Limit)).int(int64(f.Offset)).
		num(f.After)
	if !f.Key.IsZero() {
		b.id(f.Key)
	}
	return all(b, rows.Mailbox)
}

// Use in an update is known from the lock.
func (q *queries) Use(_ context.Context, num mailbox.Num) (mailbox.Use, error) {
	if q.locks != nil {
		b, err := q.box(num)
		if err != nil {
			return mailbox.Use{}, err
		}
		return b.use, nil
	}
	return one(q.sql(`SELECT bytes, inbound + outbound FROM counters WHERE box = $1`).num(num), func(r row) mailbox.Use {
		return mailbox.Use{Bytes: r.Int(0), Messages: r.Int(1)}
	})
}

// grow notes what a mailbox that is locked holds more from here on.
func (q *queries) grow(num mailbox.Num, bytes, messages int64) {
	if b := q.locks.boxes[num]; b != nil {
		b.use.Bytes, b.use.Messages = b.use.Bytes+bytes, b.use.Messages+messages
	}
}

const above = `SELECT c.box FROM counters c JOIN mailboxes m ON m.num = c.box
	WHERE c.box > $1 AND m.scope = 'mailbox' AND (c.bytes >= $2 OR c.inbound + c.outbound >= $3) ORDER BY c.box LIMIT $4`

func (q *queries) Above(_ context.Context, u mailbox.Use, after mailbox.Num, limit int) ([]mailbox.Num, error) {
	return all(q.sql(above).num(after).int(u.Bytes).int(u.Messages).int(int64(limit)), rows.Num)
}

func (q *queries) MailboxDomains(context.Context) ([]store.DomainCount, error) {
	return all(q.sql(`SELECT substring(address FROM position('@'::bytea IN address) + 1) AS domain, m.domain_owner, count(*),
			count(*) FILTER (WHERE c.inbound + c.outbound > 0 OR EXISTS (SELECT 1 FROM keys k WHERE k.box = m.num)),
			min(m.num)
		FROM mailboxes m JOIN counters c ON c.box = m.num GROUP BY domain, m.domain_owner ORDER BY count(*) DESC, domain, m.domain_owner`),
		rows.DomainCount)
}

const insertMailbox = `WITH m AS (INSERT INTO mailboxes (address, aliases, scope, created_at, expires_at, status, paused_by, pause_reason,
		paused_at, hook_url, hook_failed, hook_fails, hook_tried, hook_error, domain_owner, control, profile, client)
		VALUES ($2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19) RETURNING num, created_at),
	a AS (INSERT INTO addresses (address, box) SELECT address, m.num FROM m, unnest($1::bytea[]) AS address),
	c AS (INSERT INTO counters (box, event_base, era) SELECT m.num, greatest(m.created_at, gone.number), era.number FROM m, gone, era
		RETURNING box, event_base, era)
	SELECT box, event_base, era FROM c`

func (q *queries) InsertMailbox(ctx context.Context, m mailbox.Mailbox) (num mailbox.Num, err error) {
	addresses := append([]string{m.Address}, m.Aliases...)
	// Looked at first: a caller that goes on with another name must find nothing of the one that was refused.
	taken, err := q.taken(addresses, 0)
	if err != nil {
		return 0, err
	}
	if taken {
		return 0, store.ErrTaken
	}
	b := &box{there: true}
	err = q.sql(insertMailbox).texts(addresses).text(m.Address).text(strings.Join(m.Aliases, " ")).word(
		string(m.Scope)).
		time(m.CreatedAt).time(m.ExpiresAt).word(string(m.Status)).word(string(m.PausedBy)).text(m.PauseReason).time(
		m.PausedAt).
		text(m.Webhook.URL).bool(m.Webhook.Failed).int(int64(m.Webhook.ConsecutiveFailures)).
		time(m.Webhook.LastAttemptAt).text(m.Webhook.LastError).num(m.DomainOwner).text(m.Control().Encode()).
		text(m.Profile().Encode()).text(m.Profile().Client()).
		one(func(r row) { num, b.base, b.era = r.Num(0), r.Int(1), r.Int(2) })
	if err == nil {
		b.num, q.locks.boxes[num] = num, b // nobody else can see it
	}
	return num, err
}

// SkipMailboxes is undone with its transaction, which setval would not be.
func (q *queries) SkipMailboxes(_ context.Context, num mailbox.Num) (given mailbox.Num, err error) {
	given, err = one(q.sql(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM mailboxes_num_seq`), rows.Num)
	if err != nil || given >= num {
		return given, err
	}
	return given, q.sql(fmt.Sprintf(`ALTER SEQUENCE mailboxes_num_seq RESTART WITH %d`, num+1)).run()
}

// taken tells whether one of these addresses is another mailbox's, or comes twice. From here on nobody else can take
// one.
func (q *queries) taken(addresses []string, but mailbox.Num) (bool, error) {
	sorted := slices.Sorted(slices.Values(addresses))
	if len(slices.Compact(slices.Clone(sorted))) < len(sorted) {
		return true, nil
	}
	for _, a := range sorted {
		q.advise("address", []byte(a))
	}
	return one(q.sql(`SELECT EXISTS (SELECT 1 FROM addresses WHERE address = ANY($1) AND box <> $2)`).
		texts(addresses).num(but), rows.Bool)
}

func (q *queries) RenameMailbox(ctx context.Context, num mailbox.Num, address string) error {
	m, err := q.Mailbox(ctx, num)
	if err != nil || m.Address == address {
		return err
	}
	taken, err := q.taken([]string{address}, num)
	if err != nil {
		return err
	}
	if taken {
		return store.ErrTaken
	}
	err = q.sql(`INSERT INTO addresses (address, box) VALUES ($1, $2) ON CONFLICT DO NOTHING`).text(address).num(
		num).run()
	if err != nil {
		return err
	}
	aliases := slices.DeleteFunc(m.Aliases, func(a string) bool { return a == address })
	return q.sql(`UPDATE mailboxes SET address = $1, aliases = $2 WHERE num = $3`).
		text(address).text(strings.Join(append(aliases, m.Address), " ")).num(num).run()
}

func (q *queries) RemoveMailbox(_ context.Context, num mailbox.Num) error {
	q.lock(num)
	for _, sql := range []string{
		`DELETE FROM mailboxes WHERE num = $1`,
		`DELETE FROM rejects WHERE address IN (SELECT address FROM addresses WHERE box = $1)`,
		`DELETE FROM addresses WHERE box = $1`,
		`DELETE FROM key_boxes WHERE key IN (SELECT id FROM keys WHERE box = $1)`,
		`DELETE FROM key_boxes WHERE box = $1`,
		`DELETE FROM keys WHERE box = $1`,
		`DELETE FROM claims WHERE box = $1`,
		`DELETE FROM bootstraps WHERE box = $1`,
		`DELETE FROM domain_reports WHERE domain IN (SELECT id FROM domains WHERE box = $1)`,
		`DELETE FROM domains WHERE box = $1`,
		`DELETE FROM paces WHERE box = $1`,
		`DELETE FROM hook_targets WHERE box = $1`,
		`DELETE FROM hook_routes WHERE box = $1`,
		`UPDATE gone SET number = c.event_base + c.seq FROM counters c WHERE c.box = $1 AND c.event_base + c.seq > gone.number`,
		`DELETE FROM counters WHERE box = $1`,
		`INSERT INTO purges VALUES ($1) ON CONFLICT DO NOTHING`,
	} {
		if err := q.sql(sql).num(num).run(); err != nil {
			return err
		}
	}
	if err := q.forget(num, 0); err != nil {
		return err
	}
	err := q.flush()
	if b := q.locks.boxes[num]; b != nil {
		b.there = false
	}
	return err
}

// purgeSteps empty a removed mailbox, each at most a given number of rows at a time: first its messages, then what may
// be left.
var purgeSteps = []string{
	`DELETE FROM docs WHERE box = $1 AND seq IN (SELECT seq FROM docs WHERE box = $1 ORDER BY seq LIMIT $2)`,
	`DELETE FROM messages WHERE box = $1 AND seq IN (SELECT seq FROM messages WHERE box = $1 ORDER BY seq LIMIT $2)`,
	`DELETE FROM part_texts WHERE box = $1 AND seq IN (SELECT seq FROM part_texts WHERE box = $1 ORDER BY seq LIMIT $2)`,
	`DELETE FROM text_work WHERE step = 0 AND box = $1 AND seq IN (SELECT seq FROM text_work WHERE step = 0 AND box = $1 ORDER BY seq LIMIT $2)`,
	`DELETE FROM text_work WHERE step = 1 AND box = $1 AND seq IN (SELECT seq FROM text_work WHERE step = 1 AND box = $1 ORDER BY seq LIMIT $2)`,
	`DELETE FROM events WHERE box = $1 AND seq IN (SELECT seq FROM events WHERE box = $1 ORDER BY seq LIMIT $2)`,
	`DELETE FROM refs WHERE box = $1 AND (hash, seq) IN (SELECT hash, seq FROM refs WHERE box = $1 ORDER BY hash, seq LIMIT $2)`,
	`DELETE FROM labels WHERE box = $1 AND label IN (SELECT label FROM labels WHERE box = $1 ORDER BY label LIMIT $2)`,
	`DELETE FROM contacts WHERE box = $1 AND address IN (SELECT address FROM contacts WHERE box = $1 ORDER BY address LIMIT $2)`,
	`DELETE FROM deliveries WHERE box = $1 AND (seq, n) IN (SELECT seq, n FROM deliveries WHERE box = $1 ORDER BY seq, n LIMIT $2)`,
	`DELETE FROM history WHERE box = $1 AND (seq, n) IN (SELECT seq, n FROM history WHERE box = $1 ORDER BY seq, n LIMIT $2)`,
	`DELETE FROM tallies WHERE box = $1 AND (what, slot) IN (SELECT what, slot FROM tallies WHERE box = $1 ORDER BY what, slot LIMIT $2)`,
	`DELETE FROM idempotents WHERE box = $1 AND key IN (SELECT key FROM idempotents WHERE box = $1 ORDER BY key LIMIT $2)`,
	`DELETE FROM drafts WHERE box = $1 AND n IN (SELECT n FROM drafts WHERE box = $1 ORDER BY n LIMIT $2)`,
	`DELETE FROM draft_files WHERE box = $1 AND (draft, n) IN (SELECT draft, n FROM draft_files WHERE box = $1 ORDER BY draft, n LIMIT $2)`,
	`DELETE FROM reviews WHERE box = $1 AND n IN (SELECT n FROM reviews WHERE box = $1 ORDER BY n LIMIT $2)`,
	`DELETE FROM suppressions WHERE box = $1 AND n IN (SELECT n FROM suppressions WHERE box = $1 ORDER BY n LIMIT $2)`,
	`DELETE FROM quarantine WHERE n IN (SELECT n FROM quarantine WHERE box = $1 LIMIT $2)`,
	`DELETE FROM lists WHERE box = $1 AND (list, n) IN (SELECT list, n FROM lists WHERE box = $1 ORDER BY list, n LIMIT $2)`,
	`DELETE FROM hooks WHERE box = $1 AND n IN (SELECT n FROM hooks WHERE box = $1 ORDER BY n LIMIT $2)`,
	`DELETE FROM merged WHERE box = $1 AND id IN (SELECT id FROM merged WHERE box = $1 ORDER BY id LIMIT $2)`,
}

func (q *queries) Purge(_ context.Context, num mailbox.Num, limit int) (removed int, done bool, err error) {
	q.sql(q.forUpdate(`SELECT box FROM purges WHERE box = $1`)).num(num).later(func(row) {})
	steps := make([]*stmt, len(purgeSteps))
	for i, sql := range purgeSteps {
		steps[i] = q.sql(sql).num(num).int(int64(limit))
		if err := steps[i].run(); err != nil {
			return 0, false, err
		}
	}
	if err := q.flush(); err != nil {
		return 0, false, err
	}
	done = true
	for _, s := range steps {
		n := int(s.tag.RowsAffected())
		removed, done = removed+n, done && n < limit
	}
	if !done {
		return removed, false, nil
	}
	return removed, true, q.sql(`DELETE FROM purges WHERE box = $1`).num(num).run()
}

func (q *queries) Mailbox(_ context.Context, num mailbox.Num) (m mailbox.Mailbox, err error) {
	q.lock(num)
	return one(q.sql(`SELECT `+rows.MailboxColumns+` FROM mailboxes m WHERE m.num = $1`).
		num(num), rows.Mailbox)
}

func (q *queries) Counters(_ context.Context, num mailbox.Num) (mailbox.Counters, error) {
	q.lock(num)
	return one(q.sql(`SELECT inbound, outbound, unseen, bytes, month, this_month FROM counters WHERE box = $1`).
		num(num), rows.Counters)
}
