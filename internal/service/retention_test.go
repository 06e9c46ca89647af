package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wake"
)

const oneDay = 24 * time.Hour

func (k *kit) retain(what string, b box, want ...string) {
	k.Helper()
	k.works("Retain", k.svc.Retain(k.Context()))
	got := k.subjects(b)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		k.Errorf("%s: kept %v, want %v", what, got, want)
	}
}

// Messages go when their days are over, by direction and by label; what has no rule stays.
func TestRetention(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("bo"), k.permanent("cy")
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{Inbound: 10, Outbound: 20,
		Labels: map[string]float64{"short": 1, "long": 30, "keep": 0}})})
	labelled := func(subject string, labels ...string) mailbox.ID {
		id := k.receive(letter(subject), b.Address)[0].ID
		_, err := k.svc.ChangeMessage(t.Context(), b.change(), id, service.MessageChange{Add: labels})
		k.works("ChangeMessage", err)
		return id
	}
	k.receive(letter("plain"), b.Address)
	k.receive(letter("plain"), other.Address)
	labelled("short", "short")
	labelled("long", "long", "short")
	late := labelled("keep", "keep", "short")
	_, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), mailbox.Draft{To: []string{other.Address},
		Subject: "sent", Text: "x", HasText: true})
	k.works("Send", err)

	k.retain("at first", b, "plain", "short", "long", "keep", "sent")
	k.clock.advance(oneDay - time.Second)
	k.retain("before the end of a day", b, "plain", "short", "long", "keep", "sent")
	k.clock.advance(time.Second)
	k.retain("after a day", b, "plain", "long", "keep", "sent")
	k.clock.advance(9 * oneDay)
	k.retain("after 10", b, "long", "keep", "sent")
	k.receive(letter("new"), b.Address)
	k.clock.advance(10 * oneDay)
	k.retain("after 20", b, "long", "keep")
	_, err = k.svc.ChangeMessage(t.Context(), b.change(), late, service.MessageChange{Remove: []string{"keep"}})
	k.works("ChangeMessage", err)
	k.clock.advance(oneDay)
	k.retain("a label taken away", b, "long")
	k.clock.advance(9 * oneDay)
	k.retain("after 30", b)
	k.retain("the other", other, "plain", "sent")
	messages, bytes := k.svc.Expunged()
	k.same("counted", messages, int64(6))
	record, err := k.svc.MailboxRecord(t.Context(), b.read())
	k.works("MailboxRecord", err)
	if record.Use != (mailbox.Use{}) || bytes == 0 {
		t.Errorf("%d bytes went, %+v are left", bytes, record.Use)
	}
}

// keepDays is a change to these rules, and for other labels to those of the deployment.
func keepDays(r mailbox.Retention) *service.RetentionChange {
	c := service.RetentionChange{Inbound: chosen(r.Inbound), Outbound: chosen(r.Outbound), AllLabels: true,
		Labels: map[string]*float64{}}
	for label, n := range r.Labels {
		c.Labels[label] = &n
	}
	return &c
}

// What a change does not give stays, and what is null is the deployment's.
func TestRetentionIsMerged(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.Limits.Retention = mailbox.Retention{Inbound: 1, Outbound: 2,
			Labels: map[string]float64{"keep": 0, "news": 3}}
	})
	b := k.permanent("bo")
	none, zero, nine := service.Choice[float64]{Given: true}, 0.0, 9.0
	for _, c := range []struct {
		change service.RetentionChange
		want   string
	}{
		{service.RetentionChange{}, "1 2 map[keep:0 news:3]"},
		{service.RetentionChange{Outbound: chosen(90.0)}, "1 90 map[keep:0 news:3]"},
		{service.RetentionChange{Inbound: chosen(7.0)}, "7 90 map[keep:0 news:3]"},
		{service.RetentionChange{Inbound: none}, "1 90 map[keep:0 news:3]"},
		{service.RetentionChange{Inbound: chosen(zero), Labels: map[string]*float64{"news": &zero}},
			"0 90 map[keep:0 news:0]"},
		{service.RetentionChange{Labels: map[string]*float64{"code": &nine}}, "0 90 map[code:9 keep:0 news:0]"},
		{service.RetentionChange{Labels: map[string]*float64{"news": nil, "keep": nil}},
			"0 90 map[code:9 keep:0 news:3]"},
		{service.RetentionChange{AllLabels: true, Labels: map[string]*float64{"keep": &nine}},
			"0 90 map[keep:9 news:3]"},
		{service.RetentionChange{All: true, Outbound: chosen(5.0)}, "1 5 map[keep:0 news:3]"},
		{service.RetentionChange{All: true}, "1 2 map[keep:0 news:3]"},
	} {
		r := b.limit(service.LimitsChange{RetentionDays: &c.change}).Allowance.Retention
		k.same(fmt.Sprintf("%+v", c.change), fmt.Sprint(r.Inbound, r.Outbound, r.Labels), c.want)
	}
	k.same("decided after all", k.at(b.Address).Control().Limits, (*mailbox.Caps)(nil))
	for i := range 2 {
		c := service.RetentionChange{Labels: map[string]*float64{}}
		for n := range 40 {
			c.Labels[fmt.Sprintf("label-%d-%d", i, n)] = &nine
		}
		_, err := k.svc.ChangeMailbox(t.Context(), k.operator(mailbox.ChangeSettings, b.Address),
			service.MailboxChange{ControlChange: service.ControlChange{
				Limits: &service.LimitsChange{RetentionDays: &c}}})
		if i == 0 {
			k.works("40 labels", err)
		} else {
			k.kind("80 labels", err, mailbox.Invalid, "invalid_limits")
		}
	}
}

