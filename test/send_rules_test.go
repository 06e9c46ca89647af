package test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

func addresses(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("r%d@example.com", i))
	}
	return list
}

func attached(name string, content []byte) draft {
	return note("attached", "ann@example.com").with("attachments",
		[]any{draft{"filename": name, "content": base64.StdEncoding.EncodeToString(content)}})
}

// What is not to be sent is refused with the right words, and leaves nothing behind.
func TestSendRefused(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams, "MAILKIN_LIMIT_ATTACHMENT=1000", "MAILKIN_LIMIT_MESSAGE=2000",
		"MAILKIN_LIMIT_TEXT=500", "MAILKIN_LIMIT_HTML=600")
	b := srv.mailbox(t, "robin")
	srv.mailbox(t, "marian")
	plain := note("hello", "ann@example.com")
	two := []any{draft{"filename": "a", "content": base64.StdEncoding.EncodeToString(make([]byte, 1000))},
		draft{"filename": "b", "content": base64.StdEncoding.EncodeToString(make([]byte, 1000))}}
	const forbidden = `{"error":"forbidden","message":"Key not authorized for this mailbox"}`
	for _, tt := range []struct {
		name   string
		d      draft
		status int
		has    string // in the body; the whole of it where it begins with a brace
	}{
		{"51 recipients", note("many", addresses(51)...), 400, "too_many_recipients"},
		{"51 in all fields", note("many", addresses(20)...).with("cc", addresses(40)[20:]).with("bcc",
			addresses(51)[40:]), 400, "too_many_recipients"},
		{"nobody", plain.with("to", []string{}), 400, `"field":"to"`},
		{"no address", plain.with("to", "not an address"), 400, "not an address"},
		{"one of them is no address", plain.with("to", []string{"ann@example.com", "broken@"}), 400, "broken@"},
		{"subject of 999", plain.with("subject", strings.Repeat("ü", 999)), 400, `"field":"subject"`},
		{"no subject", plain.with("subject", " "), 400, `"field":"subject"`},
		{"neither text nor html", draft{"to": "ann@example.com", "subject": "x"}, 400, `"field":"text"`},
		{"text too large", plain.with("text", strings.Repeat("x", 501)), 413, "text_too_large"},
		{"html too large", plain.with("html", strings.Repeat("x", 601)), 413, "html_too_large"},
		{"attachment one byte over", attached("a.bin", make([]byte, 1001)), 413, "attachment_too_large"},
		{"all together over", plain.with("attachments", two), 413, "message_too_large"},
		{"text that is none", plain.with("text", "a\x00b"), 400, `"field":"text"`},
		{"no base64", plain.with("attachments", []any{draft{"filename": "a", "content": "####"}}), 400, "base64"},
		{"half of base64", plain.with("attachments", []any{draft{"filename": "a", "content": "QUJDR"}}), 400, "base64"},
		{"another mailbox", plain.with("from", "marian@"+domain), 403, forbidden},
		{"another mailbox with a name", plain.with("from", "Robin <marian@"+domain+">"), 403, forbidden},
		{"another mailbox behind ours", plain.with("from", `"robin@`+domain+`" <marian@`+domain+`>`), 403, forbidden},
		{"nobody's mailbox", plain.with("from", "nobody@"+domain), 403, forbidden},
		{"another domain", plain.with("from", "robin@example.com"), 403, forbidden},
		{"two senders", plain.with("from", "robin@"+domain+", marian@"+domain), 400, "from"},
		{"line break in the subject", plain.with("subject", "x\r\nBcc: eve@example.com"), 400, `"field":"subject"`},
		{"bare line feed in the subject", plain.with("subject", "x\nBcc: eve@example.com"), 400, `"field":"subject"`},
		{"line break in a recipient", plain.with("to", "ann@example.com\r\nBcc: eve@example.com"), 400, `"to"`},
		{"line break in a name", plain.with("to", "\"Ann\r\nBcc: eve@example.com\" <ann@example.com>"), 400, `"to"`},
		{"line break in the sender", plain.with("from", "\"R\r\nBcc: eve@example.com\" <robin@"+domain+">"), 400,
			"from"},
		{"line break in reply_to", plain.with("reply_to", "ann@example.com\r\nX: y"), 400, "reply_to"},
		{"line break in a header", plain.with("headers", draft{"X-A": "b\r\nBcc: eve@example.com"}), 400, "headers"},
		{"line break in a header's name", plain.with("headers", draft{"X-A\r\nBcc": "eve@example.com"}), 400,
			"headers"},
		{"colon in a header's name", plain.with("headers", draft{"X-A: b\r\nBcc": "eve@example.com"}), 400, "headers"},
		{"a header of ours", plain.with("headers", draft{"From": "eve@example.com"}), 400, "headers"},
		{"another of ours", plain.with("headers", draft{"DKIM-Signature": "v=1"}), 400, "headers"},
		{"line break in in_reply_to", plain.with("in_reply_to", "<a@b>\r\nBcc: eve@example.com"), 400, "in_reply_to"},
		{"too far ahead", plain.with("send_at", time.Now().Add(31*24*time.Hour).Format(time.RFC3339)), 400, "send_at"},
		{"no time", plain.with("send_at", "tomorrow"), 400, "send_at"},
		{"wrong type", plain.with("subject", 7), 400, "subject"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := b.ask(t, "POST", "/send", tt.d.String())
			body := strings.TrimSpace(string(a.body))
			ok := strings.Contains(body, tt.has)
			if strings.HasPrefix(tt.has, "{") {
				ok = body == tt.has
			}
			if a.status != tt.status || !ok {
				t.Errorf("got %d %s, want %d with %s", a.status, body, tt.status, tt.has)
			}
		})
	}
	if list := b.inbox(t); len(list) > 0 {
		t.Errorf("the mailbox holds %+v", list)
	}
	if files := blobFiles(t, srv); len(files) > 0 {
		t.Errorf("the blob folder has %v", files)
	}
}

