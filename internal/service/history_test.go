package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// history is what happened to a message, each entry as its kind and what is given of its facts.
func (k *kit) history(in service.Access, id mailbox.ID) []mailbox.HistoryEntry {
	k.Helper()
	h, err := k.svc.History(k.Context(), in, id)
	k.works("History", err)
	if !slices.IsSortedFunc(h.Entries, func(a, b mailbox.HistoryEntry) int { return a.At.Compare(b.At) }) {
		k.Errorf("the history is not in the order of time: %v", h.Entries)
	}
	return h.Entries
}

func kindsOf(list []mailbox.HistoryEntry) string {
	var kinds []string
	for _, e := range list {
		kinds = append(kinds, string(e.Kind))
	}
	return strings.Join(kinds, " ")
}

func sentences(list []mailbox.HistoryEntry) string {
	var all []string
	for _, e := range list {
		all = append(all, e.Sentence())
	}
	return strings.Join(all, "\n")
}

// What came in: from where, what was found out about it, its labels, and who read it first.
func TestHistoryOfReceived(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	id := k.receive(letter("hello", "List-Unsubscribe: <mailto:x@y.test>"), "own@example.test")[0].ID
	in := own.read()
	k.same("at first", kindsOf(k.history(in, id)), "received checked labeled")
	first := k.history(in, id)
	k.same("from", first[0].Trace.Helo, "mx.sender.test")
	k.same("for", first[0].Recipient, "own@example.test")
	came := first[2].Added
	k.clock.advance(time.Second)
	for range 3 {
		k.message(in, id)
	}
	k.message(k.operator(mailbox.ReadMail, "own@example.test"), id)
	k.clock.advance(time.Second)
	_, err := k.svc.ChangeMessage(t.Context(), own.change(), id, service.MessageChange{Add: []string{"work"},
		Remove: came})
	k.works("ChangeMessage", err)
	_, err = k.svc.ChangeMessage(t.Context(), own.change(), id, service.MessageChange{Add: []string{"work"}})
	k.works("ChangeMessage", err)
	got := k.history(in, id)
	k.same("then", kindsOf(got), "received checked labeled read read labeled")
	k.same("labels that it came with", got[2].Added, came)
	readers := []string{got[3].Actor, got[4].Actor}
	slices.Sort(readers)
	want := []string{in.Caller.Key.ID.String(), mailbox.TheOperator}
	slices.Sort(want)
	k.same("readers", readers, want)
	last := got[5]
	k.same("added", last.Added, []string{"work"})
	k.same("removed", last.Removed, came)
	k.same("by", last.Actor, in.Caller.Key.ID.String())
	if text := sentences(got); !strings.Contains(text, "Labels by the key ") || !strings.Contains(text,
		"Read for the first time by the operator.") || !strings.Contains(text, "Received from mx.sender.test (") {
		t.Error(text)
	}
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), id))
	_, err = k.svc.History(t.Context(), in, id)
	k.kind("of a deleted message", err, mailbox.NotFound, "not_found")
	_, err = k.svc.History(t.Context(), k.permanent("other").read(), id)
	k.kind("of another's message", err, mailbox.NotFound, "not_found")
}

// Every attempt is there with what the other server said, and what was heard later.
func TestHistoryOfSent(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	sent := own.send(draftTo("kim@else.test"))
	in := own.read()
	k.same("at first", kindsOf(k.history(in, sent.ID)), "accepted")
	try := func(a mailbox.Attempt) mailbox.Delivery {
		t.Helper()
		jobs := k.lease()
		k.same("jobs", len(jobs), 1)
		k.finish(jobs[0], a)
		k.clock.advance(3 * time.Hour)
		return jobs[0].Delivery
	}
	try(mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451, Text: "4.7.1 Try again later", Host: "mx1.else.test",
		TLS: "TLS1.3"})
	try(mailbox.Attempt{Outcome: mailbox.Put})
	try(mailbox.Attempt{Outcome: mailbox.Deferred, Text: "connection refused"})
	d := try(mailbox.Attempt{Outcome: mailbox.Accepted, Code: 250, Text: "2.0.0 Ok", Host: "mx2.else.test"})
	k.works("HearLater", k.svc.HearLater(t.Context(), d, mailbox.Word{Status: mailbox.Bounced, Bounce: "hard",
		Reason: "550 No such user"}))
	k.works("HearLater", k.svc.HearLater(t.Context(), d, mailbox.Word{Status: mailbox.Complained, Reason: "abuse"}))
	got := k.history(in, sent.ID)
	k.same("then", kindsOf(got), "accepted attempt attempt attempt bounced complained")
	k.same("sentences", sentences(got[1:]), "Attempt 1 for kim@else.test at mx1.else.test with TLS1.3 was put off: "+
		`451 4.7.1 Try again later.
Attempt 2 for kim@else.test failed: connection refused.
Attempt 3 for kim@else.test at mx2.else.test was accepted: 250 2.0.0 Ok.
Not delivered to kim@else.test: 550 No such user.
kim@else.test complained about it: abuse.`)
	k.same("who", got[0].Actor, in.Caller.Key.ID.String())
}

