package wire

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestAppendHook(t *testing.T) {
	id, _ := mailbox.ParseID("019cb7d1-0000-7000-8000-000000000000")
	at := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	m := mailbox.Message{ID: id, Thread: id, From: mailbox.Address{Name: "Ada", Address: "ada@example.org"},
		To: "bo@example.com", Subject: "\"Hi\"\n<b>",
		ReceivedAt: at, MessageID: "1@example.org", Labels: []string{"code", "x"}, Attachments: 2, Code: "123456",
		Snippet: "secret"}
	const core = `,"email_id":"019cb7d1-0000-7000-8000-000000000000","mailbox":"a@example.com","from":"ada@example.org","subject":"\"Hi\"\n<b>",` +
		`"received_at":"2026-03-04T05:06:07.089Z","message_id":"<1@example.org>","thread_id":"019cb7d1-0000-7000-8000-000000000000",` +
		`"labels":["code","x"],"has_attachments":true,"attachment_count":2`
	later := at.Add(time.Hour)
	for _, tt := range []struct {
		kind   mailbox.EventKind
		result mailbox.Result
		want   string
	}{
		{mailbox.MessageReceived, mailbox.Result{}, core},
		{mailbox.MessageDelivered, mailbox.Result{Recipient: "b@x.org", Status: "delivered"},
			core + `,"status":"delivered","recipient":"b@x.org","timestamp":"2026-03-04T06:06:07.089Z"`},
		{mailbox.MessageBounced, mailbox.Result{Recipient: "b@x.org", Status: "bounced", Bounce: "hard",
			Reason: "5.1.1 no"},
			core + `,"status":"bounced","recipient":"b@x.org","timestamp":"2026-03-04T06:06:07.089Z","reason":"5.1.1 no","bounce_type":"hard"`},
		{mailbox.MessageComplained, mailbox.Result{Recipient: "b@x.org", Status: "complained"},
			core + `,"status":"complained","recipient":"b@x.org","timestamp":"2026-03-04T06:06:07.089Z"`},
	} {
		e := mailbox.Event{Kind: tt.kind, Message: id, At: later, Mail: &m, Result: tt.result}
		got := AppendHook(nil, &e, "a@example.com")
		if want := `{"event":"` + string(tt.kind) + `"` + tt.want + `}`; string(got) != want {
			t.Errorf("%s\n%s\nwant\n%s", tt.kind, got, want)
		}
		var flat map[string]any
		if err := json.Unmarshal(got, &flat); err != nil {
			t.Errorf("%s: %v", tt.kind, err)
		}
		for name, value := range flat {
			if _, nested := value.(map[string]any); nested {
				t.Errorf("%s: %s is not flat", tt.kind, name)
			}
		}
	}
}

// Of a deleted message nothing is left but its id, and what became of it.
func TestAppendHookOfDeleted(t *testing.T) {
	id, _ := mailbox.ParseID("019cb7d1-0000-7000-8000-000000000000")
	e := mailbox.Event{Kind: mailbox.MessageDelivered, Message: id, At: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC),
		Result: mailbox.Result{Recipient: "b@x.org", Status: "delivered"}}
	const want = `{"event":"message.delivered","email_id":"019cb7d1-0000-7000-8000-000000000000","mailbox":"a@example.com","from":"","subject":"",` +
		`"received_at":"2026-03-04T05:06:07.089Z","message_id":"","thread_id":"","labels":[],"has_attachments":false,"attachment_count":0,` +
		`"deleted":true,"status":"delivered","recipient":"b@x.org","timestamp":"2026-03-04T05:06:07.089Z"}`
	if got := string(AppendHook(nil, &e, "a@example.com")); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
