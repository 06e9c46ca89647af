package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

var (
	taken = mailbox.Attempt{Outcome: mailbox.Accepted, Code: 250, Text: "2.0.0 ok", Host: "mx.other.test",
		TLS: "TLS1.3"}
	later   = mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451, Text: "4.7.1 later"}
	refused = mailbox.Attempt{Outcome: mailbox.Refused, Code: 550, Enhanced: "5.1.1", Text: "5.1.1 no such user"}
	cut     = mailbox.Attempt{Outcome: mailbox.Lost}
)

// status of a message and of its deliveries.
func (b box) status(id mailbox.ID) string {
	b.k.Helper()
	m := b.message(id)
	out := m.Status + ":"
	for _, d := range m.Detail.Deliveries {
		out += fmt.Sprintf(" %s/%d", d.Status, d.Attempts)
	}
	return out
}

func TestDelivered(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test", "bob@other.test"))
	jobs := k.lease()
	k.finish(jobs[0], taken)
	if got := b.status(sent.ID); got != "queued: delivered/1 queued/0" {
		t.Errorf("after one: %s", got)
	}
	k.finish(jobs[1], refused)
	if got := b.status(sent.ID); got != "bounced: delivered/1 bounced/1" {
		t.Errorf("after both: %s", got)
	}
	k.finish(jobs[0], refused) // it has no lease any more
	want := []string{"message.sent", "message.delivered ann@other.test", "message.bounced bob@other.test"}
	if got := b.kinds(); !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
}

func TestRetries(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test"))
	began := k.clock.Now()
	tries := 0
	for last := began; ; tries++ {
		j := k.one()
		if waited := k.clock.Now().Sub(last); tries > 0 && (waited < 48*time.Second ||
			waited > 2*time.Hour+24*time.Minute) {
			t.Errorf("try %d after %v", tries+1, waited)
		}
		last = k.clock.Now()
		k.finish(j, later)
		next := k.next()
		if next.IsZero() {
			break
		}
		if got := b.status(sent.ID); !strings.HasPrefix(got, "delivery_delayed:") {
			t.Errorf("status %s", got)
		}
		k.clock.set(next.Add(-time.Millisecond))
		if len(k.lease()) != 0 {
			t.Fatal("due too early")
		}
		k.clock.set(next)
	}
	if gone := k.clock.Now().Sub(began); gone < 48*time.Hour || gone > 51*time.Hour || tries < 20 || tries > 40 {
		t.Errorf("given up after %v and %d tries", gone, tries)
	}
	if got := b.kinds(); !slices.Equal(got, []string{"message.sent", "message.bounced ann@other.test"}) {
		t.Errorf("events %v", got)
	}
	found, _ := k.svc.Suppressions(t.Context(), b.in(mailbox.ManageMailbox),
		service.SuppressionsQuery{Page: service.Page{Limit: 10}})
	if len(found.Items) != 0 {
		t.Error("an address that did not answer is on the suppression list")
	}
}

// A lease that nobody finishes is due again; who had it can report nothing more.
func TestLeaseEnds(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test"))
	old := k.one()
	if len(k.lease()) != 0 {
		t.Fatal("leased twice")
	}
	k.clock.advance(20 * time.Minute)
	again := k.one()
	k.finish(old, refused)
	if err := k.svc.BeginDelivery(t.Context(), old.Delivery); err == nil {
		t.Error("who lost the lease may begin")
	}
	k.finish(again, taken)
	if got := b.status(sent.ID); got != "delivered: delivered/1" {
		t.Errorf("got %s", got)
	}
}

