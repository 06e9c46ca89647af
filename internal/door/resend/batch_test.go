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

// A message that is none does not keep the others of a permissive batch back.
func TestPermissiveBatch(t *testing.T) {
	k := newKit(t)
	k.head = map[string]string{"X-Batch-Validation": "permissive"}
	out := k.gives("POST", "/emails/batch", `[`+k.mail("")+`,5,{"to":5},`+k.mail("")+`]`)
	k.same("sent", len(out["data"].([]any)), 2)
	for i, at := range []float64{1, 2} {
		k.same("wrong", out["errors"].([]any)[i].(object)["index"], at)
	}
	k.head = nil
	k.fails("POST", "/emails/batch", `[`+k.mail("")+`,5]`, 422, "validation_error")
}

// Nothing of a strict batch is sent that would be too much for its mailbox or its brakes.
func TestStrictBatchFits(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*service.Options)
		most   int // that can be sent
		status int
	}{
		"messages": {func(o *service.Options) { o.Limits.MailboxMessages = 5 }, 5, 422},
		"bytes":    {func(o *service.Options) { o.Limits.MailboxBytes = 5_000 }, 0, 422},
		"brakes":   {func(o *service.Options) { o.Brakes = true }, 3, 403},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, func(o *service.Options) { o.Limits.DailySends = 0 }, tt.change)
			batch := func(n int) string {
				return "[" + strings.TrimSuffix(strings.Repeat(k.mail("")+",", n), ",") + "]"
			}
			if status, out := k.ask(k.own.Key, "POST", "/emails/batch", batch(40)); status != tt.status {
				t.Errorf("40: %d %v", status, out)
			}
			k.same("sent", len(rows(k.gives("GET", "/emails", ""), "id")), 0)
			if name != "brakes" && tt.most > 0 { // which stop the mailbox
				k.gives("POST", "/emails/batch", batch(tt.most))
			}
		})
	}
}
