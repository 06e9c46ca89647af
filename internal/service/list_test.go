package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
)

// list puts entries on a list of a mailbox, or of the deployment where b is nobody's.
func (k *kit) list(b *box, l mailbox.List, values ...string) {
	k.Helper()
	named := ""
	if b != nil {
		named = b.Address
	}
	for _, v := range values {
		_, err := k.svc.PutListed(k.Context(), k.operator(mailbox.ControlMailbox, named),
			service.NewListed{ListOf: service.ListOf{List: l, Deployment: b == nil}, Value: v})
		k.works("put "+v, err)
	}
}

func (k *kit) unlist(b *box, l mailbox.List, value string) {
	k.Helper()
	named := ""
	if b != nil {
		named = b.Address
	}
	_, err := k.svc.DeleteListed(k.Context(), k.operator(mailbox.ControlMailbox, named),
		service.ListOf{List: l, Deployment: b == nil}, value)
	k.works("delete "+value, err)
}

// refuses says which of the addresses a mailbox cannot send to, also with a dry run.
func (b box) refuses(to ...string) (list []string) {
	b.k.Helper()
	for _, address := range to {
		d := draftTo(address)
		_, err := b.k.svc.Send(b.k.Context(), b.in(mailbox.SendMail), d)
		d.DryRun = true
		_, dry := b.k.svc.Send(b.k.Context(), b.in(mailbox.SendMail), d)
		if (err == nil) != (dry == nil) {
			b.k.Errorf("%s: %v, dry %v", address, err, dry)
		}
		if err != nil {
			b.k.kind(address, err, mailbox.Denied, "recipient_denied")
			list = append(list, address)
		}
	}
	return list
}

func TestSendLists(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("robin"), k.permanent("other")
	to := []string{"kim@good.test", "lee@good.test", "kim@sub.good.test", "eve@bad.test", "lee+x@good.test"}
	k.same("no lists", b.refuses(to...), []string(nil))
	k.list(&b, mailbox.SendBlock, "bad.test", "Lee@good.test")
	k.same("blocked", b.refuses(to...), []string{"lee@good.test", "eve@bad.test", "lee+x@good.test"})
	k.same("another mailbox", other.refuses(to...), []string(nil))
	k.list(&b, mailbox.SendAllow, "*.good.test", "eve@bad.test", "lee+x@good.test")
	k.same("block wins", b.refuses(to...),
		[]string{"kim@good.test", "lee@good.test", "eve@bad.test", "lee+x@good.test"})
	k.unlist(&b, mailbox.SendBlock, "lee@GOOD.test")
	k.unlist(&b, mailbox.SendBlock, "bad.test")
	k.same("allowed", b.refuses(to...), []string{"kim@good.test", "lee@good.test"})

	k.list(nil, mailbox.SendAllow, "good.test", "*.good.test")
	k.same("both must allow", b.refuses(to...), []string{"kim@good.test", "lee@good.test", "eve@bad.test"})
	k.same("another mailbox", other.refuses(to...), []string{"eve@bad.test"})
	for _, v := range []string{"*.good.test", "eve@bad.test", "lee+x@good.test"} {
		k.unlist(&b, mailbox.SendAllow, v)
	}
	k.same("the deployment alone", b.refuses(to...), []string{"eve@bad.test"})
	k.unlist(nil, mailbox.SendAllow, "good.test")
	k.unlist(nil, mailbox.SendAllow, "*.good.test")
	k.same("no entries", b.refuses(to...), []string(nil))
}

// An allow list does not open when its last entry expires; a block ends.
func TestListsExpire(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	put := func(l mailbox.List, v string) {
		_, err := k.svc.PutListed(t.Context(), k.operator(mailbox.ControlMailbox, b.Address), service.NewListed{
			ListOf: service.ListOf{List: l}, Value: v, ExpiresAt: k.clock.Now().Add(time.Hour)})
		k.works("put", err)
	}
	put(mailbox.SendBlock, "kim@a.test")
	put(mailbox.SendAllow, "a.test")
	k.same("before", b.refuses("kim@a.test", "lee@a.test"), []string{"kim@a.test"})
	k.clock.advance(time.Hour)
	k.same("after", b.refuses("kim@a.test", "lee@a.test"), []string{"kim@a.test", "lee@a.test"})
	k.unlist(&b, mailbox.SendAllow, "a.test")
	k.same("deleted", b.refuses("kim@a.test", "lee@a.test"), []string(nil))
}

