package service_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// files are the secrets of a data folder. lost says that the process ends before one is written.
type files struct {
	values map[mailbox.SecretName]mailbox.Secret
	lost   bool
}

var errKilled = errors.New("killed")

// inFolder has a service keep its secrets in a data folder.
func (f *files) inFolder(o *service.Options) {
	o.SecretFiles = map[mailbox.SecretName]string{}
	for _, name := range mailbox.SecretNames() {
		o.SecretFiles[name] = "/data/" + string(name)
	}
	o.WebhookSecret = "webhook-secret-for-tests"
	if f.values == nil {
		f.values = map[mailbox.SecretName]mailbox.Secret{mailbox.SecretToken: o.Operator, mailbox.SecretRoot: o.Root,
			mailbox.SecretWebhook: o.WebhookSecret}
	}
	o.Operator, o.Root, o.WebhookSecret = f.values[mailbox.SecretToken], f.values[mailbox.SecretRoot],
		f.values[mailbox.SecretWebhook]
	o.KeepSecret = func(name mailbox.SecretName, value mailbox.Secret) error {
		if f.lost && f.values[name] != value {
			return errKilled
		}
		f.values[name] = value
		return nil
	}
}

func (k *kit) taken(token mailbox.Secret) bool {
	_, err := k.svc.Authenticate(k.Context(), token)
	return err == nil
}

// A process that is killed between any two steps of a rotation leaves a server that works when it is started again:
// whoever is in, stays in, and nothing that was encrypted is lost.
func TestRotationSurvivesKill(t *testing.T) {
	for _, name := range mailbox.SecretNames() {
		for _, step := range []string{"before the file", "before the rest", "not"} {
			t.Run(string(name)+" killed "+step, func(t *testing.T) {
				w := newDNSKit(t)
				f := &files{}
				w.mustReopen(f.inFolder)
				d := w.add(w.permanent("owner"), "own.example")
				before := selectors(d)
				f.lost = step == "before the file"
				w.opt.Reencrypt = nil
				if step == "before the rest" {
					w.mustReopen(func(o *service.Options) {
						o.Reencrypt = func(context.Context) error { return errKilled }
						f.inFolder(o)
					})
				}
				made, err := w.svc.RotateSecret(t.Context(), w.operator(mailbox.Administer, ""), name, 0)
				w.works("RotateSecret", err)
				unfinished := step == "before the rest" || step == "before the file" && name != mailbox.SecretHooks
				if made.Unfinished != unfinished || unfinished != strings.Contains(made.Next(), "not finished") {
					t.Errorf("unfinished %v, %s", made.Unfinished, made.Next())
				}
				f.lost = false
				log := w.mustReopen(func(o *service.Options) { o.Reencrypt = nil; f.inFolder(o) })
				if strings.Contains(log, "cannot be opened") {
					t.Errorf("log: %s", log)
				}
				if !w.taken(operatorToken) || !w.taken(f.values[mailbox.SecretToken]) {
					t.Error("a token that is still good is not taken")
				}
				if name == mailbox.SecretToken && (f.values[name] == operatorToken || step == "not" &&
					made.Value != f.values[name]) {
					t.Errorf("the file has %q, shown was %q", f.values[name], made.Value)
				}
				shown, err := w.svc.Domain(t.Context(), w.enter(operatorToken, mailbox.ManageMailbox,
					"owner@example.test"), d.ID)
				w.works("Domain", err)
				if got := selectors(shown); strings.Join(got, " ") != strings.Join(before, " ") {
					t.Errorf("keys %v, were %v", got, before)
				}
				// when the time is over, the old one is gone and all goes on
				w.clock.advance(8 * 24 * time.Hour)
				w.works("Trim", w.svc.Trim(t.Context()))
				log = w.mustReopen(f.inFolder)
				if strings.Contains(log, "cannot be opened") ||
					w.taken(operatorToken) == (name == mailbox.SecretToken) ||
					!w.taken(f.values[mailbox.SecretToken]) {
					t.Errorf("after the end: old token taken %v; log %s", w.taken(operatorToken), log)
				}
			})
		}
	}
}

