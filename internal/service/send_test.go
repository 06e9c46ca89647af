package service_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

func draftTo(to ...string) mailbox.Draft {
	return mailbox.Draft{To: to, Subject: "Hello", Text: "Hello there.", HasText: true}
}

// send sends a draft that must be accepted.
func (b box) send(d mailbox.Draft) service.Sending {
	b.k.Helper()
	s, err := b.k.svc.Send(b.k.Context(), b.in(mailbox.SendMail), d)
	if err != nil {
		b.k.Fatalf("Send: %v", err)
	}
	return s
}

func (b box) message(id mailbox.ID) service.FullMessage {
	b.k.Helper()
	m, err := b.k.svc.Message(b.k.Context(), b.read(), id, service.MessageOptions{})
	if err != nil {
		b.k.Fatalf("Message: %v", err)
	}
	return m
}

// lease takes what is due.
func (k *kit) lease() []service.Job {
	k.Helper()
	jobs, _, err := k.svc.LeaseDeliveries(k.Context(), service.LeaseQuery{Room: func(string, bool) int { return 100 },
		Take: func(mailbox.Delivery, bool) bool { return true }, Limit: 100})
	if err != nil {
		k.Fatalf("LeaseDeliveries: %v", err)
	}
	return jobs
}

// next is when the next delivery is due that is not due yet.
func (k *kit) next() time.Time {
	k.Helper()
	_, next, err := k.svc.LeaseDeliveries(k.Context(), service.LeaseQuery{Room: func(string, bool) int { return 0 },
		Limit: 1})
	if err != nil {
		k.Fatal(err)
	}
	return next
}

// one leases the only delivery that is due.
func (k *kit) one() service.Job {
	k.Helper()
	jobs := k.lease()
	if len(jobs) != 1 {
		k.Fatalf("%d deliveries are due, want 1", len(jobs))
	}
	return jobs[0]
}

func (k *kit) finish(j service.Job, a mailbox.Attempt) {
	k.Helper()
	if err := k.svc.FinishDelivery(k.Context(), j.Delivery, a); err != nil {
		k.Fatalf("FinishDelivery: %v", err)
	}
}

