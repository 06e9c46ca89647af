package service_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/zone"
)

// dnsKit is a kit whose service asks a DNS that the test writes, over loopback.
type dnsKit struct {
	*kit
	zone *dnstest.Zone
}

// zoneResolver asks the DNS as the program does.
type zoneResolver struct{ *dns.Resolver }

func (z zoneResolver) TXT(ctx context.Context, name string) ([]string, error) {
	a := z.Lookup(ctx, name, dns.TXT)
	return a.Texts, outcome(a)
}

func (z zoneResolver) MX(ctx context.Context, name string) (list []zone.MX, err error) {
	a := z.Lookup(ctx, name, dns.MX)
	for _, x := range a.MX {
		list = append(list, zone.MX{Host: x.Host, Preference: x.Preference})
	}
	return list, outcome(a)
}

func (z zoneResolver) Addrs(ctx context.Context, name string) ([]netip.Addr, error) {
	a := z.Lookup(ctx, name, dns.A)
	return a.Addrs, outcome(a)
}

func (z zoneResolver) Names(ctx context.Context, addr netip.Addr) ([]string, error) {
	a := z.Lookup(ctx, zone.ReverseName(addr), dns.PTR)
	return a.Names, outcome(a)
}

func (zoneResolver) Policy(context.Context, string) (string, error) { return "", zone.ErrNone }

func outcome(a dns.Answer) error {
	switch a.Outcome {
	case dns.Found:
		return nil
	case dns.NoData, dns.NoName:
		return zone.ErrNone
	}
	return errors.New("the DNS did not answer")
}

func newDNSKit(t *testing.T, change ...func(*service.Options)) *dnsKit {
	t.Helper()
	z := dnstest.New(t, "mx.example.test. 60 IN A 192.0.2.1")
	addr := z.Serve(t)
	zones := func(o *service.Options) {
		o.Hostname = "mx.example.test"
		o.Zones = func() zone.Resolver {
			r, err := dns.New(dns.Options{Resolver: addr, Timeout: 200 * time.Millisecond})
			if err != nil {
				t.Error(err)
			}
			return zoneResolver{r}
		}
	}
	return &dnsKit{newService(t, append([]func(*service.Options){zones}, change...)...), z}
}

// publish puts the records of a domain into the DNS.
func (w *dnsKit) publish(d service.DomainRecord) {
	w.Helper()
	for _, r := range d.Records {
		if r.Type == "MX" {
			w.zone.Add(w, r.Host+". 60 IN MX 10 "+r.Value+".")
		} else {
			w.zone.Text(r.Host, r.Value)
		}
	}
}

func (w *dnsKit) add(b box, name string) service.DomainRecord {
	w.Helper()
	d, err := w.svc.AddDomain(w.Context(), b.in(mailbox.ManageMailbox), name)
	w.works("AddDomain", err)
	return d
}

func (w *dnsKit) verify(b box, id mailbox.ID, status string) service.DomainCheck {
	w.Helper()
	d, err := w.svc.VerifyDomain(w.Context(), b.in(mailbox.ManageMailbox), id)
	w.works("VerifyDomain", err)
	if d.Status() != status {
		w.Fatalf("%s is %s, want %s: %s", d.Name, d.Status(), status, d.Message)
	}
	return d
}

// verified brings a domain with a mailbox on it.
func (w *dnsKit) verified(b box, name string) (service.DomainRecord, box) {
	w.Helper()
	d := w.add(b, name)
	w.publish(d)
	w.verify(b, d.ID, "dns_verified")
	made, err := w.svc.CreateMailbox(w.Context(), w.operator(mailbox.Moderate, ""),
		service.NewMailbox{Address: "ada@" + name})
	w.works("CreateMailbox", err)
	return d, box{made, w.kit}
}

func (w *dnsKit) check() {
	w.Helper()
	w.works("CheckDomains", w.svc.CheckDomains(w.Context()))
}

// takes wants mail for an address to be taken, or refused as a kind says.
func (w *dnsKit) takes(address string, kind mailbox.Kind) {
	w.Helper()
	_, err := w.svc.Recipient(w.Context(), address)
	if (err == nil) != (kind == 0) || err != nil && mailbox.KindOf(err) != kind {
		w.Errorf("mail for %s: %v, want kind %d", address, err, kind)
	}
}