// What was cut off while the next server had the message is tried once more, and says so.
func TestUnknownOutcome(t *testing.T) {
	restart := func(k *kit) {
		var err error
		if k.svc, err = service.Open(k.Context(), k.opt); err != nil {
			k.Fatal(err)
		}
	}
	begin := func(k *kit, j service.Job) {
		if err := k.svc.BeginDelivery(k.Context(), j.Delivery); err != nil {
			k.Fatal(err)
		}
	}
	unknown := func(b box, id mailbox.ID) bool { return b.message(id).Detail.Deliveries[0].Unknown }
	t.Run("crash before", func(t *testing.T) {
		k := newService(t)
		b := k.permanent("robin")
		sent := b.send(draftTo("ann@other.test"))
		k.one()
		restart(k)
		k.finish(k.one(), taken)
		if unknown(b, sent.ID) {
			t.Error("marked, although it had not begun")
		}
	})
	t.Run("crash during", func(t *testing.T) {
		k := newService(t)
		b := k.permanent("robin")
		sent := b.send(draftTo("ann@other.test"))
		begin(k, k.one())
		restart(k)
		k.finish(k.one(), taken)
		if !unknown(b, sent.ID) || b.status(sent.ID) != "delivered: delivered/1" {
			t.Errorf("not marked, or %s", b.status(sent.ID))
		}
	})
	t.Run("crash twice", func(t *testing.T) {
		k := newService(t)
		b := k.permanent("robin")
		sent := b.send(draftTo("ann@other.test"))
		for range 2 {
			begin(k, k.one())
			restart(k)
		}
		k.finish(k.one(), taken) // at least once: until there is an answer
		if !unknown(b, sent.ID) || b.message(sent.ID).Status != "delivered" {
			t.Errorf("not marked, or %s", b.status(sent.ID))
		}
	})
	t.Run("connection lost", func(t *testing.T) {
		k := newService(t)
		b := k.permanent("robin")
		sent := b.send(draftTo("ann@other.test"))
		j := k.one()
		begin(k, j)
		k.finish(j, cut)
		k.clock.advance(2 * time.Minute)
		k.finish(k.one(), taken)
		if !unknown(b, sent.ID) {
			t.Error("not marked")
		}
	})
}

func TestCancelled(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test"))
	j := k.one()
	if err := k.svc.DeleteMessage(t.Context(), b.change(), sent.ID); err != nil {
		t.Fatal(err)
	}
	if err := k.svc.BeginDelivery(t.Context(), j.Delivery); err == nil {
		t.Error("a deleted message may be sent")
	}
	k.finish(j, taken)
	k.clock.advance(time.Hour)
	if len(k.lease()) != 0 {
		t.Error("a deleted message is still queued")
	}
}

func TestPausedWaits(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.send(draftTo("ann@other.test"))
	if _, err := k.svc.PauseMailbox(t.Context(), b.in(mailbox.PauseMailbox), ""); err != nil {
		t.Fatal(err)
	}
	if len(k.lease()) != 0 {
		t.Fatal("sent although paused")
	}
	if _, err := k.svc.ResumeMailbox(t.Context(), k.operator(mailbox.PauseMailbox, b.Address)); err != nil {
		t.Fatal(err)
	}
	k.one()
}

// What a worker has when the mailbox is paused, and has not told the next server yet, waits as well.
func TestPausedWaitsWithAWorker(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.send(draftTo("ann@other.test"))
	job := k.one()
	_, err := k.svc.PauseMailbox(t.Context(), b.in(mailbox.PauseMailbox), "")
	k.works("pause", err)
	wantCode(t, k.svc.BeginDelivery(t.Context(), job.Delivery), "lease_lost")
	k.finish(job, mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451}) // it has no lease any more
	_, err = k.svc.ResumeMailbox(t.Context(), k.operator(mailbox.PauseMailbox, b.Address))
	k.works("resume", err)
	if again := k.one(); again.Unknown || again.Attempts != 0 {
		t.Errorf("it is %+v", again.Delivery)
	}
}

// What a node that died had taken is nobody's when the mailbox is paused, and due when it is resumed.
func TestPausedWaitsAfterCrash(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.send(draftTo("ann@other.test"))
	k.works("begin", k.svc.BeginDelivery(t.Context(), k.one().Delivery))
	k.clock.advance(time.Hour)
	_, err := k.svc.PauseMailbox(t.Context(), b.in(mailbox.PauseMailbox), "")
	k.works("pause", err)
	if len(k.lease()) != 0 {
		t.Fatal("sent although paused")
	}
	_, err = k.svc.ResumeMailbox(t.Context(), k.operator(mailbox.PauseMailbox, b.Address))
	k.works("resume", err)
	if job := k.one(); !job.Unknown {
		t.Error("forgotten that it was begun")
	}
}

const dsn = "From: MAILER-DAEMON@other.test\r\nTo: %s\r\nSubject: Undelivered Mail\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nIt failed.\r\n--b\r\n" +
	"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.other.test\r\n\r\nFinal-Recipient: rfc822; " +
	"ann@other.test\r\n" +
	"Action: %s\r\nStatus: %s\r\nDiagnostic-Code: smtp; 550 5.1.1 no such user\r\n\r\n--b--\r\n"

