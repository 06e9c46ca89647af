package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
)

// held tells which of several first mails to addresses a mailbox's policy holds.
func (b box) held(to ...string) (list []string) {
	b.k.Helper()
	for _, address := range to {
		if b.send(draftTo(address)).Status == mailbox.Held {
			list = append(list, address)
		}
	}
	return list
}

func TestReviewNew(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("robin"), k.permanent("marian")
	b.send(draftTo("sent@other.test")) // which nobody looked at
	k.receive(question, b.Address)
	b.policy(mailbox.ReviewNew)
	if got := b.held("ann@other.test", "Ann@Other.test", "sent@other.test", "new@other.test",
		other.Address); !slices.Equal(got, []string{"sent@other.test", "new@other.test", other.Address}) {
		t.Errorf("held are %v", got)
	}
	for _, r := range b.heldReviews() {
		if r.Mail.To != "new@other.test" {
			continue
		}
		want := "No authenticated mail from new@other.test has come to this mailbox, and no message to it was " +
			"approved before."
		if !slices.Equal(r.Reasons, []string{want}) {
			t.Errorf("because %q", r.Reasons)
		}
		_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: r.Message})
		k.works("approve", err)
	}
	k.receive("From: sent@other.test\r\nSubject: Re: hello\r\nMessage-ID: <2@other.test>\r\n\r\nyes\r\n", b.Address)
	if got := b.held("new@other.test", "sent@other.test"); len(got) != 0 {
		t.Errorf("held are %v, though known by now", got)
	}
	edited := b.send(draftTo("first@else.test"))
	page, err := b.editReview(edited.ID, mailbox.DraftEdit{Draft: mailbox.Draft{To: []string{"second@else.test"}},
		Given: []string{"to"}})
	if k.works("edit", err); len(page.Reasons) != 1 || !strings.Contains(page.Reasons[0], " second@else.test ") {
		t.Errorf("after the edit because %q", page.Reasons)
	}
	// one whom nobody knows among others whom everybody knows
	if sent := b.send(draftTo("ann@other.test", "eve@else.test")); sent.Status != mailbox.Held ||
		len(sent.Review.Reasons) != 1 {
		t.Errorf("to both it is %+v", sent)
	}
	if got := other.held("ann@other.test"); len(got) != 0 {
		t.Error("another mailbox's policy counts")
	}
}

// Whoever forges an author does not make it one that needs no approval; authentic mail does, also later.
func TestReviewNewForged(t *testing.T) {
	checks := &oracle{}
	k := newService(t, func(o *service.Options) { o.Senders = checks })
	b := k.permanent("robin")
	b.policy(mailbox.ReviewNew)
	forged := sender.Result{SPF: "fail", DKIM: "none", DMARC: "none", ARC: "none", Checked: true}
	unaligned := sender.Result{SPF: "pass", DKIM: "none", DMARC: "none", ARC: "none", Checked: true}
	for i, says := range []sender.Result{forged, unaligned, passed, forged} {
		checks.says = says
		k.receive(fmt.Sprintf("From: kim@a.test\r\nMessage-ID: <%d@a.test>\r\nSubject: Hi\r\n\r\nHello", i), b.Address)
		want := mailbox.Held
		if i >= 2 {
			want = mailbox.Queued
		}
		k.same(fmt.Sprint("after mail ", i), b.send(draftTo("kim@a.test")).Status, want)
	}
}

func TestReviewOutside(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	came := k.receive(question, b.Address)[0]
	b.policy(mailbox.ReviewOutside)
	if got := b.held("a@partner.test"); len(got) != 1 {
		t.Error("without entries nobody is outside")
	}
	k.list(&b, mailbox.SendAllow, "partner.test")
	k.list(&b, mailbox.SendBlock, "evil@partner.test")
	if got := b.held("a@partner.test", "b@else.test"); !slices.Equal(got, []string{"b@else.test"}) {
		t.Errorf("held are %v", got)
	}
	_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo("evil@partner.test"))
	wantCode(t, err, "recipient_denied")
	reply := func() service.Sending {
		sent, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), mailbox.Draft{EmailID: came.ID.String(),
			Text: "No.", HasText: true})
		k.works("reply", err)
		return sent
	}
	if sent := reply(); sent.Status != mailbox.Held {
		t.Errorf("an answer to somebody outside is %s", sent.Status)
	}
	k.list(&b, mailbox.ReplyAllow, "other.test")
	if sent := reply(); sent.Status != mailbox.Queued {
		t.Errorf("an answer that is allowed is %s", sent.Status)
	}
	k.lease() // what was not held
	// approved, it leaves, though the list still does not name it
	for _, r := range b.heldReviews() {
		if r.Mail.To == "b@else.test" {
			_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: r.Message})
			k.works("approve", err)
		}
	}
	if j := k.one(); j.Recipient != "b@else.test" {
		t.Errorf("%s is due", j.Recipient)
	}
	b.policy(mailbox.SendOpen) // then the list refuses
	_, err = k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo("b@else.test"))
	wantCode(t, err, "recipient_denied")
}

// What the deployment's list does not name is held, too, and only the operator approves it.
func TestReviewOutsideOfTheDeployment(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewOutside)
	k.list(nil, mailbox.SendAllow, "partner.test")
	if got := b.held("a@partner.test", "b@else.test"); !slices.Equal(got, []string{"b@else.test"}) {
		t.Errorf("held are %v", got)
	}
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address), service.NewKey{
		Capabilities: []string{"review"}})
	k.works("key", err)
	id := b.heldReviews()[0].Message
	_, err = k.svc.Approve(t.Context(), k.enter(made.Secret, mailbox.ReviewMail, ""), service.ReviewRef{ID: id})
	wantCode(t, err, "recipient_denied")
	k.lease()
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: id})
	k.works("approve as operator", err)
	k.one()
}

// A policy that is set while a message is on its way holds it: it is read in the transaction that stores it.
func TestPolicyIsReadWhenStored(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	in := b.in(mailbox.SendMail) // which has the mailbox as it is now
	b.policy(mailbox.ReviewAll)
	sent, err := k.svc.Send(t.Context(), in, draftTo("ann@other.test"))
	if k.works("send", err); sent.Status != mailbox.Held {
		t.Errorf("it is %s", sent.Status)
	}
}