func (w *dnsKit) status(b box, id mailbox.ID) string {
	w.Helper()
	d, err := w.svc.Domain(w.Context(), b.in(mailbox.ManageMailbox), id)
	w.works("Domain", err)
	return d.Status()
}

// Whoever only asks for a domain keeps nobody from it; the first who shows that it is his has it.
func TestPendingDomainIsNobodys(t *testing.T) {
	w := newDNSKit(t)
	squatter, owner := w.permanent("squatter"), w.permanent("owner")
	squatted := w.add(squatter, "own.example")
	d := w.add(owner, "own.example")
	w.publish(d)
	w.verify(owner, d.ID, "dns_verified")
	w.verify(squatter, squatted.ID, "pending")
	_, err := w.svc.AddDomain(t.Context(), w.permanent("late").in(mailbox.ManageMailbox), "OWN.example")
	w.kind("a verified one", err, mailbox.Conflict, "domain_taken")

	for _, r := range squatted.Records { // both have shown it
		if r.Kind == zone.KindOwnership || r.Kind == zone.KindDKIM {
			w.zone.Text(r.Host, r.Value)
		}
	}
	_, err = w.svc.VerifyDomain(t.Context(), squatter.in(mailbox.ManageMailbox), squatted.ID)
	w.kind("second", err, mailbox.Conflict, "domain_taken")
	if w.status(owner, d.ID) != "dns_verified" || w.status(squatter, squatted.ID) != "pending" {
		t.Error("the domain has changed hands")
	}
}

// A domain whose former owner's record is gone is given to whoever has the record now, without the wait for the daily
// check.
func TestDomainChangesHands(t *testing.T) {
	w := newDNSKit(t)
	former, owner := w.permanent("former"), w.permanent("owner")
	d := w.add(owner, "own.example")
	old, ada := w.verified(former, "own.example")
	for _, r := range old.Records {
		w.zone.Remove(r.Host)
	}
	w.publish(d)
	w.verify(owner, d.ID, "dns_verified")
	if got := w.status(former, old.ID); got != "lapsed" {
		t.Errorf("the former owner's is %s", got)
	}
	w.check() // the former owner's does not come back
	if w.status(owner, d.ID) != "dns_verified" || w.status(former, old.ID) != "lapsed" {
		t.Error("the check changed who has the domain")
	}
	w.takes(ada.Address, mailbox.NoSuchRecipient)
}

// handOver returns a domain from one owner to another, and says what the new one is told.
func (w *dnsKit) handOver(from service.DomainRecord, to box, d service.DomainRecord) service.DomainCheck {
	w.Helper()
	for _, r := range from.Records {
		w.zone.Remove(r.Host)
	}
	w.publish(d)
	return w.verify(to, d.ID, "dns_verified")
}