// What is just within the limits goes, and arrives as it was meant.
func TestSendTaken(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams, "MAILKIN_LIMIT_ATTACHMENT=1000")
	b, to := srv.mailbox(t, "robin"), srv.mailbox(t, "marian")
	for _, tt := range []struct {
		name  string
		d     draft
		check func(e email, raw string) bool
	}{
		{"50 recipients", note("many", append(addresses(49), to.address)...),
			func(e email, raw string) bool { return strings.Contains(raw, "r48@example.com") }},
		{"the same one often", note("often", to.address, strings.ToUpper(to.address)).with("cc",
			addresses(49)).with("bcc", addresses(49)),
			func(email, string) bool { return true }},
		{"subject of 998", note(strings.Repeat("ü", 998), to.address), func(e email, raw string) bool {
			return e.Subject == strings.Repeat("ü", 998) && longestLine(raw) <= 998
		}},
		{"text of one line", note("long", to.address).with("text", strings.Repeat("x", 400_000)),
			func(e email, raw string) bool {
				return strings.TrimSpace(e.Text) == strings.Repeat("x", 400_000) && longestLine(raw) <= 998
			}},
		{"attachment at the limit", attached("größe \"1\".bin", randomBytes(1000, 1)).with("to", to.address),
			func(e email, _ string) bool {
				return len(e.Attachments) == 1 && e.Attachments[0].Filename == "größe \"1\".bin" &&
					e.Attachments[0].Size == 1000
			}},
		{"line break in a file name", attached("a\r\nBcc: eve@example.com", []byte("x")).with("to", to.address),
			func(e email, raw string) bool {
				return !strings.Contains(strings.ToLower(raw), "\nbcc:") && len(e.Attachments) == 1
			}},
		{"a charset that nobody knows", note("charset", to.address).with("attachments", []any{draft{"filename": "a.txt",
			"content": "/////w==", "content_type": "text/plain; charset=klingon"}}), func(e email, _ string) bool {
			return len(e.Attachments) == 1 && e.Attachments[0].Size == 4
		}},
		{"hidden recipients", note("hidden", "ann@example.com").with("bcc", to.address),
			func(_ email, raw string) bool {
				return !strings.Contains(strings.ToLower(raw), "\nbcc:") && !strings.Contains(raw, to.address)
			}},
		{"dots and odd bytes", note("odd", to.address).with("text", ".\r\n.\r\n..a\n\u2028ü\n.\n"),
			func(e email, _ string) bool {
				return strings.HasPrefix(e.Text, ".\n.\n..a\n") || strings.HasPrefix(e.Text, ".\r\n.\r\n..a\r\n")
			}},
		{"a name with everything", note("name", to.address).with("from",
			"\"Röbin, the \\\"Hood\\\" <eve@example.com>\" <"+b.address+">"),
			func(e email, _ string) bool {
				return e.From == b.address && e.FromName == `Röbin, the "Hood" <eve@example.com>`
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := b.send(t, tt.d)
			var found *email
			for _, e := range to.inbox(t) {
				if e.MessageID == s.MessageID {
					found = &e
				}
			}
			if found == nil {
				t.Fatal("it did not arrive")
			}
			e := to.email(t, found.ID)
			if raw := string(to.raw(t, e.ID)); !tt.check(e, raw) {
				t.Errorf("it arrived as %.2000s\n%.2000s", e.Subject, raw)
			}
		})
	}
}

