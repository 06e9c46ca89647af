package service

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// CatchAll makes a service a test server: it takes mail for every address of every domain. An address has a mailbox of
// its own from its first mail on, and the configured mailbox has one copy of every message: the view of all of them.
type CatchAll struct {
	Messages int           // that the view keeps; 0: any number
	Age      time.Duration // for which it keeps them; 0: for ever
}

// captured is what a test server knows.
type captured struct {
	// Whoever stores mail holds it for reading until that is done, and who removes empty mailboxes for writing: a
	// mailbox that was found stays until its mail is in it.
	boxes sync.RWMutex
	chaos atomic.Pointer[mailbox.Chaos]
	asked recentBoxes

	pruning sync.Mutex    // held by the one who deletes
	place   int64         // up to which everything is deleted that can be, in the order of all messages
	excess  atomic.Int64  // messages that the view holds beyond those that it keeps
	due     chan struct{} // there is something to delete
}

func (s *Service) catchesAll() bool { return s.opt.CatchAll != nil }

var errNotCapturing = mailbox.Errorf(mailbox.NotFound, "not_found", "This server does not capture mail.")

// Captured is leave to read and change all captured mail, which needs no key. It exists only where nothing else than
// captured mail can be stored.
func (s *Service) Captured(ctx context.Context) (Access, error) {
	if !s.catchesAll() {
		return Access{}, errNotCapturing
	}
	found, err := s.findBoxes(ctx, []string{s.opt.Configured})
	if err == nil && found[0].Num == 0 {
		err = errNoMailbox
	}
	if err != nil {
		return Access{}, err
	}
	box := found[0]
	return Access{Act: Act{Need: mailbox.ReadMail, Verb: "captured mail", Mailbox: s.opt.Configured},
		Caller: mailbox.Caller{Scope: mailbox.Operator, Mailbox: box}, Box: box}, nil
}

// CapturedMail is mail that is handed in to be captured, as if it had come by SMTP.
type CapturedMail struct {
	From string   // of the envelope
	To   []string // of the envelope
	User string   // the name that the client logged in with; empty: none
}

// Capture takes a message that did not come by SMTP, and returns the id that it has among all captured mail.
func (s *Service) Capture(ctx context.Context, in Access, m CapturedMail, message io.Reader) (mailbox.ID, error) {
	if !s.catchesAll() {
		return mailbox.ID{}, errNotCapturing
	}
	env := mailbox.Envelope{Trace: mailbox.Trace{From: m.From, Remote: remoteText(in), Proto: "HTTP",
		Captured: &mailbox.Capture{User: m.User}}}
	for _, address := range m.To {
		to, err := s.Recipient(ctx, address)
		if err != nil {
			return mailbox.ID{}, err
		}
		env.Recipients = append(env.Recipients, to)
	}
	receipts, err := s.receive(ctx, env, message)
	if err != nil {
		return mailbox.ID{}, err
	}
	last := receipts[len(receipts)-1]
	return last.ID, last.Err
}

func remoteText(in Access) string {
	if !in.Client.IsValid() {
		return ""
	}
	return in.Client.String()
}

// anyRecipient finds the mailbox of any address. Where there is none yet its number is 0, and it is made with its first
// mail.
func (s *Service) anyRecipient(ctx context.Context, address string) (mailbox.Recipient, error) {
	name := canonical(address)
	if _, domain := split(name); domain == "" { // postmaster
		name = s.opt.Configured
	}
	list, err := s.findBoxes(ctx, []string{name})
	if err != nil {
		return mailbox.Recipient{}, err
	}
	box := list[0]
	if box.Num != 0 {
		err = s.takes(box, nil)
	}
	return mailbox.Recipient{Address: address, Mailbox: box}, err
}