// Mailboxes that were made for a former owner of a domain neither get the mail of the new one nor send as it, and keep
// nobody from their addresses.
func TestFormerOwnersMailboxes(t *testing.T) {
	w := newDNSKit(t)
	former, owner := w.permanent("former"), w.permanent("owner")
	d := w.add(owner, "own.example")
	old, ada := w.verified(former, "own.example")
	w.receive(letter("of before"), ada.Address)
	draft := mailbox.Draft{To: []string{"ann@there.example"}, Subject: "later", Text: "x", HasText: true,
		SendAt: w.clock.Now().Add(time.Hour)}
	later := ada.send(draft)

	told := w.handOver(old, owner, d)
	if told.Former != 1 || !strings.Contains(told.Message, "former owner: 1") {
		t.Errorf("told %d: %s", told.Former, told.Message)
	}
	if again := w.verify(owner, d.ID, "dns_verified"); again.Former != 0 {
		t.Errorf("told once more of %d", again.Former)
	}
	w.takes(ada.Address, mailbox.NoSuchRecipient)
	w.takes("ada+tag@own.example", mailbox.NoSuchRecipient)
	_, err := w.svc.Send(t.Context(), ada.in(mailbox.SendMail), mailbox.Draft{To: []string{"ann@there.example"},
		Subject: "x", Text: "x"})
	w.kind("Send", err, mailbox.Denied, "domain_lapsed")
	w.kind("Sender", w.svc.Sender(t.Context(), w.login(ada.Key), ada.Address), mailbox.Denied, "domain_lapsed")
	me, err := w.svc.Me(t.Context(), ada.read())
	w.works("Me", err)
	w.same("can send", me.CanSend, false)
	w.clock.advance(2 * time.Hour)
	w.same("deliveries that would be signed by the new owner", len(w.lease()), 0)
	w.same("status of what waited", ada.status(later.ID), "failed: failed/0")
	if text := ada.message(later.ID).Detail.Deliveries[0].Text; !strings.Contains(text, "verified by another owner") {
		t.Errorf("why it was not sent: %q", text)
	}
	problems, err := w.svc.Problems(t.Context(), w.operator(mailbox.Moderate, ""))
	w.works("Problems", err)
	if !strings.Contains(fmt.Sprint(problems), "1 of them were made for a former owner") {
		t.Errorf("problems %+v", problems)
	}

	made, err := w.svc.CreateMailbox(t.Context(), w.operator(mailbox.Moderate, ""),
		service.NewMailbox{Address: "ada@own.example"})
	w.works("CreateMailbox", err)
	w.takes("ada@own.example", 0)
	w.receive(letter("of now"), "ada@own.example")
	w.same("the new owner's mail", w.subjects(box{made, w.kit}), []string{"of now"})
	_, err = w.svc.CreateMailbox(t.Context(), w.operator(mailbox.Moderate, ""),
		service.NewMailbox{Address: "ada@own.example"})
	w.kind("the same again", err, mailbox.Conflict, "name_taken")
	w.same("the former owner's mail", w.subjects(ada), []string{"later", "of before"})
	moved, err := w.svc.MailboxRecord(t.Context(), ada.read())
	w.works("MailboxRecord", err)
	if local, at := strings.CutSuffix(moved.Address, "@example.test"); !at || !mailbox.Random(local) ||
		len(moved.Aliases) > 0 {
		t.Errorf("it goes on as %s %v", moved.Address, moved.Aliases)
	}
	w.same("audit", w.audited("domain changed hands", "mailbox moved aside"), []string{
		"mailbox moved aside " + moved.Address + " it was ada@own.example",
		"domain changed hands " + owner.Address + " own.example; mailboxes of its former owner on it: 1"})

	back := w.handOver(d, former, old) // what the second owner made is not the first's
	w.same("mailboxes of the second owner", back.Former, int64(1))
	w.takes("ada@own.example", mailbox.NoSuchRecipient)
}

// Where no DNS is asked no domain can be verified, and one that is not there is not found all the same.
func TestVerifyWithoutDNS(t *testing.T) {
	k := newService(t)
	owner := k.permanent("owner")
	d, err := k.svc.AddDomain(t.Context(), owner.in(mailbox.ManageMailbox), "own.example")
	k.works("AddDomain", err)
	_, err = k.svc.VerifyDomain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
	k.kind("VerifyDomain", err, mailbox.Unimplemented, "dns_unavailable")
	k.works("DeleteDomain", k.svc.DeleteDomain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID))
	_, err = k.svc.VerifyDomain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
	k.kind("deleted", err, mailbox.NotFound, "not_found")
}

// audited lists the newest entries of the audit log with these actions.
func (w *dnsKit) audited(actions ...string) (list []string) {
	w.Helper()
	entries, err := w.svc.Audits(w.Context(), w.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 100}})
	w.works("Audit", err)
	for _, e := range entries.Items {
		if slices.Contains(actions, e.Action) {
			list = append(list, e.Action+" "+e.Mailbox+" "+e.Note)
		}
	}
	return list
}

// An owner who gives a domain up and adds it again has the same mailboxes as before.
func TestDomainOfTheSameOwner(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	d, ada := w.verified(owner, "own.example")
	w.works("DeleteDomain", w.svc.DeleteDomain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID))
	w.takes(ada.Address, mailbox.NoSuchRecipient)
	again := w.add(owner, "own.example")
	w.same("mailboxes of others", w.handOver(d, owner, again).Former, int64(0))
	w.takes(ada.Address, 0)

	w.works("DeleteDomain", w.svc.DeleteDomain(t.Context(), owner.in(mailbox.ManageMailbox), again.ID))
	other := w.permanent("other")
	w.same("after it was deleted", w.handOver(again, other, w.add(other, "own.example")).Former, int64(1))
	w.takes(ada.Address, mailbox.NoSuchRecipient)
}

