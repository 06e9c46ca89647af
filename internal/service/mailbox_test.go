package service_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

func TestCreateMailbox(t *testing.T) {
	k := newService(t)
	k.permanent("taken")
	in := k.operator(mailbox.Moderate, "")
	for _, c := range []struct {
		name string
		new  service.NewMailbox
		want string
		kind mailbox.Kind
		code string
	}{
		{"name", service.NewMailbox{Name: "ada"}, "ada@example.test", 0, ""},
		{"name in upper case", service.NewMailbox{Name: " Bo.2_x-y "}, "bo.2_x-y@example.test", 0, ""},
		{"address", service.NewMailbox{Address: "Cy@Example.Test"}, "cy@example.test", 0, ""},
		{"address on another of ours", service.NewMailbox{Address: "cy@BÜCHER.test"}, "cy@xn--bcher-kva.test", 0, ""},
		{"both", service.NewMailbox{Name: "a", Address: "a@example.test"}, "", mailbox.Invalid, "invalid_name"},
		{"neither", service.NewMailbox{}, "", mailbox.Invalid, "invalid_name"},
		{"not ours", service.NewMailbox{Address: "a@elsewhere.test"}, "", mailbox.Invalid, "invalid_address"},
		{"no domain", service.NewMailbox{Address: "a"}, "", mailbox.Invalid, "invalid_address"},
		{"a role", service.NewMailbox{Name: "Support"}, "support@example.test", 0, ""},
		{"reserved", service.NewMailbox{Name: "Postmaster"}, "", mailbox.Invalid, "reserved_name"},
		{"reserved address", service.NewMailbox{Address: "abuse@example.test"}, "", mailbox.Invalid, "reserved_name"},
		{"tagged", service.NewMailbox{Address: "a+b@example.test"}, "", mailbox.Invalid, "invalid_name"},
		{"taken", service.NewMailbox{Name: "TAKEN"}, "", mailbox.Conflict, "name_taken"},
		{"configured", service.NewMailbox{Address: configured}, "", mailbox.Conflict, "name_taken"},
	} {
		made, err := k.svc.CreateMailbox(t.Context(), in, c.new)
		if c.want == "" {
			k.kind(c.name, err, c.kind, c.code)
			continue
		}
		k.works(c.name, err)
		who := k.login(made.Key)
		k.same(c.name, []any{made.Address, who.Scope, who.Mailbox.Address, who.Mailbox.CreatedAt, who.Mailbox.Status},
			[]any{c.want, mailbox.Permanent, c.want, noon, mailbox.Active})
	}
}

func TestMailboxes(t *testing.T) {
	k := newService(t)
	for i := range 7 {
		b := k.permanent(fmt.Sprintf("box%d", i))
		if i%2 == 0 {
			_, err := k.svc.PauseMailbox(t.Context(), b.in(mailbox.PauseMailbox), "")
			k.works("pause", err)
		}
	}
	in := k.operator(mailbox.Moderate, "")
	list := func(q service.MailboxQuery) (out []string) {
		if q.Page.Limit == 0 {
			q.Page.Limit = 3
		}
		for {
			page, err := k.svc.Mailboxes(t.Context(), in, q)
			k.works("Mailboxes", err)
			for _, m := range page.Items {
				out = append(out, strings.TrimSuffix(m.Address, "@example.test"))
			}
			if q.Page.Cursor = page.Next; page.Next == "" {
				return out
			}
		}
	}
	k.same("all", list(service.MailboxQuery{}), []string{"box6", "box5", "box4", "box3", "box2", "box1", "box0", "ops"})
	k.same("paused", list(service.MailboxQuery{Status: "Paused"}), []string{"box6", "box4", "box2", "box0"})
	k.same("active", list(service.MailboxQuery{Status: "active", Query: "BOX"}), []string{"box5", "box3", "box1"})
	k.same("query", list(service.MailboxQuery{Query: "x3@"}), []string{"box3"})
	k.receive(letter("a"), "box5@example.test")
	page, err := k.svc.Mailboxes(t.Context(), in, service.MailboxQuery{Status: "active", Query: "box",
		Page: service.Page{Limit: 2}})
	k.works("Mailboxes", err)
	k.same("what they hold", []mailbox.Holding{page.Items[0].Holding, page.Items[1].Holding}, []mailbox.Holding{
		{Counters: mailbox.Counters{Inbound: 1, Unseen: 1, Bytes: int64(len(letter("a"))), Month: mailbox.MonthOf(noon),
			ThisMonth: 1}, LastAt: noon}, {}})
	_, err = k.svc.Mailboxes(t.Context(), in, service.MailboxQuery{Status: "asleep"})
	k.kind("unknown status", err, mailbox.Invalid, "invalid_status")
}

