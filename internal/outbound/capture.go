package outbound

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Capture keeps mail here: it is stored and shown, and never leaves the machine. The addresses delivered@, bounced@,
// complained@, delayed@ and slow@ of simulator.<domain>, with any +tag, behave as they are named, so that a program can
// be tried without a mail server.
type Capture struct {
	Domains []string // ours
	Now     func() time.Time
}

// simulatedWait is how long the simulator's delayed and slow mail takes.
const simulatedWait = 3 * time.Second

// QueueKey implements Carrier: the simulator takes everything.
func (c *Capture) QueueKey(string) string { return mailbox.CaptureHost }

// Open implements Carrier.
func (c *Capture) Open(context.Context, mailbox.Delivery) (Conn, *mailbox.Attempt) {
	return simulator{c}, nil
}

// Held sends nothing: what was accepted before sending was switched off stays in the queue as it is.
type Held struct{}

// heldWait is how long mail waits that was taken for a mailbox of ours and is not for one any more.
const heldWait = 10 * time.Minute

// QueueKey implements Carrier.
func (Held) QueueKey(string) string { return heldQueue }

// Open implements Carrier.
func (Held) Open(context.Context, mailbox.Delivery) (Conn, *mailbox.Attempt) { return held{}, nil }

type held struct{}

func (held) Alive() bool { return true }
func (held) Close()      {}
func (held) Send(context.Context, service.Job) mailbox.Attempt {
	return mailbox.Attempt{Outcome: mailbox.Put, Wait: heldWait}
}

type simulator struct{ *Capture }

func (simulator) Alive() bool { return true }
func (simulator) Close()      {}

// named is the simulator's address that mail is for, without its tag; empty: it is for no such address.
func (c *Capture) named(recipient string) (name string, simulated bool) {
	local, domain, _ := strings.Cut(strings.ToLower(recipient), "@")
	of, ok := strings.CutPrefix(domain, "simulator.")
	if !ok || !slices.Contains(c.Domains, of) {
		return "", false
	}
	name, _, _ = strings.Cut(local, "+")
	return name, true
}

func (s simulator) Send(_ context.Context, job service.Job) mailbox.Attempt {
	name, simulated := s.named(job.Recipient)
	if !simulated { // SPEC 6: delivered is what the recipient's server has confirmed, and none was asked
		return mailbox.Attempt{Outcome: mailbox.Kept, Text: "Kept on this server and not sent (setting outbound)",
			Host: mailbox.CaptureHost}
	}
	a := mailbox.Attempt{Outcome: mailbox.Accepted, Code: 250, Text: "2.0.0 The simulator took this message",
		Host: mailbox.CaptureHost}
	switch name {
	case "delivered", "complained":
	case "bounced":
		a.Outcome, a.Code, a.Enhanced, a.Text = mailbox.Refused, 550, "5.1.1", "5.1.1 The simulator bounced this "+
			"message"
	case "delayed":
		if job.Attempts == 0 {
			a.Outcome, a.Code, a.Wait, a.Text = mailbox.Deferred, 451, simulatedWait, "4.2.0 The simulator delays "+
				"this message"
		}
	case "slow":
		if left := job.QueuedAt.Add(simulatedWait).Sub(s.Now()); left > 0 {
			return mailbox.Attempt{Outcome: mailbox.Put, Wait: left}
		}
	default:
		a.Outcome, a.Code, a.Enhanced = mailbox.Refused, 550, "5.1.1"
		a.Text = "5.1.1 The simulator knows delivered, bounced, complained, delayed and slow"
	}
	return a
}

// After implements afterthought: who complains has got the mail first.
func (s simulator) After(job service.Job) *mailbox.Word {
	if name, simulated := s.named(job.Recipient); simulated && name == "complained" {
		return &mailbox.Word{Status: mailbox.Complained, Reason: "abuse"}
	}
	return nil
}
