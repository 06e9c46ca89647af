package service

import (
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Live is what can be changed while the service runs. Service.live returns what is in force at that moment.
type Live struct {
	MaxSecretAge time.Duration // after which secrets and keys of domains should be replaced; 0: never

	Bootstrap            bool          // temporary mailboxes are given out
	BootstrapClientLimit int           // to one client address in a UTC day; 0: no limit
	BootstrapTotalLimit  int           // to all of them
	RetireAddresses      time.Duration // how long the address of a deleted mailbox cannot be claimed; 0: not at all
	KeyGrace             time.Duration // how long a key works on that was rotated
	// failed log-ins of one client in an hour before wrong keys over HTTP are told to wait; 0: no limit
	AuthFailures  int
	LoginFailures int           // the same for SMTP submission
	Rates         Rates         // of requests over HTTP
	CodeWindow    time.Duration // how old a code may be that is asked for without a time

	SendCap   int           // messages that the deployment sends in a UTC day; 0: no limit
	ReviewFor time.Duration // how long a message that is held waits for a decision; 0: 72 hours
	Reviewers []string      // who is told by mail of such messages, where the mailbox names nobody
	// equal answers of a mailbox to equal mail on one thread within an hour; 0: no limit
	LoopThread int
	LoopPeer   int  // the same to one recipient
	Brakes     bool // of mailboxes about which nobody has decided that

	// what is done with mail that the receiving lists do not let in, where the mailbox does not say; empty: refused
	ReceiveAction  mailbox.ReceiveAction
	QuarantineKept time.Duration // how long mail stays in quarantine
	RejectDMARC    bool          // mail that fails DMARC is refused where the sender's policy asks for it

	SendReports bool // what is seen of other domains' mail is reported to those who ask for it
}

// Reload changes what can be changed while the service runs: the next request finds it so.
func (s *Service) Reload(l Live) {
	l.Reviewers = slices.Clone(l.Reviewers)
	for i, a := range l.Reviewers {
		l.Reviewers[i] = canonical(a)
	}
	s.inForce.Store(&l)
}

// live is what is in force now.
func (s *Service) live() *Live { return s.inForce.Load() }
