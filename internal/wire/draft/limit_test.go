package draft

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Each bound is met exactly, and then exceeded by one.
func TestLimits(t *testing.T) {
	lim := mailbox.DefaultLimits()
	lim.TextBytes, lim.HTMLBytes, lim.AttachmentBytes, lim.MessageBytes = 500, 600, 1000, 1500
	x := func(n int) string { return strings.Repeat("x", n) }
	list := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	members := func(n, value int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"%04d":"%s"`, i, x(value)))
		}
		return strings.Join(all, ",")
	}
	file := func(n int) string { return `{"content":"` + base64.StdEncoding.EncodeToString([]byte(x(n))) + `"}` }
	long := func(format string) func(int) string {
		return func(n int) string { return fmt.Sprintf(format, x(n)) }
	}
	for _, row := range []struct {
		name  string
		body  func(n int) string
		limit int
		code  string
		field string
	}{
		{"text", long(`"text":"%s"`), 500, "text_too_large", "text"},
		{"text in escapes", func(n int) string { return `"text":"` + strings.Repeat(`\n`, n) + `"` }, 500,
			"text_too_large", "text"},
		{"text of halves", func(n int) string { return `"text":"x` + strings.Repeat(`\ud800`, n) + `"` }, 166,
			"text_too_large", "text"},
		{"text that grows", func(n int) string { return `"text":"x` + strings.Repeat("\xff", n) + `"` }, 166,
			"text_too_large", "text"},
		{"html", long(`"html":"%s"`), 600, "html_too_large", "html"},
		{"attachment", func(n int) string { return `"attachments":[` + file(n) + `]` }, 1000, "attachment_too_large",
			"attachments[0].content"},
		{"second attachment", func(n int) string { return `"attachments":[` + file(1000) + "," + file(n) + `]` }, 500,
			"message_too_large", ""},
		{"attachment after the text", func(n int) string {
			return `"text":"` + x(500) + `","html":"` + x(600) + `","attachments":[` + file(n) + `]`
		}, 400, "message_too_large", ""},
		{"text after the attachments", func(n int) string {
			return `"attachments":[` + file(1000) + "," + file(450) + `],"text":"` + x(n) + `"`
		}, 50, "message_too_large", ""},
		{"what was replaced does not count", func(n int) string {
			return `"text":"` + x(500) + `","text":null,"attachments":[` + file(1000) + `],"attachments":[` +
				file(1000) + "," + file(n) + `]`
		},
			500, "message_too_large", ""},
		{"from", long(`"from":"%s"`), wordBytes, "invalid_from", "from"},
		{"in_reply_to", long(`"in_reply_to":"%s"`), wordBytes, "invalid_in_reply_to", "in_reply_to"},
		{"subject", long(`"subject":"%s"`), subjectBytes, "invalid_subject", "subject"},
		{"to in bytes", long(`"to":"%s"`), listBytes, "invalid_to", "to"},
		{"to in bytes together", long(`"to":["` + x(1000) + `","%s"]`), listBytes - 1000, "invalid_to", "to"},
		{"to", func(n int) string { return `"to":[` + list(n, `"a"`) + `]` }, listEntries, "invalid_to", "to"},
		{"cc", func(n int) string { return `"cc":[` + list(n, `"a"`) + `]` }, listEntries, "invalid_cc", "cc"},
		{"headers", func(n int) string { return `"headers":{` + members(n, 1) + `}` }, headerEntries, "invalid_headers",
			"headers"},
		{"headers in bytes", long(`"headers":{"name":"%s"}`), headerBytes - 4, "invalid_headers", "headers"},
		{"headers in names", long(`"headers":{"a":"b","%s":""}`), headerBytes - 2, "invalid_headers", "headers"},
		{"a header's name", long(`"headers":{"%s":""}`), headerBytes, "invalid_headers", "headers"},
		{"headers replaced", long(`"headers":{"a":"` + x(9_000) + `","a":"` + x(9_000) + `","b":"` + x(9_000) +
			`","b":null,"a":"%s"}`), headerBytes - 1, "invalid_headers", "headers"},
		{"tags", func(n int) string { return `"tags":[` + list(n, `"a"`) + `]` }, tagEntries, "invalid_tags", "tags"},
		{"tags by name", func(n int) string { return `"tags":{` + members(n, 1) + `}` }, tagEntries, "invalid_tags",
			"tags"},
		{"tags in bytes", long(`"tags":["abc","%s"]`), tagBytes - 3, "invalid_tags", "tags"},
		{"tags with values in bytes", long(`"tags":["abc",{"name":"ab","value":"%s"}]`), tagBytes - 5, "invalid_tags",
			"tags"},
		{"attachments", func(n int) string { return `"attachments":[` + list(n, file(1)) + `]` }, files,
			"invalid_attachments", "attachments"},
		{"filename", long(`"attachments":[{"content":"","filename":"%s"}]`), labelBytes, "invalid_attachments",
			"attachments[0].filename"},
		{"content_type", long(`"attachments":[{"content":"","content_type":"%s"}]`), labelBytes, "invalid_attachments",
			"attachments[0].content_type"},
		{"content_id", long(`"attachments":[{"content":"","content_id":"%s"}]`), labelBytes, "invalid_attachments",
			"attachments[0].content_id"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := read(t, strings.NewReader("{"+row.body(row.limit)+"}"), Send, lim); got.Err != nil {
				t.Errorf("%d: %v", row.limit, got.Err)
			}
			kind := mailbox.Invalid
			if strings.HasSuffix(row.code, "_too_large") {
				kind = mailbox.TooLarge
			}
			got := read(t, strings.NewReader("{"+row.body(row.limit+1)+"}"), Send, lim).Err
			if got == nil || got.Kind != kind || got.Code != row.code || got.Field != row.field {
				t.Errorf("%d: %+v", row.limit+1, got)
			}
		})
	}
}

// What is too large is not read to its end.
func TestReadingStops(t *testing.T) {
	lim := mailbox.DefaultLimits()
	lim.TextBytes, lim.HTMLBytes, lim.AttachmentBytes = 100_000, 100_000, 100_000
	for _, start := range []string{
		`{"text":"`, `{"text":"\ud800`, `{"html":"`, `{"subject":"`, `{"to":["`, `{"headers":{"a":"`,
		`{"tags":["`, `{"attachments":[{"content":"`, `{"attachments":[{"filename":"`,
	} {
		piece := "a"
		if i := strings.IndexByte(start, '\\'); i >= 0 {
			piece = start[i:]
		}
		body := &counted{from: io.LimitReader(io.MultiReader(strings.NewReader(start), endless{piece}), 1<<20)}
		if got := read(t, body, Send, lim); got.Err == nil {
			t.Errorf("%s: %+v", start, got)
		}
		if most := int64(listBytes + 2*fullBuffer); body.n > most {
			t.Errorf("%s: %d bytes were read", start, body.n)
		}
	}
}

// endless returns the same piece for ever, in whole ones.
type endless struct{ piece string }

func (e endless) Read(p []byte) (n int, err error) {
	for n+len(e.piece) <= len(p) {
		n += copy(p[n:], e.piece)
	}
	return n, nil
}

type counted struct {
	from io.Reader
	n    int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}
