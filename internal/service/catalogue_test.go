package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// found lists the subjects of the captured mail that has a part of a text in it; empty: of all.
func (k *kit) found(part string) []string {
	k.Helper()
	in, err := k.svc.Captured(k.Context())
	k.works("Captured", err)
	var q service.CapturedQuery
	if part != "" {
		q.Terms = []service.CapturedTerm{{Field: catalogue.Text, Value: part}}
	}
	p, err := k.svc.ListCaptured(k.Context(), in, q, 0, -1)
	k.works("ListCaptured", err)
	subjects := []string{}
	for _, e := range p.Entries {
		subjects = append(subjects, e.Subject)
	}
	return subjects
}

// The first search for text reads the texts, and those of mail that comes afterwards are kept until nobody has searched
// for a while. People and subjects are always at hand.
func TestCatalogueFilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		counted := &storeWith{looked: func() { looks.Add(1) }}
		k := newService(t, capturing, func(o *service.Options) { counted.Store, o.Store = o.Store, counted })
		in, err := k.svc.Captured(t.Context())
		k.works("Captured", err)
		for n := range 120 {
			k.receive(letter(fmt.Sprint("before ", n)), "ann@one.test")
		}
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- k.svc.FillCaptured(ctx) }()
		search := func(field catalogue.Field, part string, want int, reads bool) {
			t.Helper()
			time.Sleep(time.Second)
			synctest.Wait()
			looks.Store(0)
			q := service.CapturedQuery{Terms: []service.CapturedTerm{{Field: field, Value: part}}}
			p, err := k.svc.ListCaptured(t.Context(), in, q, 0, -1)
			k.works("ListCaptured", err)
			if p.Matching != want || (looks.Load() != 0) != reads {
				t.Errorf("%q: %d found, want %d; the store was asked %d times", part, p.Matching, want, looks.Load())
			}
		}
		search(catalogue.Subject, "efore 11", 11, false)
		search(catalogue.Addressed, "ann@", 120, false)
		search(catalogue.Text, "efor", 120, true)
		search(catalogue.Text, "efor", 120, false)
		k.receive(letter("after"), "ann@one.test")
		search(catalogue.Text, "afte", 1, false)
		time.Sleep(2 * time.Minute)
		search(catalogue.Subject, "efore 11", 11, false)
		search(catalogue.Text, "afte", 1, true)
		stop()
		if err := <-over; !errors.Is(err, context.Canceled) {
			t.Errorf("FillCaptured: %v", err)
		}
	})
}

// What is listed from memory is what is stored, whichever way it changes.
func TestCatalogueFollows(t *testing.T) {
	k := newService(t, capturing)
	in, err := k.svc.Captured(t.Context())
	k.works("Captured", err)
	k.receive(letter("before"), "ann@one.test")
	k.same("what was there", k.found(""), []string{"before"})
	k.receive(letter("after"), "ann@one.test", "bo@two.test")
	k.same("what came", k.found(""), []string{"after", "before"})
	k.same("by a part of the subject", k.found("efor"), []string{"before"})

	all := k.captured()
	seen := true
	_, err = k.svc.ChangeMessage(t.Context(), in, all[0].ID, service.MessageChange{Seen: &seen})
	k.works("ChangeMessage", err)
	p, err := k.svc.ListCaptured(t.Context(), in, service.CapturedQuery{}, 0, 0)
	k.works("ListCaptured", err)
	if p.Total != 2 || p.Unread != 1 {
		t.Errorf("%d messages, %d unread", p.Total, p.Unread)
	}
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), in, all[1].ID))
	k.same("after a deletion", k.found(""), []string{"after"})
}

// The view of all captured mail can be deleted with what is in it. It is there again at once, and shows what comes.
func TestCatalogueOfNewView(t *testing.T) {
	k := newService(t, capturing)
	k.receive(letter("before"), "ann@one.test")
	k.same("before", k.found(""), []string{"before"})
	_, err := k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.DeleteMailbox, configured))
	k.works("DeleteMailbox", err)
	k.same("afterwards", k.found(""), []string{})
	k.receive(letter("after"), "ann@one.test")
	k.same("what came", k.found(""), []string{"after"})
}

// greedyOutlet takes every delivery that it is offered, and does nothing with it.
type greedyOutlet struct{}

