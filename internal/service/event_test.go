package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// follower reads a stream for a test.
type follower struct {
	service.Stream
	k *kit
}

// Behind tells whether there may be events that were not read: patience may end before they are.
func (f follower) Behind() bool { return service.Behind(f.Stream) }

func (k *kit) stream(in service.Access, q service.StreamQuery) follower {
	k.Helper()
	st, err := k.svc.Stream(k.Context(), new(in), q)
	k.works("Stream", err)
	k.Cleanup(st.Close)
	return follower{st, k}
}

// now returns what the stream has to show without waiting: the subjects, a minus before those of deleted messages.
func (f follower) now() (subjects []string) {
	f.k.Helper()
	for _, e := range f.events() {
		if e.Mail == nil {
			subjects = append(subjects, "-")
			continue
		}
		subjects = append(subjects, e.Mail.Subject)
	}
	return subjects
}

func (f follower) events() (all []mailbox.Event) {
	f.k.Helper()
	for {
		events, err := f.Next(f.k.Context(), 10*time.Millisecond)
		f.k.works("Next", err)
		if len(events) == 0 && !f.Behind() {
			return all
		}
		all = append(all, events...)
	}
}

// ends tells whether the stream is over.
func (f follower) ends(when string) {
	f.k.Helper()
	events, err := f.Next(f.k.Context(), time.Minute)
	if !errors.Is(err, io.EOF) || len(events) > 0 {
		f.k.Errorf("%s: %d events, error %v, want the end", when, len(events), err)
	}
}

func TestStream(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	st := k.stream(own.read(), service.StreamQuery{})
	k.same("at first", st.now(), []string(nil))
	if st.Address() != "own@example.test" {
		t.Errorf("a stream of %s", st.Address())
	}
	id := k.receive(letter("one"), own.Address)[0].ID
	k.receive(letter("two"), other.Address)
	k.receive(letter("three"), other.Address, own.Address)
	events := st.events()
	if len(events) != 2 {
		t.Fatalf("%d events", len(events))
	}
	first := events[0]
	if first.Kind != mailbox.MessageReceived || first.Message != id || !first.At.Equal(noon) ||
		first.Mail.Subject != "one" {
		t.Errorf("the event is %+v", first)
	}
	if first.Number <= noon.UnixMilli() || events[1].Number <= first.Number {
		t.Errorf("numbers %d and %d, of a mailbox made at %d", first.Number, events[1].Number, noon.UnixMilli())
	}
	k.receive(letter("three"), own.Address) // a duplicate is nothing new
	k.same("after a duplicate", st.now(), []string(nil))
}

// where a stream begins
func TestStreamReplay(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.EventsKept = 24 * time.Hour })
	own := k.permanent("own")
	numbers := map[string]string{}
	receive := func(subject string) {
		k.receive(letter(subject), own.Address)
		all := k.stream(own.read(), service.StreamQuery{Since: noon}).events()
		numbers[subject] = strconv.FormatInt(all[len(all)-1].Number, 10)
	}
	start := noon
	receive("forgotten")
	k.clock.set(start.Add(2 * time.Hour))
	receive("old")
	k.clock.set(start.Add(24*time.Hour + time.Minute)) // "forgotten" is older than a day
	receive("early")
	k.clock.advance(60 * time.Second)
	receive("late")
	now := k.clock.Now()
	all := []string{"old", "early", "late"}
	for _, tt := range []struct {
		name string
		q    service.StreamQuery
		want []string
	}{
		{"last minute", service.StreamQuery{}, []string{"early", "late"}},
		{"since, inclusive", service.StreamQuery{Since: now.Add(-60 * time.Second)}, []string{"early", "late"}},
		{"since, a millisecond later", service.StreamQuery{Since: now.Add(-60*time.Second + time.Millisecond)},
			[]string{"late"}},
		{"since, finer than is stored", service.StreamQuery{Since: now.Add(900 * time.Microsecond)}, []string{"late"}},
		{"since long ago", service.StreamQuery{Since: start.Add(-time.Hour)}, all},
		{"since to come", service.StreamQuery{Since: now.Add(time.Hour)}, nil},
		{"after the first kept", service.StreamQuery{Last: numbers["old"]}, []string{"early", "late"}},
		{"after the newest", service.StreamQuery{Last: numbers["late"]}, nil},
		{"wins over since", service.StreamQuery{Last: numbers["early"], Since: start}, []string{"late"}},
		{"a number already gone", service.StreamQuery{Last: numbers["forgotten"]}, all},
		{"before the mailbox", service.StreamQuery{Last: "1"}, all},
		{"negative", service.StreamQuery{Last: "-5"}, all},
		{"above the newest", service.StreamQuery{Last: numbers["late"] + "0"}, all},
		{"beyond numbers", service.StreamQuery{Last: strings.Repeat("9", 40)}, all},
		{"not a number", service.StreamQuery{Last: "tomato"}, all},
		{"kinds", service.StreamQuery{Last: "1", Kinds: []mailbox.EventKind{mailbox.MessageSent}}, nil},
		{"kinds with these", service.StreamQuery{Last: "1", Kinds: []mailbox.EventKind{mailbox.MessageSent,
			mailbox.MessageReceived}}, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k.same("events", k.stream(own.read(), tt.q).now(), tt.want)
		})
	}
}

