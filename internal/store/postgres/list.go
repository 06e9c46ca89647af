package postgres

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Messages(_ context.Context, num mailbox.Num, f store.MessageFilter) ([]mailbox.Message, error) {
	q.lock(num)
	list := make([]mailbox.Message, 0, min(f.Limit, 128))
	err := q.listMessages(num, f).each(func(r row) error { list = append(list, scanMessage(r)); return nil })
	return list, err
}

// listMessages returns the statement for a filter. It reads the keys between After and Before, from one end, and no
// others: of the mailbox, or of a thread by its index.
func (q *queries) listMessages(num mailbox.Num, f store.MessageFilter) *stmt {
	b := q.sql(``).num(num).int(f.After).int(rows.Below(f.Before))
	where := ` FROM messages WHERE box = $1 AND seq > $2 AND seq < $3`
	for _, c := range conditions(f) {
		if !c.asked {
			continue
		}
		if c.bind != nil {
			c.bind(b)
		}
		where += ` AND ` + strings.ReplaceAll(c.sql, `?`, `$`+strconv.Itoa(len(b.args)))
	}
	order := ` ORDER BY seq DESC`
	if f.Oldest {
		order = ` ORDER BY seq`
	}
	b.int(int64(f.Limit)).int(int64(f.Offset))
	limit, offset := `$`+strconv.Itoa(len(b.args)-1), `$`+strconv.Itoa(len(b.args))
	if f.Thread.IsZero() {
		b.code = `SELECT ` + messageColumns + where + order + ` LIMIT ` + limit + ` OFFSET ` + offset
		return b
	}
	// Of the two, one alone has rows: a thread, or a message that is alone.
	b.id(f.Thread)
	thread := `$` + strconv.Itoa(len(b.args))
	b.code = `(SELECT ` + messageColumns + where + ` AND thread = ` + thread + order + ` LIMIT ` + limit + `::bigint + ` +
		offset + `::bigint) UNION ALL (SELECT ` + messageColumns + where + ` AND id = ` + thread + ` AND thread IS NULL) LIMIT ` +
		limit + ` OFFSET ` + offset
	return b
}

// condition is what one field of a filter asks of a row.
type condition struct {
	asked bool
	sql   string
	bind  func(*stmt)
}

func conditions(f store.MessageFilter) []condition {
	return []condition{
		{f.Direction == mailbox.Outbound, `outbound`, nil},
		{f.Direction == mailbox.Inbound, `NOT outbound`, nil},
		{f.Label != "", `position(? IN ' '::bytea || labels || ' '::bytea) > 0`,
			func(b *stmt) { b.text(" " + f.Label + " ") }},
		{!f.Since.IsZero(), `received_at >= ?`, func(b *stmt) { b.time(f.Since) }},
		{!f.Until.IsZero(), `received_at < ?`, func(b *stmt) { b.time(f.Until) }},
		{f.Seen != nil, `seen = ?`, func(b *stmt) { b.bool(*f.Seen) }},
		{f.Code, `code <> ''::bytea`, nil},
		{f.Untaken, `NOT taken`, nil},
		{f.From != "" && utf8.ValidString(f.From),
			`position(? IN coalesce(from_lower, from_addr || '\xff'::bytea || from_name)) > 0`,
			func(b *stmt) { b.text(f.From) }},
		{!utf8.ValidString(f.From), `false`, nil},
	}
}

// lowered returns the sender's address and name in lower case, as a filter looks for parts of them; as says that they
// are so already. The server's own functions know the letters of its locale alone. The byte between the two is in
// neither.
func lowered(from mailbox.Address) (text string, as bool) {
	whole := from.Address + "\xff" + from.Name
	text = strings.ToLower(from.Address) + "\xff" + strings.ToLower(from.Name)
	return text, text == whole
}