// Where the data folder cannot be written, nothing is replaced. Where that is found too late, the secret before does
// not end until the new one is in its file, which is tried again.
func TestRotationNeedsFolder(t *testing.T) {
	w := newDNSKit(t)
	f := &files{}
	readOnly := false
	w.mustReopen(func(o *service.Options) {
		f.inFolder(o)
		keep := o.KeepSecret
		o.KeepSecret = func(name mailbox.SecretName, value mailbox.Secret) error {
			if readOnly {
				return errKilled
			}
			return keep(name, value)
		}
	})
	in := w.operator(mailbox.Administer, "")
	before, _ := w.svc.Secrets(t.Context(), in)
	for _, name := range []mailbox.SecretName{mailbox.SecretToken, mailbox.SecretRoot, mailbox.SecretWebhook} {
		readOnly = true
		_, err := w.svc.RotateSecret(t.Context(), in, name, time.Hour)
		wantCode(t, err, "secret_not_kept")
		if !strings.Contains(err.Error(), "/data/"+string(name)) {
			t.Error(err)
		}
		after, _ := w.svc.Secrets(t.Context(), in)
		w.same("the secrets", after, before)
		readOnly, f.lost = false, true
		_, err = w.svc.RotateSecret(t.Context(), in, name, time.Hour)
		w.works("RotateSecret", err)
		was := f.values[name]
		_, err = w.svc.EndSecret(t.Context(), in, name)
		wantCode(t, err, "secret_not_kept")
		f.lost = false
		if w.works("Refresh", w.svc.Refresh(t.Context())); f.values[name] == was {
			t.Errorf("%s: the file has the secret before", name)
		}
		_, err = w.svc.EndSecret(t.Context(), in, name)
		w.works("EndSecret", err)
		before, _ = w.svc.Secrets(t.Context(), in)
	}
}

// Of two rotations at once, the second is told that the secret was replaced.
func TestRotationsAtOnce(t *testing.T) {
	w := newDNSKit(t)
	f := &files{}
	w.mustReopen(f.inFolder)
	in := w.operator(mailbox.Administer, "")
	errs := make(chan error, 2)
	for range cap(errs) {
		go func() {
			_, err := w.svc.RotateSecret(t.Context(), in, mailbox.SecretRoot, time.Hour)
			errs <- err
		}()
	}
	if first, second := <-errs, <-errs; first == nil {
		wantCode(t, second, "rotation_open")
	} else {
		wantCode(t, first, "rotation_open")
		w.works("one of them", second)
	}
}

// A node that has not heard yet that another one replaced the root secret keeps new secrets with the one in force.
func TestRotationsOnTwoNodes(t *testing.T) {
	w := newDNSKit(t)
	w.mustReopen(func(o *service.Options) { o.WebhookSecret = "webhook-secret-for-tests" })
	other, err := service.Open(t.Context(), w.opt)
	w.works("another node", err)
	in := w.operator(mailbox.Administer, "")
	root, err := other.RotateSecret(t.Context(), in, mailbox.SecretRoot, time.Hour)
	w.works("root", err)
	_, err = w.svc.RotateSecret(t.Context(), in, mailbox.SecretRoot, time.Hour)
	wantCode(t, err, "rotation_open")
	_, err = w.svc.RotateSecret(t.Context(), in, mailbox.SecretWebhook, time.Hour)
	w.works("webhook", err)
	w.mustReopen(func(o *service.Options) { o.Root = root.Value })
	_, err = w.svc.EndSecret(t.Context(), in, mailbox.SecretRoot)
	w.works("EndSecret", err)
	w.mustReopen(func(*service.Options) {}) // it would refuse the old webhook secret without the new one
}

