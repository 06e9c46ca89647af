package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/zone"
)

// rekey makes new keys for a domain.
func (w *dnsKit) rekey(b box, id mailbox.ID, atOnce bool) service.DomainRecord {
	w.Helper()
	d, err := w.svc.RenewDomainKeys(w.Context(), b.in(mailbox.ManageMailbox), id, atOnce)
	w.works("RenewDomainKeys", err)
	return d
}

// turned publishes the records of next keys, and verifies that they are used.
func (w *dnsKit) turned(b box, next service.DomainRecord) service.DomainCheck {
	w.Helper()
	for _, r := range next.Next {
		w.zone.Text(r.Host, r.Value)
	}
	check := w.verify(b, next.ID, "dns_verified")
	if check.Selector != next.NextSelector {
		w.Errorf("published, but not used: %+v", check.KeyRotation)
	}
	return check
}

func olds(d mailbox.Domain) (list []string) {
	for _, k := range d.Old {
		list = append(list, k.Selector)
	}
	return list
}

// The records of all keys that signed mail within a week are to be kept, and each is forgotten when it is gone.
func TestRekeyKeepsAllFormerKeys(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	a, _ := w.verified(owner, "own.example")
	c := w.rekey(owner, a.ID, false)
	w.turned(owner, c)
	w.clock.advance(24 * time.Hour)
	d := w.rekey(owner, a.ID, false)
	check := w.turned(owner, d)
	w.same("former keys", olds(check.Domain), []string{c.NextSelector, a.Selector})
	for _, k := range check.Old {
		if !strings.Contains(check.Message, k.Selector+" until "+k.Until.Format(time.RFC3339)) {
			t.Errorf("%s is not named: %s", k.Selector, check.Message)
		}
	}

	w.clock.advance(6*24*time.Hour + time.Hour)
	shown, err := w.svc.Domain(t.Context(), owner.in(mailbox.ManageMailbox), a.ID)
	w.works("Domain", err)
	if shown.Old[0].Removable || !shown.Old[1].Removable ||
		!strings.Contains(shown.Instructions, "can be removed from the DNS now: "+a.Selector+"._domainkey") {
		t.Errorf("a week after the first: %+v, %s", shown.Old, shown.Instructions)
	}
	for _, host := range shown.Old[1].Hosts(a.Name) {
		w.zone.Remove(host)
	}
	check = w.verify(owner, a.ID, "dns_verified")
	w.same("after its records are gone", olds(check.Domain), []string{c.NextSelector})

	for range 7 {
		check = w.turned(owner, w.rekey(owner, a.ID, false))
	}
	if len(check.Old) != 5 {
		t.Errorf("%d are remembered", len(check.Old))
	}
}

// Keys that were never published signed nothing: they take the place of none that did, and the owner is told that
// their records can go.
func TestRekeyForgetsUnusedKeys(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	e, _ := w.verified(owner, "own.example")
	f := w.rekey(owner, e.ID, true)
	w.same("after the keys that signed", olds(f.Domain), []string{e.Selector})
	if strings.Contains(f.Instructions, "given up") {
		t.Errorf("keys that signed are given up: %s", f.Instructions)
	}
	g := w.rekey(owner, e.ID, true)
	w.same("after keys that never did", olds(g.Domain), []string{e.Selector})
	if !strings.Contains(g.Instructions, "selector "+f.Selector+" are given up") {
		t.Errorf("the unused keys are not named: %s", g.Instructions)
	}

	for _, r := range g.Records {
		if r.Type == "TXT" {
			w.zone.Text(r.Host, r.Value)
		}
	}
	w.verify(owner, e.ID, "dns_verified")
	h := w.rekey(owner, e.ID, false)
	if strings.Contains(h.Instructions, "given up") {
		t.Errorf("nothing is given up: %s", h.Instructions)
	}
	i := w.rekey(owner, e.ID, false)
	if !strings.Contains(i.Instructions, "selector "+h.NextSelector+" are given up") {
		t.Errorf("keys that waited are not named: %s", i.Instructions)
	}
	w.same("in the end", olds(w.turned(owner, i).Domain), []string{g.Selector, e.Selector})
}

// Keys that signed are remembered also where their records were gone from the DNS when they were replaced.
func TestRekeyKeepsWhatSigned(t *testing.T) {
	w := newDNSKit(t, func(o *service.Options) { o.Way = service.WayDirect })
	owner := w.permanent("owner")
	d, ada := w.verified(owner, "own.example")
	sent := ada.send(mailbox.Draft{To: []string{"ann@there.example"}, Subject: "x", Text: "x", HasText: true})
	out, err := w.svc.OutgoingMessage(t.Context(), mailbox.Delivery{Mailbox: ada.Num, Message: sent.ID,
		Recipient: "ann@there.example"})
	w.works("OutgoingMessage", err)
	w.works("Close", out.Close())
	for _, r := range d.Records {
		if r.Kind == zone.KindDKIM || r.Kind == zone.KindDKIMEd25519 {
			w.zone.Remove(r.Host)
		}
	}
	if check := w.verify(owner, d.ID, "dns_verified"); check.DKIM {
		t.Fatal("the records are not gone")
	}
	w.same("former keys", olds(w.rekey(owner, d.ID, false).Domain), []string{d.Selector})
}

// What an earlier version stored of a domain's keys is read.
func TestRotationOfOneFormerSelector(t *testing.T) {
	until := time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)
	r := mailbox.DecodeKeyRotation(`{"MadeAt":"2026-11-12T00:00:00Z","NextSelector":"","NextKeys":null,` +
		`"NextAt":"0001-01-01T00:00:00Z","OldSelector":"mk1","OldUntil":"2026-11-19T00:00:00Z"}`)
	if len(r.Old) != 1 || r.Old[0].Selector != "mk1" || !r.Old[0].Until.Equal(until) || r.MadeAt.IsZero() {
		t.Errorf("%+v", r)
	}
	if again := mailbox.DecodeKeyRotation(r.Encode()); len(again.Old) != 1 || again.Old[0] != r.Old[0] {
		t.Errorf("again: %+v", again)
	}
}
