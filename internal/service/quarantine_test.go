package service_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// act decides what a mailbox does with mail that the lists do not let in.
func (k *kit) act(b box, a mailbox.ReceiveAction) {
	k.Helper()
	record, err := k.svc.ChangeMailbox(k.Context(), k.operator(mailbox.ChangeSettings, b.Address),
		service.MailboxChange{ControlChange: service.ControlChange{ReceiveAction: &a}})
	k.works("receive_action", err)
	if a != "" {
		k.same("receive_action", record.ReceiveAction, a)
	}
}

// quarantining is a mailbox that keeps the mail of letter apart.
func (k *kit) quarantining(name string) box {
	k.Helper()
	b := k.permanent(name)
	k.act(b, mailbox.QuarantineMail)
	k.list(&b, mailbox.ReceiveBlock, "sender.test")
	return b
}

func (k *kit) review(named string) service.Access {
	k.Helper()
	return k.operator(mailbox.ReviewMail, named)
}

func (k *kit) quarantine(named string) []mailbox.Quarantined {
	k.Helper()
	found, err := k.svc.Quarantine(k.Context(), k.review(named), service.Page{Limit: 100})
	k.works("Quarantine", err)
	return found.Items
}

// keeps receives a message that goes to quarantine.
func (b box) keeps(raw string) mailbox.Receipt {
	b.k.Helper()
	r := b.k.receive(raw, b.Address)[0]
	b.k.same("quarantined", r.Quarantined, true)
	return r
}

func (b box) release(id mailbox.ID) mailbox.Receipt {
	b.k.Helper()
	r, err := b.k.svc.Release(b.k.Context(), b.k.review(b.Address), id)
	b.k.works("Release", err)
	return r
}

func TestQuarantine(t *testing.T) {
	k := newService(t)
	b, other := k.quarantining("robin"), k.permanent("other")
	log := k.stream(b.read(), service.StreamQuery{})
	for i, raw := range []string{withCode("code", "482913"), mixed("large", noise(400<<10))} {
		subject := []string{"code", "large"}[i]
		r := k.receive(raw, other.Address, b.Address)
		k.same("kept apart", []bool{r[0].Quarantined, r[1].Quarantined, r[1].Duplicate}, []bool{false, true, false})
		k.same("the agent sees", k.subjects(b), []string{"code"}[:i])
		_, err := k.svc.Message(t.Context(), b.read(), r[1].ID, service.MessageOptions{})
		k.kind("by its id", err, mailbox.NotFound, "not_found")
		held := k.quarantine(b.Address)
		k.same("people see", []any{len(held), held[0].ID, held[0].Subject, held[0].Address, held[0].Refusal},
			[]any{1, r[1].ID, subject, b.Address, mailbox.Refusal{List: mailbox.ReceiveBlock}})
		read, err := k.svc.QuarantinedMessage(t.Context(), k.review(""), r[1].ID)
		k.works("read", err)
		k.same("it says", []any{read.Subject, read.Address, len(read.Detail.Parts), read.Detail.Screening.Verdict,
			read.Detail.Text != ""}, []any{subject, b.Address, i, "clean", true})
		_, err = k.svc.QuarantinedMessage(t.Context(), k.review(other.Address), r[1].ID)
		k.kind("of another mailbox", err, mailbox.NotFound, "not_found")
		stats, err := k.svc.Stats(t.Context(), b.read(), 0)
		k.works("Stats", err)
		k.same("counted", []int64{stats.Quarantined, stats.Inbound}, []int64{1, int64(i)})
		k.same("delivered again", b.keeps(raw), mailbox.Receipt{Recipient: b.Address, Mailbox: b.Address, ID: r[1].ID,
			Duplicate: true, Quarantined: true})
		arrived := held[0].ReceivedAt
		k.clock.advance(time.Hour)
		k.same("released", b.release(r[1].ID).ID, r[1].ID)
		m := k.message(b.read(), r[1].ID)
		k.same("its trust", m.Verdict.Trust, mailbox.Trust{Level: held[0].Verdict.Trust.Level,
			Reasons: append(held[0].Verdict.Trust.Reasons, "It was in quarantine, arrived at "+
				arrived.Format(time.RFC3339)+", and was released by a person.")})
		k.same("since when it is there", m.ReceivedAt, k.clock.Now())
		k.same("bytes", k.raw(b, r[1].ID), raw)
		again := k.receive(raw, b.Address)[0]
		k.same("delivered once more", []any{again.ID, again.Duplicate}, []any{r[1].ID, true})
		k.same("released again", []any{b.release(r[1].ID).ID, b.release(r[1].ID).Duplicate}, []any{r[1].ID, false})
		k.same("left", len(k.quarantine("")), 0)
		_, err = k.svc.QuarantinedMessage(t.Context(), k.review(""), r[1].ID)
		k.kind("read when it was released", err, mailbox.NotFound, "not_found")
	}
	k.same("in the mailbox", k.subjects(b), []string{"large", "code"})
	k.same("the code", k.code(b.in(mailbox.ReadCode), service.CodeQuery{Since: noon}), "482913")
	k.same("events", log.now(), []string{"code", "large"})
	k.same("counts", k.svc.QuarantineCounts(), map[string]int64{"quarantined": 2, "released": 2, "deleted": 0})
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), k.inbox(b.read(), service.InboxQuery{}).Items[0].ID))
	k.works("sweep", k.svc.SweepBlobs(t.Context()))
	k.same("files", len(k.files()), 1) // the other's
}

