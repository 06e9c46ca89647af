package service_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const newRoot mailbox.Secret = "another-root-secret-for-tests"

// reopen starts the service again on the same store, with other options, and returns what it logged.
func (k *kit) reopen(change func(*service.Options)) (string, error) {
	k.Helper()
	var log bytes.Buffer
	opt := k.opt
	opt.Log = slog.New(slog.NewTextHandler(&log, nil))
	change(&opt)
	svc, err := service.Open(k.Context(), opt)
	if err == nil {
		k.svc, k.opt = svc, opt
	}
	return log.String(), err
}

func (k *kit) mustReopen(change func(*service.Options)) string {
	k.Helper()
	log, err := k.reopen(change)
	k.works("Open", err)
	return log
}

func rotated(o *service.Options) { o.RootOld, o.Root = o.Root, newRoot }

// selectors are the names of a domain's keys, as it is shown to its owner.
func selectors(d service.DomainRecord) (list []string) {
	for _, r := range d.Records {
		if strings.Contains(r.Host, "._domainkey.") {
			list = append(list, r.Host+" "+r.Value)
		}
	}
	return list
}

// With the previous secret next to the new one everything goes on: keys of domains, return paths, repeated requests.
// After that start the old one is needed for domains no more.
func TestRotateSecret(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	d := w.add(owner, "own.example")
	made := w.bootstrap(alice, "an-idempotency-key-of-alice")
	claim := w.claim("robin", "")
	w.confirm(claim.Link)
	key := w.poll(claim.Session).Key

	path := w.svc.ReturnPath(mailbox.Delivery{Message: d.ID, N: 1}, configured)
	w.mustReopen(rotated)
	if !w.svc.Returned(path) {
		t.Error("a bounce to a return path of before is not known")
	}
	shown, err := w.svc.Domain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
	w.works("Domain", err)
	w.same("keys", selectors(shown), selectors(d))
	again := w.bootstrap(alice, "an-idempotency-key-of-alice")
	if again.Key != made.Key || !again.Replayed {
		t.Error("a repeated request got another mailbox")
	}
	if got := w.poll(claim.Session); got.Key != key {
		t.Errorf("the claim's key is %v", got)
	}

	if log := w.mustReopen(func(o *service.Options) { o.RootOld = "" }); strings.Contains(log, "cannot be opened") {
		t.Errorf("without the old secret: %s", log)
	}
	shown, err = w.svc.Domain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
	w.works("Domain", err)
	w.same("keys", selectors(shown), selectors(d))
}

// With another secret alone the start and the operator's list say what cannot be opened, and there is a way on.
func TestForeignSecret(t *testing.T) {
	w := newDNSKit(t)
	operator := w.operator(mailbox.ManageMailbox, "")
	own, err := w.svc.Domains(t.Context(), operator)
	w.works("Domains", err)
	w.same("problem", own[0].Problem, "")
	owner := w.permanent("owner")
	brought, _ := w.verified(owner, "own.example")
	w.add(owner, "pending.example")

	log := w.mustReopen(func(o *service.Options) { o.Root = newRoot })
	for _, name := range []string{own[0].Name, brought.Name} {
		if !strings.Contains(log, `level=ERROR msg="keys of `+name+`: the private keys cannot be opened`) {
			t.Errorf("the start does not say that the keys of %s cannot be opened:\n%s", name, log)
		}
	}
	if strings.Contains(log, "pending.example") {
		t.Errorf("the start speaks of a domain that has signed nothing:\n%s", log)
	}
	if !strings.Contains(log, `mailkin domain rekey own.example --mailbox `+owner.Address) ||
		!strings.Contains(log, `mailkin domain rekey `+own[0].Name+`\"`) {
		t.Errorf("the start does not name the commands that help:\n%s", log)
	}
	problems, err := w.svc.Problems(t.Context(), operator)
	w.works("Problems", err)
	if len(problems) != 3 || !problems[0].Severe || !strings.Contains(problems[0].Next, "secret_old") {
		t.Errorf("problems %+v", problems)
	}
	for who, in := range map[string]service.Access{"operator": operator, "owner": owner.in(mailbox.ManageMailbox)} {
		list, err := w.svc.Domains(t.Context(), in)
		w.works("Domains", err)
		for _, d := range list {
			if d.Problem == "" {
				t.Errorf("the list of the %s shows %s without its problem", who, d.Name)
			}
		}
	}
	for _, id := range []mailbox.ID{own[0].ID, brought.ID} {
		in := w.operator(mailbox.ManageMailbox, "")
		shown, err := w.svc.Domain(t.Context(), in, id)
		w.works("Domain", err)
		if shown.Problem == "" || len(selectors(shown)) != 0 || len(shown.Records) == 0 {
			t.Errorf("shown %+v", shown)
		}
		check, err := w.svc.VerifyDomain(t.Context(), in, id)
		w.works("VerifyDomain", err)
		if !strings.Contains(check.Message, "cannot be opened") {
			t.Errorf("checked: %s", check.Message)
		}
		renewed, err := w.svc.RenewDomainKeys(t.Context(), in, id, false)
		w.works("RenewDomainKeys", err)
		if renewed.Problem != "" || len(selectors(renewed)) != 2 {
			t.Errorf("renewed %+v", renewed)
		}
	}
	problems, err = w.svc.Problems(t.Context(), operator)
	w.works("Problems", err)
	if len(problems) != 1 { // the second of the deployment's own
		t.Errorf("left: %+v", problems)
	}
}