// Where the settings have the secrets, a node with the old ones starts and works until the old ones are ended, and is
// refused then with a line that says why.
func TestRotationInSettings(t *testing.T) {
	w := newDNSKit(t)
	d := w.add(w.permanent("owner"), "own.example")
	in := w.operator(mailbox.Administer, "")
	made, err := w.svc.RotateSecret(t.Context(), in, mailbox.SecretRoot, time.Hour)
	w.works("RotateSecret", err)
	_, err = w.svc.RotateSecret(t.Context(), in, mailbox.SecretRoot, time.Hour)
	conflict(t, "a second time", err)
	same := func(o *service.Options) {}
	if log := w.mustReopen(same); strings.Contains(log, "cannot be opened") {
		t.Errorf("old settings: %s", log)
	}
	_, err = w.svc.EndSecret(t.Context(), in, mailbox.SecretRoot)
	conflict(t, "end with old settings", err)
	if log := w.mustReopen(func(o *service.Options) { o.Root = made.Value }); strings.Contains(log,
		"cannot be opened") {
		t.Errorf("new settings: %s", log)
	}
	_, err = w.svc.EndSecret(t.Context(), in, mailbox.SecretRoot)
	w.works("EndSecret", err)
	shown, err := w.svc.Domain(t.Context(), w.enter(operatorToken, mailbox.ManageMailbox, "owner@example.test"), d.ID)
	if w.works("Domain", err); shown.Problem != "" {
		t.Error(shown.Problem)
	}
	_, err = w.reopen(func(o *service.Options) { o.Root = "root-secret-for-tests" })
	var replaced *service.ReplacedError
	if !errors.As(err, &replaced) || !strings.Contains(err.Error(), "MAILKIN_SECRET") {
		t.Errorf("a start with the old secret: %v", err)
	}
	_, err = w.reopen(func(o *service.Options) {
		o.Root = "root-secret-for-tests"
		o.SecretFiles = map[mailbox.SecretName]string{mailbox.SecretRoot: "/data/secret"}
	})
	if !errors.As(err, &replaced) || !strings.Contains(err.Error(), "/data/secret") {
		t.Errorf("a start with the old secret in its file: %v", err)
	}
	token, err := w.svc.RotateSecret(t.Context(), in, mailbox.SecretToken, time.Hour)
	w.works("token", err)
	for _, c := range []struct {
		name     string
		after    time.Duration
		old, new bool
	}{{"at once", 0, true, true}, {"later", 2 * time.Hour, false, true}} {
		if w.clock.advance(c.after); w.taken(operatorToken) != c.old || w.taken(token.Value) != c.new {
			t.Errorf("%s: old %v, new %v", c.name, w.taken(operatorToken), w.taken(token.Value))
		}
	}
	if w.mustReopen(same); w.taken(operatorToken) {
		t.Error("a token that has ended is taken after a start with it in the settings")
	}
}

func conflict(t *testing.T, what string, err error) {
	t.Helper()
	if mailbox.KindOf(err) != mailbox.Conflict {
		t.Errorf("%s: %v", what, err)
	}
}