func TestReplyLists(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	k.receive("From: kim@a.test\r\nMessage-ID: <1@a.test>\r\nSubject: Hi\r\n\r\nHello", b.Address)
	came := k.inbox(b.read(), service.InboxQuery{Page: service.Page{Limit: 1}}).Items[0]
	reply := func(to ...string) error {
		d := draftTo(to...)
		d.EmailID, d.DryRun = came.ID.String(), true
		_, dry := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), d)
		d.DryRun = false
		_, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), d)
		if (err == nil) != (dry == nil) {
			t.Errorf("%v, dry %v", err, dry)
		}
		return err
	}
	k.works("no lists", reply())
	k.list(&b, mailbox.SendAllow, "b.test")
	k.kind("the send list", reply(), mailbox.Denied, "recipient_denied")
	k.list(&b, mailbox.ReplyAllow, "a.test")
	k.works("the reply list", reply())
	k.same("a first mail", b.refuses("kim@a.test"), []string{"kim@a.test"})
	k.kind("to another, who did not write", reply("lee@a.test"), mailbox.Denied, "recipient_denied")
	k.list(&b, mailbox.ReplyBlock, "kim@a.test")
	k.kind("reply block", reply(), mailbox.Denied, "recipient_denied")
	k.list(&b, mailbox.SendAllow, "a.test")
	k.kind("reply block, allowed by send", reply(), mailbox.Denied, "recipient_denied")
	k.same("a first mail, reply block", b.refuses("kim@a.test"), []string(nil))
	k.unlist(&b, mailbox.ReplyBlock, "kim@a.test")
	k.list(nil, mailbox.SendBlock, "kim@a.test")
	k.kind("send block", reply(), mailbox.Denied, "recipient_denied")
}

// Whoever forges an author does not make it one that may be answered, nor one that a block no longer covers.
func TestReplyListsForged(t *testing.T) {
	checks := &oracle{}
	k := newService(t, func(o *service.Options) { o.Senders = checks })
	b := k.permanent("robin")
	replies := func(id int, says sender.Result) error {
		t.Helper()
		checks.says = says
		k.receive(fmt.Sprintf("From: kim@a.test\r\nMessage-ID: <%d@a.test>\r\nSubject: Hi %d\r\n\r\nHello", id, id),
			b.Address)
		d := draftTo()
		d.EmailID = k.inbox(b.read(), service.InboxQuery{Page: service.Page{Limit: 1}}).Items[0].ID.String()
		_, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), d)
		return err
	}
	forged := sender.Result{SPF: "pass", DKIM: "none", DMARC: "fail", ARC: "none", Checked: true}
	k.list(&b, mailbox.ReplyBlock, "kim@a.test")
	k.kind("blocked", replies(1, forged), mailbox.Denied, "recipient_denied")
	k.unlist(&b, mailbox.ReplyBlock, "kim@a.test")
	k.list(&b, mailbox.SendAllow, "b.test")
	k.list(&b, mailbox.ReplyAllow, "a.test")
	k.kind("forged", replies(2, forged), mailbox.Denied, "recipient_denied")
	k.works("authentic", replies(3, passed))
}

// Letters that are not ASCII do not become ASCII letters; a block is of both.
func TestListsFoldASCII(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	to := []string{"KIM@one.test", "\u212Aim@one.test", "k\u0130m@one.test"}
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address),
		service.NewKey{Recipients: []string{"Kim@one.test"}})
	k.works("CreateKey", err)
	for i, address := range to {
		_, err := k.svc.Send(t.Context(), k.enter(made.Secret, mailbox.SendMail, ""), draftTo(address))
		if i == 0 {
			k.works(address, err)
		} else {
			k.kind(address, err, mailbox.Denied, "recipient_denied")
		}
	}
	k.list(&b, mailbox.SendAllow, "kim@one.test")
	k.same("allowed", b.refuses(to...), to[1:])
	k.unlist(&b, mailbox.SendAllow, "kim@one.test")
	k.list(&b, mailbox.SendBlock, "kim@one.test", "j\u00F6@one.test")
	all := append(to, "J\u00D6@one.test", "j\u00F6+x@one.test")
	k.same("blocked", b.refuses(all...), all)
}

// What waits in the queue when a list changes is not sent.
func TestListedMeanwhile(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	first, second := b.send(draftTo("ann@a.test")), b.send(draftTo("bob@b.test"))
	k.list(&b, mailbox.SendBlock, "a.test")
	if jobs := k.lease(); len(jobs) != 1 || jobs[0].Recipient != "bob@b.test" {
		t.Errorf("leased %+v", jobs)
	}
	k.same("blocked", b.message(first.ID).Status, "failed")
	k.same("why", b.message(first.ID).Detail.Deliveries[0].Text, "ann@a.test is on the list send/block of this "+
		"mailbox; only "+
		"the people in control of the mailbox can change that.")
	k.same("the other", b.message(second.ID).Status, "queued")
}