// Whoever waits for mail gets what is released.
func TestReleaseWakes(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	b := k.quarantining("robin")
	id := b.keeps(withCode("code", "482913")).ID
	in, reviewer := b.in(mailbox.ReadCode), k.review(b.Address)
	gate.looked = func() {
		gate.looked = nil
		if _, err := k.svc.Release(t.Context(), reviewer, id); err != nil {
			t.Error(err)
		}
	}
	m, err := k.svc.Code(t.Context(), new(in), service.CodeQuery{Timeout: time.Minute})
	k.works("Code", err)
	k.same("code", m.Code, "482913")
}

// Releases at the same moment put one message into the mailbox.
func TestReleasedAtOnce(t *testing.T) {
	k, wrapped := newServiceOver(t)
	b := k.quarantining("robin")
	id := b.keeps(letter("one")).ID
	const n = 8
	in := k.review(b.Address)
	wrapped.before = meet(n)
	results := make(chan mailbox.Receipt, n)
	for range n {
		go func() {
			r, err := k.svc.Release(context.Background(), in, id)
			if err != nil {
				t.Error(err)
			}
			results <- r
		}()
	}
	for range n {
		r := <-results
		k.same("released", []any{r.ID, r.Duplicate}, []any{id, false})
	}
	wrapped.before = nil
	k.same("messages", k.subjects(b), []string{"one"})
}

// Of mail that came another way meanwhile, the one in quarantine is not stored a second time.
func TestReleaseOfTwin(t *testing.T) {
	k := newService(t)
	b := k.quarantining("robin")
	raw := mixed("one", noise(400<<10))
	held := b.keeps(raw).ID
	k.unlist(&b, mailbox.ReceiveBlock, "sender.test")
	came := k.receive(raw, b.Address)[0]
	k.same("came", []bool{came.Quarantined, came.Duplicate}, []bool{false, false})
	r := b.release(held)
	k.same("released", []any{r.ID, r.Duplicate}, []any{came.ID, true})
	k.same("released again", b.release(held).Duplicate, true)
	k.same("again", b.release(held).ID, came.ID)
	k.same("messages", k.subjects(b), []string{"one"})
	k.same("files", len(k.files()), 1)
}

func TestWhoReleases(t *testing.T) {
	k := newService(t)
	b, other := k.quarantining("robin"), k.permanent("other")
	id := b.keeps(letter("one")).ID
	caller := k.login(b.Key)
	_, err := k.svc.Enter(t.Context(), caller, service.Act{Need: mailbox.ReviewMail})
	k.kind("the agent's key", err, mailbox.Denied, "scope_denied")
	quarantine := mailbox.RefuseMail
	_, err = k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ChangeSettings),
		service.MailboxChange{ControlChange: service.ControlChange{ReceiveAction: &quarantine}})
	k.kind("receive_action", err, mailbox.Denied, "scope_denied")
	_, err = k.svc.Release(t.Context(), k.review(other.Address), id)
	k.kind("another mailbox", err, mailbox.NotFound, "not_found")
	k.kind("delete, another mailbox", k.svc.DeleteQuarantined(t.Context(), k.review(other.Address), id),
		mailbox.NotFound, "not_found")
	k.same("all of them", len(k.quarantine("")), 1)
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, b.Address),
		service.NewKey{Capabilities: []string{"review"}})
	k.works("CreateKey", err)
	k.list(nil, mailbox.ReceiveBlock, "blocked.test")
	blocked := b.keeps("From: kim@blocked.test\r\nSubject: three\r\n\r\nHello").ID
	_, err = k.svc.Release(t.Context(), k.enter(made.Secret, mailbox.ReviewMail, ""), blocked)
	k.kind("what the deployment keeps out", err, mailbox.Denied, "scope_denied")
	k.works("delete it", k.svc.DeleteQuarantined(t.Context(), k.review(""), blocked))
	_, err = k.svc.Release(t.Context(), k.review(""), id)
	k.works("anywhere", err)
	k.same("messages", k.subjects(b), []string{"one"})
	came := k.receive("From: kim@a.test\r\nSubject: two\r\n\r\nHello", b.Address)[0]
	_, err = k.svc.Release(t.Context(), k.review(b.Address), came.ID)
	k.kind("what was never in quarantine", err, mailbox.NotFound, "not_found")
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), id))
	k.same("released, deleted, released", b.release(id).Duplicate, false)
	k.same("left", k.subjects(b), []string{"two"})
}