// report hands in a mail from a sender.
func (k *kit) report(from, to, raw string) error {
	rcpt, err := k.svc.Recipient(k.Context(), to)
	if err != nil {
		return err
	}
	env := mailbox.Envelope{Trace: mailbox.Trace{From: from, Remote: "192.0.2.9", Proto: "ESMTP"},
		Recipients: []mailbox.Recipient{rcpt}}
	_, err = k.svc.Receive(k.Context(), env, strings.NewReader(raw))
	return err
}

func TestBounceComesBack(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test"))
	j := k.one()
	k.finish(j, taken)
	path := j.Return
	forged := strings.Replace(path, ".", ".0", 1)[:strings.LastIndex(path, "@")] + "@example.test"
	for _, tt := range []struct {
		name, from, to, raw, want string
		refused                   bool
	}{
		{"forged return path", "", forged, fmt.Sprintf(dsn, forged, "failed", "5.1.1"), "delivered", true},
		{"to the mailbox itself", "", b.Address, fmt.Sprintf(dsn, b.Address, "failed", "5.1.1"), "delivered", false},
		{"from somebody", "eve@other.test", path, fmt.Sprintf(dsn, path, "failed", "5.1.1"), "delivered", false},
		{"delayed, too late", "", path, fmt.Sprintf(dsn, path, "delayed", "4.4.1"), "delivered", false},
		{"bounce", "", strings.ToUpper(path), fmt.Sprintf(dsn, path, "failed", "5.1.1"), "bounced", false},
		{"bounce again", "", path, fmt.Sprintf(dsn, path, "failed", "5.1.2"), "bounced", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := k.report(tt.from, tt.to, tt.raw); (err != nil) != tt.refused {
				t.Errorf("handed in: %v", err)
			}
			if got := b.message(sent.ID).Status; got != tt.want {
				t.Errorf("status %s, want %s", got, tt.want)
			}
		})
	}
	count := func(kind string) (n int) {
		for _, e := range b.kinds() {
			if strings.HasPrefix(e, kind) {
				n++
			}
		}
		return n
	}
	if count("message.bounced") != 1 || count("message.delivered") != 1 {
		t.Errorf("events %v", b.kinds())
	}
	_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo("ann@other.test"))
	wantCode(t, err, "recipient_suppressed")
}

// A report that names several recipients counts for the one that was written to, and words count in a reply, too.
func TestBounceOfTheRightRecipient(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.send(draftTo("bob@other.test"))
	j := k.one()
	k.finish(j, taken)
	const ann = "Final-Recipient: rfc822; ann@other.test"
	full := ann + "\r\nAction: failed\r\nStatus: 5.2.2\r\n\r\nFinal-Recipient: rfc822; Bob@other.test"
	raw := strings.Replace(fmt.Sprintf(dsn, j.Return, "failed", "5.0.0"), ann, full, 1)
	k.works("report", k.report("", j.Return, raw))
	_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo("bob@other.test"))
	wantCode(t, err, "recipient_suppressed")
	for _, text := range []string{"5.5.0 unknown recipient", "5.5.0 protocol error"} {
		hard := strings.Contains(text, "unknown")
		to := fmt.Sprintf("kim-%t@other.test", hard)
		b.send(draftTo(to))
		k.finish(k.one(), mailbox.Attempt{Outcome: mailbox.Refused, Code: 554, Enhanced: "5.5.0", Text: text})
		if _, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo(to)); (err != nil) != hard {
			t.Errorf("after %q: %v", text, err)
		}
	}
}

const arf = "From: fbl@other.test\r\nTo: abuse@example.test\r\nSubject: Complaint\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\n\r\nA complaint.\r\n--b\r\n" +
	"Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: x/1\r\nVersion: " +
	"1\r\n%s\r\n--b\r\n" +
	"Content-Type: message/rfc822\r\n\r\n%s\r\n--b--\r\n"

func withPath(path, _ string) string {
	return fmt.Sprintf(arf, "Original-Mail-From: <"+path+">\r\n", "Subject: Hello\r\n\r\nHello")
}

func withID(_, id string) string {
	return fmt.Sprintf(arf, "Original-Rcpt-To: ann@other.test\r\n", "Subject: Hello\r\nMessage-ID: <"+id+
		">\r\n\r\nHello")
}

var (
	unchecked = sender.Result{SPF: "none", DKIM: "none", DMARC: "none", ARC: "none"}
	failed    = sender.Result{SPF: "fail", DKIM: "none", DMARC: "fail", ARC: "none", Checked: true}
)