func TestMe(t *testing.T) {
	k := newService(t)
	temp := k.provisional("temp")
	me, err := k.svc.Me(t.Context(), temp.read())
	k.works("Me", err)
	k.same("me", []any{me.Address, me.Scope, me.ExpiresAt, me.Version}, []any{"temp@example.test", mailbox.Provisional,
		temp.ExpiresAt, "test"})
	me, err = k.svc.Me(t.Context(), k.permanent("perm").read())
	k.works("Me", err)
	if !me.ExpiresAt.IsZero() || me.Scope != mailbox.Permanent {
		t.Errorf("me %+v", me)
	}
}

// Setting the webhook, even to the same, revives one that had failed.
func TestChangeMailbox(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := own.in(mailbox.ManageMailbox)
	url, empty := "https://example.com/hook", " "
	failed := mailbox.Webhook{URL: url, Failed: true, ConsecutiveFailures: 10, LastError: "refused",
		LastAttemptAt: noon}
	k.update(func(tx store.Tx) error {
		m := own.Mailbox
		m.Webhook = failed
		return tx.UpdateMailbox(t.Context(), m)
	})
	r, err := k.svc.ChangeMailbox(t.Context(), in, service.MailboxChange{})
	k.works("nothing", err)
	k.same("nothing", r.Webhook, failed)
	r, err = k.svc.ChangeMailbox(t.Context(), in, service.MailboxChange{WebhookURL: &url})
	k.works("the same", err)
	k.same("the same", r.Webhook, mailbox.Webhook{URL: url})
	k.same("status", r.Webhook.Status(), "active")
	bad := "ftp://example.com"
	_, err = k.svc.ChangeMailbox(t.Context(), in, service.MailboxChange{WebhookURL: &bad})
	k.kind("refused", err, mailbox.Invalid, "invalid_webhook_url")
	r, err = k.svc.ChangeMailbox(t.Context(), in, service.MailboxChange{WebhookURL: &empty})
	k.works("cleared", err)
	k.same("cleared", r.Webhook, mailbox.Webhook{})
	if r, err = k.svc.MailboxRecord(t.Context(), in); err != nil || r.Webhook.URL != "" || r.Address != own.Address {
		t.Errorf("record %+v, %v", r, err)
	}
}

