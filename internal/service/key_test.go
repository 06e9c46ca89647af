package service_test

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestKeys(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := k.operator(mailbox.Moderate, own.Address)
	k.clock.advance(time.Second)
	second, err := k.svc.CreateKey(t.Context(), in, service.NewKey{})
	k.works("CreateKey", err)
	k.same("second key", k.login(second.Secret).Mailbox.Address, own.Address)
	keys, err := k.svc.Keys(t.Context(), in)
	k.works("Keys", err)
	if len(keys) != 2 || keys[1].ID != second.ID || keys[0].Hint != own.Key.Hint() ||
		keys[0].LastUsedAt != (time.Time{}) || keys[1].LastUsedAt.IsZero() {
		t.Errorf("keys %+v", keys)
	}
	k.works("RevokeKey", k.svc.RevokeKey(t.Context(), k.operator(mailbox.Moderate, ""), keys[0].ID))
	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("revoked", err, mailbox.Unauthorized, "unauthorized")
	k.login(second.Secret)
	k.kind("again", k.svc.RevokeKey(t.Context(), k.operator(mailbox.Moderate, ""), keys[0].ID), mailbox.NotFound,
		"not_found")

	temp := k.provisional("temp")
	_, err = k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, temp.Address), service.NewKey{})
	k.kind("a temporary mailbox", err, mailbox.Conflict, "provisional_mailbox")
	_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, own.Address))
	k.works("delete", err)
	_, err = k.svc.CreateKey(t.Context(), in, service.NewKey{})
	k.kind("a mailbox that is gone", err, mailbox.NotFound, "not_found")
	_, err = k.svc.Authenticate(t.Context(), second.Secret)
	k.kind("its key", err, mailbox.Unauthorized, "unauthorized")
}

// The last use of a key is noted to the minute.
func TestKeyLastUsed(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := k.operator(mailbox.Moderate, own.Address)
	used := func() time.Time {
		keys, err := k.svc.Keys(t.Context(), in)
		k.works("Keys", err)
		return keys[0].LastUsedAt
	}
	k.same("never", used(), time.Time{})
	for _, c := range []struct{ at, want time.Duration }{{0, 0}, {30 * time.Second, 0}, {59 * time.Second, 0},
		{61 * time.Second, 61 * time.Second}, {time.Hour, time.Hour}} {
		k.clock.set(noon.Add(c.at))
		k.login(own.Key)
		k.same(c.at.String(), used(), noon.Add(c.want))
	}
}

func TestRotateKey(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	extra, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, own.Address), service.NewKey{})
	k.works("CreateKey", err)
	made, err := k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.works("RotateKey", err)
	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("the old one", err, mailbox.Unauthorized, "unauthorized")
	k.login(made.Secret)
	k.login(extra.Secret)
	_, err = k.svc.RotateKey(t.Context(), k.operator(mailbox.ManageMailbox, ""))
	k.kind("the operator's", err, mailbox.Invalid, "operator_key")
}

// Of rotations of one key at the same time one wins, and there is one key afterwards.
func TestRotateKeyTwice(t *testing.T) {
	k, wrapped := newServiceOver(t)
	own := k.permanent("own")
	in := own.in(mailbox.ManageMailbox)
	const n = 6
	wrapped.before = meet(n) // all have come as far as the transaction before the first is done
	type answer struct {
		made service.CreatedKey
		err  error
	}
	answers := make(chan answer, n)
	for range n {
		go func() {
			made, err := k.svc.RotateKey(context.Background(), in)
			answers <- answer{made, err}
		}()
	}
	all := make([]answer, n)
	for i := range all {
		all[i] = <-answers
	}
	wrapped.before = nil
	won := 0
	for _, a := range all {
		if a.err == nil {
			won++
			k.login(a.made.Secret)
		} else {
			k.kind("the others", a.err, mailbox.Unauthorized, "unauthorized")
			_, err := k.svc.Authenticate(t.Context(), a.made.Secret)
			k.kind("what they made", err, mailbox.Unauthorized, "unauthorized")
		}
	}
	k.same("won", won, 1)
	keys, err := k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	k.works("Keys", err)
	k.same("keys", len(keys), 1)
}

