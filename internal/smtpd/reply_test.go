package smtpd

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Every kind has a reply whose class fits, and every reply's enhanced code has the class of its code.
func TestKindReplies(t *testing.T) {
	want := map[mailbox.Kind]string{
		mailbox.Internal: "451 4.3.0", mailbox.Invalid: "550 5.1.3", mailbox.Unauthorized: "550 5.7.1",
		mailbox.Forbidden: "550 5.7.1", mailbox.Denied: "550 5.7.1", mailbox.Paused: "450 4.2.1",
		mailbox.NotFound: "550 5.1.1", mailbox.Conflict: "451 4.3.0", mailbox.TooLarge: "552 5.3.4",
		mailbox.Limited: "450 4.7.1", mailbox.Unimplemented: "550 5.3.3", mailbox.Unavailable: "451 4.3.0",
		mailbox.DiskFull: "452 4.3.1", mailbox.QuotaFull: "452 4.2.2",
		mailbox.NoRoom: "452 4.2.2", mailbox.NoSuchRecipient: "550 5.1.1",
		mailbox.TooManyHops: "554 5.4.6", mailbox.Lapsed: "450 4.1.2", mailbox.KeyLost: "451 4.3.0",
	}
	if len(kindReplies) != len(mailbox.Kinds()) {
		t.Fatalf("%d replies for %d kinds", len(kindReplies), len(mailbox.Kinds()))
	}
	for _, kind := range mailbox.Kinds() {
		plain := replyFor(&mailbox.Error{Kind: kind}, stageRcpt, false)
		if !strings.HasPrefix(plain.String(), want[kind]+" ") || plain.text == "" {
			t.Errorf("kind %d: %q, want %q", kind, plain, want[kind])
		}
		if fmt.Sprint(plain.class()) != plain.status[:1] {
			t.Errorf("kind %d: %q: the classes differ", kind, plain)
		}
		said := replyFor(fmt.Errorf("wrapped: %w", mailbox.Errorf(kind, "code", "A sentence.")), stageRcpt, false)
		if shown := said.text == "A sentence."; shown == (kind == mailbox.Internal || kind == mailbox.KeyLost) {
			t.Errorf("kind %d: text %q", kind, said.text)
		}
	}
}

func TestReplyForOthers(t *testing.T) {
	for name, err := range map[string]error{
		"foreign error": errors.New("secret path"),
		"unknown kind":  mailbox.Errorf(200, "new", "Not in the table."),
		"internal":      mailbox.Errorf(mailbox.Internal, "oops", "Not for the client."),
	} {
		if got := replyFor(err, stageData, true); got != kindReplies[mailbox.Internal] {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := replyFor(mailbox.Errorf(mailbox.Invalid, "x", ""), stageData, false); got != replyDataInvalid {
		t.Errorf("invalid message: %q", got)
	}
}

func TestOneLine(t *testing.T) {
	rows := []struct {
		name, in string
		utf8     bool
		want     string
	}{
		{"plain", "No such mailbox.", false, "No such mailbox."},
		{"line ends", "a\r\n250 ok\x00\x7f b", false, "a  250 ok   b"},
		{"not ASCII", "Zoë", false, "Zo?"},
		{"UTF-8", "Zoë", true, "Zoë"},
		{"line separators", "a\u2028b\u0085c", true, "a b c"},
		{"invalid", "a\xffb", true, "a?b"},
		{"blank", " \r\n ", false, ""},
		{"long", strings.Repeat("x", 500), false, strings.Repeat("x", 400)},
		{"long runes are not cut", strings.Repeat("€", 200), true, strings.Repeat("€", 133)},
	}
	for _, row := range rows {
		if got := oneLine(row.in, row.utf8); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