// Mail whose keys cannot be opened waits, and the log says why, now and then.
func TestForeignSecretAndMail(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Way = service.WayDirect })
	_, err := k.svc.Domains(t.Context(), k.operator(mailbox.ManageMailbox, ""))
	k.works("Domains", err)
	var log bytes.Buffer
	k.mustReopen(func(o *service.Options) { o.Root, o.Way = newRoot, service.WayDirect })
	opt := k.opt
	opt.Log = slog.New(slog.NewTextHandler(&log, nil))
	if k.svc, err = service.Open(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	log.Reset()
	robin := k.permanent("robin")
	s, err := k.svc.Send(t.Context(), robin.in(mailbox.SendMail), mailbox.Draft{To: []string{"ann@there.example"},
		Subject: "x", Text: "x", HasText: true})
	k.works("Send", err)
	for range 3 {
		_, err = k.svc.OutgoingMessage(t.Context(), mailbox.Delivery{Mailbox: robin.Num, Message: s.ID})
		if !errors.Is(err, service.ErrSealed) {
			t.Errorf("OutgoingMessage: %v", err)
		}
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(),
		"domain=example.test") {
		t.Errorf("logged %d times: %s", n, log.String())
	}
}

func TestDomainMismatch(t *testing.T) {
	elsewhere := func(o *service.Options) {
		o.Domains, o.Configured = []string{"wrong.test"}, "ops@wrong.test"
	}
	k := newService(t)
	for i := range 3 {
		k.permanent(fmt.Sprint("robin", i))
	}
	_, err := k.reopen(elsewhere)
	if err == nil || !strings.Contains(err.Error(), "4 on example.test") || !strings.Contains(err.Error(),
		"wrong.test") || !strings.Contains(err.Error(), "domain_mismatch") {
		t.Fatalf("it starts, or says %v", err)
	}
	log := k.mustReopen(func(o *service.Options) { elsewhere(o); o.AllowMismatch = true })
	if !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "4 on example.test") {
		t.Errorf("logged %s", log)
	}
	problems, err := k.svc.Problems(t.Context(), k.operator(mailbox.Moderate, ""))
	k.works("Problems", err)
	if len(problems) != 1 || problems[0].Check != "mailboxes" || !problems[0].Severe {
		t.Errorf("problems %+v", problems)
	}
	// The configured mailbox that was made meanwhile makes it fit no better.
	if _, err := k.reopen(func(o *service.Options) { o.AllowMismatch = false }); err == nil {
		t.Error("it starts the second time")
	}
	// Nor is it missed when domain is what it was.
	log = k.mustReopen(func(o *service.Options) {
		o.Domains, o.Configured, o.AllowMismatch = []string{"example.test"}, configured, false
	})
	if strings.Contains(log, "level=ERROR") {
		t.Errorf("back again: %s", log)
	}
	log = k.mustReopen(func(o *service.Options) {
		o.Domains, o.AllowMismatch = []string{"wrong.test", "example.test"},
			false
	})
	if strings.Contains(log, "level=ERROR") {
		t.Errorf("with both: %s", log)
	}
}

// What deletes leave on domains that mailboxes brought does not make domain wrong.
func TestDomainFitsAfterDeletes(t *testing.T) {
	same := func(*service.Options) {}
	for name, remove := range map[string]func(*dnsKit, box, service.DomainRecord) error{
		"the owner is gone": func(w *dnsKit, owner box, _ service.DomainRecord) error {
			_, err := w.svc.DeleteMailbox(w.Context(), owner.in(mailbox.DeleteMailbox))
			return err
		},
		"the domain is gone, then its owner": func(w *dnsKit, owner box, d service.DomainRecord) error {
			if err := w.svc.DeleteDomain(w.Context(), owner.in(mailbox.ManageMailbox), d.ID); err != nil {
				return err
			}
			_, err := w.svc.DeleteMailbox(w.Context(), owner.in(mailbox.DeleteMailbox))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newDNSKit(t)
			owner := w.permanent("owner")
			d, _ := w.verified(owner, "own.example")
			w.works("remove", remove(w, owner, d))
			w.mustReopen(same)
		})
	}
	t.Run("the operator's domain is gone", func(t *testing.T) {
		w := newDNSKit(t)
		in := w.operator(mailbox.ManageMailbox, "")
		d, err := w.svc.AddDomain(t.Context(), in, "own.example")
		w.works("AddDomain", err)
		w.publish(d)
		_, err = w.svc.VerifyDomain(t.Context(), in, d.ID)
		w.works("VerifyDomain", err)
		_, err = w.svc.CreateMailbox(t.Context(), w.operator(mailbox.Moderate, ""),
			service.NewMailbox{Address: "ada@own.example"})
		w.works("CreateMailbox", err)
		w.works("DeleteDomain", w.svc.DeleteDomain(t.Context(), in, d.ID))
		w.mustReopen(same)
	})
}

// A first try on the built-in domain does not keep one from a real domain.
func TestDomainAfterATrial(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.Domains, o.Configured = []string{"mailkin.localhost"}, "ops@mailkin.localhost"
	})
	k.permanent("robin")
	log := k.mustReopen(func(o *service.Options) { o.Domains, o.Configured = []string{"example.test"}, configured })
	if strings.Contains(log, "level=ERROR") {
		t.Errorf("logged %s", log)
	}
}