func TestWhoChangesLists(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	caller := k.login(b.Key)
	_, err := k.svc.Enter(t.Context(), caller, service.Act{Need: mailbox.ControlMailbox})
	k.kind("the agent's key", err, mailbox.Denied, "scope_denied")
	k.list(&b, mailbox.SendBlock, "a.test")
	own := service.ListOf{List: mailbox.SendBlock}
	found, err := k.svc.List(t.Context(), b.read(), own, service.Page{Limit: 5})
	k.works("the agent reads", err)
	k.same("entries", len(found.Items), 1)
	_, err = k.svc.List(t.Context(), b.read(), service.ListOf{List: mailbox.SendBlock, Deployment: true},
		service.Page{Limit: 5})
	k.kind("the deployment's", err, mailbox.Denied, "scope_denied")
	_, err = k.svc.PutListed(t.Context(), k.operator(mailbox.ControlMailbox, b.Address), service.NewListed{
		ListOf: service.ListOf{List: mailbox.SendBlock, Deployment: true}, Value: "a.test"})
	k.kind("both", err, mailbox.Invalid, "invalid_scope")
	for name, n := range map[string]service.NewListed{
		"value":      {ListOf: own, Value: "not an address"},
		"expires_at": {ListOf: own, Value: "b.test", ExpiresAt: k.clock.Now().Add(-time.Second)}} {
		_, err := k.svc.PutListed(t.Context(), k.operator(mailbox.ControlMailbox, b.Address), n)
		k.kind(name, err, mailbox.Invalid, "invalid_"+name)
	}
	_, err = k.svc.DeleteListed(t.Context(), k.operator(mailbox.ControlMailbox, b.Address), own, "b.test")
	k.kind("not there", err, mailbox.NotFound, "not_found")
}

func TestReceiveLists(t *testing.T) {
	checks := &oracle{says: passed}
	k := newService(t, func(o *service.Options) { o.Senders = checks })
	b, other := k.permanent("robin"), k.permanent("other")
	n := 0
	from := func(author string, says sender.Result) mailbox.Receipt {
		t.Helper()
		n++
		checks.says = says
		raw := fmt.Sprintf("From: %s\r\nMessage-ID: <%d@x.test>\r\nSubject: Hi\r\n\r\nHello", author, n)
		got, err := k.svc.Receive(t.Context(), k.envelope(b.Address, other.Address), strings.NewReader(raw))
		k.works("receive", err)
		k.works("for the other", got[1].Err)
		return got[0]
	}
	failed := sender.Result{SPF: "fail", DKIM: "none", DMARC: "none", ARC: "none", Checked: true}
	unaligned := sender.Result{SPF: "pass", DKIM: "pass", DMARC: "none", ARC: "none", Checked: true}
	noDNS := sender.Result{SPF: "temperror", DKIM: "temperror", DMARC: "temperror", ARC: "none", Checked: true}
	k.works("no lists", from("kim@a.test", failed).Err)
	k.list(&b, mailbox.ReceiveBlock, "bad.test")
	k.kind("blocked", from("eve@bad.test", passed).Err, mailbox.Denied, "sender_denied")
	k.kind("blocked, forged", from("eve@bad.test", failed).Err, mailbox.Denied, "sender_denied")
	k.works("another", from("kim@a.test", failed).Err)
	k.list(&b, mailbox.ReceiveAllow, "a.test", "bad.test")
	k.works("allowed", from("kim@a.test", passed).Err)
	k.kind("allowed, forged", from("kim@a.test", failed).Err, mailbox.Denied, "sender_denied")
	k.kind("allowed, of another domain", from("kim@a.test", unaligned).Err, mailbox.Denied, "sender_denied")
	k.kind("allowed, no DNS", from("kim@a.test", noDNS).Err, mailbox.Limited, "sender_unchecked")
	k.kind("not allowed, no DNS", from("kim@b.test", noDNS).Err, mailbox.Denied, "sender_denied")
	k.kind("not allowed", from("kim@b.test", passed).Err, mailbox.Denied, "sender_denied")
	k.kind("block wins", from("eve@bad.test", passed).Err, mailbox.Denied, "sender_denied")
	k.same("what came", len(k.subjects(b)), 3)
	k.same("what came to the other", len(k.subjects(other)), n)

	// between mailboxes of ours
	sent := other.send(draftTo(b.Address))
	k.same("from another mailbox", other.message(sent.ID).Status, "bounced")
	k.list(&b, mailbox.ReceiveAllow, other.Address)
	sent = other.send(draftTo(b.Address))
	k.same("from one that is allowed", other.message(sent.ID).Status, "delivered")
}

