package sender

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// fakeDNS answers as told, and counts.
type fakeDNS struct {
	reply func(ctx context.Context, q question) (answer, error)
	asked atomic.Int64
}

func (f *fakeDNS) ask(ctx context.Context, q question) (answer, error) {
	f.asked.Add(1)
	return f.reply(ctx, q)
}

// dead never answers.
func dead(ctx context.Context, _ question) (answer, error) {
	<-ctx.Done()
	return answer{}, errSilent
}

// alive answers after a tenth of a second.
func alive(ctx context.Context, _ question) (answer, error) {
	select {
	case <-time.After(100 * time.Millisecond):
		return answer{outcome: found, ttl: 10 * time.Minute, texts: []string{"x"}}, nil
	case <-ctx.Done():
		return answer{}, errSilent
	}
}

func txtOf(name string) question { return question{name, dnsmessage.TypeTXT} }

// lookupFor looks a name up with some time for it, and says how long it took.
func lookupFor(r *resolver, name string, limit time.Duration) (answer, time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	a := r.lookup(ctx, txtOf(name))
	return a, time.Since(start)
}

func TestMailTakesTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		raw := strings.Repeat("DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=AAAA; b=AAAA\r\n", 3) + plainMail
		start := time.Now()
		r := checkerOf(t, f, time.Now).Check(t.Context(), mailOf(raw, "x@example.com", "x@a.b.example.com"))
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("took %s", took)
		}
		if r.SPF != temperror || r.DKIM != temperror || r.DMARC != temperror || r.FromAligned || !r.Checked {
			t.Errorf("%+v", r)
		}
	})
}

// A policy of many slow names has no more time than one.
func TestSlowChainTakesTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: func(ctx context.Context, q question) (answer, error) {
			time.Sleep(900 * time.Millisecond)
			return answer{outcome: found, ttl: time.Hour, texts: []string{"v=spf1 include:x" + q.name + " -all"}}, ctx.Err()
		}}
		start := time.Now()
		r := checkerOf(t, f, time.Now).Check(t.Context(), mailOf(plainMail, "x@example.com", ""))
		if took := time.Since(start); r.SPF != temperror || took > 2700*time.Millisecond {
			t.Errorf("%+v after %s", r, took)
		}
	})
}

func TestAnswersAreRemembered(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer answer
		keep   time.Duration
	}{
		{"for their time", answer{outcome: found, ttl: 5 * time.Minute}, 5 * time.Minute},
		{"for an hour at most", answer{outcome: found, ttl: 24 * time.Hour}, time.Hour},
		{"names that do not exist for a minute", answer{outcome: noName}, time.Minute},
		{"missing records for a minute", answer{outcome: noData, ttl: time.Hour}, time.Minute},
		{"failures for a minute", answer{outcome: failed}, time.Minute},
		{"not if they may not be", answer{outcome: found}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeDNS{reply: func(context.Context, question) (answer, error) { return tt.answer, nil }}
				r := checkerOf(t, f, time.Now).dns
				look := func(want int64) {
					t.Helper()
					if a, _ := lookupFor(r, "example.com", time.Second); a.outcome != tt.answer.outcome || f.asked.Load() != want {
						t.Errorf("%+v after %d questions, want %d", a, f.asked.Load(), want)
					}
				}
				look(1)
				if tt.keep > 0 {
					time.Sleep(tt.keep - time.Second)
					look(1)
					time.Sleep(time.Second)
				}
				look(2)
			})
		})
	}
}

func TestSilenceIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := checkerOf(t, f, time.Now).dns
		if a, took := lookupFor(r, "example.com", 2*time.Second); a.outcome != failed || took != 2*time.Second {
			t.Errorf("%+v after %s", a, took)
		}
		if a, took := lookupFor(r, "example.com", 2*time.Second); a.outcome != failed || took != 0 {
			t.Errorf("again: %+v after %s", a, took)
		}
		time.Sleep(time.Minute)
		f.reply = alive
		if a, _ := lookupFor(r, "example.com", 2*time.Second); a.outcome != found {
			t.Errorf("after a minute: %+v", a)
		}
	})
}

// A mail whose time is nearly over must not make a name fail for others.
func TestGivingUpIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: alive}
		r := checkerOf(t, f, time.Now).dns
		if a, _ := lookupFor(r, "example.com", 50*time.Millisecond); a.outcome != failed {
			t.Errorf("in no time: %+v", a)
		}
		if a, _ := lookupFor(r, "example.com", time.Second); a.outcome != found {
			t.Errorf("with time: %+v", a)
		}
	})
}

// Nor for those who wait for the same answer.
func TestGivingUpLetsOthersAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: alive}
		r := checkerOf(t, f, time.Now).dns
		var wg sync.WaitGroup
		wg.Go(func() { lookupFor(r, "example.com", 50*time.Millisecond) })
		synctest.Wait()
		wg.Go(func() {
			if a, took := lookupFor(r, "example.com", time.Second); a.outcome != found || took != 150*time.Millisecond {
				t.Errorf("%+v after %s", a, took)
			}
		})
		wg.Wait()
		if f.asked.Load() != 2 {
			t.Errorf("%d questions", f.asked.Load())
		}
	})
}