// New keys of a domain sign from when their records are published, and not before; the records of the old ones are
// needed for a week more.
func TestRekeyWaitsForDNS(t *testing.T) {
	w := newDNSKit(t)
	owner := w.permanent("owner")
	d, _ := w.verified(owner, "own.example")
	in := owner.in(mailbox.ManageMailbox)
	next, err := w.svc.RenewDomainKeys(t.Context(), in, d.ID, false)
	w.works("RenewDomainKeys", err)
	if next.Selector != d.Selector || next.NextSelector == "" || len(next.Next) != 2 {
		t.Fatalf("made %+v", next.KeyRotation)
	}
	if check := w.verify(owner, d.ID, "dns_verified"); check.Selector != d.Selector ||
		!strings.Contains(check.Message, next.NextSelector) {
		t.Errorf("used before it is published: %s", check.Message)
	}
	for _, r := range next.Next {
		w.zone.Text(r.Host, r.Value)
	}
	w.works("CheckDomains", w.svc.CheckDomains(t.Context()))
	used, err := w.svc.Domain(t.Context(), owner.in(mailbox.ManageMailbox), d.ID)
	w.works("Domain", err)
	if used.Selector != next.NextSelector || len(used.Old) != 1 || used.Old[0].Selector != d.Selector ||
		used.Old[0].Removable || !used.DKIM {
		t.Errorf("published: %+v", used.KeyRotation)
	}
	w.clock.advance(8 * 24 * time.Hour)
	problems, err := w.svc.Problems(t.Context(), w.operator(mailbox.Moderate, ""))
	w.works("Problems", err)
	if len(problems) != 1 || !strings.Contains(problems[0].Next, "can be removed from the DNS now: "+d.Selector) {
		t.Errorf("a week later: %+v", problems)
	}
	at, err := w.svc.RenewDomainKeys(t.Context(), owner.in(mailbox.ManageMailbox), d.ID, true)
	w.works("at once", err)
	if at.Selector == used.Selector || at.NextSelector != "" {
		t.Errorf("at once: %+v", at.KeyRotation)
	}
}

// A webhook's secret that was replaced signs beside the new one until the overlap is over.
func TestRotateWebhookSecret(t *testing.T) {
	k := newService(t)
	owner := k.permanent("owner")
	in := owner.in(mailbox.ManageMailbox)
	was, err := k.svc.WebhookSecret(t.Context(), in)
	k.works("WebhookSecret", err)
	made, err := k.svc.RotateWebhookSecret(t.Context(), in, mailbox.ID{}, time.Hour)
	k.works("RotateWebhookSecret", err)
	if made.Value == was.Value || made.OldUntil.IsZero() {
		t.Errorf("%+v", made)
	}
	_, err = k.svc.RotateWebhookSecret(t.Context(), in, mailbox.ID{}, time.Hour)
	conflict(t, "while receivers have the one before", err)
	if !strings.Contains(err.Error(), made.OldUntil.UTC().Format(time.RFC3339)) {
		t.Error(err)
	}
	if k.clock.advance(2 * time.Hour); true {
		now, err := k.svc.WebhookSecret(t.Context(), in)
		if k.works("WebhookSecret", err); now.Value != made.Value || !now.OldUntil.IsZero() {
			t.Errorf("%+v", now)
		}
	}
	_, err = k.svc.RotateWebhookSecret(t.Context(), in, mailbox.ID{}, time.Hour)
	k.works("after the overlap", err)
	forced, err := k.svc.RotateWebhookSecret(t.Context(), in, mailbox.ID{}, 0)
	if k.works("at once", err); !forced.OldUntil.IsZero() {
		t.Errorf("%+v", forced)
	}
	url := "https://hook.test/a"
	route, err := k.svc.PutRoute(t.Context(), in, service.NewRoute{Own: true, URL: &url})
	k.works("PutRoute", err)
	turn := func() error {
		_, err := k.svc.PutRoute(t.Context(), in, service.NewRoute{ID: route.ID, Rotate: true})
		return err
	}
	k.works("rotate the route", turn())
	conflict(t, "the route again", turn())
	_, err = k.svc.RotateWebhookSecret(t.Context(), in, route.ID, time.Hour)
	conflict(t, "the route again, by its own way", err)
}

