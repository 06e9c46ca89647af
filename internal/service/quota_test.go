package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
	"github.com/mailkin/mailkin/internal/store"
)

func chosen[T any](v T) service.Choice[T] { return service.Choice[T]{Given: true, Value: &v} }

// limit sets limits as the operator does.
func (b box) limit(c service.LimitsChange) service.MailboxRecord {
	b.k.Helper()
	record, err := b.k.svc.ChangeMailbox(b.k.Context(), b.k.operator(mailbox.ChangeSettings, b.Address),
		service.MailboxChange{ControlChange: service.ControlChange{Limits: &c}})
	b.k.works("limits", err)
	return record
}

// full sends a message to a mailbox that is full, in the window between RCPT and DATA and after it.
func (k *kit) full(what, address string) {
	k.Helper()
	to := mailbox.Recipient{Address: address, Mailbox: k.at(address)}
	for range 2 {
		receipts, err := k.svc.Receive(k.Context(), mailbox.Envelope{Recipients: []mailbox.Recipient{to}},
			strings.NewReader(letter("refused")))
		k.works("Receive", err)
		k.kind(what, receipts[0].Err, mailbox.QuotaFull, "mailbox_full")
	}
	_, err := k.svc.Recipient(k.Context(), address)
	k.kind(what+", RCPT", err, mailbox.QuotaFull, "mailbox_full")
}

func (k *kit) at(address string) (m mailbox.Mailbox) {
	k.Helper()
	k.view(func(r store.Reader) (err error) {
		m, err = r.MailboxAt(k.Context(), address)
		return err
	})
	return m
}

// A permanent mailbox is full at its limit, the default one or its own; deleting makes room at once.
func TestPermanentQuota(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.MailboxMessages = 2 })
	b := k.permanent("bo")
	k.receive(letter("m1"), b.Address)
	k.receive(letter("m2"), b.Address)
	k.full("by default", b.Address)
	k.same("of the others", len(k.receive(letter("m1"), "postmaster@example.test")), 1)

	list := k.inbox(b.read(), service.InboxQuery{}).Items
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), b.change(), list[0].ID))
	k.receive(letter("m3"), b.Address)
	k.full("again", b.Address)

	record := b.limit(service.LimitsChange{Messages: chosen(int64(3))})
	k.same("limit and use", []int64{record.Allowance.Messages, record.Use.Messages}, []int64{3, 2})
	k.receive(letter("m4"), b.Address)
	k.full("at its own limit", b.Address)
	b.limit(service.LimitsChange{Messages: chosen(int64(0))})
	k.receive(letter("m5"), b.Address)
	b.limit(service.LimitsChange{Messages: service.Choice[int64]{Given: true}, Bytes: chosen(int64(10))})
	k.full("by default again", b.Address)
	b.limit(service.LimitsChange{All: true})
	k.same("limits after all", k.at(b.Address).Control().Limits, (*mailbox.Caps)(nil))
}

// Of two messages that come at the same moment for the last place, one is stored.
func TestLastPlace(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.MailboxMessages = 5 })
	b := k.permanent("bo")
	results := make(chan error, 20)
	env := k.envelope(b.Address)
	for i := range cap(results) {
		go func() {
			receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter(fmt.Sprint("m", i))))
			if err == nil {
				err = receipts[0].Err
			}
			results <- err
		}()
	}
	stored := 0
	for range cap(results) {
		if err := <-results; err == nil {
			stored++
		}
	}
	k.same("stored", stored, 5)
	k.same("in the mailbox", len(k.subjects(b)), 5)
}

func TestSendNeedsRoom(t *testing.T) {
	k := newService(t)
	b := k.permanent("bo")
	b.limit(service.LimitsChange{Messages: chosen(int64(1)), Bytes: chosen(int64(100_000))})
	draft := mailbox.Draft{To: []string{"ann@elsewhere.test"}, Subject: "hello", Text: "hello",
		HasText: true}
	_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), draft)
	k.works("Send", err)
	_, err = k.svc.Send(t.Context(), b.in(mailbox.SendMail), draft)
	k.kind("Send from a full mailbox", err, mailbox.NoRoom, "storage_limit")
	draft.DryRun = true
	_, err = k.svc.Send(t.Context(), b.in(mailbox.SendMail), draft)
	k.kind("its dry run", err, mailbox.NoRoom, "storage_limit")
	record, err := k.svc.MailboxRecord(t.Context(), b.read())
	k.works("MailboxRecord", err)
	k.same("sends that count", record.SendsToday, 1)

	text := strings.Repeat("x", 100_000)
	_, err = k.svc.CreateDraft(t.Context(), b.in(mailbox.DraftMail), mailbox.DraftEdit{
		Draft: mailbox.Draft{Text: text, HasText: true}, Given: []string{"text"}})
	k.kind("a draft", err, mailbox.NoRoom, "storage_limit")
}