// kinds lists the mailbox's events with their recipients.
func (b box) kinds() (list []string) {
	b.k.Helper()
	b.k.view(func(r store.Reader) error {
		events, err := r.Events(b.k.Context(), b.Num, 0, 1000)
		for _, e := range events {
			list = append(list, strings.TrimSpace(string(e.Kind)+" "+e.Result.Recipient))
		}
		return err
	})
	return list
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *mailbox.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestSend(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	sent := b.send(mailbox.Draft{From: "Robin <robin@example.test>",
		To: []string{"Ann <ann@other.test>, bob@other.test"}, Cc: []string{"ANN@other.test"},
		Bcc: []string{"eve@third.test"}, Subject: "Grüße", Text: "Hello", HasText: true, HTML: "<p>Hello</p>",
		HasHTML: true, Tags: []string{"a=b"}})
	m := b.message(sent.ID)
	if m.Direction != mailbox.Outbound || m.Status != "queued" || m.Subject != "Grüße" || m.From.Name != "Robin" ||
		m.Thread != sent.Thread || !m.Seen {
		t.Errorf("stored as %+v", m.Message)
	}
	if len(m.Detail.Deliveries) != 3 || m.Detail.Deliveries[2].Recipient != "eve@third.test" ||
		len(m.Detail.Bcc) != 1 || m.Detail.Tags[0] != "a=b" {
		t.Errorf("deliveries %+v, bcc %v, tags %v", m.Detail.Deliveries, m.Detail.Bcc, m.Detail.Tags)
	}
	if raw := k.raw(b, sent.ID); strings.Contains(raw, "eve@") || !strings.Contains(raw, "<"+sent.MessageID+">") {
		t.Errorf("raw message:\n%s", raw)
	}
	if got := b.kinds(); !slices.Equal(got, []string{"message.sent"}) {
		t.Errorf("events %v", got)
	}
	if rec, err := k.svc.MailboxRecord(t.Context(), b.read()); err != nil || rec.SendsToday != 1 {
		t.Errorf("record %+v, %v", rec, err)
	}
}

func (k *kit) raw(b box, id mailbox.ID) string {
	k.Helper()
	r, err := k.svc.Raw(k.Context(), b.in(mailbox.ReadAttachment), id)
	if err != nil {
		k.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		k.Fatal(err)
	}
	return string(text)
}

func TestSendRefused(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.Limits.TextBytes, o.Limits.HTMLBytes, o.Limits.AttachmentBytes = 1000, 1000, 1000
	})
	b := k.permanent("robin")
	k.permanent("other")
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprintf("a%d@other.test", i)
	}
	file := func(n int) []mailbox.Attachment {
		return []mailbox.Attachment{{Filename: "a", Size: int64(n), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(strings.Repeat("x", n))), nil
		}}}
	}
	for _, tt := range []struct {
		name   string
		change func(*mailbox.Draft)
		code   string
	}{
		{"no recipient", func(d *mailbox.Draft) { d.To = nil }, "invalid_to"},
		{"51 recipients", func(d *mailbox.Draft) { d.To = many }, "too_many_recipients"},
		{"no address", func(d *mailbox.Draft) { d.To = []string{"ann"} }, "invalid_to"},
		{"line break in an address", func(d *mailbox.Draft) {
			d.Cc =
				[]string{"ann@other.test\r\nBcc: eve@other.test"}
		}, "invalid_cc"},
		{"foreign sender", func(d *mailbox.Draft) { d.From = "other@example.test" }, "forbidden"},
		{"no subject", func(d *mailbox.Draft) { d.Subject = " " }, "invalid_subject"},
		{"subject of 999", func(d *mailbox.Draft) { d.Subject = strings.Repeat("é", 999) }, "invalid_subject"},
		{"line break in the subject", func(d *mailbox.Draft) { d.Subject = "a\r\nBcc: eve@other.test" },
			"invalid_subject"},
		{"no body", func(d *mailbox.Draft) { d.HasText = false }, "invalid_text"},
		{"text", func(d *mailbox.Draft) { d.Text = strings.Repeat("x", 1001) }, "text_too_large"},
		{"html", func(d *mailbox.Draft) { d.HTML, d.HasHTML = strings.Repeat("x", 1001), true }, "html_too_large"},
		{"attachment", func(d *mailbox.Draft) { d.Attachments = file(1001) }, "attachment_too_large"},
		{"header", func(d *mailbox.Draft) { d.Headers = []mailbox.Field{{Name: "Bcc", Value: "eve@other.test"}} },
			"invalid_headers"},
		{"header with a line break", func(d *mailbox.Draft) {
			d.Headers = []mailbox.Field{{Name: "X-A",
				Value: "a\r\nBcc: eve@other.test"}}
		}, "invalid_headers"},
		{"answers nothing", func(d *mailbox.Draft) { d.InReplyTo = mailbox.NewID(noon).String() },
			"invalid_in_reply_to"},
		{"too far ahead", func(d *mailbox.Draft) { d.SendAt = noon.Add(30*24*time.Hour + time.Second) },
			"invalid_send_at"},
		{"long key", func(d *mailbox.Draft) { d.IdempotencyKey = strings.Repeat("k", 256) }, "invalid_idempotency_key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := draftTo("ann@other.test")
			tt.change(&d)
			_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), d)
			wantCode(t, err, tt.code)
		})
	}
	if got := b.kinds(); len(got) != 0 {
		t.Errorf("something was sent: %v", got)
	}
	t.Run("just within", func(t *testing.T) {
		d := draftTo(many[:50]...)
		d.Subject, d.Text, d.Attachments = strings.Repeat("é", 998), strings.Repeat("x", 1000), file(1000)
		b.send(d)
	})
}

func TestSendOff(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Way = service.WayOff })
	_, err := k.svc.Send(t.Context(), k.permanent("robin").in(mailbox.SendMail), draftTo("ann@other.test"))
	wantCode(t, err, "sending_unavailable")
}