// findBoxes returns the mailboxes of canonical addresses, those that are not there with the number 0.
func (s *Service) findBoxes(ctx context.Context, addresses []string) ([]mailbox.Mailbox, error) {
	list, now, all := make([]mailbox.Mailbox, len(addresses)), s.now(), true
	for i, a := range addresses {
		box, ok := s.boxes.find(a, now)
		list[i], all = box, all && ok
	}
	if all {
		return list, nil
	}
	err := s.view(ctx, func(r store.Reader) (err error) {
		for i, a := range addresses {
			if list[i], err = r.MailboxAt(ctx, a); errors.Is(err, store.ErrNotFound) {
				list[i], err = mailbox.Mailbox{Address: a}, nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	s.rememberBoxes(addresses, list, now)
	return list, err
}

// rememberBoxes notes where mail for these addresses goes. A temporary mailbox expires.
func (s *Service) rememberBoxes(addresses []string, list []mailbox.Mailbox, now time.Time) {
	for i, box := range list {
		if box.Num != 0 && box.Scope == mailbox.Permanent {
			s.boxes.remember(addresses[i], box, now)
		}
	}
}

// makeBoxes is findBoxes that makes the mailboxes that are not there, all in one transaction.
func (s *Service) makeBoxes(ctx context.Context, addresses []string) ([]mailbox.Mailbox, error) {
	list, err := s.findBoxes(ctx, addresses)
	if err != nil || !slices.ContainsFunc(list, func(b mailbox.Mailbox) bool { return b.Num == 0 }) {
		return list, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		for i, a := range addresses {
			box, err := tx.MailboxAt(ctx, a) // two sessions at once make one
			if errors.Is(err, store.ErrNotFound) {
				box = s.newBox(a)
				box.Num, err = tx.InsertMailbox(ctx, box)
			}
			if err != nil {
				return err
			}
			list[i] = box
		}
		return nil
	})
	if err == nil {
		s.rememberBoxes(addresses, list, s.now())
	}
	return list, err
}

// capture stores a parsed message for its recipients, whose mailboxes are made where they are not there, and one copy
// in the view. Its receipt is the last.
func (s *Service) capture(ctx context.Context, env mailbox.Envelope, in *intake, began time.Time) ([]mailbox.Receipt,
	error) {
	if err := s.makeRoom(ctx); err != nil {
		return nil, err
	}
	s.captured.boxes.RLock()
	defer s.captured.boxes.RUnlock()
	noted := mailbox.Capture{}
	if env.Captured != nil {
		noted = *env.Captured
	}
	to := append(slices.Clip(env.Recipients), mailbox.Recipient{Address: env.Recipients[0].Address,
		Mailbox: mailbox.Mailbox{Address: s.opt.Configured}})
	addresses := make([]string, len(to))
	for i, r := range to {
		addresses[i] = r.Mailbox.Address
		if i < len(env.Recipients) {
			noted.Recipients = append(noted.Recipients, r.Address)
		}
	}
	boxes, err := s.makeBoxes(ctx, addresses)
	if err != nil {
		return nil, err
	}
	for i := range to {
		to[i].Mailbox = boxes[i]
	}
	env.Recipients, env.Captured = to, &noted
	return s.deliver(ctx, env, in, began)
}

// inView tells whether a mailbox is the one that has all captured mail.
func (s *Service) inView(box mailbox.Mailbox) bool {
	return s.catchesAll() && box.Address == s.opt.Configured
}

// storeOrder puts the mailboxes of a message's copies in order: that with all captured mail first, which pruning
// relies on.
func (s *Service) storeOrder(box mailbox.Mailbox) mailbox.Num {
	if s.inView(box) {
		return 0
	}
	return box.Num
}

// sameIDs gives the copies of a captured message ids that are found from that of the one in the view, which is the
// last.
func sameIDs(copies []*mailCopy) {
	last := copies[len(copies)-1]
	for _, c := range copies[:len(copies)-1] {
		c.message.ID = last.message.ID
		if c.box.Num != last.box.Num {
			c.message.ID = last.message.ID.Copy(c.box.Num)
		}
	}
}

// mailboxToRead completes the search for a mailbox that the operator names: one to read or to wait for need not have
// had mail.
func (s *Service) mailboxToRead(ctx context.Context, act Act, box mailbox.Mailbox, err error) (mailbox.Mailbox,
	error) {
	if errors.Is(err, errNoMailbox) && (act.Need == mailbox.ReadMail || act.Need == mailbox.ReadCode) {
		name := canonical(act.Mailbox)
		if local, domain := split(name); local == "" || domain == "" || len(name) > maxAddress {
			return box, err
		}
		var list []mailbox.Mailbox
		if list, err = s.makeBoxes(ctx, []string{name}); err == nil {
			box = list[0]
		}
	}
	if err == nil {
		s.captured.asked.note(box.Num, s.now())
	}
	return box, err
}

// maxAddress is the longest address, in bytes, that a mailbox is made for (RFC 5321 4.5.3.1).
const maxAddress = 64 + 1 + 255

// Chaos returns how SMTP fails on purpose.
func (s *Service) Chaos() mailbox.Chaos {
	if c := s.captured.chaos.Load(); c != nil {
		return *c
	}
	return mailbox.CalmChaos()
}

// SetChaos says how SMTP fails on purpose, from the next command on.
func (s *Service) SetChaos(c mailbox.Chaos) error {
	if !s.catchesAll() {
		return errNotCapturing
	}
	if err := c.Check(); err != nil {
		return err
	}
	s.captured.chaos.Store(&c)
	return nil
}

// Fault decides whether a command of SMTP fails on purpose.
func (s *Service) Fault(stage mailbox.ChaosStage) (code int, fails bool) {
	c := s.captured.chaos.Load()
	if c == nil {
		return 0, false
	}
	f := c.At(stage)
	return f.Code, rand.IntN(100) < f.Probability
}
