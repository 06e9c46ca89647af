package wire

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// event is what AppendEvent writes.
type event struct {
	Event          string         `json:"event"`
	EmailID        string         `json:"email_id"`
	Mailbox        string         `json:"mailbox"`
	From           string         `json:"from"`
	Subject        string         `json:"subject"`
	ReceivedAt     api.Time       `json:"received_at"`
	ThreadID       string         `json:"thread_id"`
	Labels         []string       `json:"labels"`
	HasAttachments bool           `json:"has_attachments"`
	MessageID      string         `json:"message_id"`
	Attachments    int            `json:"attachment_count"`
	Code           api.NullString `json:"code"`
	Deleted        bool           `json:"deleted,omitempty"`
	*outcome                      // of a message that was sent
}

// outcome is what an event of a message that was sent has more.
type outcome struct {
	Status    string   `json:"status"`
	Recipient string   `json:"recipient"`
	Timestamp api.Time `json:"timestamp"`
	Reason    string   `json:"reason,omitempty"`
	Bounce    string   `json:"bounce_type,omitempty"`
	Simulated bool     `json:"simulated,omitempty"`
}

func newEvent(e mailbox.Event, address string) event {
	out := event{Event: string(e.Kind), EmailID: e.Message.String(), Mailbox: address, ReceivedAt: at(e.At),
		Labels: []string{}, Deleted: e.Mail == nil}
	if m := e.Mail; m != nil {
		out.From, out.Subject, out.ReceivedAt, out.ThreadID = m.From.Address, m.Subject, at(m.ReceivedAt),
			m.Thread.String()
		out.Labels, out.HasAttachments, out.Attachments = listed(m.Labels), m.Attachments > 0, m.Attachments
		out.MessageID, out.Code = messageID(m.MessageID), api.NullString(m.Code)
	}
	switch e.Kind {
	case mailbox.MessageReceived:
	case mailbox.MessageSent:
		out.outcome = &outcome{Status: "queued", Timestamp: at(e.At)}
		if e.Mail != nil {
			out.Recipient = e.Mail.To
		}
	case mailbox.MessageHeld:
		out.outcome = &outcome{Status: "held", Timestamp: at(e.At)}
		if e.Mail != nil {
			out.Recipient = e.Mail.To
		}
	default:
		out.outcome = &outcome{e.Result.Status, e.Result.Recipient, at(e.At), e.Result.Reason, e.Result.Bounce,
			e.Result.Simulated}
	}
	return out
}

func TestAppendEvent(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		m, address := randomMessage(r), randomString(r)
		kinds := slices.DeleteFunc(mailbox.EventKinds(),
			func(k mailbox.EventKind) bool { return k == mailbox.MailboxQuota })
		e := mailbox.Event{Kind: kinds[i%len(kinds)], Message: m.ID, At: m.ReceivedAt.Add(time.Minute), Mail: &m}
		if i%7 == 0 {
			e.Mail = nil
		}
		if e.Kind != mailbox.MessageReceived && e.Kind != mailbox.MessageSent &&
			e.Kind != mailbox.MessageHeld && i%3 > 0 {
			e.Result = mailbox.Result{Recipient: randomString(r), Status: randomString(r), Bounce: randomString(r),
				Reason: randomString(r)}
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

// The fields of API 9, as they stand.
func TestEventOutcomes(t *testing.T) {
	m := mailbox.Message{To: "ann@x.example"}
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	const stamp = `"timestamp":"2026-03-04T05:06:07.000Z"`
	for _, row := range []struct {
		kind   mailbox.EventKind
		result mailbox.Result
		want   string // the end of it
	}{
		{mailbox.MessageReceived, mailbox.Result{}, `,"code":null}`},
		{mailbox.MailboxQuota, mailbox.QuotaNotice{What: "bytes", Percent: 80, Used: 81, Limit: 100}.Result(),
			`,"code":null,"quota":{"of":"bytes","percent":80,"used":81,"limit":100},` + stamp + `}`},
		{mailbox.MessageSent, mailbox.Result{}, `,"code":null,"status":"queued","recipient":"ann@x.example",` + stamp +
			`}`},
		{mailbox.MessageDelivered, mailbox.Result{Recipient: "bob@x.example", Status: "delivered"},
			`,"status":"delivered","recipient":"bob@x.example",` + stamp + `}`},
		{mailbox.MessageBounced, mailbox.Result{Recipient: "bob@x.example", Status: "bounced", Bounce: "hard",
			Reason: "no \"bob\""},
			`,"status":"bounced","recipient":"bob@x.example",` + stamp +
				`,"reason":"no \"bob\"","bounce_type":"hard"}`},
		{mailbox.MessageComplained, mailbox.Result{Recipient: "bob@x.example", Status: "complained", Reason: "abuse"},
			`,"status":"complained","recipient":"bob@x.example",` + stamp + `,"reason":"abuse"}`},
		{mailbox.MessageDelivered, mailbox.Result{Recipient: "bob@x.example", Status: "delivered", Simulated: true},
			`,"status":"delivered","recipient":"bob@x.example",` + stamp + `,"simulated":true}`},
	} {
		e := mailbox.Event{Kind: row.kind, Message: mailbox.NewID(at), At: at, Mail: &m, Result: row.result}
		if got := string(AppendEvent(nil, &e, "agent@mailkin.example")); !strings.HasSuffix(got, row.want) {
			t.Errorf("%s: %s", row.kind, got)
		}
	}
}

// An event of the mailbox has no message, and is not one that was deleted.
func TestEventsOfTheMailbox(t *testing.T) {
	e := mailbox.Event{Kind: mailbox.SendingPaused, At: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Result: mailbox.Result{Reason: "Too much."}}
	for _, row := range []struct{ what, got, want string }{
		{"the stream", string(AppendEvent(nil, &e, "agent@mailkin.example")), `{"event":"mailbox.sending_paused",` +
			`"email_id":"","mailbox":"agent@mailkin.example","from":"","subject":"",` +
			`"received_at":"2026-03-04T05:06:07.000Z","thread_id":"","labels":[],"has_attachments":false,` +
			`"message_id":"","attachment_count":0,"code":null,"timestamp":"2026-03-04T05:06:07.000Z",` +
			`"reason":"Too much."}`},
		{"a webhook", string(AppendHook(nil, &e, "agent@mailkin.example")), `{"event":"mailbox.sending_paused",` +
			`"email_id":"","mailbox":"agent@mailkin.example","from":"","subject":"",` +
			`"received_at":"2026-03-04T05:06:07.000Z","message_id":"","thread_id":"","labels":[],` +
			`"has_attachments":false,"attachment_count":0,"timestamp":"2026-03-04T05:06:07.000Z",` +
			`"reason":"Too much."}`},
	} {
		if row.got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.what, row.got, row.want)
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
