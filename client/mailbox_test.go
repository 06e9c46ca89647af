package client_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

func TestMailbox(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("mailbox")
	if box := got(c.Mailbox(k.ctx())).same(k); box.Mailbox.Mailbox != address || box.Status != "active" ||
		box.Webhook.Status != "none" {
		t.Errorf("the mailbox is %+v", box)
	}
	if box := got(c.SetWebhook(k.ctx(), "http://127.0.0.1:1/hook")).same(
		k); box.WebhookURL != "http://127.0.0.1:1/hook" {
		t.Errorf("with a webhook: %+v", box)
	}
	if box := got(c.SetWebhook(k.ctx(), "")).same(k); box.WebhookURL != "" {
		t.Errorf("without: %+v", box)
	}
	if box := got(c.Pause(k.ctx(), "holiday")).same(k); box.Status != "paused" || box.Reason != "holiday" ||
		box.PausedAt.IsZero() {
		t.Errorf("paused: %+v", box)
	}
	paused := got(c.Inbox(k.ctx(), client.InboxQuery{}))
	paused.fails(k, client.ErrPaused)
	paused.fails(k, client.ErrForbidden)
	got(k.operator.Ingest(k.ctx(), address, strings.NewReader(letter(address, "s", "t")))).fails(k, client.ErrPaused)
	if box := got(c.Resume(k.ctx())).same(k); box.Status != "active" {
		t.Errorf("resumed: %+v", box)
	}
	got(k.operator.Ingest(k.ctx(), address, strings.NewReader(letter(address, "s", "t")))).same(k)
	if gone := got(c.DeleteMailbox(k.ctx())).same(k); !gone.OK || gone.Deleted != address {
		t.Errorf("deleted: %+v", gone)
	}
	got(c.Me(k.ctx())).fails(k, client.ErrUnauthorized)
}

func TestModerate(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("moderate")
	m := k.operator.For("nobody@" + domain).Moderate(address)
	if box := got(m.Pause(k.ctx(), "abuse")).same(k); box.PausedBy != "operator" {
		t.Errorf("paused: %+v", box)
	}
	_, err := c.Resume(k.ctx())
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Code != "moderated" || errors.Is(err, client.ErrPaused) {
		t.Errorf("the owner resumes: %v", err)
	}
	if box := got(m.Mailbox(k.ctx())).same(k); box.Reason != "abuse" {
		t.Errorf("the mailbox is %+v", box)
	}
	got(m.Resume(k.ctx())).same(k)
	got(m.SetWebhook(k.ctx(), "")).same(k)

	made := got(m.CreateKey(k.ctx())).same(k)
	if keys := got(m.Keys(k.ctx())).same(k); len(keys.Keys) != 2 {
		t.Errorf("the keys are %+v", keys)
	}
	name, none := "second", []string(nil)
	if key := got(k.operator.UpdateKey(k.ctx(), made.ID, api.KeyChange{Name: &name,
		Capabilities: &[]string{"read"}})).same(k); key.Name != name || len(key.Capabilities) != 1 {
		t.Errorf("changed: %+v", key)
	}
	if key := got(k.operator.UpdateKey(k.ctx(), made.ID, api.KeyChange{Capabilities: &none,
		ExpiresAt: &api.Time{}})).same(k); key.Name != name || len(key.Capabilities) != 0 {
		t.Errorf("changed back: %+v", key)
	}
	second := c.WithKey(made.APIKey)
	rotated := got(second.RotateKey(k.ctx())).same(k)
	got(second.Me(k.ctx())).fails(k, client.ErrUnauthorized)
	third := c.WithKey(rotated.APIKey)
	got(third.Me(k.ctx())).same(k)
	if ended := got(k.operator.RevokeKey(k.ctx(), rotated.ID)).same(k); ended.Deleted != rotated.ID {
		t.Errorf("ended: %+v", ended)
	}
	got(third.Me(k.ctx())).fails(k, client.ErrUnauthorized)

	if list := got(k.operator.Mailboxes(k.ctx(), client.MailboxesQuery{Status: "active", Query: address})).same(k); len(
		list.Mailboxes) != 1 || list.Mailboxes[0].Holds == nil {
		t.Errorf("the mailboxes are %+v", list)
	}
	if gone := got(m.Delete(k.ctx())).same(k); gone.Deleted != address {
		t.Errorf("deleted: %+v", gone)
	}
	for box, err := range k.operator.MailboxesAll(k.ctx(), client.MailboxesQuery{Query: address}) {
		t.Errorf("still there: %+v, %v", box, err)
	}
	if list := got(k.operator.Audit(k.ctx(), client.Page{Limit: 1})).same(k); len(list.Audit) != 1 || list.Next == "" {
		t.Errorf("the log is %+v", list)
	}
	actions := 0
	for entry, err := range k.operator.AuditAll(k.ctx(), client.Page{Limit: 3}) {
		k.done(err)
		if entry.Mailbox == address {
			actions++
		}
	}
	if actions < 6 {
		t.Errorf("%d actions on the mailbox", actions)
	}
}