// Everybody who was sent a message knows its Message-ID, so who knows no more must be known to speak for the recipient.
func TestComplaint(t *testing.T) {
	for _, tt := range []struct {
		name  string
		from  string // who reports
		check sender.Result
		raw   func(path, id string) string
		want  string
	}{
		{"with the return path, by a stranger", "eve@evil.test", unchecked, withPath, "complained"},
		{"with the Message-ID, by the provider", "fbl@other.test", passed, withID, "complained"},
		{"with the Message-ID, by a part of the provider", "abuse@arf.mail.other.test", passed, withID, "complained"},
		{"with the Message-ID, by the recipient", "Ann@other.test", passed, withID, "complained"},
		{"with the Message-ID, not authenticated", "fbl@other.test", failed, withID, "delivered"},
		{"with the Message-ID, not aligned", "fbl@other.test", sender.Result{SPF: "pass", DKIM: "pass", DMARC: "none",
			Checked: true}, withID, "delivered"},
		{"with the Message-ID, not checked", "fbl@other.test", unchecked, withID, "delivered"},
		{"with the Message-ID, by a stranger", "fbl@evil.test", passed, withID, "delivered"},
		{"with the Message-ID, by a neighbour", "eve@other.test", passed, withID, "delivered"},
		{"with the Message-ID, by several", "fbl@other.test, eve@evil.test", passed, withID, "delivered"},
		{"with neither", "fbl@other.test", passed, func(string, string) string {
			return fmt.Sprintf(arf, "Original-Rcpt-To: ann@other.test\r\n", "Subject: Hello\r\nMessage-ID: "+
				"<x@other.test>\r\n\r\nHello")
		}, "delivered"},
		{"with a forged Message-ID", "fbl@other.test", passed, func(_, id string) string {
			return fmt.Sprintf(arf, "Original-Rcpt-To: ann@other.test\r\n", "Message-ID: <"+strings.Replace(id, ".",
				".f", 1)+">\r\n\r\nHello")
		}, "delivered"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newService(t, func(o *service.Options) { o.Senders = &oracle{says: tt.check} })
			b := k.permanent("robin")
			sent := b.send(draftTo("ann@other.test"))
			j := k.one()
			k.finish(j, taken)
			raw := strings.Replace(tt.raw(j.Return, sent.MessageID), "From: fbl@other.test", "From: "+tt.from, 1)
			if err := k.report("fbl@other.test", "abuse@example.test", raw); err != nil {
				t.Fatal(err)
			}
			if got := b.message(sent.ID).Status; got != tt.want {
				t.Errorf("status %s, want %s", got, tt.want)
			}
		})
	}
}

func TestReply(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	const mail = "From: Ann <ann@other.test>\r\nTo: robin@example.test, bob@other.test\r\nCc: " +
		"cid@third.test\r\nSubject: Re: Hello\r\n" +
		"Message-ID: <2@other.test>\r\nReferences: <0@other.test> <1@other.test>\r\n\r\nHow are you?\r\n"
	id := k.receive(mail, "robin@example.test")[0].ID
	sent, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), mailbox.Draft{EmailID: id.String(), Text: "Fine.",
		HasText: true, All: true})
	if err != nil {
		t.Fatal(err)
	}
	m := b.message(sent.ID)
	var to []string
	for _, d := range m.Detail.Deliveries {
		to = append(to, d.Recipient)
	}
	if m.Subject != "Re: Hello" || m.Detail.InReplyTo != "2@other.test" || !slices.Equal(m.Detail.References,
		[]string{"0@other.test", "1@other.test", "2@other.test"}) ||
		!slices.Equal(to, []string{"ann@other.test", "bob@other.test", "cid@third.test"}) ||
		m.Thread != b.message(id).Thread {
		t.Errorf("reply %+v, to %v", m, to)
	}
	t.Run("to a program", func(t *testing.T) {
		id := k.receive(strings.Replace(mail, "<2@", "<3@", 1)[:0]+"Auto-Submitted: auto-replied\r\n"+
			strings.Replace(mail, "<2@", "<3@", 1), "robin@example.test")[0].ID
		d := mailbox.Draft{EmailID: id.String(), Text: "Fine.", HasText: true}
		_, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), d)
		wantCode(t, err, "automated_message")
		d.Force = true
		forced, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), d)
		if err != nil || b.message(forced.ID).Detail.Header("Auto-Submitted") != "auto-replied" {
			t.Errorf("forced: %v", err)
		}
	})
}