// With a grace time the old key works on until it is over, and rotating again does not draw it out.
func TestRotateGrace(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.KeyGrace = time.Hour })
	own := k.permanent("own")
	first, err := k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.works("RotateKey", err)
	k.login(first.Secret)
	k.clock.advance(30 * time.Minute)
	_, err = k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.kind("RotateKey with the old key", err, mailbox.Conflict, "key_retired")
	k.clock.advance(30*time.Minute - time.Millisecond)
	k.login(own.Key)
	k.clock.advance(time.Millisecond)
	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("after the grace time", err, mailbox.Unauthorized, "unauthorized")
	k.login(first.Secret)
	keys, err := k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	if k.works("Keys", err); len(keys) != 2 {
		t.Errorf("%d keys are there", len(keys))
	}
	k.clock.advance(time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	keys, err = k.svc.Keys(t.Context(), k.operator(mailbox.Moderate, own.Address))
	if k.works("Keys", err); len(keys) != 1 {
		t.Errorf("%d keys are there after tidying up", len(keys))
	}
}

// A restricted key may do what was named when it was made, and no more, also after it was rotated.
func TestRestrictedKey(t *testing.T) {
	all := []mailbox.Capability{mailbox.ReadMail, mailbox.ReadCode, mailbox.ExtractData, mailbox.ReadAttachment,
		mailbox.ChangeMail, mailbox.SendMail, mailbox.DraftMail, mailbox.ReviewMail, mailbox.ManageMailbox,
		mailbox.ControlMailbox, mailbox.PauseMailbox, mailbox.DeleteMailbox, mailbox.CreateMailbox, mailbox.IngestMail,
		mailbox.Moderate}
	for _, tt := range []struct {
		capabilities []string
		may          []mailbox.Capability
	}{
		{[]string{"code"}, []mailbox.Capability{mailbox.ReadCode}},
		{[]string{"read"}, all[:4]},
		{[]string{"draft"}, []mailbox.Capability{mailbox.DraftMail}},
		{[]string{"send"}, []mailbox.Capability{mailbox.SendMail, mailbox.DraftMail}},
		{[]string{"review"}, []mailbox.Capability{mailbox.ReviewMail}},
		{[]string{"control"}, []mailbox.Capability{mailbox.ControlMailbox}},
		{[]string{"manage"}, []mailbox.Capability{mailbox.ChangeMail, mailbox.ManageMailbox, mailbox.PauseMailbox,
			mailbox.DeleteMailbox}},
		{nil, slices.DeleteFunc(slices.Clone(all),
			func(c mailbox.Capability) bool { return !mailbox.Permanent.May(c) })},
	} {
		t.Run(strings.Join(tt.capabilities, "+"), func(t *testing.T) {
			k := newService(t)
			own := k.permanent("own")
			in := k.operator(mailbox.Moderate, own.Address)
			made, err := k.svc.CreateKey(t.Context(), in, service.NewKey{Name: "n", Capabilities: tt.capabilities})
			k.works("CreateKey", err)
			for range 2 {
				who := k.login(made.Secret)
				for _, c := range append(all, mailbox.KnowSelf, mailbox.RotateKey) {
					want := slices.Contains(tt.may, c) || c == mailbox.KnowSelf || c == mailbox.RotateKey
					_, err := k.svc.Enter(t.Context(), who, service.Act{Need: c, Verb: "test"})
					if (err == nil) != want {
						t.Errorf("%v: %v, want %v", c, err, want)
					}
					if err != nil {
						k.kind(c.String(), err, mailbox.Denied, "scope_denied")
					}
				}
				in, err := k.svc.Enter(t.Context(), who, service.Act{Need: mailbox.RotateKey, Verb: "test"})
				k.works("Enter", err)
				made, err = k.svc.RotateKey(t.Context(), in)
				k.works("RotateKey", err)
				k.same("name", made.Restriction().Name, "n")
			}
		})
	}
}