// The mailbox's own key neither loosens its limits nor tightens them.
func TestLimitsNeedControl(t *testing.T) {
	k := newService(t)
	b := k.permanent("bo")
	for _, c := range []service.LimitsChange{{All: true}, {Bytes: chosen(int64(0))},
		{DailySends: chosen(int64(1000))}} {
		_, err := k.svc.ChangeMailbox(t.Context(), b.in(mailbox.ChangeSettings),
			service.MailboxChange{ControlChange: service.ControlChange{Limits: &c}})
		k.kind("own key", err, mailbox.Denied, "scope_denied")
	}
	for _, c := range []service.LimitsChange{{Bytes: chosen(int64(-1))},
		{RetentionDays: keepDays(mailbox.Retention{Inbound: -1})},
		{RetentionDays: keepDays(mailbox.Retention{Labels: map[string]float64{"No Label": 1}})}} {
		_, err := k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.ChangeSettings, b.Address),
			service.MailboxChange{ControlChange: service.ControlChange{Limits: &c}})
		k.kind("wrong limit", err, mailbox.Invalid, "invalid_limits")
	}
}

func TestDailySendsOfMailbox(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("bo"), k.permanent("cy")
	b.limit(service.LimitsChange{DailySends: chosen(int64(1))})
	draft := mailbox.Draft{To: []string{"ann@elsewhere.test"}, Subject: "hello", Text: "hello",
		HasText: true}
	for i, want := range []string{"", "daily_send_limit"} {
		_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), draft)
		if want == "" {
			k.works(fmt.Sprint("send ", i), err)
		} else {
			k.kind(fmt.Sprint("send ", i), err, mailbox.Limited, want)
		}
		_, err = k.svc.Send(t.Context(), other.in(mailbox.SendMail), draft)
		k.works("the other's send", err)
	}
}

func TestInboundPerHour(t *testing.T) {
	k := newService(t)
	b := k.permanent("bo")
	b.limit(service.LimitsChange{InboundPerHour: chosen(int64(2))})
	env := k.envelope(b.Address) // before the limit is reached
	k.receive(letter("m1"), b.Address)
	k.receive(letter("m1"), b.Address) // a duplicate is not counted
	k.receive(letter("m2"), b.Address)
	receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("m3")))
	k.works("Receive", err)
	k.kind("the third", receipts[0].Err, mailbox.Limited, "inbound_limit")
	_, err = k.svc.Recipient(t.Context(), b.Address)
	k.kind("its recipient", err, mailbox.Limited, "inbound_limit")
	k.clock.advance(time.Hour)
	k.receive(letter("m3"), b.Address)
}

// quotas lists what the owner of a mailbox was told of its limits.
func (k *kit) quotas(b box) (list []string) {
	k.Helper()
	k.view(func(r store.Reader) error {
		events, err := r.Events(k.Context(), b.Num, 0, 1000)
		for _, e := range events {
			if n := mailbox.NoticeOf(e.Result); e.Kind == mailbox.MailboxQuota {
				list = append(list, fmt.Sprint(n.What, " ", n.Percent, " ", n.Used, "/", n.Limit))
			}
		}
		return err
	})
	return list
}

// The owner is told at 80 and at 95 % once each time that they are reached.
// The sender inside is told so, too.
func TestInboundPerHourInside(t *testing.T) {
	k := newService(t)
	from, to := k.permanent("robin"), k.permanent("marian")
	to.limit(service.LimitsChange{InboundPerHour: chosen(int64(1))})
	from.send(draftTo(to.Address))
	second := from.message(from.send(draftTo(to.Address)).ID).Detail.Deliveries[0]
	k.same("the second", fmt.Sprint(second.Code, " ", second.Text),
		"450 4.7.1 This mailbox takes 1 messages an hour, and has had them.")
}

func TestQuotaEvents(t *testing.T) {
	k := newService(t)
	b := k.permanent("bo")
	b.limit(service.LimitsChange{Messages: chosen(int64(20))})
	for i := range 20 {
		k.receive(letter(fmt.Sprint("m", i)), b.Address)
	}
	k.same("told", k.quotas(b), []string{"messages 80 16/20", "messages 95 19/20"})

	remove := func(n int) {
		for _, m := range k.inbox(b.read(), service.InboxQuery{}).Items[:n] {
			k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), b.change(), m.ID))
		}
	}
	for i := range 5 { // to and fro at 80 %
		remove(20 - 15 - min(i, 1)*4)
		k.receive(letter(fmt.Sprint("again", i)), b.Address)
	}
	k.same("told at the mark", len(k.quotas(b)), 2)
	remove(4)
	for i := range 4 {
		k.receive(letter(fmt.Sprint("later", i)), b.Address)
	}
	k.same("told again", k.quotas(b)[2:], []string{"messages 80 16/20"})
}