func TestForward(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	const mail = "From: Ann <ann@other.test>\r\nTo: robin@example.test\r\nSubject: Papers\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHere they " +
		"are.\r\n--b\r\n" +
		"Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; " +
		"filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0x\r\n--b--\r\n"
	id := k.receive(mail, "robin@example.test")[0].ID
	sent, err := k.svc.Forward(t.Context(), b.in(mailbox.SendMail), mailbox.Draft{EmailID: id.String(),
		To: []string{"bob@other.test"}, Text: "See below.", HasText: true})
	if err != nil {
		t.Fatal(err)
	}
	m := b.message(sent.ID)
	if m.Subject != "Fwd: Papers" || len(m.Detail.Parts) != 1 || m.Detail.Parts[0].Filename != "a.pdf" ||
		m.Detail.Parts[0].Size != 6 ||
		!strings.HasPrefix(m.Detail.Text, "See below.") || !strings.Contains(m.Detail.Text, "Here they are.") ||
		!strings.Contains(m.Detail.Text, "From: \"Ann\" <ann@other.test>") {
		t.Errorf("forwarded as %+v", m)
	}
}

// What waits for a destination that is never reached is given up in the end, but not by a service that was just
// started.
func TestGiveUp(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@dead.test"))
	paused := k.permanent("kim")
	waits := paused.send(draftTo("ann@dead.test"))
	if _, err := k.svc.PauseMailbox(t.Context(), paused.in(mailbox.PauseMailbox), ""); err != nil {
		t.Fatal(err)
	}
	giveUp := func() {
		t.Helper()
		if err := k.svc.GiveUp(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	k.clock.advance(52 * time.Hour)
	giveUp()
	if got := b.message(sent.ID).Status; got != "queued" {
		t.Errorf("given up too early: %s", got)
	}
	k.clock.advance(time.Minute)
	restarted, err := service.Open(t.Context(), k.opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := restarted.GiveUp(t.Context()); err != nil || b.message(sent.ID).Status != "queued" {
		t.Errorf("given up by a service that was just started: %v", err)
	}
	giveUp()
	if got := b.kinds(); !slices.Equal(got, []string{"message.sent", "message.bounced ann@dead.test"}) {
		t.Errorf("events %v", got)
	}
	if _, err := k.svc.ResumeMailbox(t.Context(), k.operator(mailbox.PauseMailbox, paused.Address)); err != nil {
		t.Fatal(err)
	}
	if got := paused.message(waits.ID).Status; got != "queued" {
		t.Errorf("what waited for a paused mailbox is %s", got)
	}
	giveUp()
	for range 3 { // and it is tried as if no time had passed
		jobs := k.lease()
		if len(jobs) != 1 {
			t.Fatalf("%d due", len(jobs))
		}
		k.finish(jobs[0], later)
		k.clock.advance(10 * time.Minute)
	}
	if got := paused.message(waits.ID).Status; got != "delivery_delayed" {
		t.Errorf("after some tries it is %s", got)
	}
}

// Deliveries of a mailbox that is being deleted are in nobody's way.
func TestDeletedMailboxLeavesTheQueue(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.DailySends, o.LoopPeer = 0, 0 })
	b, other := k.permanent("robin"), k.permanent("kim")
	for range 5 {
		b.send(draftTo("ann@other.test"))
	}
	k.clock.advance(time.Second)
	other.send(draftTo("bob@other.test"))
	k.update(func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), b.Num) })
	take := service.LeaseQuery{Room: func(string, bool) int { return 3 }, Take: func(mailbox.Delivery,
		bool) bool {
		return true
	}, Limit: 3}
	for range 3 {
		jobs, _, err := k.svc.LeaseDeliveries(t.Context(), take)
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 1 && jobs[0].Recipient == "bob@other.test" {
			return
		}
	}
	t.Error("the other mailbox's mail was not found")
}

// An address that is put on the list after a message was accepted does not get it.
func TestSuppressedMeanwhile(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	first, second := b.send(draftTo("ann@other.test")), b.send(draftTo("ann@other.test"))
	jobs := k.lease()
	k.finish(jobs[0], refused)
	k.finish(jobs[1], later)
	k.clock.advance(2 * time.Minute)
	if len(k.lease()) != 0 {
		t.Error("it is still to be sent")
	}
	if a, c := b.message(first.ID).Status, b.message(second.ID).Status; a == c || a != "bounced" && a != "failed" ||
		c != "bounced" && c != "failed" {
		t.Errorf("%s and %s", a, c)
	}
}