// More than fits into one reading comes whole and in order; so does what is deleted meanwhile.
func TestStreamLongReplay(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	var want []string
	for i := range 250 {
		id := k.receive(letter(fmt.Sprint("n", i)), own.Address)[0].ID
		if i%10 == 3 {
			k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), own.change(), id))
			want = append(want, "-")
			continue
		}
		want = append(want, fmt.Sprint("n", i))
	}
	k.same("events", k.stream(own.read(), service.StreamQuery{}).now(), want)
}

// Kinds that are not shown do not hold up those that are.
func TestStreamKinds(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	st := k.stream(own.read(), service.StreamQuery{Kinds: []mailbox.EventKind{mailbox.MessageBounced}})
	id := k.receive(letter("one"), own.Address)[0].ID
	for range 120 {
		k.append(own, mailbox.MessageDelivered, id)
	}
	k.append(own, mailbox.MessageBounced, id)
	events, err := st.Next(t.Context(), time.Minute)
	k.works("Next", err)
	if len(events) != 1 || events[0].Kind != mailbox.MessageBounced || events[0].Mail.Subject != "one" {
		t.Errorf("events %+v", events)
	}
}

func (k *kit) append(b box, kind mailbox.EventKind, id mailbox.ID) {
	k.Helper()
	k.update(func(tx store.Tx) error {
		return tx.AppendEvent(k.Context(), &mailbox.Event{Mailbox: b.Num, Kind: kind, Message: id, At: k.clock.Now()})
	})
}

// A mail that arrives after the stream has looked and before it waits wakes it all the same.
func TestStreamMissesNothing(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own := k.permanent("own")
	st := k.stream(own.read(), service.StreamQuery{})
	gate.thenReceive(k, own, letter("in between"))
	events, err := st.Next(t.Context(), time.Hour) // looks, finds nothing, and must not wait
	if err != nil || len(events) != 1 || events[0].Mail.Subject != "in between" {
		t.Errorf("events %+v, error %v", events, err)
	}
}

// The same while the stream is being opened: neither missed nor shown twice.
func TestStreamOpensWithoutGap(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own := k.permanent("own")
	in := own.read()
	gate.thenReceive(k, own, letter("in between"))
	k.same("events", k.stream(in, service.StreamQuery{}).now(), []string{"in between"})
}

// Whatever takes the right to read away ends an open stream at once.
func TestStreamEnds(t *testing.T) {
	moderate := func(k *kit, b box) service.Access { return k.operator(mailbox.Moderate, b.Address) }
	for _, tt := range []struct {
		name string
		end  func(*kit, box) error
	}{
		{"paused by the owner", func(k *kit, b box) error {
			_, err := k.svc.PauseMailbox(k.Context(), b.in(mailbox.PauseMailbox), "")
			return err
		}},
		{"paused by the operator", func(k *kit, b box) error {
			_, err := k.svc.PauseMailbox(k.Context(), moderate(k, b), "spam")
			return err
		}},
		{"deleted", func(k *kit, b box) error {
			_, err := k.svc.DeleteMailbox(k.Context(), b.in(mailbox.DeleteMailbox))
			return err
		}},
		{"deleted by the operator", func(k *kit, b box) error {
			_, err := k.svc.DeleteMailbox(k.Context(), moderate(k, b))
			return err
		}},
		{"revoked", func(k *kit, b box) error {
			return k.svc.RevokeKey(k.Context(), k.operator(mailbox.Moderate, ""), k.login(b.Key).Key.ID)
		}},
		{"rotated", func(k *kit, b box) error {
			_, err := k.svc.RotateKey(k.Context(), b.in(mailbox.ManageMailbox))
			return err
		}},
		{"stopping", func(k *kit, _ box) error { k.svc.Leave(); return nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newService(t)
			own := k.permanent("own")
			in := own.read()
			st := k.stream(in, service.StreamQuery{})
			k.same("at first", st.now(), []string(nil))
			waiting := make(chan error, 1)
			go func() {
				_, err := k.svc.Code(t.Context(), new(in), service.CodeQuery{Timeout: time.Minute})
				waiting <- err
			}()
			for k.svc.Attending() < 2 {
				time.Sleep(time.Millisecond)
			}
			k.works(tt.name, tt.end(k, own))
			st.ends(tt.name)
			if err := <-waiting; err == nil {
				t.Error("a waiting call went on")
			}
		})
	}
}

// Deleting while a stream has looked and not yet waits: it must not wait on.
func TestStreamDeletedInBetween(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own := k.permanent("own")
	st := k.stream(own.read(), service.StreamQuery{})
	in := own.in(mailbox.DeleteMailbox)
	gate.looked = func() {
		gate.looked = nil
		if _, err := k.svc.DeleteMailbox(t.Context(), in); err != nil {
			t.Error(err)
		}
	}
	st.ends("deleted after it looked")
}

