// Package dns asks the DNS. Who sent a mail, and where mail goes to, is decided by what it says.
//
// A [Resolver] is a stub: following the tree is the work of the servers that it asks (RFC 1034 5.3.1). It remembers
// answers for as long as they may be, and failures for a minute; the same question is never under way twice; a resolver
// that is dead is left alone for half a minute at a time, in which everything fails at once.
//
// A lookup has no error. An [Answer] says whether there are records, or no such records, or no such name, or that the
// DNS could not say; what is done about the last is the caller's business. Aliases are followed. Answers are shared by
// everybody who asks, and nobody may change them.
//
// [Answer.Authentic] is DNSSEC's word for it, which only the resolver that validates can give. It is passed on from
// resolvers on this machine; from others only if the settings say that the way to them is safe, since anybody on it
// could set the bit.
//
// The DNS is written by people who may wish the reader ill: sizes, times, aliases and memory are bounded.
package dns

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Options say how to ask.
type Options struct {
	Resolver string        // "" the system's, or host:port of a DNS server
	Timeout  time.Duration // for one question with all its repetitions; 2 s
	TrustAD  bool          // believe resolvers on other machines, too, when they say that an answer is authentic
	Asker    Asker         // instead of the network
	Now      func() time.Time
	Log      *slog.Logger
}

const defaultTimeout = 2 * time.Second

// Asker asks once. It returns an error where there was no answer at all. It need not follow aliases.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Resolver answers questions from memory, or else by asking. It has no goroutines of its own.
type Resolver struct {
	asker   Asker
	cache   *cache
	breaker *breaker
	fair    time.Duration // how long a resolver must have been silent to be blamed

	mu      sync.Mutex
	flights map[Question]*flight
}

// New returns a resolver, or an error for a setting that is no address.
func New(o Options) (*Resolver, error) {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Asker == nil {
		servers, err := serversOf(o.Resolver)
		if err != nil {
			return nil, err
		}
		o.Asker = newClient(servers, o.Timeout, o.TrustAD)
	}
	r := &Resolver{asker: o.Asker, cache: newCache(cacheBytes, o.Now), fair: o.Timeout / 2,
		flights: make(map[Question]*flight)}
	r.breaker = &breaker{now: o.Now, log: o.Log, probe: func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, o.Timeout/4)
		defer cancel()
		// Every resolver knows the root's servers; one that serves a zone of its own says so at once.
		_, err := o.Asker.Ask(ctx, Question{".", NS})
		return err
	}}
	return r, nil
}