func TestScopes(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("scopes")
	other, _ := k.mailbox("scopes-other")
	got(c.For(address).Me(k.ctx())).same(k)
	_, err := c.For(other).Me(k.ctx())
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Code != "forbidden" || refused.Message != "Key not authorized for this "+
		"mailbox" {
		t.Errorf("another mailbox: %#v", refused)
	}
	_, err = c.Mailboxes(k.ctx(), client.MailboxesQuery{})
	k.is(err, client.ErrForbidden)
	if !errors.As(err, &refused) || refused.Code != "scope_denied" {
		t.Errorf("the operator's list: %v", err)
	}
	got(c.Rejects(k.ctx(), client.Page{})).same(k)
	for entry, err := range c.RejectsAll(k.ctx(), client.Page{}) {
		t.Errorf("refused: %+v, %v", entry, err)
	}
}

func TestOnboarding(t *testing.T) {
	k := newKit(t)
	nobody := k.operator.WithKey("")
	got(nobody.Me(k.ctx())).fails(k, client.ErrUnauthorized)
	again, name := unique("the-onboarding-test"), unique("onboarded")
	made := got(nobody.Bootstrap(k.ctx(), again)).same(k)
	if replay := got(nobody.Bootstrap(k.ctx(), again)).same(k); !replay.Replayed || replay.APIKey != made.APIKey {
		t.Errorf("again: %+v", replay)
	}
	if other := got(nobody.Bootstrap(k.ctx(), "")).same(k); other.Replayed || other.Mailbox == made.Mailbox {
		t.Errorf("another: %+v", other)
	}
	c := nobody.WithKey(made.APIKey)
	_, err := c.Send(k.ctx(), client.Draft{To: []string{"a@b.example"}, Subject: "s", Text: "t"})
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Code != "provisional_capability_denied" || refused.Upgrade == nil ||
		refused.Upgrade.Command == "" {
		t.Errorf("a temporary mailbox sends: %#v", err)
	}
	started := got(c.StartClaim(k.ctx(), name)).same(k)
	if state := got(c.PollClaim(k.ctx(), started.SessionID)).same(k); state.Status != api.ClaimPending {
		t.Errorf("before: %+v", state)
	}
	_, session, _ := strings.Cut(started.URL, "session=")
	if done := got(k.operator.ConfirmClaim(k.ctx(), session)).same(k); done.Mailbox != name+"@"+domain || done.Already {
		t.Errorf("confirmed: %+v", done)
	}
	claim := got(c.AwaitClaim(k.ctx(), started.SessionID)).same(k)
	if me := got(c.WithKey(claim.APIKey).Me(k.ctx())).same(k); me.Mailbox != name+"@"+domain || me.Scope != "mailbox" {
		t.Errorf("after: %+v", me)
	}
	auto := got(k.operator.AutoClaim(k.ctx(), unique("automatic"))).same(k)
	got(k.operator.CreateMailbox(k.ctx(), api.NewMailbox{Address: auto.Mailbox})).fails(k, client.ErrConflict)
	got(c.PollClaim(k.ctx(), "no such claim")).fails(k, client.ErrNotFound)
}

func TestDomain(t *testing.T) {
	k := newKit(t)
	_, c := k.mailbox("domain")
	made := got(c.AddDomain(k.ctx(), "Brought.Example")).same(k)
	if made.Domain.Domain != "brought.example" || made.Records.MX == nil || *made.Records.MX.Priority == 0 ||
		made.Ownership == nil {
		t.Errorf("made %+v", made)
	}
	got(c.Domain(k.ctx(), made.ID)).same(k)
	if list := got(c.Domains(k.ctx())).same(k); len(list.Domains) != 1 || list.Domains[0].ID != made.ID {
		t.Errorf("the domains are %+v", list)
	}
	got(c.VerifyDomain(k.ctx(), made.ID)).fails(k, client.ErrUnsupported) // the DNS is off
	k.done(c.DeleteDomain(k.ctx(), made.ID))
	got(c.Domain(k.ctx(), made.ID)).fails(k, client.ErrNotFound)
}

func TestVerifyDomain(t *testing.T) {
	t.Parallel()
	s, err := start(dnstest.New(t, "brought.example. 300 IN MX 7 elsewhere.example.").Serve(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}()
	k := newKitOf(t, s)
	_, c := k.mailbox("verify")
	made := got(c.AddDomain(k.ctx(), "brought.example")).same(k)
	check := got(c.VerifyDomain(k.ctx(), made.ID)).same(k)
	if check.MX || check.Message == "" || len(check.Records) < 5 || check.Status != "pending" {
		t.Errorf("verified %+v", check)
	}
}

func TestPublicPages(t *testing.T) {
	k := newKit(t)
	nobody := k.operator.WithKey("")
	for _, ask := range []func() (*api.Health, error){
		func() (*api.Health, error) { return nobody.Health(k.ctx()) },
		func() (*api.Health, error) { return nobody.Ready(k.ctx()) },
	} {
		if h := got(ask()).same(k); !h.OK || h.Status != "ok" {
			t.Errorf("health %+v", h)
		}
	}
	page := got(k.operator.Page(k.ctx(), "/metrics")).ok(k)
	defer page.Close()
	if text := string(got(io.ReadAll(page)).ok(k)); !strings.Contains(text, "mailkin_") {
		t.Errorf("the metrics are %s", text)
	}
	got(nobody.Page(k.ctx(), "metrics")).fails(k, client.ErrUnauthorized)
	got(nobody.Page(k.ctx(), "/no such page")).fails(k, client.ErrNotFound)
}
