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
// others.
func (q *queries) listMessages(num mailbox.Num, f store.MessageFilter) *stmt {
	b := q.sql(``).num(num).int(f.After).int(rows.Below(f.Before))
	var text strings.Builder
	text.WriteString(`SELECT ` + messageColumns + ` FROM messages WHERE box = $1 AND seq > $2 AND seq < $3`)
	for _, c := range conditions(f) {
		if !c.asked {
			continue
		}
		if c.bind != nil {
			c.bind(b)
		}
		text.WriteString(` AND ` + strings.ReplaceAll(c.sql, `?`, `$`+strconv.Itoa(len(b.args))))
	}
	b.int(int64(f.Limit)).int(int64(f.Offset))
	order := ` ORDER BY seq DESC`
	if f.Oldest {
		order = ` ORDER BY seq`
	}
	text.WriteString(order + ` LIMIT $` + strconv.Itoa(len(b.args)-1) + ` OFFSET $` + strconv.Itoa(len(b.args)))
	b.code = text.String()
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
		{!f.Thread.IsZero(), `coalesce(thread, id) = ?`, func(b *stmt) { b.id(f.Thread) }},
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