// An operator's stream has no key to be revoked, and ends with the mailbox.
func TestStreamOfOperator(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	st := k.stream(k.operator(mailbox.ReadMail, own.Address), service.StreamQuery{})
	k.receive(letter("one"), own.Address)
	k.same("events", st.now(), []string{"one"})
	_, err := k.svc.DeleteMailbox(t.Context(), own.in(mailbox.DeleteMailbox))
	k.works("DeleteMailbox", err)
	st.ends("deleted")
}

func TestStreamPlaces(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.StreamsPerMailbox = 2 })
	own, other := k.permanent("own"), k.permanent("other")
	first := k.stream(own.read(), service.StreamQuery{})
	k.stream(own.read(), service.StreamQuery{})
	_, err := k.svc.Stream(t.Context(), new(own.read()), service.StreamQuery{})
	k.kind("a third stream", err, mailbox.Limited, "too_many_streams")
	_, err = k.svc.Code(t.Context(), new(own.read()), service.CodeQuery{Timeout: time.Minute})
	k.kind("a wait", err, mailbox.Limited, "too_many_streams")
	k.stream(other.read(), service.StreamQuery{})
	first.Close()
	k.stream(own.read(), service.StreamQuery{})
	if n := k.svc.Attending(); n != 3 {
		t.Errorf("%d are attending, want 3", n)
	}
}

func TestStreamCallerGone(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	st := k.stream(own.read(), service.StreamQuery{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := st.Next(ctx, time.Hour)
		done <- err
	}()
	cancel()
	if err := <-done; err == nil {
		t.Error("no error")
	}
	st.Close()
	if n := k.svc.Attending(); n != 0 {
		t.Errorf("%d are attending", n)
	}
}

// in a bubble, with a clock that runs when everyone waits.
func bubble(t *testing.T, test func(k *kit)) {
	synctest.Test(t, func(t *testing.T) {
		test(newService(t, func(o *service.Options) { o.Now = time.Now }))
	})
}

func TestStreamTime(t *testing.T) {
	bubble(t, func(k *kit) {
		own := k.permanent("own")
		began := time.Now()
		st := k.stream(own.read(), service.StreamQuery{})
		for i := range 12 {
			if events, err := st.Next(k.Context(), 2*time.Second); err != nil || len(events) > 0 {
				k.Fatalf("after %d waits: %d events, error %v", i, len(events), err)
			}
		}
		st.ends("after 25 seconds")
		if took := time.Since(began); took != 25*time.Second {
			k.Errorf("the stream lasted %v", took)
		}
	})
}

// One who is always behind is sent away after 25 seconds too.
func TestStreamTimeWhileBehind(t *testing.T) {
	bubble(t, func(k *kit) {
		own := k.permanent("own")
		st := k.stream(own.read(), service.StreamQuery{})
		shown := 0
		for range 40 {
			k.receive(letter(fmt.Sprint("n", shown)), own.Address)
			events, err := st.Next(k.Context(), 2*time.Second)
			if errors.Is(err, io.EOF) {
				break
			}
			k.works("Next", err)
			shown += len(events)
			time.Sleep(time.Second)
		}
		if shown != 25 {
			k.Errorf("%d events in 25 seconds, one a second", shown)
		}
	})
}

// A temporary mailbox's streams and waits end with it.
func TestStreamOfExpiringMailbox(t *testing.T) {
	bubble(t, func(k *kit) {
		made := k.bootstrap(alice, "")
		time.Sleep(72*time.Hour - 10*time.Second)
		in := k.enter(made.Key, mailbox.ReadMail, "")
		st := k.stream(in, service.StreamQuery{})
		began := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := k.svc.Wait(k.Context(), new(in), service.WaitQuery{Timeout: 55 * time.Second})
			k.kind("Wait", err, mailbox.Unauthorized, "unauthorized")
			if took := time.Since(began); took != 10*time.Second {
				k.Errorf("the wait lasted %v", took)
			}
		})
		st.ends("with its mailbox")
		if took := time.Since(began); took != 10*time.Second {
			k.Errorf("the stream lasted %v", took)
		}
		wg.Wait()
	})
}

// A store that has lost what it last gave out ends open streams, and a wait goes on.
func TestStreamOfLostStore(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	st := k.stream(own.read(), service.StreamQuery{})
	k.same("at first", st.now(), []string(nil))
	waiting := make(chan error, 1)
	in := own.read()
	go func() {
		found, err := k.svc.Wait(t.Context(), new(in), service.WaitQuery{Timeout: time.Minute})
		if err == nil && found == nil {
			err = errors.New("nothing was found")
		}
		waiting <- err
	}()
	for k.svc.Attending() < 2 {
		time.Sleep(time.Millisecond)
	}
	k.svc.NewEra()
	st.ends("in another era")
	again := k.stream(own.read(), service.StreamQuery{})
	k.receive(letter("new"), own.Address)
	k.same("afterwards", again.now(), []string{"new"})
	k.works("Wait", <-waiting)
}