// The limit is exact however many ask at once, and starts over at midnight UTC.
func TestDailyLimit(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.DailySends = 10 })
	b := k.permanent("robin")
	in := b.in(mailbox.SendMail)
	var accepted atomic.Int64
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			_, err := k.svc.Send(t.Context(), in, draftTo(fmt.Sprintf("a%d@other.test", i)))
			if err == nil {
				accepted.Add(1)
				return
			}
			wantCode(t, err, "daily_send_limit")
		})
	}
	wg.Wait()
	if n := accepted.Load(); n != 10 {
		t.Errorf("%d were accepted, want 10", n)
	}
	_, err := k.svc.Send(t.Context(), in, draftTo("ann@other.test"))
	var e *mailbox.Error
	if !errors.As(err, &e) || e.Message != "Daily send limit reached (10/10)" || e.RetryAfter != 12*time.Hour ||
		!e.Quota.ResetsAt.Equal(noon.Add(12*time.Hour)) {
		t.Errorf("got %+v", e)
	}
	tomorrow := draftTo("ann@other.test")
	tomorrow.SendAt = noon.Add(13 * time.Hour)
	b.send(tomorrow) // it counts when it is due
	k.clock.set(noon.Add(12*time.Hour - time.Millisecond))
	if _, err := k.svc.Send(t.Context(), in, draftTo("ann@other.test")); err == nil {
		t.Error("a millisecond before midnight it was accepted")
	}
	k.clock.set(noon.Add(12 * time.Hour))
	for range 9 {
		b.send(draftTo("ann@other.test"))
	}
	_, err = k.svc.Send(t.Context(), in, draftTo("ann@other.test"))
	wantCode(t, err, "daily_send_limit")
}

func TestGlobalSendLimit(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.SendCap = 2 })
	k.permanent("a").send(draftTo("ann@other.test"))
	k.permanent("b").send(draftTo("ann@other.test"))
	_, err := k.svc.Send(t.Context(), k.permanent("c").in(mailbox.SendMail), draftTo("ann@other.test"))
	wantCode(t, err, "global_send_limit")
}

// A large limit is counted in parts, of which all are used up, by whichever mailbox, and no more.
func TestGlobalLimitsInParts(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.SendCap, o.BootstrapTotalLimit = 1001, 1001 })
	day := noon.Unix() / 86400
	k.update(func(tx store.Tx) (err error) {
		for n := range 999 {
			part := []string{"", "/1"}[n%2]
			err = errors.Join(err, tx.Count(t.Context(), 0, "sends"+part, day, noon.Add(24*time.Hour)),
				tx.Spend(t.Context(), day, part))
		}
		return err
	})
	a, b := k.permanent("a"), k.permanent("b")
	a.send(draftTo("ann@other.test"))
	a.send(draftTo("ann@other.test"))
	for _, box := range []box{a, b} {
		_, err := k.svc.Send(t.Context(), box.in(mailbox.SendMail), draftTo("ann@other.test"))
		wantCode(t, err, "global_send_limit")
	}
	k.bootstrap(here, "")
	k.bootstrap(here, "")
	k.refused(here, "global_bootstrap_limit")
}

func TestIdempotentSend(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d := draftTo("ann@other.test")
	d.IdempotencyKey, d.Body = "k1", [32]byte{1}
	first := b.send(d)
	if again := b.send(d); again != first {
		t.Errorf("got %+v, want %+v", again, first)
	}
	other := d
	other.Body = [32]byte{2}
	_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), other)
	wantCode(t, err, "idempotency_mismatch")
	if mine := k.permanent("other").send(d); mine.ID == first.ID {
		t.Error("another mailbox's key is the same key")
	}
	refused := d
	refused.IdempotencyKey, refused.Subject = "k2", ""
	if _, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), refused); err == nil {
		t.Fatal("sent")
	}
	refused.Subject = "Now with one"
	b.send(refused) // only accepted sends are kept
	if n := len(b.kinds()); n != 2 {
		t.Errorf("%d were sent, want 2", n)
	}
	k.clock.advance(24 * time.Hour)
	if later := b.send(d); later.ID == first.ID {
		t.Error("the key was remembered for more than 24 hours")
	}
}

// Requests with one key at the same time are one send.
func TestIdempotentSendTogether(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	in := b.in(mailbox.SendMail)
	d := draftTo("ann@other.test")
	d.IdempotencyKey = "k1"
	b.sendsOnce(func() (service.Sending, error) { return k.svc.Send(t.Context(), in, d) })
}