// fillMailbox puts n small messages and some large ones into a mailbox.
func fillMailbox(k *kit, address string, n, large int) {
	k.Helper()
	env := k.envelope(address)
	done := make(chan error)
	const senders = 20 // so that commits are shared
	for s := range senders {
		go func() {
			for i := s; i < n; i += senders {
				if _, err := k.svc.Receive(context.Background(), env,
					strings.NewReader(reply(fmt.Sprintf("m%d", i), fmt.Sprintf("m%d", i-1)))); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range senders {
		k.works("fill", <-done)
	}
	for i := range large {
		k.receive(mixed(fmt.Sprintf("large%d", i), noise(300<<10+i)), address)
	}
}

// leftovers counts the rows that a mailbox has anywhere.
func leftovers(k *kit, num mailbox.Num) (n int) {
	k.view(func(r store.Reader) error {
		list, err := r.Messages(k.Context(), num, store.MessageFilter{Limit: 5000})
		if err != nil {
			return err
		}
		keys, err := r.Keys(k.Context(), num)
		if err != nil {
			return err
		}
		labels, err := r.Labels(k.Context(), num)
		if err != nil {
			return err
		}
		purging, err := r.Purging(k.Context())
		n = len(list) + len(keys) + len(labels) + len(purging)
		return err
	})
	return n
}

func TestDeleteMailbox(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	fillMailbox(k, own.Address, 1000, 5)
	k.receive(mixed("kept", noise(300<<10)), other.Address, own.Address)
	in := own.in(mailbox.DeleteMailbox)
	read := own.read()
	seen := true
	_, err := k.svc.ChangeMessage(t.Context(), own.change(), k.inbox(read, service.InboxQuery{}).Items[0].ID,
		service.MessageChange{Seen: &seen, Add: []string{"mine"}})
	k.works("label", err)
	gone, err := k.svc.DeleteMailbox(t.Context(), in)
	k.works("DeleteMailbox", err)
	k.same("deleted", gone, service.Deleted{Address: own.Address, Blobs: 6})

	_, err = k.svc.Authenticate(t.Context(), own.Key)
	k.kind("key", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.Recipient(t.Context(), own.Address)
	k.kind("address", err, mailbox.NoSuchRecipient, "no_such_recipient")
	k.same("rows", leftovers(k, own.Num), 0)
	k.same("files", len(k.files()), 1)
	k.same("other", k.subjects(other), []string{"kept"})

	// A request that was under way meets a key that is dead.
	_, err = k.svc.DeleteMailbox(t.Context(), in)
	k.kind("again", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.MailboxRecord(t.Context(), read)
	k.kind("record", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.Stats(t.Context(), read, 0)
	k.kind("stats", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.RotateKey(t.Context(), in)
	k.kind("rotate", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.PauseMailbox(t.Context(), in, "")
	k.kind("pause", err, mailbox.Unauthorized, "unauthorized")

	again := k.permanent("own")
	k.same("recreated", k.subjects(again), []string{})
	k.same("its threads", heads(k, again), []string{})
}

func TestDeleteMailboxByOperator(t *testing.T) {
	k := newService(t)
	k.permanent("own")
	k.receive(letter("one"), configured)
	_, err := k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, ""))
	k.kind("unnamed", err, mailbox.Invalid, "invalid_mailbox")
	_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, "own@example.test"))
	k.works("named", err)
	// The configured one is emptied: it is recreated at once.
	before := k.login(operatorToken).Mailbox.Num
	_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, configured))
	k.works("configured", err)
	if after := k.login(operatorToken).Mailbox.Num; after == before {
		t.Error("the configured mailbox has its old number")
	}
	k.same("inbox", k.inbox(k.operator(mailbox.ReadMail, ""), service.InboxQuery{}).Items, []mailbox.Message{})
	k.receive(letter("two"), configured)
}

// A deletion that is interrupted, wherever it is, is finished by Recover, and the mailbox is closed from the first step
// on.
func TestDeleteMailboxInterrupted(t *testing.T) {
	const n = 2*service.PurgeStep + 50
	crash := errors.New("crash")
	for stop := 1; stop <= 5; stop++ {
		t.Run(fmt.Sprintf("at step %d", stop), func(t *testing.T) {
			var wrapped *storeWith
			var blobs *stubbornBlobs
			k := newService(t, func(o *service.Options) {
				wrapped, blobs = &storeWith{Store: o.Store}, &stubbornBlobs{Store: o.Blobs}
				o.Store, o.Blobs = wrapped, blobs
			})
			own, other := k.permanent("own"), k.permanent("other")
			fillMailbox(k, own.Address, n, 3)
			k.receive(mixed("kept", noise(300<<10)), other.Address)
			in := own.in(mailbox.DeleteMailbox)
			if stop == 5 {
				blobs.err = crash
			} else {
				calls := 0
				wrapped.before = func() error {
					if calls++; calls > stop {
						return crash
					}
					return nil
				}
			}
			_, err := k.svc.DeleteMailbox(t.Context(), in)
			wrapped.before, blobs.err = nil, nil
			if stop != 4 && !errors.Is(err, crash) {
				t.Errorf("DeleteMailbox: %v", err)
			}
			_, err = k.svc.Authenticate(t.Context(), own.Key)
			k.kind("key", err, mailbox.Unauthorized, "unauthorized")
			_, err = k.svc.Recipient(t.Context(), own.Address)
			k.kind("address", err, mailbox.NoSuchRecipient, "no_such_recipient")
			anyID := mailbox.ID{}
			k.view(func(r store.Reader) error {
				if list, _ := r.Messages(t.Context(), own.Num, store.MessageFilter{Limit: 1}); len(list) > 0 {
					anyID = list[0].ID
				}
				return nil
			})
			_, err = k.svc.Message(t.Context(), k.operator(mailbox.ReadMail, ""), anyID, service.MessageOptions{})
			k.kind("an operator by id", err, mailbox.NotFound, "not_found")
			again := k.permanent("own") // while the old one's mail is still there
			k.same("recreated", k.subjects(again), []string{})
			k.receive(letter("new"), again.Address)

			restarted, err := service.Open(t.Context(), k.opt)
			k.works("Open", err)
			k.works("Recover", restarted.Recover(t.Context()))
			k.same("rows", leftovers(k, own.Num), 0)
			k.same("files", len(k.files()), 1)
			k.same("recreated", k.subjects(again), []string{"new"})
			k.same("other", k.subjects(other), []string{"kept"})
		})
	}
}

// stubbornBlobs is a blob store that cannot delete.
type stubbornBlobs struct {
	blob.Store
	err error
}

func (b *stubbornBlobs) DeletePrefix(ctx context.Context, prefix string) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	return b.Store.DeletePrefix(ctx, prefix)
}

// A caller who hangs up does not stop a deletion that has begun.
func TestDeleteMailboxHangUp(t *testing.T) {
	k, wrapped := newServiceOver(t)
	own := k.permanent("own")
	fillMailbox(k, own.Address, service.PurgeStep+10, 1)
	in := own.in(mailbox.DeleteMailbox)
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	wrapped.before = func() error {
		if calls++; calls == 2 { // after the first step
			cancel()
		}
		return nil
	}
	_, err := k.svc.DeleteMailbox(ctx, in)
	k.works("DeleteMailbox", err)
	k.same("rows", leftovers(k, own.Num), 0)
	k.noFiles("deleted")
}

// The configured mailbox is emptied and recreated in one step: its address is never free, even if the caller hangs up.
func TestDeleteConfigured(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) {
		o.Claim = service.ClaimOpen
		gate.Store, o.Store = o.Store, gate
	})
	k.receive(letter("one"), configured)
	in := k.operator(mailbox.DeleteMailbox, configured)
	ctx, cancel := context.WithCancel(t.Context())
	updates := 0
	gate.before = func() error {
		if updates++; updates == 2 { // after the first
			cancel()
		}
		return nil
	}
	_, _ = k.svc.DeleteMailbox(ctx, in)
	gate.before = nil
	cancel()
	k.operator(mailbox.ReadMail, "")
	_, err := k.svc.StartClaim(t.Context(), service.ClaimRequest{Client: here, Name: "ops"})
	k.kind("claiming it", err, mailbox.Conflict, "name_taken")
	k.same("inbox", subjects(k.inbox(k.operator(mailbox.ReadMail, ""), service.InboxQuery{}).Items), []string{})
}

