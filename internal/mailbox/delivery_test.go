package mailbox_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

var began = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func TestStatusMovesForward(t *testing.T) {
	order := [][]mailbox.DeliveryStatus{{mailbox.Queued}, {mailbox.Sent}, {mailbox.Delayed}, {mailbox.Delivered},
		{mailbox.Captured}, {mailbox.Bounced, mailbox.Failed}, {mailbox.Complained}}
	for i, olds := range order {
		for j, news := range order {
			for _, old := range olds {
				for _, s := range news {
					if got := s.Follows(old); got != (j > i && old != mailbox.Captured) {
						t.Errorf("from %s to %s: %v", old, s, got)
					}
				}
			}
		}
	}
}

func TestStatusOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		of   []mailbox.DeliveryStatus
		want mailbox.DeliveryStatus
	}{
		{"one", []mailbox.DeliveryStatus{"delivered"}, "delivered"},
		{"the lowest that is undecided", []mailbox.DeliveryStatus{"complained", "delivery_delayed", "sent"}, "sent"},
		{"queued", []mailbox.DeliveryStatus{"delivered", "queued", "sent"}, "queued"},
		{"the highest decided", []mailbox.DeliveryStatus{"delivered", "bounced", "delivered"}, "bounced"},
		{"some was captured", []mailbox.DeliveryStatus{"delivered", "captured", "delivered"}, "captured"},
		{"captured, and the rest waits", []mailbox.DeliveryStatus{"captured", "queued"}, "queued"},
		{"captured, and the rest bounced", []mailbox.DeliveryStatus{"captured", "bounced", "captured"}, "bounced"},
		{"none", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var list []mailbox.Delivery
			for _, s := range tt.of {
				list = append(list, mailbox.Delivery{Status: s})
			}
			if got := mailbox.StatusOf(list); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestRetryDelay(t *testing.T) {
	for attempts, want := range map[int]time.Duration{0: time.Minute, 1: time.Minute, 2: 2 * time.Minute,
		3: 4 * time.Minute, 7: 64 * time.Minute,
		8: 2 * time.Hour, 9: 2 * time.Hour, 1000: 2 * time.Hour} {
		if got := mailbox.RetryDelay(attempts, 0.5); got != want {
			t.Errorf("after %d: %v, want %v", attempts, got, want)
		}
		if low, high := mailbox.RetryDelay(attempts, 0), mailbox.RetryDelay(attempts, 1); low != want*4/5 ||
			high != want*6/5 {
			t.Errorf("after %d: from %v to %v", attempts, low, high)
		}
	}
}

// What each outcome of an attempt makes of a delivery that was leased.
func TestAfter(t *testing.T) {
	schedule := mailbox.Schedule{Keep: 48 * time.Hour, Luck: 0.5}
	leased := mailbox.Delivery{Status: mailbox.Queued, QueuedAt: began, NextAt: began.Add(time.Hour), Leased: true,
		Lease: 1, Recipient: "a@x.org"}
	for _, tt := range []struct {
		name    string
		from    func(*mailbox.Delivery)
		attempt mailbox.Attempt
		after   time.Duration
		status  mailbox.DeliveryStatus
		event   mailbox.EventKind
		next    time.Duration // since began; 0: never
		unknown bool
	}{
		{"given back", nil, mailbox.Attempt{Outcome: mailbox.Put, Wait: time.Minute}, 0, "queued", "", time.Minute,
			false},
		{"delivered", nil, mailbox.Attempt{Outcome: mailbox.Accepted}, 0, "delivered", mailbox.MessageDelivered, 0,
			false},
		{"captured", nil, mailbox.Attempt{Outcome: mailbox.Kept}, 0, "captured", "", 0, false},
		{"captured after a delay", func(d *mailbox.Delivery) { d.Status = mailbox.Delayed },
			mailbox.Attempt{Outcome: mailbox.Kept}, 0, "captured", "", 0, false},
		{"relayed", nil, mailbox.Attempt{Outcome: mailbox.Relayed}, 0, "sent", "", 0, false},
		{"put off", nil, mailbox.Attempt{Outcome: mailbox.Deferred}, 0, "delivery_delayed", "", time.Minute, false},
		{"put off by a relay", nil, mailbox.Attempt{Outcome: mailbox.Deferred, Relay: true}, 0, "queued", "",
			time.Minute, false},
		{"put off until", nil, mailbox.Attempt{Outcome: mailbox.Deferred, Wait: time.Second}, 0, "delivery_delayed", "",
			time.Second, false},
		{"put off just in time", nil, mailbox.Attempt{Outcome: mailbox.Deferred}, 48*time.Hour - 1, "delivery_delayed",
			"", 48*time.Hour - 1 + time.Minute, false},
		{"put off for too long, but seldom tried", func(d *mailbox.Delivery) { d.Attempts = 1 },
			mailbox.Attempt{Outcome: mailbox.Deferred}, 48 * time.Hour,
			"delivery_delayed", "", 48*time.Hour + 2*time.Minute, false},
		{"put off for too long", func(d *mailbox.Delivery) { d.Attempts = 2 },
			mailbox.Attempt{Outcome: mailbox.Deferred}, 48 * time.Hour, "bounced", mailbox.MessageBounced, 0, false},
		{"refused", nil, mailbox.Attempt{Outcome: mailbox.Refused, Code: 550}, 0, "bounced", mailbox.MessageBounced, 0,
			false},
		{"impossible", nil, mailbox.Attempt{Outcome: mailbox.Impossible}, 0, "failed", mailbox.MessageBounced, 0,
			false},
		{"lost", func(d *mailbox.Delivery) { d.Begun = true }, mailbox.Attempt{Outcome: mailbox.Lost}, 0,
			"delivery_delayed", "", time.Minute, true},
		{"lost again", func(d *mailbox.Delivery) { d.Begun, d.Unknown = true, true },
			mailbox.Attempt{Outcome: mailbox.Lost}, 0, "delivery_delayed", "", time.Minute, true},
		{"lost behind a relay", func(d *mailbox.Delivery) { d.Begun = true }, mailbox.Attempt{Outcome: mailbox.Lost,
			Relay: true}, 0, "queued", "", time.Minute, true},
		{"delivered after a delay", func(d *mailbox.Delivery) { d.Status = mailbox.Delayed },
			mailbox.Attempt{Outcome: mailbox.Accepted}, 0, "delivered", mailbox.MessageDelivered, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := leased
			if tt.from != nil {
				tt.from(&d)
			}
			next, event := d.After(tt.attempt, schedule, began.Add(tt.after))
			want := time.Time{}
			if tt.next > 0 {
				want = began.Add(tt.next)
			}
			kind := mailbox.EventKind("")
			if event != nil {
				kind = event.Kind
				if event.Result.Recipient != "a@x.org" || event.Result.Status != string(next.Status) {
					t.Errorf("the event says %+v", event.Result)
				}
			}
			if next.Status != tt.status || kind != tt.event || !next.NextAt.Equal(want) || next.Unknown != tt.unknown ||
				next.Leased || next.Begun {
				t.Errorf("got %+v and %s", next, kind)
			}
		})
	}
}

// One event of each kind, whatever comes how often.
func TestLearnTellsOnce(t *testing.T) {
	d := mailbox.Delivery{Status: mailbox.Sent}
	var told []mailbox.EventKind
	for _, s := range []mailbox.DeliveryStatus{"delivered", "delivered", "bounced", "failed", "delivered", "complained",
		"complained", "bounced"} {
		var e *mailbox.Event
		if d, e = d.Learn(mailbox.Word{Status: s}, began); e != nil {
			told = append(told, e.Kind)
		}
	}
	if len(told) != 3 || told[0] != mailbox.MessageDelivered || told[1] != mailbox.MessageBounced ||
		told[2] != mailbox.MessageComplained {
		t.Errorf("told %v", told)
	}
}

func TestHard(t *testing.T) {
	for _, tt := range []struct {
		a    mailbox.Attempt
		want bool
	}{
		{mailbox.Attempt{Outcome: mailbox.Refused, Code: 550, Enhanced: "5.1.1"}, true},
		{mailbox.Attempt{Outcome: mailbox.Refused, Code: 550, Enhanced: "5.7.1"}, false},
		{mailbox.Attempt{Outcome: mailbox.Refused, Code: 550}, true},
		{mailbox.Attempt{Outcome: mailbox.Refused, Code: 552, Enhanced: "5.2.2"}, false},
		{mailbox.Attempt{Outcome: mailbox.Refused, Code: 554}, false},
		{mailbox.Attempt{Outcome: mailbox.Deferred, Code: 550, Enhanced: "5.1.1"}, false},
		{mailbox.Attempt{Outcome: mailbox.Refused, Enhanced: "5.1.10"}, true},
	} {
		if got := tt.a.Hard(); got != tt.want {
			t.Errorf("%+v: %v", tt.a, got)
		}
	}
}

func TestResultIsEncoded(t *testing.T) {
	for _, r := range []mailbox.Result{{}, {Recipient: "a@x.org"}, {Recipient: "a", Status: "b", Bounce: "c",
		Reason: "d\ne\n"}, {Reason: "x"},
		{Recipient: "a", Status: "b", Reason: "d\ne\n", Simulated: true}} {
		if got := mailbox.DecodeResult(r.Encode()); got != r {
			t.Errorf("got %+v, want %+v", got, r)
		}
	}
}

// What was given back was not told to any server, whatever was noted before.
func TestGivenBackIsNotBegun(t *testing.T) {
	d := mailbox.Delivery{Begun: true, Leased: true}
	if next, event := d.After(mailbox.Attempt{Outcome: mailbox.Put}, mailbox.Schedule{}, time.Now()); next.Begun ||
		next.Attempts != 0 || event != nil {
		t.Errorf("%+v, %+v", next, event)
	}
}
