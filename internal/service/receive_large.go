package service

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// Each message on its way to a blob takes some megabytes of memory, so there is a limited number of places for them.
// Others wait, and their senders with them. Three rules keep one client from having all of them:
//
//   - one network, or one mailbox that sends, has at most maxLargeFrom;
//   - mail from strangers leaves ownLarge to those who send with a key;
//   - a sender that is silent or slower than largeRate keeps its place only while nobody else needs it.
const (
	maxLarge     = 64
	maxLargeFrom = 8
	ownLarge     = 16

	// largeRate is what a sender must send, in bytes a second, averaged over about largePause.
	largeRate = 8 << 10
	// largePause is how long it may be silent.
	largePause = 10 * time.Second
	// largeWait is how long a message waits for a place, and largeLook how often it looks whether one has become too
	// slow.
	largeWait = time.Minute
	largeLook = time.Second
)

var (
	errBusy = mailbox.Errorf(mailbox.Unavailable, "busy", "Too many large messages are coming in; try again in a few "+
		"minutes.")
	errSlow = mailbox.Errorf(mailbox.Unavailable, "busy", "The message came too slowly while others waited; try "+
		"again in a few minutes.")
)

// source is where a message comes from.
type source struct {
	own   bool   // it is sent with a key, or by ourselves; not mail from a stranger
	share string // the network or mailbox whose share it counts for; empty: nobody's
}

// comingFrom is the source of mail that comes in. Programs on this machine are not counted apart: they may bring
// everybody's.
func comingFrom(env mailbox.Envelope) source {
	addr, err := netip.ParseAddr(env.Remote)
	if err != nil || addr.IsLoopback() {
		return source{own: env.Proto == protoInside}
	}
	return source{share: clientNetwork(addr)}
}

// sentBy is the source of mail that a mailbox sends.
func sentBy(box mailbox.Mailbox) source { return source{own: true, share: box.Address} }

// largePlaces are the places for large messages.
type largePlaces struct {
	mu        sync.Mutex
	held      map[*largePlace]struct{}
	of        map[string]int // by share
	strangers int
	changed   chan struct{} // closed when a place is free again; nil: nobody waits
	slow      int64         // how many lost their place since the start
}

// LargeMessages counts the large messages that are on their way, and those that were ended since the start because they
// came too slowly while others waited.
func (s *Service) LargeMessages() (now, ended int64) {
	s.large.mu.Lock()
	defer s.large.mu.Unlock()
	return int64(len(s.large.held)), s.large.slow
}

// largePlace is a message's place. The draft and the parser belong to it while it is read, so that the one who takes
// the place can free their memory while the reader waits for its sender.
type largePlace struct {
	pool *largePlaces
	from source

	// All guarded by pool.mu.
	draft   blob.Draft
	parser  *rfc822.Parser
	reading bool      // the sender is waited for
	until   time.Time // when it becomes too slow
	taken   bool      // another has the place now
}

// enter waits for a place.
func (l *largePlaces) enter(ctx context.Context, from source) (*largePlace, error) {
	wait, look := time.NewTimer(largeWait), time.NewTicker(largeLook)
	defer wait.Stop()
	defer look.Stop()
	for {
		p, changed := l.try(from, time.Now())
		if p != nil {
			return p, nil
		}
		select {
		case <-changed:
		case <-look.C:
		case <-wait.C:
			return nil, errBusy
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try returns a place, if need be that of a sender that is too slow, or else tells when to try again.
func (l *largePlaces) try(from source, now time.Time) (*largePlace, <-chan struct{}) {
	l.mu.Lock()
	var unused blob.Draft
	if !l.roomLocked(from) {
		if slow := l.slowestLocked(from, now); slow != nil {
			unused = l.revokeLocked(slow)
		}
	}
	if !l.roomLocked(from) {
		defer l.mu.Unlock()
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		return nil, l.changed
	}
	p := &largePlace{pool: l, from: from, until: now.Add(largePause)}
	if l.held == nil {
		l.held, l.of = make(map[*largePlace]struct{}), make(map[string]int)
	}
	l.held[p] = struct{}{}
	l.countLocked(from, 1)
	l.mu.Unlock()
	if unused != nil {
		unused.Abort()
	}
	return p, nil
}

func (l *largePlaces) countLocked(from source, n int) {
	if !from.own {
		l.strangers += n
	}
	if from.share == "" {
		return
	}
	if l.of[from.share] += n; l.of[from.share] == 0 {
		delete(l.of, from.share)
	}
}

func (l *largePlaces) roomLocked(from source) bool {
	return len(l.held) < maxLarge && !l.strangersFullLocked(from) && !l.shareFullLocked(from)
}

func (l *largePlaces) strangersFullLocked(from source) bool {
	return !from.own && l.strangers >= maxLarge-ownLarge
}

func (l *largePlaces) shareFullLocked(from source) bool {
	return from.share != "" && l.of[from.share] >= maxLargeFrom
}

// slowestLocked finds the place that has been too slow for longest, of those whose end makes room for one from there.
func (l *largePlaces) slowestLocked(from source, now time.Time) (slowest *largePlace) {
	strangersFull, shareFull := l.strangersFullLocked(from), l.shareFullLocked(from)
	for p := range l.held {
		switch {
		case !p.reading || !now.After(p.until):
		case strangersFull && p.from.own:
		case shareFull && p.from.share != from.share:
		case slowest == nil || p.until.Before(slowest.until):
			slowest = p
		}
	}
	return slowest
}

// revokeLocked takes a place from its message and returns the draft, which is the caller's to abort.
func (l *largePlaces) revokeLocked(p *largePlace) (draft blob.Draft) {
	draft, p.draft, p.parser, p.taken = p.draft, nil, nil, true
	l.slow++
	l.freeLocked(p)
	return draft
}

func (l *largePlaces) freeLocked(p *largePlace) {
	delete(l.held, p)
	l.countLocked(p.from, -1)
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// leave gives the place back, if the message still has it.
func (p *largePlace) leave() {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	if !p.taken {
		p.taken = true
		p.pool.freeLocked(p)
	}
}

// hold gives the place what the message is read into.
func (p *largePlace) hold(draft blob.Draft, parser *rfc822.Parser) {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	p.draft, p.parser = draft, parser
}

// release takes it back; nil where another has the place.
func (p *largePlace) release() (draft blob.Draft, parser *rfc822.Parser) {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	draft, parser, p.draft, p.parser = p.draft, p.parser, nil, nil
	return draft, parser
}

// copy reads a message into what the place holds. It keeps no reference to that while it waits for the sender, so that
// the memory is free when the place is taken.
func (p *largePlace) copy(message io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		p.await()
		n, err := message.Read(buf)
		if failed := p.came(buf[:n]); failed != nil {
			return failed
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// await notes that the sender is waited for. From here on the place can be taken.
func (p *largePlace) await() {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	p.reading = true
}

// came takes what the sender sent, which gives it time for more.
func (p *largePlace) came(b []byte) error {
	draft, parser := p.resume(len(b), time.Now())
	if draft == nil {
		return errSlow
	}
	if _, err := draft.Write(b); err != nil {
		return err
	}
	_, err := parser.Write(b)
	return err
}

// resume ends what await began. It returns nothing where another has the place.
func (p *largePlace) resume(n int, now time.Time) (blob.Draft, *rfc822.Parser) {
	p.pool.mu.Lock()
	defer p.pool.mu.Unlock()
	p.reading = false
	p.until = p.until.Add(time.Duration(n) * time.Second / largeRate)
	if most := now.Add(largePause); p.until.After(most) {
		p.until = most
	}
	return p.draft, p.parser
}