func TestKeysAreMadeLast(t *testing.T) {
	w := newDNSKit(t)
	b := w.permanent("owner")
	w.add(b, "own.example")
	made := w.svc.CountKeys()
	for name, code := range map[string]string{"own.example": "domain_taken", "example.test": "domain_taken",
		"not a domain": "invalid_domain", "": "invalid_domain"} {
		_, err := w.svc.AddDomain(t.Context(), b.in(mailbox.ManageMailbox), name)
		var e *mailbox.Error
		if !errors.As(err, &e) || e.Code != code || strings.Contains(e.Message, code) {
			t.Errorf("%q: %v, want %s", name, err, code)
		}
	}
	if n := made.Load(); n != 0 {
		t.Errorf("%d keys were made for requests that were refused", n)
	}
}

// Adding and deleting in turn makes keys within a limit.
func TestDomainsADay(t *testing.T) {
	w := newDNSKit(t)
	w.svc.FakeKeys()
	b := w.permanent("owner")
	again := func() error {
		d, err := w.svc.AddDomain(t.Context(), b.in(mailbox.ManageMailbox), "own.example")
		if err == nil {
			err = w.svc.DeleteDomain(t.Context(), b.in(mailbox.ManageMailbox), d.ID)
		}
		return err
	}
	for range 100 {
		w.works("add and delete", again())
	}
	w.kind("once more", again(), mailbox.Limited, "domain_daily_limit")
	w.clock.advance(12 * time.Hour)
	w.works("the next day", again())
}

func TestDomainLapses(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	d, ada := w.verified(owner, "own.example")
	const record = "_mailkin.own.example"

	w.check()
	asked := w.zone.Count(record)
	w.clock.advance(23 * time.Hour)
	w.zone.Remove(record)
	w.check()
	if n := w.zone.Count(record); n != asked {
		t.Errorf("it was looked up %d times within a day", n-asked)
	}
	w.takes(ada.Address, 0)

	w.clock.advance(time.Hour)
	w.check()
	if got := w.status(owner, d.ID); got != "lapsed" {
		t.Fatalf("it is %s", got)
	}
	if n := w.svc.LapsedDomains(); n != 1 {
		t.Errorf("%d domains have lapsed", n)
	}
	w.takes(ada.Address, mailbox.Lapsed)
	_, err := w.svc.Send(t.Context(), ada.in(mailbox.SendMail), mailbox.Draft{To: []string{"ann@there.example"},
		Subject: "x", Text: "x"})
	w.kind("Send", err, mailbox.Denied, "domain_lapsed")
	w.clock.advance(mailbox.LapseTime - time.Millisecond)
	w.takes(ada.Address, mailbox.Lapsed)
	w.clock.advance(time.Millisecond)
	w.takes(ada.Address, mailbox.NoSuchRecipient)

	w.zone.Text(record, "mailkin-verify="+d.Token)
	w.check()
	if got := w.status(owner, d.ID); got != "dns_verified" {
		t.Errorf("with its record it is %s", got)
	}
	w.takes(ada.Address, 0)

	w.zone.Remove(record)
	if check := w.verify(owner, d.ID, "lapsed"); check.LapsedAt.IsZero() || check.VerifiedAt.IsZero() {
		t.Errorf("%+v", check.Domain)
	}
	w.takes(ada.Address, mailbox.Lapsed)
	w.zone.Text(record, "mailkin-verify="+d.Token)
	w.verify(owner, d.ID, "dns_verified")
	w.takes(ada.Address, 0)
}

