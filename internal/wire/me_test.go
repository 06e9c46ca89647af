package wire

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Every limit is shown, with the number in force.
func TestLimits(t *testing.T) {
	shown := reflect.TypeFor[api.Limits]().NumField() - 1 // the key's length is no setting
	if kept := reflect.TypeFor[mailbox.Limits]().NumField(); shown != kept {
		t.Errorf("%d limits are shown, there are %d", shown, kept)
	}
	limits := mailbox.DefaultLimits()
	var got map[string]any
	text := encode(t, NewLimits(limits, limits.Allowance(mailbox.Mailbox{Scope: mailbox.Permanent})))
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"daily_sends": 100, "recipients_per_email": 50, "subject_chars": 998, "text_bytes": 500_000,
		"html_bytes":       1_000_000,
		"attachment_bytes": 100_000_000, "message_bytes": 100_000_000, "wire_bytes": 140_000_000, "stream_seconds": 25,
		"keepalive_seconds": 2, "webhook_attempts": 4, "webhook_failures": 10, "provisional_hours": 72,
		"provisional_bytes": 100_000_000, "provisional_messages": 1000, "streams_per_mailbox": 256, "key_length": 67,
		"bytes": 5_000_000_000, "messages": 1_000_000, "inbound_per_hour": 0,
	} {
		if got[name] != want {
			t.Errorf("%s: got %v, want %v", name, got[name], want)
		}
	}
}