// A draft, a message that is moved and called back, and by whom.
func TestHistoryOfWaiting(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	written := edit(draftTo("kim@else.test"))
	written.SendAt, written.Given = k.clock.Now().Add(time.Hour), append(written.Given, "send_at")
	d, err := k.svc.CreateDraft(t.Context(), own.in(mailbox.DraftMail), written)
	k.works("CreateDraft", err)
	k.clock.advance(time.Minute)
	sent, err := k.svc.SendDraft(t.Context(), own.in(mailbox.SendMail), service.DraftSend{
		DraftRef: mailbox.DraftRef{ID: d.ID}})
	k.works("SendDraft", err)
	k.clock.advance(time.Minute)
	later := k.clock.Now().Add(2 * time.Hour)
	_, err = k.svc.ChangeMessage(t.Context(), own.change(), sent.ID, service.MessageChange{SendAt: later})
	k.works("ChangeMessage", err)
	k.clock.advance(time.Minute)
	_, err = k.svc.Cancel(t.Context(), k.operator(mailbox.SendMail, "own@example.test"), sent.ID, "")
	k.works("Cancel", err)
	got := k.history(own.read(), sent.ID)
	var kept []mailbox.HistoryEntry
	for _, e := range got {
		if e.Kind != mailbox.HistoryRead { // by the one who changed it
			kept = append(kept, e)
		}
	}
	k.same("kinds", kindsOf(kept), "drafted accepted moved canceled")
	k.same("draft", kept[0].Draft, d.ID.String())
	k.same("moved to", kept[2].SendAt, later)
	k.same("canceled by", kept[3].Actor, mailbox.TheOperator)
}

// A read costs no commit: those of some seconds are written together, each once, and nothing is written without.
func TestFirstReadsAreBatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var counted countingStore
		k := newService(t, func(o *service.Options) {
			counted.Store = o.Store
			o.Store = &counted
		})
		own := k.permanent("own")
		var ids []mailbox.ID
		for i := range 250 {
			ids = append(ids, k.receive(letter(fmt.Sprint("m", i)), "own@example.test")[0].ID)
		}
		in := own.read()
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- k.svc.Run(ctx) }()
		time.Sleep(10 * time.Second) // what was noted before is written
		counted.updates.Store(0)
		for range 3 {
			for _, id := range ids {
				k.message(in, id)
			}
		}
		k.same("at once", int(counted.updates.Load()), 0)
		time.Sleep(10 * time.Second)
		k.same("in batches of 100", int(counted.updates.Load()), 3)
		for _, id := range ids {
			k.message(in, id)
		}
		time.Sleep(time.Minute)
		k.same("again", int(counted.updates.Load()), 3)
		k.message(k.operator(mailbox.ReadMail, "own@example.test"), ids[7])
		stop()
		k.works("Run", <-ran)
		k.same("readers", strings.Count(kindsOf(k.history(in, ids[7])), "read"), 2)
		peek := in
		peek.Peek = true
		other := k.receive(letter("unread"), "own@example.test")[0].ID
		k.message(peek, other)
		k.same("nobody", strings.Count(kindsOf(k.history(in, other)), "read"), 0)
	})
}