// The operator's credential is right, whatever happens to the mailbox it names.
func TestOperatorIsNeverUnauthorized(t *testing.T) {
	k := newService(t)
	made := k.bootstrap(alice, "")
	in := k.operator(mailbox.ReadMail, made.Address)
	done := make(chan error, 1)
	go func() {
		_, err := k.svc.Wait(t.Context(), new(in), service.WaitQuery{Timeout: time.Minute})
		done <- err
	}()
	for k.svc.Attending() == 0 {
		time.Sleep(time.Millisecond)
	}
	_, err := k.svc.DeleteMailbox(t.Context(), k.enter(made.Key, mailbox.DeleteMailbox, ""))
	k.works("DeleteMailbox", err)
	k.kind("a wait while it is deleted", <-done, mailbox.NotFound, "not_found")
	expiring := k.bootstrap(alice, "")
	k.clock.set(expiring.ExpiresAt)
	_, err = k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: mailbox.ReadMail,
		Mailbox: expiring.Address})
	k.kind("one that has expired", err, mailbox.NotFound, "not_found")
}

// What an owner says about a mailbox is kept, stands in From, and a mailbox that is asked for twice is made once.
func TestMailboxProfile(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	key, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, own.Address),
		service.NewKey{CreateMailboxes: true})
	k.works("CreateKey", err)
	maker := func(secret mailbox.Secret) service.Access {
		t.Helper()
		in, err := k.svc.Enter(t.Context(), k.login(secret), service.Act{Need: mailbox.CreateMailbox})
		k.works("Enter", err)
		return in
	}
	in := maker(key.Secret)
	n := service.NewMailbox{AnyName: true, DisplayName: " Zoë ", Metadata: map[string]any{"tier": "gold", "seats": 2.0},
		ClientID: "support"}
	made, err := k.svc.CreateMailbox(t.Context(), in, n)
	k.works("CreateMailbox", err)
	k.same("profile", made.Profile(), mailbox.Profile{DisplayName: "Zoë", ClientID: "support", Maker: own.Num,
		Metadata: n.Metadata})
	again, err := k.svc.CreateMailbox(t.Context(), in, n)
	k.works("once more", err)
	k.same("the same", []any{again.Address, again.Replayed, again.Key}, []any{made.Address, true, mailbox.Secret("")})
	second, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, own.Address),
		service.NewKey{CreateMailboxes: true})
	k.works("CreateKey", err)
	_, err = k.svc.CreateMailbox(t.Context(), maker(second.Secret), n)
	k.kind("another key", err, mailbox.Conflict, "client_id_taken")
	theirs, err := k.svc.CreateMailbox(t.Context(), k.operator(mailbox.CreateMailbox, ""), n)
	k.works("another maker", err)
	if theirs.Replayed || theirs.Address == made.Address {
		t.Error("another maker's name is the same")
	}
	list, err := k.svc.OpenMailboxes(t.Context(), in, service.OpenQuery{Page: service.Page{Limit: 1}})
	k.works("OpenMailboxes", err)
	k.same("newest", list.Items[0].Address, made.Address)
	list, err = k.svc.OpenMailboxes(t.Context(), in, service.OpenQuery{Page: service.Page{Limit: 1, Cursor: list.Next}})
	k.works("OpenMailboxes", err)
	k.same("the next, and last", []any{list.Items[0].Address, list.Next}, []any{own.Address, ""})

	change, err := k.svc.Enter(t.Context(), k.login(made.Key), service.Act{Need: mailbox.ChangeSettings})
	k.works("Enter", err)
	for _, wrong := range []service.ProfileChange{
		{DisplayName: ptr("a\nb")}, {DisplayName: ptr(strings.Repeat("x", 101))},
		{Metadata: &map[string]any{"a": []any{}}}, {Metadata: &map[string]any{"": "b"}},
	} {
		_, err = k.svc.ChangeMailbox(t.Context(), change, service.MailboxChange{ProfileChange: wrong})
		if mailbox.KindOf(err) != mailbox.Invalid {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	record, err := k.svc.ChangeMailbox(t.Context(), change, service.MailboxChange{ProfileChange: service.ProfileChange{
		Metadata: &map[string]any{"seats": nil, "on": true}}})
	k.works("ChangeMailbox", err)
	k.same("merged", record.Profile().Metadata, map[string]any{"tier": "gold", "on": true})
	send, err := k.svc.Enter(t.Context(), k.login(made.Key), service.Act{Need: mailbox.SendMail})
	k.works("Enter", err)
	sent, err := k.svc.Send(t.Context(), send, mailbox.Draft{To: []string{own.Address}, Subject: "s", Text: "t",
		HasText: true})
	k.works("Send", err)
	m, err := k.svc.Message(t.Context(), send, sent.ID, service.MessageOptions{})
	k.works("Message", err)
	k.same("From", m.From, mailbox.Address{Name: "Zoë", Address: made.Address})
}

func ptr[T any](v T) *T { return &v }