// Mail that waits when its domain lapses is held and not sent without a signature. It leaves signed when the record is
// back.
func TestLapsedDomainHoldsMail(t *testing.T) {
	w := newDNSKit(t, func(o *service.Options) { o.Way = service.WayDirect })
	owner := w.permanent("owner")
	d, ada := w.verified(owner, "own.example")
	sent := ada.send(mailbox.Draft{To: []string{"ann@there.example"}, Subject: "x", Text: "x", HasText: true})
	letter := mailbox.Delivery{Mailbox: ada.Num, Message: sent.ID, Recipient: "ann@there.example"}
	signed := func(when string) {
		t.Helper()
		out, err := w.svc.OutgoingMessage(t.Context(), letter)
		w.works("OutgoingMessage "+when, err)
		if !strings.Contains(string(out.Signatures), "d=own.example") {
			t.Errorf("%s it is signed %q", when, out.Signatures)
		}
		w.works("Close", out.Close())
	}
	signed("while the domain is verified")
	w.zone.Remove("_mailkin.own.example")
	w.verify(owner, d.ID, "lapsed")
	_, err := w.svc.OutgoingMessage(t.Context(), letter)
	w.kind("lapsed", err, mailbox.Denied, "domain_lapsed")
	_, err = w.svc.ProviderMessage(t.Context(), letter)
	w.kind("lapsed, by a provider", err, mailbox.Denied, "domain_lapsed")
	w.zone.Text("_mailkin.own.example", "mailkin-verify="+d.Token)
	w.verify(owner, d.ID, "dns_verified")
	signed("with its record back")
	w.works("DeleteDomain", w.svc.DeleteDomain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID))
	_, err = w.svc.OutgoingMessage(t.Context(), letter)
	w.kind("given up", err, mailbox.Denied, "domain_not_verified")
}

// What verify and the records of a domain say is so in each of its states.
func TestDomainSays(t *testing.T) {
	w := newDNSKit(t)
	w.svc.FakeKeys()
	owner, other := w.permanent("owner"), w.permanent("other")
	d, _ := w.verified(owner, "own.example")
	says := func(when, status, want string, never ...string) {
		t.Helper()
		message := w.verify(owner, d.ID, status).Message
		shown, err := w.svc.Domain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
		w.works("Domain", err)
		lapsed := strings.HasPrefix(shown.Instructions, "The domain has lapsed")
		if lapsed != (shown.Status() == "lapsed") {
			t.Errorf("%s the instructions are %s", when, shown.Instructions)
		}
		if !strings.Contains(message, want) {
			t.Errorf("%s it does not say %q: %s", when, want, message)
		}
		for _, text := range append(never, "not verified yet") {
			if strings.Contains(message, text) {
				t.Errorf("%s it says %q: %s", when, text, message)
			}
		}
	}
	says("verified", "dns_verified", "The domain is verified.", "lapsed")
	w.zone.Remove("own.example")
	says("without its MX", "dns_verified", "The domain stays verified, but", "lapsed")
	w.zone.Remove("_mailkin.own.example")
	week := w.clock.Now().Add(mailbox.LapseTime).UTC().Format(time.RFC3339)
	says("just lapsed", "lapsed", "is put off until "+week+" and refused from then on", "verified.", "stays verified")
	w.clock.advance(mailbox.LapseTime)
	says("lapsed for a week", "lapsed", "is refused since "+week, "put off", "stays verified")
	taken := w.add(other, "own.example")
	w.publish(taken)
	w.verify(other, taken.ID, "dns_verified")
	says("taken", "lapsed", "Another mailbox has verified it since", "put off", "refused", "stays verified")
}

// A DNS that fails, or says nothing, changes nothing, and is asked again within the hour. One that is reached again
// says how it is.
func TestDomainSurvivesTheDNS(t *testing.T) {
	for _, mark := range []string{dnstest.Fail, dnstest.Silent, dnstest.Bogus} {
		t.Run(mark, func(t *testing.T) {
			w := newDNSKit(t)
			w.svc.FakeKeys()
			owner := w.permanent("owner")
			d, ada := w.verified(owner, "own.example")
			const record = "_mailkin.own.example"
			w.zone.Remove(record)
			w.zone.Add(t, record+". "+mark)
			for range 20 {
				w.clock.advance(12 * time.Hour)
				w.check()
			}
			if got := w.status(owner, d.ID); got != "dns_verified" {
				t.Errorf("it is %s", got)
			}
			w.verify(owner, d.ID, "dns_verified")
			w.takes(ada.Address, 0)
			for _, r := range d.Records {
				w.zone.Remove(r.Host)
				w.zone.Add(t, r.Host+". "+mark)
			}
			check := w.verify(owner, d.ID, "dns_verified")
			if !check.MX || !check.SPF || !check.DKIM || !check.DMARC || strings.Contains(check.Message,
				"not verified") ||
				!strings.Contains(check.Message, "could not be looked up") {
				t.Errorf("while the DNS fails: %+v %s", check.Domain, check.Message)
			}
		})
	}
}