// A key that manages and does not read is not shown what it changes; one that reads and does not manage is not shown
// where events go.
func TestRestrictedKeyIsShownNoMore(t *testing.T) {
	k := newService(t)
	b := k.permanent("agent")
	id := k.receive(letter("Your verification code is 482915"), b.Address)[0].ID
	enter := func(need mailbox.Capability, capabilities ...string) service.Access {
		made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address),
			service.NewKey{Capabilities: capabilities})
		k.works("CreateKey", err)
		in, err := k.svc.Enter(t.Context(), k.login(made.Secret), service.Act{Need: need, Verb: "test"})
		k.works("Enter", err)
		return in
	}
	seen := true
	got, err := k.svc.ChangeMessage(t.Context(), enter(mailbox.ChangeMail, "manage"), id,
		service.MessageChange{Seen: &seen, Add: []string{"mine"}})
	if err != nil || got.ID != id || !got.Seen || !slices.Contains(got.Labels, "mine") {
		t.Errorf("changed: %+v, %v", got, err)
	}
	if got.Subject != "" || got.Snippet != "" || got.Code != "" || got.From != (mailbox.Address{}) ||
		got.Detail.Text != "" {
		t.Errorf("a key that may not read mail is shown %+v", got)
	}
	url := "https://user:password@hooks.test/x"
	_, err = k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.ChangeSettings, b.Address),
		service.MailboxChange{WebhookURL: &url})
	k.works("ChangeMailbox", err)
	for capability, want := range map[string]string{"read": "", "read manage": url} {
		record, err := k.svc.MailboxRecord(t.Context(), enter(mailbox.ReadMailbox, strings.Fields(capability)...))
		if err != nil || record.Webhook.URL != want {
			t.Errorf("a key with %s is shown the webhook %q, %v", capability, record.Webhook.URL, err)
		}
	}
}

