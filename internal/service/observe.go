package service

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/aggregate"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
)

// What is seen of other domains' mail is gathered in memory and added to the store every few seconds. It is statistics:
// what was not written when the process is killed is missing in the reports, and so is what is beyond the bounds.

const (
	observedEvery   = 10 * time.Second
	maxObserved     = 10_000 // facts that wait in memory
	maxTopics       = 10_000 // domains of a day, of both kinds together
	maxFacts        = 1_000  // of a domain and day
	maxFactSize     = 4 << 10
	observedInStep  = 500 // facts that are written in one transaction
	observationsFor = 3   // days, in which there must be a report
)

// observations gathers what is seen. Its zero value is ready to use.
type observations struct {
	mu   sync.Mutex
	sums map[mailbox.Observation]int64 // without their counts
	due  time.Time                     // when they are written
	lost atomic.Int64
}

// add counts something that was seen.
func (o *observations) add(seen mailbox.Observation, n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sums == nil {
		o.sums = make(map[mailbox.Observation]int64)
	}
	if _, known := o.sums[seen]; !known && len(o.sums) >= maxObserved {
		o.lost.Add(n)
		return
	}
	o.sums[seen] += n
}

// take returns what was gathered, now or when that is due, and starts over. The order is the same on all nodes.
func (o *observations) take(now bool) []mailbox.Observation {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := time.Now()
	if !now && at.Before(o.due) {
		return nil
	}
	sums := o.sums
	o.sums, o.due = nil, at.Add(observedEvery)
	list := make([]mailbox.Observation, 0, len(sums))
	for seen, n := range sums {
		seen.Count = n
		list = append(list, seen)
	}
	slices.SortFunc(list, func(a, b mailbox.Observation) int {
		if c := compareTopics(a.Topic, b.Topic); c != 0 {
			return c
		}
		return strings.Compare(a.Fact, b.Fact)
	})
	return list
}

func compareTopics(a, b mailbox.Topic) int {
	switch {
	case a.Day != b.Day:
		return int(a.Day - b.Day)
	case a.Kind != b.Kind:
		return strings.Compare(string(a.Kind), string(b.Kind))
	}
	return strings.Compare(a.Domain, b.Domain)
}

// observe notes a fact about a domain. It does not block.
func (s *Service) observe(kind mailbox.ReportKind, domain, fact string) {
	if domain == "" || fact == "" || len(fact) > maxFactSize || s.ours(domain) {
		return
	}
	s.observed.add(mailbox.Observation{Topic: mailbox.Topic{Day: utcDay(s.now()), Kind: kind, Domain: domain},
		Fact: fact}, 1)
}

// observeDMARC notes what a check found of mail that came from outside, and what was done with it.
func (s *Service) observeDMARC(env mailbox.Envelope, in *intake, r sender.Result, refused error) {
	f := r.Feedback
	if f == nil || !s.live().SendReports || !public(env) || s.serves(f.Domain) || isAboutReports(env, in) {
		return
	}
	source, _ := netip.ParseAddr(env.Remote)
	seen := aggregate.DMARC{Source: source, Disposition: "none", Policy: r.Policy, DKIM: f.DKIMAligned,
		SPF: f.SPFAligned, EnvelopeFrom: f.Envelope, HeaderFrom: f.From, SPFDomain: f.SPFDomain, SPFHelo: f.SPFHelo,
		SPFResult: r.SPF}
	if refused != nil {
		seen.Disposition = "reject"
	}
	for _, sig := range f.Signatures {
		seen.Signatures = append(seen.Signatures, aggregate.Signature{Domain: sig.Domain, Selector: sig.Selector,
			Result: sig.Verdict})
	}
	s.observe(mailbox.ReportDMARC, f.Domain, seen.Fact())
}

// isAboutReports tells whether mail is a report of others, or may be an answer to one of ours. It is not counted: else
// two systems would go on for ever to report about nothing but their reports.
func isAboutReports(env mailbox.Envelope, in *intake) bool {
	return env.From == "" || slices.ContainsFunc(in.parsed.Parts, reportPart) ||
		slices.ContainsFunc(env.Recipients, func(r mailbox.Recipient) bool {
			local, _ := split(untag(canonical(r.Address)))
			return !r.Return.IsZero() || isReportAddress(r.Address) || isReportSender(local)
		})
}

// SawTLS notes how TLS with a mail server of a domain went.
func (s *Service) SawTLS(domain string, seen aggregate.TLS) {
	if s.live().SendReports {
		if !mailbox.Public(seen.Sender) {
			seen.Sender = netip.Addr{} // it is nobody's business
		}
		s.observe(mailbox.ReportTLS, domain, seen.Fact())
	}
}

// flushObserved adds what was seen to the store, now or when it is due.
func (s *Service) flushObserved(ctx context.Context, now bool) error {
	for part := range slices.Chunk(s.observed.take(now), observedInStep) {
		if err := s.update(ctx, func(tx store.Tx) error { return s.addObserved(ctx, tx, part) }); err != nil {
			for _, o := range part { // the next time
				n := o.Count
				o.Count = 0
				s.observed.add(o, n)
			}
			return err
		}
	}
	return nil
}

// addObserved adds observations in the order of their topics.
func (s *Service) addObserved(ctx context.Context, tx store.Tx, list []mailbox.Observation) error {
	var state store.TopicState
	for i, o := range list {
		if i == 0 || o.Topic != list[i-1].Topic {
			var err error
			if state, err = openTopic(ctx, tx, o.Topic); err != nil {
				return err
			}
		}
		if state.Reported {
			continue
		}
		if err := tx.AddObservation(ctx, o, state.Facts < maxFacts); err != nil {
			return err
		}
		state.Facts++
	}
	return nil
}

// openTopic begins a topic, or returns how far it is. One that has no place is as if it was reported.
func openTopic(ctx context.Context, tx store.Tx, t mailbox.Topic) (store.TopicState, error) {
	state, err := tx.Topic(ctx, t)
	if !errors.Is(err, store.ErrNotFound) {
		return state, err
	}
	n, err := tx.CountTopics(ctx, t.Day)
	if err != nil || n >= maxTopics {
		return store.TopicState{Reported: true}, err
	}
	return store.TopicState{}, tx.OpenTopic(ctx, t)
}
