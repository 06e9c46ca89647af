package mailbox_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestNewSecret(t *testing.T) {
	form := regexp.MustCompile(`^mk_[0-9a-f]{64}$`) // SPEC 2.1
	seen := map[mailbox.Secret]bool{}
	for range 100 {
		s := mailbox.NewSecret()
		if !form.MatchString(string(s)) || len(s) != 67 || !s.WellFormed() {
			t.Fatalf("a key has the wrong form: %d characters, well-formed %v", len(s), s.WellFormed())
		}
		if seen[s] {
			t.Fatal("the same key twice")
		}
		seen[s] = true
	}
}

func TestWellFormed(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	for _, tt := range []struct {
		name string
		s    mailbox.Secret
		want bool
	}{
		{"key", mailbox.Secret("mk_" + hex), true},
		{"empty", "", false},
		{"prefix alone", "mk_", false},
		{"short", mailbox.Secret("mk_" + hex[1:]), false},
		{"long", mailbox.Secret("mk_" + hex + "0"), false},
		{"another prefix", mailbox.Secret("sk_" + hex), false},
		{"prefix in capitals", mailbox.Secret("MK_" + hex), false},
		{"capitals", mailbox.Secret("mk_" + strings.ToUpper(hex)), false},
		{"not hexadecimal", mailbox.Secret("mk_" + hex[1:] + "g"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.WellFormed(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// A key must not reach a log or an error by any of the ways that values usually do.
func TestSecretNeverPrintsItself(t *testing.T) {
	key := mailbox.NewSecret()
	type request struct {
		Name string
		Key  mailbox.Secret
	}
	logged := func(h func(*bytes.Buffer) slog.Handler, value any) string {
		var b bytes.Buffer
		slog.New(h(&b)).Info("request", "value", value)
		return b.String()
	}
	asText := func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }
	asJSON := func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }

	for _, tt := range []struct{ name, got string }{
		{"String", key.String()},
		{"%v", fmt.Sprintf("key %v", key)},
		{"%s", fmt.Sprintf("key %s", key)},
		{"%+v", fmt.Sprintf("%+v", key)},
		{"%#v", fmt.Sprintf("%#v", key)},
		{"%q", fmt.Sprintf("%q", key)},
		{"%x", fmt.Sprintf("%x", key)},
		{"Sprint", fmt.Sprint(key)},
		{"error", fmt.Errorf("look up %v: %w", key, errSample).Error()},
		{"%v of a struct", fmt.Sprintf("%v", request{"x", key})},
		{"%+v of a struct", fmt.Sprintf("%+v", request{"x", key})},
		{"%#v of a struct", fmt.Sprintf("%#v", request{"x", key})},
		{"%v of a pointer", fmt.Sprintf("%v", &request{"x", key})},
		{"%v of a slice", fmt.Sprintf("%v", []mailbox.Secret{key})},
		{"slog text", logged(asText, key)},
		{"slog JSON", logged(asJSON, key)},
		{"slog text of a struct", logged(asText, request{"x", key})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The hint shows the prefix and four characters; one more must not be there, in plain or in hexadecimal.
			for _, leak := range []string{string(key[3:8]), fmt.Sprintf("%x", string(key[3:8]))} {
				if strings.Contains(tt.got, leak) {
					t.Error("the key is shown")
				}
			}
		})
	}
}

var errSample = fmt.Errorf("not found")

func TestHint(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    mailbox.Secret
		want string
	}{
		{"key", "mk_" + "abcd" + mailbox.Secret(strings.Repeat("0", 60)), "mk_abcd…"},
		{"short secret shows nothing", "hunter2", "…"},
		{"empty", "", "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.Hint(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestDigestTellsKeysApart(t *testing.T) {
	a, b := mailbox.NewSecret(), mailbox.NewSecret()
	same := mailbox.Secret(strings.Clone(string(a)))
	if a.Digest() != same.Digest() || a.Digest() == b.Digest() {
		t.Error("equal keys must have equal digests, and others others")
	}
}

func TestKeyExpired(t *testing.T) {
	for _, tt := range []struct {
		name    string
		expires time.Time
		want    bool
	}{
		{"until revoked", time.Time{}, false},
		{"a moment before", moment.Add(time.Nanosecond), false},
		{"at the moment", moment, true},
		{"long ago", moment.Add(-time.Hour), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (mailbox.Key{ExpiresAt: tt.expires}).Expired(moment); got != tt.want {
				t.Errorf("key: got %v, want %v", got, tt.want)
			}
			if got := (mailbox.Mailbox{ExpiresAt: tt.expires}).Expired(moment); got != tt.want {
				t.Errorf("mailbox: got %v, want %v", got, tt.want)
			}
		})
	}
}
