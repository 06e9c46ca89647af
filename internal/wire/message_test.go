package wire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// encode is what encoding/json makes of a value, as the interface uses it.
func encode(t testing.TB, v any) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(buf.String(), "\n")
}

// pieces are what strings go wrong on.
var pieces = []string{
	"", "plain text", `"quoted"`, `back\slash`, "<b>&amp;</b>", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "\u2028\u2029",
	"žluťoučký", "日本語", "😀", "\xff", "\xc3", "\xe2\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\ufffd", "\ufeff",
}

func randomString(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		if r.IntN(3) == 0 {
			for range r.IntN(20) {
				b.WriteByte(byte(r.UintN(256)))
			}
			continue
		}
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomMessage(r *rand.Rand) mailbox.Message {
	at := time.UnixMilli(r.Int64N(4e12)).Add(time.Duration(r.IntN(1e6)))
	m := mailbox.Message{
		ID: mailbox.NewID(at), Thread: mailbox.NewID(at.Add(time.Hour)), Direction: mailbox.Inbound, Status: "received",
		From: mailbox.Address{Name: randomString(r), Address: randomString(r)}, To: randomString(r),
		Subject: randomString(r), Snippet: randomString(r), Code: randomString(r), MessageID: randomString(r),
		ReceivedAt: at.In(time.FixedZone("", 3600*(r.IntN(25)-12))), Attachments: r.IntN(3), Seen: r.IntN(2) == 0,
	}
	for range r.IntN(3) {
		m.Labels = append(m.Labels, randomString(r))
	}
	return m
}

func TestAppendMessage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		m, address := randomMessage(r), randomString(r)
		got, want := string(AppendMessage(nil, &m, address)), encode(t, NewMessage(m, address))
		if got != want {
			t.Fatalf("for %+v\ngot  %s\nwant %s", m, got, want)
		}
		if !json.Valid([]byte(got)) {
			t.Fatalf("not JSON: %s", got)
		}
	}
}

func TestAppendEmails(t *testing.T) {
	type list struct {
		Emails []api.Message `json:"emails"`
		Mode   string        `json:"search_mode"`
		Next   *string       `json:"next_cursor"`
	}
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 4 {
		messages, want := []mailbox.Message{}, list{Emails: []api.Message{}, Mode: "keyword"}
		for range n {
			m := randomMessage(r)
			messages = append(messages, m)
			want.Emails = append(want.Emails, NewMessage(m, "a@b.example"))
		}
		next := ""
		if n > 1 {
			next = "cursor"
			want.Next = &next
		}
		got := AppendEmails([]byte("x"), messages, "a@b.example", "keyword", next)
		if diff := cmp.Diff("x"+encode(t, want), string(got)); diff != "" {
			t.Errorf("%d messages (-want +got):\n%s", n, diff)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range pieces {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(appendString(nil, s)), encode(t, s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	})
}

func TestAppendTime(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"2026-01-02T03:04:05Z", `"2026-01-02T03:04:05.000Z"`},
		{"2026-01-02T03:04:05.9999Z", `"2026-01-02T03:04:05.999Z"`},
		{"2026-01-02T03:04:05.012+05:30", `"2026-01-01T21:34:05.012Z"`},
		{"0001-02-03T04:05:06Z", `"0001-02-03T04:05:06.000Z"`},
		{"9999-12-31T23:59:59.999Z", `"9999-12-31T23:59:59.999Z"`},
	} {
		at, err := time.Parse(time.RFC3339Nano, tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, api.Time{Time: at}); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
	if got := encode(t, api.Time{}); got != "null" {
		t.Errorf("the zero time: got %s", got)
	}
}

func TestID(t *testing.T) {
	id := mailbox.NewID(time.UnixMilli(1_700_000_000_000)).Part(7)
	if got, want := encode(t, id.String()), `"`+id.String()+`"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The budget is a few thousand lists of 50 a second in addition to everything else.
func BenchmarkAppendEmails(b *testing.B) {
	list := make([]mailbox.Message, 50)
	for i := range list {
		now := time.UnixMilli(1_700_000_000_000)
		list[i] = mailbox.Message{
			ID: mailbox.NewID(now), Thread: mailbox.NewID(now), Direction: mailbox.Inbound, Status: "received",
			From: mailbox.Address{Name: "Some Sender", Address: "sender@shop.example"}, To: "agent@mailkin.example",
			Subject: "Your order 1234567 is on its way", Snippet: strings.Repeat("The parcel leaves today. ", 8),
			MessageID: "0123456789abcdef@shop.example", ReceivedAt: now, Labels: []string{"notification"},
		}
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendEmails(buf[:0], list, "agent@mailkin.example", "keyword", "")
	}
	b.SetBytes(int64(len(buf)))
}
