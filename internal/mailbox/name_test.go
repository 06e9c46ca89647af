package mailbox_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestParseName(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		code           string // of the error; empty for none
	}{
		{"plain", "robin", "robin", ""},
		{"one letter", "r", "r", ""},
		{"one digit", "7", "7", ""},
		{"trimmed and lower-cased", "  Robin ", "robin", ""},
		{"every kind of character", "a.b_c-9", "a.b_c-9", ""},
		{"40 characters", strings.Repeat("a", 40), strings.Repeat("a", 40), ""},

		{"empty", "", "", "invalid_name"},
		{"spaces alone", "   ", "", "invalid_name"},
		{"41 characters", strings.Repeat("a", 41), "", "invalid_name"},
		{"two dots together", "a..b", "", "invalid_name"},
		{"begins with a dot", ".a", "", "invalid_name"},
		{"ends with a hyphen", "a-", "", "invalid_name"},
		{"begins with an underscore", "_a", "", "invalid_name"},
		{"tag", "a+b", "", "invalid_name"},
		{"address", "a@b", "", "invalid_name"},
		{"space inside", "a b", "", "invalid_name"},
		{"line break inside", "a\nb", "", "invalid_name"},
		{"letters of another alphabet", "бот", "", "invalid_name"},
		{"sign that lower-cases to ASCII", "\u212Aa", "ka", ""}, // the Kelvin sign is a k

		{"role", "postmaster", "", "reserved_name"},
		{"role in capitals", "Admin", "", "reserved_name"},
		{"return paths", "bounce", "", "reserved_name"},
		{"return paths of deliveries", "bounces-1", "", "reserved_name"},
		{"form of a provisional mailbox", "agent-0123456789ab", "", "reserved_name"},
		{"almost that form", "agent-7", "agent-7", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := mailbox.ParseName(tt.in)
			if tt.code == "" {
				if err != nil || got != tt.want {
					t.Errorf("got %q, %v; want %q", got, err, tt.want)
				}
				return
			}
			var e *mailbox.Error
			if !errors.As(err, &e) || e.Kind != mailbox.Invalid || e.Code != tt.code || got != "" {
				t.Errorf("got %q, %v; want an error with code %s", got, err, tt.code)
			}
		})
	}
}

// The operator makes the mailboxes of roles, but not those that the service uses itself.
func TestOperatorName(t *testing.T) {
	for name, ok := range map[string]bool{"support": true, " Billing": true, "admin": true, "ada": true,
		"postmaster": false, "abuse": false, "bounces-1": false, "mailer-daemon": false,
		"agent-0123456789ab": false, "a..b": false} {
		if got, err := mailbox.ParseOperatorName(name); (err == nil) != ok {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

func TestRoleLocal(t *testing.T) {
	for local, want := range map[string]bool{"postmaster": true, "abuse": true, "admin": false, "": false} {
		if got := mailbox.RoleLocal(local); got != want {
			t.Errorf("%q: got %v, want %v", local, got, want)
		}
	}
}
