package dns

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fakeDNS answers as told, and counts.
type fakeDNS struct {
	reply func(ctx context.Context, q Question) (Answer, error)
	asked atomic.Int64
}

func (f *fakeDNS) Ask(ctx context.Context, q Question) (Answer, error) {
	f.asked.Add(1)
	return f.reply(ctx, q)
}

// dead never answers.
func dead(ctx context.Context, _ Question) (Answer, error) {
	<-ctx.Done()
	return Answer{}, errSilent
}

// alive answers after a tenth of a second.
func alive(ctx context.Context, _ Question) (Answer, error) {
	select {
	case <-time.After(100 * time.Millisecond):
		return Answer{Outcome: Found, TTL: 10 * time.Minute, Texts: []string{"x"}}, nil
	case <-ctx.Done():
		return Answer{}, errSilent
	}
}

func txtOf(name string) Question { return Question{name, TXT} }

// lookupFor looks a name up with some time for it, and says how long it took.
func lookupFor(r *Resolver, name string, limit time.Duration) (Answer, time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := time.Now()
	a := r.Lookup(ctx, name, TXT)
	return a, time.Since(start)
}

func TestAnswersAreRemembered(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer Answer
		keep   time.Duration
	}{
		{"for their time", Answer{Outcome: Found, TTL: 5 * time.Minute}, 5 * time.Minute},
		{"for an hour at most", Answer{Outcome: Found, TTL: 24 * time.Hour}, time.Hour},
		{"names that do not exist for a minute", Answer{Outcome: NoName}, time.Minute},
		{"missing records for a minute", Answer{Outcome: NoData, TTL: time.Hour}, time.Minute},
		{"failures for a minute", Answer{Outcome: Failed}, time.Minute},
		{"not if they may not be", Answer{Outcome: Found}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeDNS{reply: func(context.Context, Question) (Answer, error) { return tt.answer, nil }}
				r := resolverOf(t, f)
				look := func(want int64) {
					t.Helper()
					if a, _ := lookupFor(r, "example.com", time.Second); a.Outcome != tt.answer.Outcome ||
						f.asked.Load() != want {
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
		r := resolverOf(t, f)
		if a, took := lookupFor(r, "example.com", 2*time.Second); a.Outcome != Failed || took != 2*time.Second {
			t.Errorf("%+v after %s", a, took)
		}
		if a, took := lookupFor(r, "example.com", 2*time.Second); a.Outcome != Failed || took != 0 {
			t.Errorf("again: %+v after %s", a, took)
		}
		time.Sleep(time.Minute)
		f.reply = alive
		if a, _ := lookupFor(r, "example.com", 2*time.Second); a.Outcome != Found {
			t.Errorf("after a minute: %+v", a)
		}
	})
}

// A mail whose time is nearly over must not make a name fail for others.
func TestGivingUpIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: alive}
		r := resolverOf(t, f)
		if a, _ := lookupFor(r, "example.com", 50*time.Millisecond); a.Outcome != Failed {
			t.Errorf("in no time: %+v", a)
		}
		if a, _ := lookupFor(r, "example.com", time.Second); a.Outcome != Found {
			t.Errorf("with time: %+v", a)
		}
	})
}

// Nor for those who wait for the same answer.
func TestGivingUpLetsOthersAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: alive}
		r := resolverOf(t, f)
		var wg sync.WaitGroup
		wg.Go(func() { lookupFor(r, "example.com", 50*time.Millisecond) })
		synctest.Wait()
		wg.Go(func() {
			if a, took := lookupFor(r, "example.com", time.Second); a.Outcome != Found || took != 150*time.Millisecond {
				t.Errorf("%+v after %s", a, took)
			}
		})
		wg.Wait()
		if f.asked.Load() != 2 {
			t.Errorf("%d questions", f.asked.Load())
		}
	})
}

// exhaust makes the resolver suspected.
func exhaust(t *testing.T, r *Resolver) {
	t.Helper()
	for i := range maxSilences {
		if a, took := lookupFor(r, fmt.Sprintf("n%d.example", i), 2*time.Second); a.Outcome != Failed ||
			took != 2*time.Second {
			t.Errorf("%d: %+v after %s", i, a, took)
		}
	}
}

func TestDeadResolverRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := resolverOf(t, f)
		look := func(name string, want Outcome, wantTook time.Duration, wantAsked int64) {
			t.Helper()
			before := f.asked.Load()
			a, took := lookupFor(r, name, 2*time.Second)
			if asked := f.asked.Load() - before; a.Outcome != want || took != wantTook || asked != wantAsked {
				t.Errorf("%s: outcome %d after %s and %d questions, want %d after %s and %d", name, a.Outcome, took,
					asked, want, wantTook, wantAsked)
			}
		}
		exhaust(t, r)
		look("a.example", Failed, 500*time.Millisecond, 1) // the probe
		look("b.example", Failed, 0, 0)
		time.Sleep(openTime - time.Millisecond)
		look("c.example", Failed, 0, 0)
		time.Sleep(time.Millisecond)
		look("d.example", Failed, 500*time.Millisecond, 1) // the next probe
		look("e.example", Failed, 0, 0)
		f.reply = alive
		look("f.example", Failed, 0, 0)
		time.Sleep(openTime)
		look("a.example", Found, 200*time.Millisecond, 2) // the probe, and the question
		look("g.example", Found, 100*time.Millisecond, 1)
	})
}

// While the probe of a rested resolver is under way, nobody else waits for it.
func TestOneProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := resolverOf(t, f)
		exhaust(t, r)
		var wg sync.WaitGroup
		before := f.asked.Load()
		for i := range 20 { // at first it may be well: they wait for what the probe says
			wg.Go(func() {
				if a, took := lookupFor(r, fmt.Sprintf("a%d.example", i), 2*time.Second); a.Outcome != Failed ||
					took != 500*time.Millisecond {
					t.Errorf("suspected: %+v after %s", a, took)
				}
			})
		}
		wg.Wait()
		time.Sleep(openTime)
		wg.Go(func() { lookupFor(r, "b.example", 2*time.Second) })
		synctest.Wait()
		for i := range 20 {
			if a, took := lookupFor(r, fmt.Sprintf("c%d.example", i), 2*time.Second); a.Outcome != Failed || took != 0 {
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
		f := &fakeDNS{reply: func(ctx context.Context, q Question) (Answer, error) {
			if strings.HasPrefix(q.Name, "n") {
				return dead(ctx, q)
			}
			return alive(ctx, q)
		}}
		r := resolverOf(t, f)
		exhaust(t, r)
		if a, took := lookupFor(r, "good.example", 2*time.Second); a.Outcome != Found || took != 200*time.Millisecond {
			t.Errorf("%+v after %s", a, took)
		}
		if r.breaker.silences != 0 || !r.breaker.until.IsZero() {
			t.Errorf("%+v", r.breaker)
		}
	})
}

// A probe by somebody without time says nothing; the next one tries.
func TestProbeGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		r := resolverOf(t, f)
		exhaust(t, r)
		f.reply = alive
		lookupFor(r, "a.example", 10*time.Millisecond)
		if !r.breaker.until.IsZero() || r.breaker.probing != nil {
			t.Errorf("%+v", r.breaker)
		}
		if a, _ := lookupFor(r, "b.example", time.Second); a.Outcome != Found {
			t.Errorf("%+v", a)
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100_000, time.Now)
	for i := range 10_000 {
		c.put(txtOf(fmt.Sprintf("n%d.example", i)), Answer{Outcome: Found, Texts: []string{strings.Repeat("x", i%500)}},
			time.Hour)
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
