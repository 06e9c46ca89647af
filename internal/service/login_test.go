package service_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

func TestLogin(t *testing.T) {
	k := newService(t)
	permanent := k.insert(mailbox.Mailbox{Address: "robin@example.test", Aliases: []string{"wren@example.test"},
		Scope: mailbox.Permanent})
	other, temporary := k.permanent("other"), k.provisional("agent-1")
	ending := k.insert(mailbox.Mailbox{Address: "ending@example.test", Scope: mailbox.Permanent,
		ExpiresAt: noon.Add(time.Hour)})
	paused := k.permanent("paused")
	_, err := k.svc.PauseMailbox(t.Context(), paused.in(mailbox.PauseMailbox), "")
	k.works("Pause", err)
	k.clock.advance(time.Hour)
	for _, row := range []struct {
		name, user string
		key        mailbox.Secret
		ok         bool
	}{
		{"address", "robin@example.test", permanent.Key, true},
		{"other spelling", " Robin@EXAMPLE.test", permanent.Key, true},
		{"alias", "wren@example.test", permanent.Key, true},
		{"no domain", "robin", permanent.Key, false},
		{"no user", "", permanent.Key, false},
		{"tag", "robin+x@example.test", permanent.Key, false},
		{"another's key", "robin@example.test", other.Key, false},
		{"unknown key", "robin@example.test", mailbox.NewSecret(), false},
		{"no key", "robin@example.test", "", false},
		{"operator", configured, operatorToken, false},
		{"provisional", temporary.Address, temporary.Key, false},
		{"expired", ending.Address, ending.Key, false},
		{"paused", paused.Address, paused.Key, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			who, err := k.svc.Login(t.Context(), alice, row.user, row.key)
			if row.ok {
				k.works("Login", err)
				k.same("mailbox", who.Mailbox.Num, permanent.Num)
				return
			}
			k.kind("Login", err, mailbox.Unauthorized, "unauthorized")
			k.same("caller", who, mailbox.Caller{})
		})
	}
}

// An operator whose credential looks like a key cannot log in with it either: it belongs to no mailbox.
func TestLoginAsOperator(t *testing.T) {
	token := mailbox.NewSecret()
	k := newService(t, func(o *service.Options) { o.Operator = token })
	_, err := k.svc.Login(t.Context(), alice, configured, token)
	k.kind("Login", err, mailbox.Unauthorized, "unauthorized")
}

func TestSubmitSender(t *testing.T) {
	h := newHand(t)
	for from, ok := range map[string]bool{
		"robin@example.test": true, "ROBIN@Example.Test": true, "wren@example.test": true,
		"": false, "other@example.test": false, "robin@far.test": false, "robin+x@example.test": false,
	} {
		err := h.svc.Sender(t.Context(), h.who, from)
		if ok {
			h.works(from, err)
		} else {
			h.kind(from, err, mailbox.Forbidden, "foreign_sender")
		}
	}
}

// A login lasts no longer than the key, and a pause holds at once.
func TestSubmitAfterChange(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(h hand) error
		kind   mailbox.Kind
		code   string
	}{
		{"paused", func(h hand) error {
			_, err := h.svc.PauseMailbox(h.Context(), h.box.in(mailbox.PauseMailbox), "")
			return err
		}, mailbox.Paused, "paused"},
		{"key rotated", func(h hand) error {
			return h.db.Update(h.Context(), func(tx store.Tx) error { return tx.DeleteKey(h.Context(), h.who.Key.ID) })
		}, mailbox.Unauthorized, "unauthorized"},
		{"mailbox deleted", func(h hand) error {
			_, err := h.svc.DeleteMailbox(h.Context(), h.box.in(mailbox.DeleteMailbox))
			return err
		}, mailbox.Unauthorized, "unauthorized"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHand(t)
			h.works("change", row.change(h))
			h.kind("Sender", h.svc.Sender(t.Context(), h.who, "robin@example.test"), row.kind, row.code)
			_, err := h.submit("From: robin@example.test\r\n\r\nx\r\n", "bob@far.test")
			h.kind("Submit", err, row.kind, row.code)
		})
	}
}

func TestAddressee(t *testing.T) {
	h := newHand(t)
	h.update(func(tx store.Tx) error {
		return tx.InsertSuppression(t.Context(), mailbox.Suppression{Mailbox: h.box.Num, Address: "gone@far.test",
			Reason: "bounce", At: noon})
	})
	for _, row := range []struct{ address, want string }{
		{"bob@far.test", "bob@far.test"},
		{"Bob@BÜCHER.test", "bob@xn--bcher-kva.test"},
		{`"bob"@far.test`, "bob@far.test"},
	} {
		got, err := h.svc.Addressee(t.Context(), h.who, row.address)
		h.works(row.address, err)
		h.same(row.address, got, row.want)
	}
	for _, row := range []struct {
		address string
		kind    mailbox.Kind
		code    string
	}{
		{"Gone@Far.test", mailbox.NoSuchRecipient, "recipient_suppressed"},
		{"postmaster", mailbox.Invalid, "invalid_to"},
		{"a b@far.test", mailbox.Invalid, "invalid_to"},
	} {
		_, err := h.svc.Addressee(t.Context(), h.who, row.address)
		h.kind(row.address, err, row.kind, row.code)
	}
	_, err := h.submit("From: robin@example.test\r\n\r\nx\r\n", "bob@far.test", "gone@far.test")
	h.kind("suppressed since RCPT", err, mailbox.NoSuchRecipient, "recipient_suppressed")
}