// A key is bound to recipients, networks and a time, and opens the mailboxes that were named, or that it made.
func TestKeyBounds(t *testing.T) {
	k := newService(t)
	own, second, other := k.permanent("own"), k.permanent("second"), k.permanent("other")
	in := k.operator(mailbox.Moderate, own.Address)
	create := func(n service.NewKey) mailbox.Caller {
		made, err := k.svc.CreateKey(t.Context(), in, n)
		k.works("CreateKey", err)
		return k.login(made.Secret)
	}
	enter := func(who mailbox.Caller, act service.Act) (service.Access, error) {
		act.Verb = "test"
		return k.svc.Enter(t.Context(), who, act)
	}

	who := create(service.NewKey{Recipients: []string{"a@Example.ORG", "*.example.net"}})
	send, err := enter(who, service.Act{Need: mailbox.SendMail})
	k.works("Enter", err)
	for to, ok := range map[string]bool{"a@example.org": true, "b@example.org": false, "x@sub.example.net": true,
		"x@example.net": false, "x@notexample.net": false} {
		_, err := k.svc.Send(t.Context(), send, mailbox.Draft{To: []string{to}, Subject: "s", Text: "t", HasText: true})
		if ok {
			k.works("Send to "+to, err)
		} else {
			k.kind("Send to "+to, err, mailbox.Denied, "recipient_denied")
		}
	}

	who = create(service.NewKey{Networks: []string{"192.0.2.0/24", "2001:db8::1"}})
	for from, ok := range map[string]bool{"192.0.2.9": true, "::ffff:192.0.2.9": true, "192.0.3.9": false,
		"2001:db8::1": true, "2001:db8::2": false} {
		_, err := enter(who, service.Act{Need: mailbox.ReadMail, Client: netip.MustParseAddr(from)})
		if ok {
			k.works("from "+from, err)
		} else {
			k.kind("from "+from, err, mailbox.Denied, "network_denied")
		}
	}

	who = create(service.NewKey{Mailboxes: []string{second.Address}, Capabilities: []string{"read"},
		CreateMailboxes: true})
	read := func(address string) error {
		_, err := enter(who, service.Act{Need: mailbox.ReadMail, Mailbox: address})
		return err
	}
	k.works("its own", read(own.Address))
	k.works("one that was named", read(second.Address))
	k.kind("another", read(other.Address), mailbox.Forbidden, "forbidden")
	k.kind("none", read("none@"+strings.SplitN(own.Address, "@", 2)[1]), mailbox.Forbidden, "forbidden")
	gone := k.permanent("gone")
	_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, gone.Address))
	k.works("delete", err)
	platform, err := enter(who, service.Act{Need: mailbox.CreateMailbox})
	k.works("Enter", err)
	own.undo(7)
	who.Mailbox.SetControl(k.login(own.Key).Mailbox.Control())
	platform.Caller = who
	made, err := k.svc.CreateMailbox(t.Context(), platform, service.NewMailbox{Name: "made"})
	k.works("CreateMailbox", err)
	k.works("one that it made", read(made.Address))
	k.same("what was decided of its own", k.login(made.Key).Mailbox.Control().UndoSeconds, 7)
	if own := k.login(made.Key); own.May(mailbox.SendMail) || !own.May(mailbox.ReadMail) {
		t.Error("the key of the mailbox that it made may do other things than it may")
	}
	_, err = k.svc.CreateMailbox(t.Context(), platform, service.NewMailbox{Name: "gone"})
	k.kind("the address of a deleted mailbox", err, mailbox.Conflict, "address_retired")
	me, err := k.svc.Me(t.Context(), platform)
	k.works("Me", err)
	if want := []string{second.Address, made.Address}; !slices.Equal(me.Bound.Mailboxes, want) {
		t.Errorf("opens %v, want %v", me.Bound.Mailboxes, want)
	}
	elsewhere, err := enter(who, service.Act{Need: mailbox.RotateKey, Mailbox: second.Address})
	k.works("Enter", err)
	rotatedThere, err := k.svc.RotateKey(t.Context(), elsewhere)
	k.works("RotateKey", err)
	who = k.login(rotatedThere.Secret)
	k.same("whose the rotated key is", who.Mailbox.Address, own.Address)
	_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, second.Address))
	k.works("delete", err)
	k.kind("one that is gone", read(second.Address), mailbox.Forbidden, "forbidden")

	made2, err := k.svc.CreateKey(t.Context(), in, service.NewKey{ExpiresAt: k.clock.Now().Add(time.Hour)})
	k.works("CreateKey", err)
	rotate, err := enter(k.login(made2.Secret), service.Act{Need: mailbox.RotateKey})
	k.works("Enter", err)
	rotated, err := k.svc.RotateKey(t.Context(), rotate)
	k.works("RotateKey", err)
	k.clock.advance(time.Hour)
	_, err = k.svc.Authenticate(t.Context(), rotated.Secret)
	k.kind("after its end", err, mailbox.Unauthorized, "unauthorized")
}

func TestWrongKeyBounds(t *testing.T) {
	k := newService(t)
	in := k.operator(mailbox.Moderate, k.permanent("own").Address)
	for field, n := range map[string]service.NewKey{
		"capabilities": {Capabilities: []string{"read", "fly"}},
		"recipients":   {Recipients: []string{"no address"}},
		"networks":     {Networks: []string{"192.0.2.0/40"}},
		"expires_at":   {ExpiresAt: noon.Add(-time.Hour)},
		"mailboxes":    {Mailboxes: []string{"nobody@" + configured[4:]}},
		"name":         {Name: strings.Repeat("n", 101)},
	} {
		_, err := k.svc.CreateKey(t.Context(), in, n)
		k.kind(field, err, mailbox.Invalid, "invalid_"+field)
	}
	_, err := k.svc.CreateKey(t.Context(), in, service.NewKey{Name: "two\nlines"})
	k.kind("a name of two lines", err, mailbox.Invalid, "invalid_name")
}