// A block is of every author that any From names.
func TestReceiveBlockAllAuthors(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	k.list(&b, mailbox.ReceiveBlock, "eve@bad.test")
	many := "kim@a.test"
	for i := range 30 {
		many += fmt.Sprintf(", k%d@a.test", i)
	}
	for _, tt := range []struct {
		from    string
		refused bool
	}{
		{"From: kim@a.test, lee@a.test", false},
		{"From: kim@a.test, Eve <Eve@bad.test>", true},
		{"From: kim@a.test\r\nFrom: eve+x@bad.test", true},
		{"From: " + many + ", eve@bad.test", true},
	} {
		got, err := k.svc.Receive(t.Context(), k.envelope(b.Address), strings.NewReader(tt.from+"\r\n\r\nHello"))
		k.works("receive", err)
		if (got[0].Err != nil) != tt.refused {
			t.Errorf("%s: %v", tt.from, got[0].Err)
		}
	}
}

// What comes to the return path of a message passes the lists, unless it is a report about that message.
func TestReceiveListsReturnPath(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	k.list(&b, mailbox.ReceiveAllow, "good.test")
	b.send(draftTo("ann@other.test"))
	j := k.one()
	k.finish(j, taken)
	for _, tt := range []struct {
		name, from, raw string
		refused         bool
	}{
		{"mail", "eve@bad.test", letter("mail"), true},
		{"mail of the null sender", "", letter("null"), true},
		{"a report that somebody sent", "eve@bad.test", fmt.Sprintf(dsn, j.Return, "failed", "5.1.1"), true},
		{"a report", "", fmt.Sprintf(dsn, j.Return, "failed", "5.1.1"), false},
	} {
		rcpt, err := k.svc.Recipient(t.Context(), j.Return)
		k.works("recipient", err)
		env := mailbox.Envelope{Trace: mailbox.Trace{From: tt.from, Remote: "192.0.2.9", Proto: "ESMTP"},
			Recipients: []mailbox.Recipient{rcpt}}
		got, err := k.svc.Receive(t.Context(), env, strings.NewReader(tt.raw))
		k.works(tt.name, err)
		if (got[0].Err != nil) != tt.refused {
			t.Errorf("%s: %v", tt.name, got[0].Err)
		}
	}
}

// A block of one address of a mailbox of ours is of all of them.
func TestListsAliases(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	other := k.insert(mailbox.Mailbox{Address: "other@example.test", Aliases: []string{"alias@example.test"},
		Scope: mailbox.Permanent})
	both := []string{other.Address, "alias@example.test", "alias+x@example.test"}
	for _, v := range both[:2] {
		k.list(&b, mailbox.SendBlock, v)
		k.same("blocked by "+v, b.refuses(both...), both)
		k.unlist(&b, mailbox.SendBlock, v)
	}
	k.list(&b, mailbox.SendAllow, other.Address)
	k.same("allowed", b.refuses(both...), both[1:])
}

// A key that controls a mailbox reads what it controls, and no mail; the audit log says once what it changed.
func TestControlLists(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address),
		service.NewKey{Capabilities: []string{"control"}})
	k.works("CreateKey", err)
	audits := func() []mailbox.Audit {
		found, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
			service.AuditsQuery{Page: service.Page{Limit: 100}})
		k.works("Audits", err)
		return found.Items
	}
	was := len(audits())
	in, err := k.svc.Enter(t.Context(), k.login(made.Secret), service.Act{Need: mailbox.ControlMailbox,
		Verb: "PUT /v1/lists/{list}/{action}"})
	k.works("enter", err)
	of := service.ListOf{List: mailbox.SendBlock}
	_, err = k.svc.PutListed(t.Context(), in, service.NewListed{ListOf: of, Value: "Bad.test"})
	k.works("put", err)
	now := audits()
	k.same("entries", len(now)-was, 1)
	k.same("entry", []string{now[0].Mailbox, now[0].Note, now[0].Actor},
		[]string{b.Address, "send/block bad.test", made.ID.String()})
	found, err := k.svc.List(t.Context(), k.enter(made.Secret, mailbox.ReadMailbox, ""), of, service.Page{Limit: 5})
	k.works("read", err)
	k.same("list", len(found.Items), 1)
	_, err = k.svc.Enter(t.Context(), k.login(made.Secret), service.Act{Need: mailbox.ReadMail})
	k.kind("mail", err, mailbox.Denied, "scope_denied")
}

// A mailbox whose lists refuse authors is told apart, so that a sender gets an answer for it alone.
func TestChoosyRecipient(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	alone := func(want bool) {
		t.Helper()
		for range 2 { // the second time from memory
			to, err := k.svc.Recipient(t.Context(), b.Address)
			if k.works("recipient", err); to.Alone != want {
				t.Errorf("alone: %v", to.Alone)
			}
		}
	}
	alone(false)
	k.list(&b, mailbox.SendBlock, "evil.test")
	alone(false)
	k.list(&b, mailbox.ReceiveBlock, "evil.test")
	alone(true)
	k.act(b, mailbox.QuarantineMail) // nobody is refused
	alone(false)
}