// A draft counts, and what is sent of it only changes its owner.
func TestQuotaOfDrafts(t *testing.T) {
	k := newService(t)
	b := k.permanent("bo")
	b.limit(service.LimitsChange{Bytes: chosen(int64(10_000)), Messages: chosen(int64(1))})
	draft := func(bytes int) (mailbox.ID, error) {
		d, err := k.svc.CreateDraft(t.Context(), b.in(mailbox.DraftMail), mailbox.DraftEdit{Draft: mailbox.Draft{
			To: []string{"ann@elsewhere.test"}, Subject: "s", Text: strings.Repeat("x ", bytes/2), HasText: true},
			Given: []string{"to", "subject", "text"}})
		return d.ID, err
	}
	id, err := draft(7900)
	k.works("CreateDraft", err)
	told := k.quotas(b)
	if len(told) != 1 || !strings.HasPrefix(told[0], "bytes 80 ") {
		t.Errorf("told %v", told)
	}
	_, err = draft(7900)
	k.kind("a second one", err, mailbox.NoRoom, "storage_limit")
	_, err = k.svc.SendDraft(t.Context(), b.in(mailbox.SendMail), service.DraftSend{DraftRef: mailbox.DraftRef{ID: id}})
	k.works("SendDraft", err)
	_, err = draft(10)
	k.works("a draft in a mailbox that has all its messages", err)
}

// Whoever uses most of a limit that is lowered is told at once: of the mailbox's own limit, and at a start of the
// default.
func TestQuotaIsLowered(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("bo"), k.permanent("cy")
	for i := range 4 {
		k.receive(letter(fmt.Sprint("m", i)), own.Address)
		k.receive(letter(fmt.Sprint("m", i)), other.Address)
	}
	for _, c := range []struct {
		limit int64
		want  []string
	}{
		{5, []string{"messages 80 4/5"}},
		{5, nil},
		{4, []string{"messages 80 4/4", "messages 95 4/4"}},
		{2, []string{"messages 80 4/2", "messages 95 4/2"}},
		{20, nil},
	} {
		before := len(k.quotas(own))
		own.limit(service.LimitsChange{Messages: chosen(c.limit)})
		k.same(fmt.Sprint("limit ", c.limit), k.quotas(own)[before:], append([]string{}, c.want...))
	}
	opt := k.opt
	for _, c := range []struct {
		limit int64
		want  []string
	}{{5, []string{"messages 80 4/5"}}, {5, nil}, {3, []string{"messages 80 4/3", "messages 95 4/3"}}} {
		before := len(k.quotas(other))
		opt.Limits.MailboxMessages = c.limit
		svc, err := service.Open(t.Context(), opt)
		k.works("Open", err)
		k.same(fmt.Sprint("default ", c.limit), k.quotas(other)[before:], append([]string{}, c.want...))
		k.svc = svc
	}
	k.same("the one with its own limit", len(k.quotas(own)), 5)
	own.limit(service.LimitsChange{Messages: chosen(int64(4))})
	found, err := k.svc.Problems(t.Context(), k.operator(mailbox.Moderate, ""))
	k.works("Problems", err)
	k.same("problems", []string{found[0].Check, found[0].Found}, []string{"full mailboxes", "mail is put off for " +
		other.Address + ", " + own.Address})
}

// Mailboxes that hold more than the default when limits come go on without one, until somebody decides.
func TestIntroduceLimits(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.MailboxMessages = 0 })
	large, small := k.permanent("large"), k.permanent("small")
	for i := range 3 {
		k.receive(letter(fmt.Sprint("m", i)), large.Address)
	}
	k.receive(letter("m"), small.Address)
	k.update(func(tx store.Tx) error { // as a version without limits left it
		_, _, err := tx.TrimSends(t.Context(), servicetest.Noon.AddDate(9000, 0, 0), servicetest.Noon, 100)
		return err
	})
	open := func() {
		t.Helper()
		opt := k.opt
		opt.Limits.MailboxMessages = 2
		svc, err := service.Open(t.Context(), opt)
		k.works("Open", err)
		k.svc = svc
	}
	problems := func() (list []string) {
		t.Helper()
		found, err := k.svc.Problems(t.Context(), k.operator(mailbox.Moderate, ""))
		k.works("Problems", err)
		for _, p := range found {
			if p.Check == "limits" {
				list = append(list, p.Found)
			}
		}
		return list
	}
	open()
	if list := problems(); len(list) != 1 || !strings.Contains(list[0], large.Address) ||
		strings.Contains(list[0], small.Address) {
		t.Errorf("named: %v", list)
	}
	k.receive(letter("more"), large.Address)
	k.receive(letter("more"), small.Address)
	k.full("a small one", small.Address)
	open()
	k.full("a small one after another start", small.Address)
	if !slices.ContainsFunc(problems(), func(s string) bool { return strings.Contains(s, large.Address) }) {
		t.Error("not named at the next start")
	}
	large.limit(service.LimitsChange{All: true})
	k.full("once it is decided", large.Address)
	k.same("named", problems(), []string(nil))
}