// Where reads cannot be written they are written later, and the history of a message that is gone is not.
func TestFirstReadsAreKept(t *testing.T) {
	fails := false
	k := newService(t, func(o *service.Options) { o.Store = &failingStore{Store: o.Store, fails: &fails} })
	own := k.permanent("own")
	id, gone := k.receive(letter("a"), "own@example.test")[0].ID, k.receive(letter("b"), "own@example.test")[0].ID
	in := own.read()
	k.message(in, id)
	k.message(in, gone)
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), gone))
	fails = true
	if _, err := k.svc.History(t.Context(), in, id); err == nil {
		t.Error("the history of a store that fails is told")
	}
	fails = false
	k.same("later", strings.Count(kindsOf(k.history(in, id)), "read"), 1)
}

type failingStore struct {
	store.Store
	fails *bool
}

func (s *failingStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	if *s.fails {
		return errors.New("broken")
	}
	return s.Store.Update(ctx, fn)
}

// What a person had to decide about, and decided.
func TestHistoryOfHeld(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	own.policy(mailbox.ReviewAll)
	first, second := own.send(draftTo("kim@else.test")), own.send(draftTo("ann@else.test"))
	k.clock.advance(time.Minute)
	_, err := k.svc.Approve(t.Context(), own.review(), service.ReviewRef{ID: first.ID})
	k.works("Approve", err)
	_, err = k.svc.Reject(t.Context(), own.review(), rejection(second.ID, "Not now."))
	k.works("Reject", err)
	k.same("approved", kindsOf(k.history(own.read(), first.ID)), "accepted held approved")
	got := k.history(own.read(), second.ID)
	k.same("rejected", kindsOf(got), "accepted held rejected")
	k.same("sentence", got[2].Sentence(), "Rejected by the operator: Not now.")
	if !strings.HasPrefix(got[1].Sentence(), "Held until a person decides: ") {
		t.Error(got[1].Sentence())
	}
}

// An edit by a person keeps what the agent did, and when.
func TestHistoryOfEdited(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	own.policy(mailbox.ReviewAll)
	sent := own.send(draftTo("kim@else.test", "ann@else.test"))
	began := k.clock.Now()
	_, err := own.cancel(sent.ID, "ann@else.test")
	k.works("cancel", err)
	k.clock.advance(time.Minute)
	_, err = own.editReview(sent.ID, mailbox.DraftEdit{Draft: mailbox.Draft{Subject: "x"}, Given: []string{"subject"}})
	k.works("edit", err)
	got := k.history(own.read(), sent.ID)
	k.same("kinds", kindsOf(got), "accepted held canceled edited read")
	k.same("accepted", []any{got[0].At.Equal(began), got[0].Actor},
		[]any{true, k.login(own.Key).Key.ID.String()})
	k.same("edited", got[3].Sentence(), "Edited by the operator: it has version 2.")
}

// What a server refuses at once bounces after the attempt, though both are of one moment.
func TestHistoryOfRefused(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	sent := own.send(draftTo("kim@else.test"))
	k.finish(k.lease()[0], refused)
	k.same("kinds", kindsOf(k.history(own.read(), sent.ID)), "accepted attempt bounced")
}

// Each attempt to post an event about a message is there; where to is for those who manage the mailbox.
func TestHistoryOfWebhooks(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	id := k.receive(letter("a"), "own@example.test")[0].ID
	k.update(func(tx store.Tx) error {
		target, err := tx.HookTarget(t.Context(), own.Mailbox.Num, "https://hook.test/secret")
		if err != nil {
			return err
		}
		h := mailbox.Hook{ID: mailbox.NewID(noon), Mailbox: own.Mailbox.Num, Target: target.Number, Message: id,
			Kind: mailbox.MessageReceived, At: noon, State: mailbox.HookDelivered, Log: []mailbox.HookAttempt{
				{At: noon.Add(time.Second), Status: 500, Error: "status 500"},
				{At: noon.Add(2 * time.Second), Status: 204}}}
		return errors.Join(tx.InsertHook(t.Context(), &h), tx.UpdateHook(t.Context(), h))
	})
	got := k.history(own.read(), id)
	list := got[len(got)-2:]
	k.same("sentences", sentences(list), "Posting the event message.received to https://hook.test/secret failed: "+
		"status 500.\nThe event message.received was posted to https://hook.test/secret and answered with 204.")
	k.same("statuses", []string{list[0].Status, list[1].Status}, []string{"failed", "delivered"})
	in := own.read()
	in.Caller.Scope = mailbox.Provisional
	if text := sentences(k.history(in, id)); strings.Contains(text, "hook.test") {
		t.Errorf("a key that may not manage the mailbox is told %s", text)
	}
}