// The secrets of mailboxes' webhooks outlive the root secret and the deployment's webhook secret, whichever way these
// are replaced. They change with the secret that they are made from, and receivers have time for that.
func TestHookSecretsOutliveOthers(t *testing.T) {
	w := newDNSKit(t)
	w.mustReopen(func(o *service.Options) { o.WebhookSecret = "webhook-secret-for-tests" })
	owner, admin := w.permanent("owner"), w.operator(mailbox.Administer, "")
	url := "https://hook.test/a"
	route, err := w.svc.PutRoute(t.Context(), owner.in(mailbox.ManageMailbox),
		service.NewRoute{Own: true, URL: &url})
	w.works("PutRoute", err)
	shown := func() string {
		in := w.enter(operatorToken, mailbox.ManageMailbox, "owner@example.test")
		own, err := w.svc.WebhookSecret(t.Context(), in)
		w.works("WebhookSecret", err)
		set, err := w.svc.Route(t.Context(), in, route.ID)
		w.works("Route", err)
		return string(own.Value + " " + set.Secret)
	}
	right := shown()
	rotate := func(name mailbox.SecretName) service.NewSecret {
		made, err := w.svc.RotateSecret(t.Context(), admin, name, time.Hour)
		w.works("rotate "+string(name), err)
		return made
	}
	check := func(when string) {
		if got := shown(); got != right {
			t.Errorf("%s: the secrets are %s, were %s", when, got, right)
		}
	}
	root := rotate(mailbox.SecretRoot)
	check("while the root secret is replaced")
	webhook := rotate(mailbox.SecretWebhook)
	check("while both are replaced")
	w.mustReopen(func(*service.Options) {})
	check("after a start with the old ones")
	w.mustReopen(func(o *service.Options) { o.Root, o.WebhookSecret = root.Value, webhook.Value })
	for _, name := range []mailbox.SecretName{mailbox.SecretRoot, mailbox.SecretWebhook} {
		_, err := w.svc.EndSecret(t.Context(), admin, name)
		w.works("EndSecret", err)
	}
	check("when the old ones have ended")
	w.mustReopen(func(o *service.Options) { o.Root, o.RootOld = "chosen-by-hand", o.Root })
	check("while the root secret is changed by hand")
	w.mustReopen(func(o *service.Options) { o.RootOld = "" })
	check("after that")
	w.mustReopen(func(o *service.Options) { o.WebhookSecret = "another-webhook-secret" })
	check("with another webhook secret in the settings")
	w.mustReopen(func(o *service.Options) { o.Root = "of-another-deployment" })
	w.mustReopen(func(o *service.Options) { o.Root = "chosen-by-hand" })
	check("with the right root secret again")

	made := rotate(mailbox.SecretHooks)
	if next := shown(); next == right || made.Value != "" || made.OldUntil.IsZero() {
		t.Errorf("replaced: %s, %+v", next, made)
	}
	_, err = w.svc.RotateSecret(t.Context(), admin, mailbox.SecretHooks, time.Hour)
	conflict(t, "a second time", err)
	right = shown()
	w.clock.advance(2 * time.Hour)
	w.works("Trim", w.svc.Trim(t.Context()))
	if states, _ := w.svc.Secrets(t.Context(), admin); !states[3].OldUntil.IsZero() {
		t.Errorf("it does not end by itself: %+v", states[3])
	}
	w.mustReopen(func(*service.Options) {})
	check("when the one before has ended")
}

// What is too old, and what somebody has to finish, is among the problems.
func TestSecretAge(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.MaxSecretAge = 365 * 24 * time.Hour })
	found := func() (list []string) {
		all, err := k.svc.Problems(t.Context(), k.operator(mailbox.Moderate, ""))
		k.works("Problems", err)
		for _, p := range all {
			list = append(list, p.Check+": "+p.Found)
		}
		return list
	}
	if got := found(); len(got) != 0 {
		t.Errorf("new: %v", got)
	}
	k.clock.advance(366 * 24 * time.Hour)
	if got := strings.Join(found(), "\n"); !strings.Contains(got, "secret token: it is 366 days old") {
		t.Error(got)
	}
	_, err := k.svc.RotateSecret(t.Context(), k.operator(mailbox.Administer, ""), mailbox.SecretToken, 0)
	k.works("RotateSecret", err)
	if got := strings.Join(found(), "\n"); !strings.Contains(got, "secret token: the one before is still taken") {
		t.Error(got)
	}
}
