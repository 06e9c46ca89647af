package wire

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// event is what AppendEvent writes.
type event struct {
	Event          string   `json:"event"`
	EmailID        ID       `json:"email_id"`
	Mailbox        string   `json:"mailbox"`
	From           string   `json:"from"`
	Subject        string   `json:"subject"`
	ReceivedAt     Time     `json:"received_at"`
	ThreadID       string   `json:"thread_id"`
	Labels         []string `json:"labels"`
	HasAttachments bool     `json:"has_attachments"`
	MessageID      string   `json:"message_id"`
	Attachments    int      `json:"attachment_count"`
	Code           *string  `json:"code"`
	Deleted        bool     `json:"deleted,omitempty"`
}

func newEvent(e mailbox.Event, address string) event {
	out := event{Event: string(e.Kind), EmailID: ID(e.Message), Mailbox: address, ReceivedAt: Time(e.At), Labels: []string{}, Deleted: e.Mail == nil}
	if m := e.Mail; m != nil {
		out.From, out.Subject, out.ReceivedAt, out.ThreadID = m.From.Address, m.Subject, Time(m.ReceivedAt), m.Thread.String()
		out.Labels, out.HasAttachments, out.Attachments = listed(m.Labels), m.Attachments > 0, m.Attachments
		out.MessageID, out.Code = messageID(m.MessageID), orNull(m.Code)
	}
	return out
}

func TestAppendEvent(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		m, address := randomMessage(r), randomString(r)
		kinds := mailbox.EventKinds()
		e := mailbox.Event{Kind: kinds[i%len(kinds)], Message: m.ID, At: m.ReceivedAt.Add(time.Minute), Mail: &m}
		if i%7 == 0 {
			e.Mail = nil
		}
		got, want := string(AppendEvent(nil, &e, address)), encode(t, newEvent(e, address))
		if got != want {
			t.Fatalf("for %+v\ngot  %s\nwant %s", e, got, want)
		}
		if !json.Valid([]byte(got)) || strings.ContainsAny(got, "\r\n") {
			t.Fatalf("not JSON on one line: %q", got)
		}
	}
}

// Most of what streams write; it is done for each event and stream.
func BenchmarkAppendEvent(b *testing.B) {
	m, _ := fullMessage()
	e := mailbox.Event{Kind: mailbox.MessageReceived, Message: m.ID, At: m.ReceivedAt, Mail: &m}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendEvent(buf[:0], &e, "agent@mailkin.example")
	}
	b.SetBytes(int64(len(buf)))
}