func longestLine(raw string) (most int) {
	for line := range strings.SplitSeq(raw, "\r\n") {
		most = max(most, len(line))
	}
	return most
}

// The daily limit is exact, says when it ends, and counts only what was accepted.
func TestSendDailyLimit(t *testing.T) {
	t.Parallel()
	srv := start(t, "DAILY_SEND_LIMIT=2")
	b, other := srv.mailbox(t, "robin"), srv.mailbox(t, "other")
	for range 2 {
		b.send(t, note("within", "ann@example.com"))
		b.ask(t, "POST", "/send", note("refused", "broken@").String())
		b.ask(t, "POST", "/send", note("tried", "ann@example.com").with("dry_run", true).String())
	}
	a := b.ask(t, "POST", "/send", note("beyond", "ann@example.com").String())
	wait, err := strconv.Atoi(a.header.Get("Retry-After"))
	resets := time.Now().Add(time.Duration(wait) * time.Second).UTC().Round(24 * time.Hour)
	want := fmt.Sprintf(`{"error":"Daily send limit reached (2/2)","code":"daily_send_limit","limit":2,"used":2,"resets_at":"%s"}`, resets.Format("2006-01-02T15:04:05.000Z"))
	if got := strings.TrimSpace(string(a.body)); a.status != http.StatusTooManyRequests || got != want || err != nil ||
		wait < 1 || wait > 86400 {
		t.Errorf("got %d %s, Retry-After %q, want %s", a.status, got, a.header.Get("Retry-After"), want)
	}
	other.send(t, note("another mailbox", "ann@example.com"))
	if list := b.inbox(t); len(list) != 2 {
		t.Errorf("%d messages", len(list))
	}
	var box struct {
		Limit int `json:"daily_send_limit"`
		Sends int `json:"sends_today"`
	}
	srv.get(t, b.key, "/v1/mailbox", &box)
	if box.Limit != 2 || box.Sends != 2 {
		t.Errorf("the mailbox says %+v", box)
	}
}

// A mailbox that nobody has claimed does not send, and a paused one neither.
func TestSendNotAllowed(t *testing.T) {
	t.Parallel()
	srv := start(t)
	temporary, paused := srv.bootstrap(t), srv.mailbox(t, "robin")
	if a := temporary.ask(t, "POST", "/send", note("x", "ann@example.com").String()); a.status != 403 ||
		!strings.Contains(string(a.body), "provisional_capability_denied") {
		t.Errorf("%d %s", a.status, a.body)
	}
	paused.ask(t, "PATCH", "/mailbox/pause", "")
	if a := paused.ask(t, "POST", "/send", note("x", "ann@example.com").String()); a.status != 403 ||
		strings.TrimSpace(string(a.body)) != `{"error":"Mailbox is paused"}` {
		t.Errorf("%d %s", a.status, a.body)
	}
	off := start(t, "MAILKIN_OUTBOUND=off").mailbox(t, "robin")
	a := off.ask(t, "POST", "/send", note("x", "ann@example.com").String())
	var said struct{ Code string }
	if json.Unmarshal(a.body, &said) != nil || a.status != http.StatusNotImplemented ||
		said.Code != "sending_unavailable" {
		t.Errorf("%d %s", a.status, a.body)
	}
}
