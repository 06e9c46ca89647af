package sqlite

import (
	"context"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (q *queries) Messages(_ context.Context, num mailbox.Num, f store.MessageFilter) ([]mailbox.Message, error) {
	sql, bind := listMessages(num, f)
	list := make([]mailbox.Message, 0, min(f.Limit, 128))
	b := q.sql(sql)
	bind(b)
	err := b.each(func(r row) error { list = append(list, scanMessage(r)); return nil })
	return list, err
}

// listMessages returns the statement for a filter, and what binds its parameters. It reads the keys between After and
// Before, from one end, and no others: of the mailbox, or of a thread by its index.
func listMessages(num mailbox.Num, f store.MessageFilter) (sql string, bind func(*stmt)) {
	low, _ := keysAfter(num, f.After)
	_, high := span(num, f.Before)
	asked := slices.DeleteFunc(conditions(f), func(c condition) bool { return !c.asked })
	var text strings.Builder
	read := func(from string) {
		text.WriteString(`SELECT ` + messageColumns + ` FROM messages` + from + `pk > ? AND pk <= ?`)
		for _, c := range asked {
			text.WriteString(` AND ` + c.sql)
		}
	}
	switch {
	case !f.Thread.IsZero():
		read(` WHERE thread = ? AND `)
		text.WriteString(` UNION ALL `)
		read(` WHERE id = ? AND thread IS NULL AND `) // a message that is alone
	case f.Direction == mailbox.Outbound:
		read(` INDEXED BY messages_sent WHERE `) // the planner takes every range of keys to be short
	default:
		read(` WHERE `)
	}
	text.WriteString(` ORDER BY pk`)
	if !f.Oldest {
		text.WriteString(` DESC`)
	}
	text.WriteString(` LIMIT ? OFFSET ?`)
	bindOne := func(b *stmt) {
		b.int(low).int(high)
		for _, c := range asked {
			if c.bind != nil {
				c.bind(b)
			}
		}
	}
	return text.String(), func(b *stmt) {
		if !f.Thread.IsZero() {
			bindOne(b.id(f.Thread))
			b.id(f.Thread)
		}
		bindOne(b)
		b.int(int64(f.Limit)).int(int64(f.Offset))
	}
}

// condition is what one field of a filter asks of a row.
type condition struct {
	asked bool
	sql   string
	bind  func(*stmt)
}

func conditions(f store.MessageFilter) []condition {
	return []condition{
		{f.Direction == mailbox.Outbound, `outbound = 1`, nil},
		{f.Direction == mailbox.Inbound, `outbound = 0`, nil},
		{f.Label != "", `instr(' ' || labels || ' ', ?) > 0`, func(b *stmt) { b.text(" " + f.Label + " ") }},
		{!f.Since.IsZero(), `received_at >= ?`, func(b *stmt) { b.time(f.Since) }},
		{!f.Until.IsZero(), `received_at < ?`, func(b *stmt) { b.time(f.Until) }},
		{f.Seen != nil, `seen = ?`, func(b *stmt) { b.bool(*f.Seen) }},
		{f.Code, `code <> ''`, nil},
		{f.Untaken, `taken = 0`, nil},
		{f.From != "", `from_has(from_addr, from_name, ?)`, func(b *stmt) { b.text(f.From) }},
	}
}

// fromHas is the SQL function from_has(address, name, part) of every connection: it tells whether a sender has a part
// that is given in lower case. SQLite's own functions know the letters of ASCII alone.
func fromHas(_ sqlite.Context, args []sqlite.Value) (sqlite.Value, error) {
	if (mailbox.Address{Address: args[0].Text(), Name: args[1].Text()}).Has(args[2].Text()) {
		return sqlite.IntegerValue(1), nil
	}
	return sqlite.IntegerValue(0), nil
}
