package service_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// sendLinked sends a message with a link to unsubscribe and returns the token of the link.
func (k *kit) sendLinked(b box, to string) (token string, id mailbox.ID) {
	k.Helper()
	sent, err := k.svc.Send(k.Context(), b.in(mailbox.SendMail), newsTo(to))
	k.works("Send", err)
	d := k.message(b.read(), sent.ID).Detail
	k.same("one click", d.Header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click")
	link, ok := strings.CutPrefix(d.Header("List-Unsubscribe"), "<https://mail.example.test/u/")
	if !ok || !strings.HasSuffix(link, ">") || strings.ContainsAny(link, "@%.") {
		k.Fatalf("List-Unsubscribe is %s", d.Header("List-Unsubscribe"))
	}
	return strings.TrimSuffix(link, ">"), sent.ID
}

func newsTo(to ...string) mailbox.Draft {
	return mailbox.Draft{To: to, Subject: "News", Text: "text", HasText: true, Unsubscribe: true}
}

func withPublicURL(opt *service.Options) {
	opt.Way, opt.PublicURL = service.WayCapture, func() string { return "https://mail.example.test" }
}

func TestUnsubscribe(t *testing.T) {
	k := newService(t, withPublicURL)
	own, other := k.permanent("own"), k.permanent("other")
	token, id := k.sendLinked(own, "Ann <Ann@far.example>")

	u, err := k.svc.ShowUnsubscribe(t.Context(), token)
	k.works("ShowUnsubscribe", err)
	k.same("asked", u, service.Unsubscription{Sender: own.Address, Recipient: "ann@far.example"})
	_, err = k.svc.Suppression(t.Context(), own.in(mailbox.SendMail), 0, "ann@far.example")
	k.kind("looking changes nothing", err, mailbox.NotFound, "not_found")

	for range 2 { // the second time changes nothing
		u, err = k.svc.Unsubscribe(t.Context(), token)
		k.works("Unsubscribe", err)
		k.same("done", u, service.Unsubscription{Sender: own.Address, Recipient: "ann@far.example", Done: true})
	}
	s, err := k.svc.Suppression(t.Context(), own.in(mailbox.SendMail), 0, "ann@far.example")
	k.works("Suppression", err)
	k.same("entry", []any{s.Reason, s.Message}, []any{"unsubscribe", id})
	_, err = k.svc.Send(t.Context(), own.in(mailbox.SendMail), newsTo("ann@far.example"))
	k.kind("sending again", err, mailbox.Invalid, "recipient_suppressed")
	if !strings.Contains(err.Error(), "has unsubscribed") {
		t.Error(err)
	}
	again, _ := k.sendLinked(other, "ann@far.example") // another mailbox is not concerned
	if u, err := k.svc.ShowUnsubscribe(t.Context(), again); err != nil || u.Done {
		t.Errorf("%+v %v", u, err)
	}

	k.works("DeleteSuppression", k.svc.DeleteSuppression(t.Context(), own.in(mailbox.SendMail), "ann@far.example"))
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), own.change(), id))
	_, err = k.svc.Unsubscribe(t.Context(), token)
	k.works("Unsubscribe from a deleted message", err)

	damaged := []byte(token)
	damaged[len(damaged)/2] ^= 1
	for name, bad := range map[string]string{"damaged": string(damaged), "empty": "", "cut": token[:20],
		"no base64": "§", "long": strings.Repeat("A", 5000)} {
		_, err := k.svc.Unsubscribe(t.Context(), bad)
		k.kind(name, err, mailbox.NotFound, "not_found")
	}
	_, err = k.svc.DeleteMailbox(t.Context(), own.in(mailbox.DeleteMailbox))
	k.works("DeleteMailbox", err)
	_, err = k.svc.ShowUnsubscribe(t.Context(), token)
	k.kind("a deleted mailbox", err, mailbox.NotFound, "not_found")
}

// A wish to get no more mail outlives a bounce, and a link a change of the root secret while the old one is known.
func TestUnsubscribeLater(t *testing.T) {
	k := newService(t, withPublicURL)
	own := k.permanent("own")
	token, _ := k.sendLinked(own, "bo@far.example")
	k.mustReopen(rotated)
	in := own.in(mailbox.SendMail)
	_, err := k.svc.AddSuppressions(t.Context(), in, service.NewSuppressions{Addresses: []string{"bo@far.example"}})
	k.works("AddSuppressions", err)
	_, err = k.svc.Unsubscribe(t.Context(), token)
	k.works("Unsubscribe", err)
	s, err := k.svc.Suppression(t.Context(), in, 0, "bo@far.example")
	k.works("Suppression", err)
	k.same("reason", s.Reason, "unsubscribe")
	k.mustReopen(func(o *service.Options) { o.RootOld = "" })
	_, err = k.svc.Unsubscribe(t.Context(), token)
	k.kind("a secret that is gone", err, mailbox.NotFound, "not_found")
}

func TestUnsubscribeDraft(t *testing.T) {
	k := newService(t, withPublicURL)
	own := k.permanent("own")
	for name, d := range map[string]mailbox.Draft{"two recipients": newsTo("ann@far.example", "bo@far.example"),
		"a header of its own": func() mailbox.Draft {
			d := newsTo("ann@far.example")
			d.Headers = []mailbox.Field{{Name: "list-unsubscribe", Value: "<https://far.example>"}}
			return d
		}()} {
		_, err := k.svc.Send(t.Context(), own.in(mailbox.SendMail), d)
		k.kind(name, err, mailbox.Invalid, "invalid_unsubscribe")
	}
	if !slices.Contains(mailbox.HookKinds(), mailbox.RecipientUnsubscribed) {
		t.Error("webhooks are not told")
	}
}