// A request that was under way when its key was revoked, or ended, sends nothing.
func TestKeyEndsWhileSending(t *testing.T) {
	h := newHand(t)
	ends, err := h.svc.CreateKey(t.Context(), h.operator(mailbox.Moderate, h.box.Address),
		service.NewKey{ExpiresAt: h.clock.Now().Add(time.Minute)})
	h.works("CreateKey", err)
	sending, later := h.box.in(mailbox.SendMail), h.enter(ends.Secret, mailbox.SendMail, "")
	_, err = h.svc.Send(t.Context(), later, draftTo("ann@other.test"))
	h.works("in time", err)
	h.works("RevokeKey", h.svc.RevokeKey(t.Context(), h.operator(mailbox.Moderate, ""), sending.Caller.Key.ID))
	h.clock.advance(time.Hour)
	for name, in := range map[string]service.Access{"revoked": sending, "ended": later} {
		_, err := h.svc.Send(t.Context(), in, draftTo("ann@other.test"))
		h.kind(name, err, mailbox.Unauthorized, "unauthorized")
	}
	_, err = h.submit("Subject: hi\r\n\r\nhello\r\n", "ann@other.test")
	h.kind("submission", err, mailbox.Unauthorized, "unauthorized")
}

// A key that a key has made counts with it, and ends with it, also when that was rotated meanwhile.
func TestKeyMadeByAKey(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Rates.Key = 4 })
	b := k.permanent("robin")
	own := func(secret mailbox.Secret) service.CreatedKey {
		t.Helper()
		made, err := k.svc.CreateOwnKey(t.Context(), k.enter(secret, mailbox.ManageMailbox, ""), service.OwnKey{})
		k.works("CreateOwnKey", err)
		return made
	}
	child := own(b.Key)
	grandchild := own(child.Secret)
	k.login(grandchild.Secret)
	for range 2 {
		for _, secret := range []mailbox.Secret{child.Secret, grandchild.Secret} {
			k.svc.Admit(netip.Addr{}, secret)
		}
	}
	_, err := k.svc.Admit(netip.Addr{}, b.Key)
	k.kind("too many in all", err, mailbox.Limited, "rate_limited")
	rotated, err := k.svc.RotateKey(t.Context(), b.in(mailbox.RotateKey))
	k.works("RotateKey", err)
	k.login(child.Secret)
	k.works("RevokeKey", k.svc.RevokeKey(t.Context(), k.operator(mailbox.Moderate, ""), rotated.ID))
	for _, secret := range []mailbox.Secret{child.Secret, grandchild.Secret} {
		_, err := k.svc.Authenticate(t.Context(), secret)
		k.kind("revoked", err, mailbox.Unauthorized, "unauthorized")
	}
}

// What is taken from a key is taken from those that it has made.
func TestNarrowedKeyNarrowsThoseItMade(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	made := func(n service.OwnKey) service.CreatedKey {
		t.Helper()
		key, err := k.svc.CreateOwnKey(t.Context(), b.in(mailbox.ManageMailbox), n)
		k.works("CreateOwnKey", err)
		return key
	}
	like, sender := made(service.OwnKey{}), made(service.OwnKey{SendOnly: true})
	first := k.login(b.Key).Key
	change := func(c service.KeyChange) {
		t.Helper()
		_, err := k.svc.UpdateKey(t.Context(), k.operator(mailbox.Moderate, ""), first.ID, c)
		k.works("UpdateKey", err)
	}
	change(service.KeyChange{Recipients: &[]string{"far.test"}})
	k.same("recipients", k.login(like.Secret).Key.Restriction().Recipients, []mailbox.Pattern{"far.test"})
	k.same("recipients of the sender", k.login(sender.Secret).Key.Restriction().Recipients,
		[]mailbox.Pattern{"far.test"})
	change(service.KeyChange{Capabilities: &[]string{"read"}})
	if who := k.login(like.Secret); who.May(mailbox.SendMail) || !who.May(mailbox.ReadMail) {
		t.Errorf("may %v", who.Key.Restriction())
	}
	_, err := k.svc.Authenticate(t.Context(), sender.Secret)
	k.kind("with nothing left", err, mailbox.Unauthorized, "unauthorized")
}