// What verify finds is noted as what the daily check finds.
func TestVerifyNotesALapse(t *testing.T) {
	var log bytes.Buffer
	w := newDNSKit(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	owner := w.permanent("owner")
	d, _ := w.verified(owner, "own.example")
	w.zone.Remove("_mailkin.own.example")
	w.verify(owner, d.ID, "lapsed")
	w.verify(owner, d.ID, "lapsed")
	w.zone.Text("_mailkin.own.example", "mailkin-verify="+d.Token)
	w.verify(owner, d.ID, "dns_verified")

	audits, err := w.svc.Audits(t.Context(), w.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 100}})
	w.works("Audits", err)
	var noted []string
	for _, a := range audits.Items {
		if a.Note == d.Name {
			noted = append(noted, a.Action+" "+a.Mailbox)
		}
	}
	w.same("audit", noted, []string{"domain restored " + owner.Address, "domain lapsed " + owner.Address})
	for _, line := range []string{"level=WARN msg=\"a domain has lapsed",
		"a domain that had lapsed is verified again"} {
		if strings.Count(log.String(), line) != 1 {
			t.Errorf("%q is not logged once:\n%s", line, log.String())
		}
	}
}

// Other texts at the name are an answer, too.
func TestDomainLapsesByAnotherText(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	d, _ := w.verified(owner, "own.example")
	w.zone.Remove("_mailkin.own.example")
	w.zone.Text("_mailkin.own.example", "mailkin-verify=another")
	w.check()
	if got := w.status(owner, d.ID); got != "lapsed" {
		t.Errorf("it is %s", got)
	}
}

// countingStore counts what is written to a store.
type countingStore struct {
	store.Store
	updates atomic.Int32
}

func (c *countingStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	c.updates.Add(1)
	return c.Store.Update(ctx, fn)
}

// A check that finds what was there before writes nothing.
func TestDomainCheckWritesNothing(t *testing.T) {
	var counted countingStore
	w := newDNSKit(t, func(o *service.Options) {
		counted.Store = o.Store
		o.Store = &counted
	})
	w.verified(w.permanent("owner"), "own.example")
	before := counted.updates.Load()
	for range 3 {
		w.check()
		w.clock.advance(25 * time.Hour)
	}
	if n := counted.updates.Load() - before; n != 0 {
		t.Errorf("%d transactions were written", n)
	}
}

// The sheet of a domain has what its host needs too, and says how far it is; the policy is served under its own name.
func TestDomainSheet(t *testing.T) {
	w := newDNSKit(t, func(o *service.Options) { o.STS = "testing" })
	w.svc.FakeKeys()
	owner, other := w.permanent("owner"), w.permanent("other")
	d, _ := w.verified(owner, "own.example")
	sheet, err := w.svc.DomainSheet(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
	w.works("DomainSheet", err)
	states := map[string]string{}
	for _, f := range sheet.Findings {
		states[f.Record.Kind] = f.State()
	}
	w.same("states", states, map[string]string{"ownership": "ok", "mx": "ok", "spf": "ok", "dkim": "ok",
		"dkim_ed25519": "ok", "dmarc": "ok", "host": "ok", "ptr": "missing", "mta_sts": "missing",
		"sts_host": "missing", "sts_policy": "missing", "tlsrpt": "missing"})
	_, err = w.svc.DomainSheet(t.Context(), other.in(mailbox.ManageMailbox), d.ID)
	w.kind("of another mailbox", err, mailbox.NotFound, "not_found")

	text, err := w.svc.TransportPolicy("MTA-STS.own.example")
	w.works("TransportPolicy", err)
	w.same("policy", text, "version: STSv1\nmode: testing\nmx: mx.example.test\nmax_age: 604800\n")
	for _, host := range []string{"own.example", "mta-sts.other.example", "mta-sts.", ""} {
		_, err = w.svc.TransportPolicy(host)
		w.kind(host, err, mailbox.NotFound, "not_found")
	}
}
