package mailbox_test

import (
	"errors"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Every state of a mailbox with every move by everyone who can make it (API 4).
func TestPauseAndResume(t *testing.T) {
	const owner, operator = mailbox.ByOwner, mailbox.ByOperator
	active := mailbox.Mailbox{Address: "robin@example.com", Status: mailbox.Active}
	byOwner := active.Pause(owner, "holiday", moment)
	byOperator := active.Pause(operator, "spam", moment)
	later := moment.Add(time.Hour)
	pause := func(by mailbox.PausedBy) func(mailbox.Mailbox) (mailbox.Mailbox, error) {
		return func(m mailbox.Mailbox) (mailbox.Mailbox, error) { return m.Pause(by, "again", later), nil }
	}
	resume := func(by mailbox.PausedBy) func(mailbox.Mailbox) (mailbox.Mailbox, error) {
		return func(m mailbox.Mailbox) (mailbox.Mailbox, error) { return m.Resume(by) }
	}
	for _, tt := range []struct {
		name   string
		from   mailbox.Mailbox
		move   func(mailbox.Mailbox) (mailbox.Mailbox, error)
		status mailbox.Status
		by     mailbox.PausedBy
		reason string
		at     time.Time
		code   string
	}{
		{"owner pauses", active, pause(owner), mailbox.Halted, owner, "again", later, ""},
		{"operator pauses", active, pause(operator), mailbox.Halted, operator, "again", later, ""},
		{"owner resumes what is active", active, resume(owner), mailbox.Active, "", "", time.Time{}, ""},
		{"operator resumes what is active", active, resume(operator), mailbox.Active, "", "", time.Time{}, ""},

		{"owner pauses again", byOwner, pause(owner), mailbox.Halted, owner, "holiday", moment, ""},
		{"operator takes over", byOwner, pause(operator), mailbox.Halted, operator, "again", later, ""},
		{"owner resumes their own", byOwner, resume(owner), mailbox.Active, "", "", time.Time{}, ""},
		{"operator resumes the owner's", byOwner, resume(operator), mailbox.Active, "", "", time.Time{}, ""},

		{"owner cannot take over", byOperator, pause(owner), mailbox.Halted, operator, "spam", moment, ""},
		{"operator pauses again", byOperator, pause(operator), mailbox.Halted, operator, "spam", moment, ""},
		{"owner cannot resume the operator's", byOperator, resume(owner), mailbox.Halted, operator, "spam", moment,
			"moderated"},
		{"operator resumes their own", byOperator, resume(operator), mailbox.Active, "", "", time.Time{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := tt.from
			got, err := tt.move(tt.from)
			var e *mailbox.Error
			if errors.As(err, &e) != (tt.code != "") || e != nil && (e.Code != tt.code || e.Kind != mailbox.Denied) {
				t.Errorf("error %v, want code %q", err, tt.code)
			}
			if got.Status != tt.status || got.PausedBy != tt.by || got.PauseReason != tt.reason ||
				!got.PausedAt.Equal(tt.at) {
				t.Errorf("got %s by %q because %q at %v", got.Status, got.PausedBy, got.PauseReason, got.PausedAt)
			}
			if got.Address != before.Address {
				t.Errorf("the address became %s", got.Address)
			}
		})
	}
}

func TestOwns(t *testing.T) {
	m := mailbox.Mailbox{Address: "robin@example.com", Aliases: []string{"agent-1@example.com", "r@example.org"}}
	for address, want := range map[string]bool{
		"robin@example.com": true, "agent-1@example.com": true, "r@example.org": true,
		"robin@example.org": false, "obin@example.com": false, "": false,
	} {
		if got := m.Owns(address); got != want {
			t.Errorf("%q: got %v, want %v", address, got, want)
		}
	}
}

func TestWebhookStatus(t *testing.T) {
	for _, tt := range []struct {
		name string
		w    mailbox.Webhook
		want string
	}{
		{"none", mailbox.Webhook{}, "none"},
		{"set", mailbox.Webhook{URL: "https://example.com"}, "active"},
		{"failing", mailbox.Webhook{URL: "https://example.com", ConsecutiveFailures: 9}, "active"},
		{"failed", mailbox.Webhook{URL: "https://example.com", Failed: true}, "failed"},
		{"failed and cleared", mailbox.Webhook{Failed: true}, "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.w.Status(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMonthOf(t *testing.T) {
	east := time.FixedZone("east", 9*3600)
	last := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	if mailbox.MonthOf(last)+1 != mailbox.MonthOf(last.Add(time.Second)) {
		t.Error("January does not follow December")
	}
	if got, want := mailbox.MonthOf(time.Date(2026, 3, 1, 0, 0, 0, 0, east)),
		mailbox.MonthOf(time.Date(2026, 2, 28, 15, 0, 0, 0, time.UTC)); got != want {
		t.Errorf("the month of another zone: got %d, want %d, the one of UTC", got, want)
	}
}