// sendsOnce calls send ten times at the same time, and wants one message of it.
func (b box) sendsOnce(send func() (service.Sending, error)) {
	b.k.Helper()
	ids := make([]mailbox.ID, 10)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			s, err := send()
			if err != nil {
				b.k.Error(err)
			}
			ids[i] = s.ID
		})
	}
	wg.Wait()
	if len(slices.Compact(ids)) != 1 || len(b.kinds()) != 1 {
		b.k.Errorf("ids %v, events %v", ids, b.kinds())
	}
}

func TestDryRun(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d := draftTo("ann@other.test", "robin@example.test")
	d.DryRun = true
	s := b.send(d)
	want := []service.Route{{Recipient: "ann@other.test", Way: service.WayCapture}, {Recipient: "robin@example.test",
		Way: "inside"}}
	if s.Preview == nil || !slices.Equal(s.Preview.Routes, want) || s.Preview.Size == 0 {
		t.Errorf("got %+v", s.Preview)
	}
	if rec, _ := k.svc.MailboxRecord(t.Context(), b.read()); rec.SendsToday != 0 || len(b.kinds()) != 0 {
		t.Errorf("something was done: %+v, %v", rec, b.kinds())
	}
}

// A message to a mailbox of ours is there when the answer is.
func TestInside(t *testing.T) {
	k := newService(t)
	b, to := k.permanent("robin"), k.permanent("ann")
	sent := b.send(draftTo("ann@example.test", "robin@example.test", "nobody@example.test"))
	m := b.message(sent.ID)
	if got := b.kinds(); !slices.Equal(got, []string{"message.sent", "message.delivered ann@example.test",
		"message.received",
		"message.delivered robin@example.test", "message.bounced nobody@example.test"}) {
		t.Errorf("events %v", got)
	}
	if m.Status != "bounced" { // the highest
		t.Errorf("status %s", m.Status)
	}
	list, err := k.svc.Inbox(t.Context(), to.read(), service.InboxQuery{Page: service.Page{Limit: 10}})
	if err != nil || len(list.Items) != 1 || list.Items[0].Verdict.Trust.Level != mailbox.Verified ||
		list.Items[0].MessageID != sent.MessageID {
		t.Errorf("received %+v, %v", list.Items, err)
	}
	if len(k.lease()) != 0 {
		t.Error("something is still due")
	}
	found, err := k.svc.Suppressions(t.Context(), b.in(mailbox.ManageMailbox),
		service.SuppressionsQuery{Page: service.Page{Limit: 10}})
	if err != nil || len(found.Items) != 1 || found.Items[0].Address != "nobody@example.test" {
		t.Errorf("suppressions %+v, %v", found.Items, err)
	}
	_, err = k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo("Nobody@Example.test"))
	wantCode(t, err, "recipient_suppressed")
	if err := k.svc.DeleteSuppression(t.Context(), b.in(mailbox.ManageMailbox), "NOBODY@example.test"); err != nil {
		t.Error(err)
	}
	b.send(draftTo("nobody@example.test"))
}

func TestScheduled(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d := draftTo("ann@other.test", "robin@example.test")
	d.SendAt = noon.Add(time.Hour)
	b.send(d)
	if len(k.lease()) != 0 {
		t.Fatal("due before its time")
	}
	k.clock.advance(time.Hour)
	jobs := k.lease()
	slices.SortFunc(jobs, func(a, b service.Job) int { return a.N - b.N })
	if len(jobs) != 2 || jobs[0].Inside || !jobs[1].Inside {
		t.Errorf("due: %+v", jobs)
	}
}

// The operator sends from the mailbox that From names.
func TestOperatorSends(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	d := draftTo("ann@other.test")
	d.From = "robin@example.test"
	if _, err := k.svc.Send(t.Context(), k.operator(mailbox.SendMail, ""), d); err != nil {
		t.Fatal(err)
	}
	if got := b.kinds(); len(got) != 1 {
		t.Errorf("events %v", got)
	}
	d.From = "nobody@example.test"
	_, err := k.svc.Send(t.Context(), k.operator(mailbox.SendMail, ""), d)
	wantCode(t, err, "forbidden")
	temp := k.provisional("agent-000000000000")
	d.From = temp.Address
	_, err = k.svc.Send(t.Context(), k.operator(mailbox.SendMail, ""), d)
	wantCode(t, err, "provisional_capability_denied")
}