func TestQuarantineEnds(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.QuarantineKept = time.Hour })
	b := k.quarantining("robin")
	for _, raw := range []string{mixed("one", noise(400<<10)), letter("two")} {
		b.keeps(raw)
	}
	held := k.quarantine("")
	k.same("until", held[0].ExpiresAt, k.clock.Now().Add(time.Hour))
	k.works("deleted", k.svc.DeleteQuarantined(t.Context(), k.review(""), held[0].ID))
	k.kind("deleted twice", k.svc.DeleteQuarantined(t.Context(), k.review(""), held[0].ID), mailbox.NotFound,
		"not_found")
	k.clock.advance(time.Hour - time.Millisecond)
	k.works("Trim", k.svc.Trim(t.Context()))
	k.same("before its end", len(k.quarantine("")), 1)
	k.clock.advance(time.Millisecond)
	k.same("at its end", len(k.quarantine("")), 0)
	_, err := k.svc.Release(t.Context(), k.review(""), held[1].ID)
	k.kind("released at its end", err, mailbox.NotFound, "not_found")
	k.works("Trim", k.svc.Trim(t.Context()))
	k.noFiles("ended")
}

// A quarantine is bounded, and what does not fit is put off; it never takes from the mailbox's own room.
func TestQuarantineIsBounded(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.Limits.ProvisionalMessages, o.Limits.ProvisionalBytes = 3, 1000
		o.ReceiveAction = mailbox.QuarantineMail
	})
	k.list(nil, mailbox.ReceiveBlock, "sender.test")
	b := k.provisional("temporary")
	put := func(raw string) error {
		got, err := k.svc.Receive(t.Context(), k.envelope(b.Address), strings.NewReader(raw))
		k.works("Receive", err)
		return got[0].Err
	}
	for i := range 3 {
		k.works("put", put(letter(fmt.Sprint(i))))
	}
	k.kind("too many", put(letter("3")), mailbox.QuotaFull, "quarantine_full")
	k.same("its list", k.quarantine("")[0].Refusal, mailbox.Refusal{List: mailbox.ReceiveBlock, Deployment: true})
	k.works("other mail", put("From: kim@a.test\r\nSubject: other\r\n\r\nHello"))
	k.works("delete", k.svc.DeleteQuarantined(t.Context(), k.review(""), k.quarantine("")[0].ID))
	k.kind("too large", put(note("4", strings.Repeat("x", 600))), mailbox.QuotaFull, "quarantine_full")
	k.works("fits", put(letter("5")))

	full := k.permanent("full")
	k.update(func(tx store.Tx) error {
		for i := range 1000 {
			m := store.Quarantined{ID: mailbox.NewID(noon.Add(time.Duration(i) * time.Millisecond)), Mailbox: full.Num,
				ExpiresAt: noon.Add(time.Hour)}
			if err := tx.InsertQuarantined(t.Context(), &m, store.Content{}); err != nil {
				return err
			}
		}
		return nil
	})
	got, err := k.svc.Receive(t.Context(), k.envelope(full.Address), strings.NewReader(letter("6")))
	k.works("Receive", err)
	k.kind("a permanent one", got[0].Err, mailbox.QuotaFull, "quarantine_full")
	k.act(full, mailbox.RefuseMail)
	got, err = k.svc.Receive(t.Context(), k.envelope(full.Address), strings.NewReader(letter("7")))
	k.works("Receive", err)
	k.kind("refused by the mailbox's own action", got[0].Err, mailbox.Denied, "sender_denied")
	k.act(full, "")
	got, err = k.svc.Receive(t.Context(), k.envelope(full.Address), strings.NewReader(letter("8")))
	k.works("Receive", err)
	k.kind("the deployment's action", got[0].Err, mailbox.QuotaFull, "quarantine_full")
}

// What is stored with a mailbox goes with it.
func TestQuarantineOfDeleted(t *testing.T) {
	k := newService(t)
	b := k.quarantining("robin")
	b.keeps(mixed("one", noise(400<<10)))
	k.deleteMailbox(b.Key)
	k.same("left", len(k.quarantine("")), 0)
	k.noFiles("deleted")
}

// A sender in quarantine is not one that the mailbox knows, until a person releases its mail.
func TestQuarantinedSender(t *testing.T) {
	k := newService(t)
	b := k.quarantining("robin")
	known := func() bool {
		var contact store.Contact
		k.view(func(r store.Reader) (err error) {
			contact, err = r.Contact(t.Context(), b.Num, "ada@sender.test")
			return err
		})
		return contact.Known
	}
	id := b.keeps(letter("one")).ID
	k.same("known", known(), false)
	b.release(id)
	k.same("known after the release", known(), true)
}
