package sender

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// fakeDNS answers as told, and counts.
type fakeDNS struct {
	reply func(ctx context.Context, q dns.Question) (dns.Answer, error)
	asked atomic.Int64
}

func (f *fakeDNS) Ask(ctx context.Context, q dns.Question) (dns.Answer, error) {
	f.asked.Add(1)
	return f.reply(ctx, q)
}

// dead never answers.
func dead(ctx context.Context, _ dns.Question) (dns.Answer, error) {
	<-ctx.Done()
	return dns.Answer{}, errSilent
}

// alive answers after a tenth of a second.
func alive(ctx context.Context, _ dns.Question) (dns.Answer, error) {
	select {
	case <-time.After(100 * time.Millisecond):
		return dns.Answer{Outcome: dns.Found, TTL: 10 * time.Minute, Texts: []string{"x"}}, nil
	case <-ctx.Done():
		return dns.Answer{}, errSilent
	}
}

func TestMailTakesTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDNS{reply: dead}
		raw := strings.Repeat("DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=AAAA; b=AAAA\r\n", 3) +
			plainMail
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
		f := &fakeDNS{reply: func(ctx context.Context, q dns.Question) (dns.Answer, error) {
			time.Sleep(900 * time.Millisecond)
			return dns.Answer{Outcome: dns.Found, TTL: time.Hour,
				Texts: []string{"v=spf1 include:x" + q.Name + " -all"}}, ctx.Err()
		}}
		start := time.Now()
		r := checkerOf(t, f, time.Now).Check(t.Context(), mailOf(plainMail, "x@example.com", ""))
		if took := time.Since(start); r.SPF != temperror || took > 2700*time.Millisecond {
			t.Errorf("%+v after %s", r, took)
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
		f.reply = alive
		if a := c.dns.Lookup(t.Context(), "example.com", dns.TXT); a.Outcome != dns.Found {
			t.Errorf("the resolver is blamed: %+v", a)
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