func (greedyOutlet) Reserve(mailbox.Delivery) bool { return true }
func (greedyOutlet) Give(service.Job)              {}
func (greedyOutlet) Release(mailbox.Delivery)      {}
func (greedyOutlet) Hurry([]string)                {}

// What is sent with /v1 stays here too, whomever it is for: it is not offered to what sends mail away.
func TestCatalogueOfSentMail(t *testing.T) {
	k := newService(t, capturing, func(o *service.Options) { o.Way = service.WayCapture })
	k.svc.Attach(greedyOutlet{})
	k.receive(letter("before"), "ann@one.test")
	_, err := k.svc.Send(t.Context(), k.operator(mailbox.SendMail, configured), draftTo("bo@elsewhere.test"))
	k.works("Send", err)
	k.same("view", k.found(""), []string{"Hello", "before"})
	list := k.inbox(k.operator(mailbox.ReadMail, "bo@elsewhere.test"), service.InboxQuery{}).Items
	k.same("its mailbox", subjects(list), []string{"Hello"})
}

func TestCatalogueTags(t *testing.T) {
	k := newService(t, capturing)
	in, _ := k.svc.Captured(t.Context())
	k.receive(letter("one", "X-Tags: Big Tag, a/b"), "ann+plus@one.test")
	k.receive(letter("two"), "bo@two.test")
	tags := func() []string {
		t.Helper()
		counts, err := k.svc.CapturedTags(t.Context(), in)
		k.works("CapturedTags", err)
		list := []string{}
		for tag, n := range counts {
			list = append(list, fmt.Sprint(tag, " ", n))
		}
		slices.Sort(list)
		return list
	}
	k.same("tags of the mail", tags(), []string{"Big Tag 1", "a b 1", "plus 1"})
	all := k.captured()
	k.works("TagCaptured", k.svc.TagCaptured(t.Context(), in, []mailbox.ID{all[0].ID}, []string{"big tag", "BIG TAG"}))
	k.same("one spelling", tags(), []string{"Big Tag 2", "a b 1", "plus 1"})
	k.works("RenameTag", k.svc.RenameTag(t.Context(), in, "big tag", "Small"))
	k.same("renamed", tags(), []string{"Small 2", "a b 1", "plus 1"})
	k.kind("rename to another", k.svc.RenameTag(t.Context(), in, "Small", "A B"), mailbox.Invalid, "invalid_name")
	k.kind("rename of none", k.svc.RenameTag(t.Context(), in, "none", "x"), mailbox.Invalid, "invalid_tag")
	k.works("DeleteTag", k.svc.DeleteTag(t.Context(), in, "small"))
	k.kind("delete none", k.svc.DeleteTag(t.Context(), in, "small"), mailbox.Invalid, "invalid_tag")
	k.works("TagCaptured", k.svc.TagCaptured(t.Context(), in, []mailbox.ID{all[1].ID}, nil))
	k.same("none", tags(), []string{})
}

func TestCatalogueChoices(t *testing.T) {
	k := newService(t, capturing)
	in, _ := k.svc.Captured(t.Context())
	for n := range 5 {
		k.receive(letter(fmt.Sprint("mail ", n)), "ann@one.test")
	}
	unread := func() int {
		p, err := k.svc.ListCaptured(t.Context(), in, service.CapturedQuery{}, 0, 0)
		k.works("ListCaptured", err)
		return p.Unread
	}
	subject := func(s string) service.CapturedChoice {
		return service.CapturedChoice{Query: service.CapturedQuery{Terms: []service.CapturedTerm{
			{Field: catalogue.Subject, Value: s}}}}
	}
	k.works("MarkCaptured", k.svc.MarkCaptured(t.Context(), in, subject("mail 3"), true))
	k.same("unread after one", unread(), 4)
	k.works("MarkCaptured", k.svc.MarkCaptured(t.Context(), in, service.CapturedChoice{}, true))
	k.same("unread after all", unread(), 0)
	n, err := k.svc.DeleteCaptured(t.Context(), in, subject("mail 4"))
	k.works("DeleteCaptured", err)
	k.same("deleted by search", n, 1)
	n, err = k.svc.DeleteCaptured(t.Context(), in, service.CapturedChoice{IDs: []mailbox.ID{k.captured()[0].ID,
		mailbox.NewID(k.clock.Now())}})
	k.works("DeleteCaptured", err)
	k.same("deleted by id", n, 1)
	k.same("left", k.found(""), []string{"mail 2", "mail 1", "mail 0"})
	_, err = k.svc.DeleteCaptured(t.Context(), in, service.CapturedChoice{})
	k.works("DeleteCaptured", err)
	k.same("left", k.found(""), []string{})
}

