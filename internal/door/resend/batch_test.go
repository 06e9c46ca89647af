package resend_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// A strict batch that a limit, a list or an address stands against sends nothing; what it has sent counts no more when
// it is asked for again.
func TestStrictBatch(t *testing.T) {
	k := newKit(t, func(o *service.Options) { o.SendCap = 4 })
	batch := func(n int, more ...string) string {
		return "[" + strings.Join(append(strings.Split(strings.Repeat(k.mail("")+"\n", n-1)+k.mail(""), "\n"), more...),
			",") + "]"
	}
	sent := func(want int) {
		t.Helper()
		if n := len(rows(k.gives("GET", "/emails", ""), "id")); n != want {
			t.Errorf("%d messages were sent, want %d", n, want)
		}
	}
	k.fails("POST", "/emails/batch", batch(5), 429, "daily_quota_exceeded")
	k.fails("POST", "/emails/batch", batch(1, strings.Replace(k.mail(""), k.own.Address, "x@not.test", 1)), 403,
		"validation_error")
	in := servicetest.Enter(t, k.svc, servicetest.OperatorToken, service.Act{Need: mailbox.Moderate,
		Mailbox: k.own.Address})
	bound, err := k.svc.CreateKey(t.Context(), in, service.NewKey{Recipients: []string{"far.test"}})
	if err != nil {
		t.Fatal(err)
	}
	if status, out := k.ask(bound.Secret, "POST", "/emails/batch", batch(1, strings.Replace(k.mail(""), "far.test",
		"other.test", 1))); status != 403 {
		t.Errorf("to somebody whom the key may not write to: %d %v", status, out)
	}
	sent(0)

	k.head = map[string]string{"Idempotency-Key": "one"}
	first := k.gives("POST", "/emails/batch", batch(4))
	k.same("again", k.gives("POST", "/emails/batch", batch(4)), first)
	k.fails("POST", "/emails/batch", batch(3), 409, "invalid_idempotent_request")
	k.head = nil
	k.fails("POST", "/emails/batch", batch(1), 429, "daily_quota_exceeded")
	sent(4)
}