// Nobody can complain about a message that has not left, or for somebody who has not got it.
func TestComplaintBeforeItLeft(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Senders = &oracle{says: passed} })
	b := k.permanent("robin")
	sent := b.send(draftTo("ann@other.test", "bob@third.test"))
	raw := fmt.Sprintf(arf, "Original-Rcpt-To: ann@other.test\r\n", "Subject: Hello\r\nMessage-ID: <"+sent.MessageID+
		">\r\n\r\nHello")
	if err := k.report("fbl@third.test", "abuse@example.test", raw); err != nil {
		t.Fatal(err)
	}
	if got := b.status(sent.ID); got != "queued: queued/0 queued/0" {
		t.Errorf("got %s", got)
	}
}

func TestRepliesToOddMail(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	reply := func(id mailbox.ID, d mailbox.Draft) (service.Sending, error) {
		d.EmailID, d.Text, d.HasText = id.String(), "Fine.", true
		return k.svc.Reply(t.Context(), b.in(mailbox.SendMail), d)
	}
	t.Run("without a Message-ID", func(t *testing.T) {
		id := k.receive("From: ann@other.test\r\nSubject: Hello\r\n\r\nHi\r\n", b.Address)[0].ID
		sent, err := reply(id, mailbox.Draft{})
		if err != nil || sent.Thread != b.message(id).Thread {
			t.Errorf("thread %v, %v", sent.Thread, err)
		}
	})
	for name, refused := range map[string]bool{"Auto-Submitted: no (really)": false,
		"Auto-Submitted: auto-generated; x=y": true, "Precedence: bulk": true,
		"Precedence: list": false, "Auto-Submitted: No": false} {
		t.Run(name, func(t *testing.T) {
			id := k.receive(name+"\r\nFrom: ann@other.test\r\nSubject: "+name+"\r\n\r\nHi\r\n", b.Address)[0].ID
			if _, err := reply(id, mailbox.Draft{}); (err != nil) != refused {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("again, when it is gone", func(t *testing.T) {
		id := k.receive("From: ann@other.test\r\nSubject: Hello\r\nMessage-ID: <9@other.test>\r\n\r\nHi\r\n",
			b.Address)[0].ID
		d := mailbox.Draft{IdempotencyKey: "k", Body: [32]byte{1}}
		first, err := reply(id, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.svc.DeleteMessage(t.Context(), b.change(), id); err != nil {
			t.Fatal(err)
		}
		if again, err := reply(id, d); err != nil || again != first {
			t.Errorf("got %+v, %v", again, err)
		}
	})
}

// A message that is as large as a mailbox takes can be forwarded.
func TestForwardLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	k := newService(t)
	b := k.permanent("robin")
	text := strings.Repeat("A line of a very long text that somebody sent.\r\n", 20_000)
	for _, tt := range []struct{ name, head string }{
		{"text", "Content-Type: text/plain\r\n"}, {"html", "Content-Type: text/html\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := k.receive("From: ann@other.test\r\nSubject: Long\r\nMIME-Version: 1.0\r\n"+tt.head+"\r\n<p>"+text,
				b.Address)[0].ID
			for _, d := range []mailbox.Draft{{}, {HTML: "<b>See</b>", HasHTML: true}} {
				d.EmailID, d.To = id.String(), []string{"bob@other.test"}
				if _, err := k.svc.Forward(t.Context(), b.in(mailbox.SendMail), d); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// The keys of the deployment's own domains stay when the configured mailbox is recreated.
func TestOwnKeysStay(t *testing.T) {
	k := newService(t)
	keys := func() (list []string) {
		t.Helper()
		domains, err := k.svc.Domains(t.Context(), k.operator(mailbox.ManageMailbox, ""))
		if err != nil || len(domains) != 2 {
			t.Fatalf("%d domains, %v", len(domains), err)
		}
		for _, d := range domains {
			record, err := k.svc.Domain(t.Context(), k.operator(mailbox.ManageMailbox, ""), d.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range record.Records {
				list = append(list, r.Host+" "+r.Value)
			}
		}
		return list
	}
	before := keys()
	if _, err := k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, configured)); err != nil {
		t.Fatal(err)
	}
	if after := keys(); !slices.Equal(before, after) {
		t.Errorf("before %v\nafter  %v", before, after)
	}
	if _, err := k.svc.AddDomain(t.Context(), k.permanent("robin").in(mailbox.ManageMailbox),
		"example.test"); err == nil {
		t.Error("somebody else could have it")
	}
}
