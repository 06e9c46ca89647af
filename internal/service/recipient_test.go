package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestRecipient(t *testing.T) {
	k := newService(t)
	k.permanent("bo")
	k.permanent("bo.2")
	k.insert(mailbox.Mailbox{Address: "ida@xn--bcher-kva.test", Aliases: []string{"alias@example.test"},
		Scope: mailbox.Permanent})
	k.insert(mailbox.Mailbox{Address: "with+plus@example.test", Scope: mailbox.Permanent})
	paused := k.permanent("paused")
	_, err := k.svc.PauseMailbox(t.Context(), paused.in(mailbox.PauseMailbox), "")
	k.works("pause", err)
	k.insert(mailbox.Mailbox{Address: "old@example.test", Scope: mailbox.Provisional, ExpiresAt: noon})
	k.insert(mailbox.Mailbox{Address: "fresh@example.test", Scope: mailbox.Provisional,
		ExpiresAt: noon.Add(time.Millisecond)})

	for _, c := range []struct {
		address string
		want    string // the mailbox, or empty
		kind    mailbox.Kind
	}{
		{"bo@example.test", "bo@example.test", 0},
		{"BO@EXAMPLE.TEST", "bo@example.test", 0},
		{"bo@example.test.", "bo@example.test", 0},
		{"bo+tag@example.test", "bo@example.test", 0},
		{"Bo+Tag+More@Example.Test", "bo@example.test", 0},
		{"bo+@example.test", "bo@example.test", 0},
		{`"bo"@example.test`, "bo@example.test", 0},
		{`"b\o"@example.test`, "bo@example.test", 0},
		{`"bo+tag"@example.test`, "bo@example.test", 0},
		{"bo.2@example.test", "bo.2@example.test", 0},
		{"with+plus@example.test", "with+plus@example.test", 0},
		{"ida@bücher.test", "ida@xn--bcher-kva.test", 0},
		{"Ida@BÜCHER.test", "ida@xn--bcher-kva.test", 0},
		{"ida+x@xn--bcher-kva.test", "ida@xn--bcher-kva.test", 0},
		{"alias@example.test", "ida@xn--bcher-kva.test", 0},
		{"alias+x@example.test", "ida@xn--bcher-kva.test", 0},
		{"postmaster@example.test", configured, 0},
		{"Postmaster", configured, 0},
		{"POSTMASTER@bücher.test", configured, 0},
		{"postmaster+x@example.test", configured, 0},
		{"abuse@example.test", configured, 0},
		{configured, configured, 0},
		{"fresh@example.test", "fresh@example.test", 0},

		{"old@example.test", "", mailbox.NoSuchRecipient},
		{"paused@example.test", "", mailbox.Paused},
		{"paused+x@example.test", "", mailbox.Paused},
		{"nobody@example.test", "", mailbox.NoSuchRecipient},
		{"bo", "", mailbox.NoSuchRecipient},
		{"abuse", "", mailbox.NoSuchRecipient},
		{"", "", mailbox.NoSuchRecipient},
		{"@example.test", "", mailbox.NoSuchRecipient},
		{"+bo@example.test", "", mailbox.NoSuchRecipient},
		{"bo @example.test", "", mailbox.NoSuchRecipient},
		{"webmaster@example.test", "", mailbox.NoSuchRecipient},
		{"bo@xn--bcher-kva.test", "", mailbox.NoSuchRecipient}, // each domain has its own names
		// Never a relay, whatever it looks like.
		{"bo@elsewhere.test", "", mailbox.NoSuchRecipient},
		{"postmaster@elsewhere.test", "", mailbox.NoSuchRecipient},
		{"abuse@elsewhere.test", "", mailbox.NoSuchRecipient},
		{"bo@sub.example.test", "", mailbox.NoSuchRecipient},
		{"bo@example.test@elsewhere.test", "", mailbox.NoSuchRecipient},
		{"bo%elsewhere.test@example.test", "", mailbox.NoSuchRecipient},
		{"elsewhere.test!bo@example.test", "", mailbox.NoSuchRecipient},
		{`"bo@example.test"@elsewhere.test`, "", mailbox.NoSuchRecipient},
		{`"bo@example.test"`, "", mailbox.NoSuchRecipient},
		{"bo@[127.0.0.1]", "", mailbox.NoSuchRecipient},
		{"bo@example.test\x00", "", mailbox.NoSuchRecipient},
		{"b\xff@example.test", "", mailbox.NoSuchRecipient},
		{strings.Repeat("a", 100_000) + "@example.test", "", mailbox.NoSuchRecipient},
	} {
		rcpt, err := k.svc.Recipient(t.Context(), c.address)
		name := fmt.Sprintf("%.60q", c.address)
		switch {
		case c.want == "" && mailbox.KindOf(err) != c.kind:
			t.Errorf("%s: %v, want kind %d", name, err, c.kind)
		case c.want != "" && (err != nil || rcpt.Mailbox.Address != c.want || rcpt.Address != c.address):
			t.Errorf("%s: %q, %v, want %q", name, rcpt.Mailbox.Address, err, c.want)
		}
	}
}

// A mailbox of its own name goes before the role.
func TestPostmasterOfItsOwn(t *testing.T) {
	k := newService(t)
	k.insert(mailbox.Mailbox{Address: "abuse@example.test", Scope: mailbox.Permanent})
	rcpt, err := k.svc.Recipient(t.Context(), "abuse@example.test")
	k.works("Recipient", err)
	k.same("mailbox", rcpt.Mailbox.Address, "abuse@example.test")
}

func TestQuota(t *testing.T) {
	size := int64(len(letter("m0")))
	for _, c := range []struct {
		name  string
		limit func(*mailbox.Limits)
		fits  int
		room  bool // for a smaller one
	}{
		{"messages", func(l *mailbox.Limits) { l.ProvisionalMessages = 3 }, 3, false},
		{"bytes", func(l *mailbox.Limits) { l.ProvisionalBytes = 3*size - 1 }, 2, true},
		{"bytes, to the byte", func(l *mailbox.Limits) { l.ProvisionalBytes = 2 * size }, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newService(t, func(o *service.Options) { c.limit(&o.Limits) })
			temp := k.provisional("temp")
			k.permanent("perm")
			env := k.envelope("temp@example.test", "perm@example.test")
			for i := range c.fits {
				k.receive(letter(fmt.Sprintf("m%d", i)), "temp@example.test", "perm@example.test")
			}
			_, err := k.svc.Recipient(t.Context(), "temp@example.test")
			if c.room {
				k.works("RCPT", err)
			} else {
				k.kind("RCPT", err, mailbox.QuotaFull, "mailbox_full")
			}

			// Full between RCPT and DATA: the other recipient's copy is stored all the same.
			receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("late")))
			k.works("Receive", err)
			k.kind("its receipt", receipts[0].Err, mailbox.QuotaFull, "mailbox_full")
			k.works("the other's receipt", receipts[1].Err)
			k.same("messages", len(k.subjects(temp)), c.fits)
			// What is there already is no more than it was.
			again, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("m0")))
			if err != nil || again[0].Err != nil || !again[0].Duplicate {
				t.Errorf("a duplicate for a full mailbox: %+v, %v", again, err)
			}
		})
	}
}