// peers are the other nodes of a test.
type peers struct{ tell func(...wake.Notice) }

func (p *peers) Tell(notices ...wake.Notice) { p.tell(notices...) }

// A label that is changed counts at the next round, on the node where it was and on the others; and labels that make no
// difference have nobody look.
func TestRetentionFollowsLabels(t *testing.T) {
	asked, nodes := 0, &peers{}
	k := newService(t, func(o *service.Options) {
		o.Store, o.Peers = &storeWith{Store: o.Store, looked: func() { asked++ }}, nodes
	})
	second, err := service.Open(t.Context(), k.opt)
	k.works("Open", err)
	nodes.tell = func(notices ...wake.Notice) { second.Hear(t.Context(), notices) }
	b := k.permanent("bo")
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{Inbound: 10,
		Labels: map[string]float64{"short": 3, "keep": 0}})})
	label := func(id mailbox.ID, c service.MessageChange) {
		_, err := k.svc.ChangeMessage(t.Context(), b.change(), id, c)
		k.works("ChangeMessage", err)
	}
	var ids []mailbox.ID
	for i := range 4 {
		ids = append(ids, k.receive(letter(fmt.Sprint("m", i)), b.Address)[0].ID)
	}
	for _, id := range ids[:3] {
		label(id, service.MessageChange{Add: []string{"keep"}})
	}
	round := func(node *service.Service) {
		k.clock.advance(time.Minute)
		k.works("Retain", node.Retain(t.Context()))
	}
	k.clock.advance(12 * oneDay)
	k.retain("after 12 days", b, "m0", "m1", "m2")
	round(second)
	label(ids[0], service.MessageChange{Remove: []string{"keep"}})
	round(k.svc)
	k.retain("a label taken away", b, "m1", "m2")
	label(ids[1], service.MessageChange{Remove: []string{"keep"}, Add: []string{"short"}})
	round(second)
	k.same("on the other node", k.subjects(b), []string{"m2"})
	round(k.svc)
	fresh := k.receive(letter("fresh"), b.Address)[0].ID
	asked = 0
	label(fresh, service.MessageChange{Add: []string{"short"}})
	label(ids[2], service.MessageChange{Add: []string{"short"}})
	label(ids[2], service.MessageChange{Remove: []string{"short"}})
	labelling := asked
	round(k.svc)
	round(second)
	k.same("looks at the store for labels that change nothing", asked-labelling, 0)
	k.clock.advance(3 * oneDay)
	k.retain("a new one with a short label", b, "m2")
}

// A rule that is changed is applied at once to what is there; also where there is a default.
func TestRetentionIsDecided(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.Retention.Inbound = 5 })
	b, other := k.permanent("bo"), k.permanent("cy")
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{})})
	for _, to := range []box{b, other} {
		k.receive(letter("m"), to.Address)
	}
	k.clock.advance(6 * oneDay)
	k.retain("without a rule", b, "m")
	k.retain("by default", other)
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{Inbound: 7})})
	k.retain("not yet", b, "m")
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{Inbound: 0.5})})
	k.retain("decided", b)
}

// What has not left stays until it has, and large messages go with their blobs.
func TestRetentionKeepsWhatWaits(t *testing.T) {
	k := newService(t)
	b := k.permanent("bo")
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{Inbound: 1, Outbound: 1})})
	send := func(subject string, at time.Time) mailbox.ID {
		sent, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), mailbox.Draft{To: []string{"ann@elsewhere.test"},
			Subject: subject, Text: "x", HasText: true, SendAt: at})
		k.works("Send", err)
		return sent.ID
	}
	send("queued", time.Time{})
	scheduled := send("scheduled", k.clock.Now().Add(20*oneDay))
	k.receive(letter("large")+strings.Repeat(strings.Repeat("x", 76)+"\r\n", 5000), b.Address)
	if len(k.files()) != 1 {
		t.Fatalf("blobs: %v", k.files())
	}
	k.clock.advance(2 * oneDay)
	k.retain("after two days", b, "queued", "scheduled")
	k.noFiles("after two days")
	_, err := k.svc.Cancel(t.Context(), b.in(mailbox.SendMail), scheduled, "")
	k.works("Cancel", err)
	k.clock.advance(2 * time.Hour)
	k.retain("canceled", b, "queued")
}

// More than fits into a step, and into a page, goes in one round; and rounds without anything due ask for nothing.
func TestRetentionInSteps(t *testing.T) {
	asked := 0
	var with *storeWith
	k := newService(t, func(o *service.Options) {
		with = &storeWith{Store: o.Store, looked: func() { asked++ }}
		o.Store = with
	})
	b := k.permanent("bo")
	b.limit(service.LimitsChange{RetentionDays: keepDays(mailbox.Retention{Inbound: 1})})
	for i := range 230 {
		k.receive(letter(fmt.Sprint("m", i)), b.Address)
	}
	k.clock.advance(12 * time.Hour)
	k.receive(letter("later"), b.Address)
	k.clock.advance(12 * time.Hour)
	k.retain("after a day", b, "later")
	asked = 0
	for range 60 {
		k.clock.advance(time.Minute)
		k.works("Retain", k.svc.Retain(t.Context()))
	}
	k.same("looks at the store in an idle hour", asked, 0)
	k.clock.advance(12 * time.Hour)
	k.retain("after another", b)
}