// Mail that comes while others list, mark and delete is never missing from a list that is asked for afterwards.
func TestCatalogueAtOnce(t *testing.T) {
	k := newService(t, capturing)
	in, _ := k.svc.Captured(t.Context())
	const each = 20
	var group sync.WaitGroup
	for sender := range 4 {
		group.Go(func() {
			for n := range each {
				name := fmt.Sprintf("mail %d-%d", sender, n)
				if _, err := k.svc.Receive(t.Context(), k.envelope("ann@one.test"),
					strings.NewReader(letter(name))); err != nil {
					t.Error(err)
				}
				q := service.CapturedQuery{Terms: []service.CapturedTerm{{Field: catalogue.Subject, Value: name}}}
				p, err := k.svc.ListCaptured(t.Context(), in, q, 0, 1)
				if err != nil || len(p.Entries) != 1 || p.Entries[0].Subject != name {
					t.Errorf("%s is not found right after it was taken: %v, %v", name, p.Entries, err)
					return
				}
				which := service.CapturedChoice{IDs: []mailbox.ID{p.Entries[0].ID}}
				if err := k.svc.MarkCaptured(t.Context(), in, which, true); err != nil {
					t.Error(err)
				}
				if n%2 == 0 {
					if _, err := k.svc.DeleteCaptured(t.Context(), in, which); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
	p, err := k.svc.ListCaptured(t.Context(), in, service.CapturedQuery{}, 0, -1)
	k.works("ListCaptured", err)
	if p.Total != 2*each || p.Unread != 0 || len(p.Entries) != len(k.captured()) {
		t.Errorf("%d listed, %d unread, %d stored", p.Total, p.Unread, len(k.captured()))
	}
}

func TestSendCaptured(t *testing.T) {
	k := newService(t, capturing)
	in, _ := k.svc.Captured(t.Context())
	id, size, err := k.svc.SendCaptured(t.Context(), in, service.CapturedDraft{
		From: mailbox.Address{Name: "Robin", Address: "robin@one.test"},
		To:   []mailbox.Address{{Address: "ann@one.test"}},
		Bcc:  []mailbox.Address{{Address: "blind@one.test"}}, Subject: "hello", Text: "t", HTML: "<p>t</p>",
		Tags: []string{"x"}, User: "me", Files: []service.CapturedFile{{Name: "a.txt", Data: []byte("data")}}})
	k.works("SendCaptured", err)
	m := k.message(in, id)
	if m.Subject != "hello" || m.Size != size || m.Detail.Envelope.Captured.User != "me" ||
		!slices.Equal(mailbox.Tags(m.Labels), []string{"x"}) || len(m.Detail.Parts) != 1 {
		t.Errorf("sent: %+v", m)
	}
	k.same("blind", service.BlindCopies(&m.Detail), []mailbox.Address{{Address: "blind@one.test"}})
	sums, err := k.svc.PartSums(t.Context(), in, id)
	k.works("PartSums", err)
	if s := sums[m.Detail.Parts[0].Index]; s.Size != 4 || s.MD5 != "8d777f385d3dfec8815d20f7496026dc" {
		t.Errorf("sums: %+v", s)
	}
	for code, d := range map[string]service.CapturedDraft{
		"invalid_to":   {From: mailbox.Address{Address: "a@b.test"}},
		"invalid_from": {To: []mailbox.Address{{Address: "a@b.test"}}},
		"invalid_headers": {From: mailbox.Address{Address: "a@b.test"}, To: []mailbox.Address{{Address: "a@b.test"}},
			Headers: []mailbox.Field{{Name: "subject", Value: "x"}}},
	} {
		_, _, err := k.svc.SendCaptured(t.Context(), in, d)
		k.kind("refused", err, mailbox.Invalid, code)
	}
}