func TestCancelledMail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		c := checkerOf(t, f, time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(1500*time.Millisecond, cancel)
		start := time.Now()
		if r := c.Check(ctx, mailOf(plainMail, "x@example.com", "x@example.com")); r.SPF != temperror {
			t.Errorf("%+v", r)
		}
		if took := time.Since(start); took != 1500*time.Millisecond {
			t.Errorf("took %s", took)
		}
		if _, known := c.dns.cache.get(txtOf("example.com")); known || c.dns.rest.silences > 0 {
			t.Error("the resolver is blamed")
		}
	})
}

func TestSameQuestionOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: alive}
		c := checkerOf(t, f, time.Now)
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if r := c.Check(t.Context(), mailOf(plainMail, "x@example.com", "x@example.com")); r.SPF != none {
					t.Errorf("%+v", r)
				}
			})
		}
		wg.Wait()
		if f.asked.Load() != 3 { // the policy, and two steps of the walk
			t.Errorf("%d questions", f.asked.Load())
		}
	})
}

// exhaust makes the resolver doubted.
func exhaust(t *testing.T, r *resolver) {
	t.Helper()
	for i := range maxSilences {
		if a, took := lookupFor(r, fmt.Sprintf("n%d.example", i), 2*time.Second); a.outcome != failed || took != 2*time.Second {
			t.Errorf("%d: %+v after %s", i, a, took)
		}
	}
}

func TestDeadResolverRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := checkerOf(t, f, time.Now).dns
		look := func(name string, want outcome, wantTook time.Duration, wantAsked int64) {
			t.Helper()
			before := f.asked.Load()
			a, took := lookupFor(r, name, 2*time.Second)
			if asked := f.asked.Load() - before; a.outcome != want || took != wantTook || asked != wantAsked {
				t.Errorf("%s: outcome %d after %s and %d questions, want %d after %s and %d", name, a.outcome, took, asked, want, wantTook, wantAsked)
			}
		}
		exhaust(t, r)
		look("a.example", failed, 500*time.Millisecond, 1) // the probe
		look("b.example", failed, 0, 0)
		time.Sleep(restTime - time.Millisecond)
		look("c.example", failed, 0, 0)
		time.Sleep(time.Millisecond)
		look("d.example", failed, 500*time.Millisecond, 1) // the next probe
		look("e.example", failed, 0, 0)
		f.reply = alive
		look("f.example", failed, 0, 0)
		time.Sleep(restTime)
		look("a.example", found, 200*time.Millisecond, 2) // the probe, and the question
		look("g.example", found, 100*time.Millisecond, 1)
	})
}

// While the probe of a rested resolver is under way, nobody else waits for it.
func TestOneProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := checkerOf(t, f, time.Now).dns
		exhaust(t, r)
		var wg sync.WaitGroup
		before := f.asked.Load()
		for i := range 20 { // at first it may be well: they wait for what the probe says
			wg.Go(func() {
				if a, took := lookupFor(r, fmt.Sprintf("a%d.example", i), 2*time.Second); a.outcome != failed || took != 500*time.Millisecond {
					t.Errorf("doubted: %+v after %s", a, took)
				}
			})
		}
		wg.Wait()
		time.Sleep(restTime)
		wg.Go(func() { lookupFor(r, "b.example", 2*time.Second) })
		synctest.Wait()
		for i := range 20 {
			if a, took := lookupFor(r, fmt.Sprintf("c%d.example", i), 2*time.Second); a.outcome != failed || took != 0 {
				t.Errorf("rested: %+v after %s", a, took)
			}
		}
		wg.Wait()
		if asked := f.asked.Load() - before; asked != 2 {
			t.Errorf("%d questions, want the two probes", asked)
		}
	})
}

// Names whose own servers are dead, which anybody can have, do not make the resolver rest.
func TestDeadNamesDoNotRestTheResolver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: func(ctx context.Context, q question) (answer, error) {
			if strings.HasPrefix(q.name, "n") {
				return dead(ctx, q)
			}
			return alive(ctx, q)
		}}
		r := checkerOf(t, f, time.Now).dns
		exhaust(t, r)
		if a, took := lookupFor(r, "good.example", 2*time.Second); a.outcome != found || took != 200*time.Millisecond {
			t.Errorf("%+v after %s", a, took)
		}
		if r.rest.silences != 0 || !r.rest.until.IsZero() {
			t.Errorf("%+v", r.rest)
		}
	})
}

// A probe by somebody without time says nothing; the next one tries.
func TestProbeGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := checkerOf(t, f, time.Now).dns
		exhaust(t, r)
		f.reply = alive
		lookupFor(r, "a.example", 10*time.Millisecond)
		if !r.rest.until.IsZero() || r.rest.probing != nil {
			t.Errorf("%+v", r.rest)
		}
		if a, _ := lookupFor(r, "b.example", time.Second); a.outcome != found {
			t.Errorf("%+v", a)
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100_000, time.Now)
	for i := range 10_000 {
		c.put(txtOf(fmt.Sprintf("n%d.example", i)), answer{outcome: found, texts: []string{strings.Repeat("x", i%500)}}, time.Hour)
		c.get(txtOf("n0.example"))
	}
	if c.size > c.max || len(c.entries) != c.recent.Len() || len(c.entries) < 100 {
		t.Errorf("%d bytes in %d entries", c.size, len(c.entries))
	}
	if _, ok := c.get(txtOf("n0.example")); !ok {
		t.Error("what is asked for all the time is gone")
	}
	if _, ok := c.get(txtOf("n1.example")); ok {
		t.Error("what nobody asks for is still there")
	}
}
