package service

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
)

// protoInside marks a message that did not come over a network: a mailbox of this deployment sent it to another.
const protoInside = "INSIDE"

// staysInside tells whether mail for a domain is delivered here: for any, where all mail is captured.
func (s *Service) staysInside(domain string) bool { return s.catchesAll() || s.serves(domain) }

// DeliverInside delivers to a mailbox of this deployment, through the same door as all mail.
func (s *Service) DeliverInside(ctx context.Context, d mailbox.Delivery) mailbox.Attempt {
	return s.deliverInside(ctx, d)
}

func (s *Service) deliverInside(ctx context.Context, d mailbox.Delivery) mailbox.Attempt {
	raw, _, box, err := s.outgoingRaw(ctx, d)
	if err != nil {
		return s.notTaken(err)
	}
	defer func() { _ = raw.Close() }() // only read from
	to, err := s.Recipient(ctx, d.Recipient)
	if err != nil {
		return s.notTaken(err)
	}
	env := mailbox.Envelope{Trace: mailbox.Trace{From: s.returnPath(d, box.Address), Proto: protoInside},
		Recipients: []mailbox.Recipient{to}, Size: raw.Size()}
	receipts, err := s.Receive(ctx, env, raw)
	if err == nil {
		err = receipts[0].Err
	}
	if err != nil {
		return s.notTaken(err)
	}
	return mailbox.Attempt{Outcome: mailbox.Accepted, Code: 250, Text: "Delivered to a mailbox of this service",
		Host: string(wayInside)}
}

// notTaken is the answer of our own door when it refuses a message, as SMTP has it.
func (s *Service) notTaken(err error) mailbox.Attempt {
	if wait, ours := Outage(err); ours {
		return mailbox.Attempt{Outcome: mailbox.Put, Wait: wait}
	}
	a := mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451, Text: "4.3.0 The message could not be stored; it will " +
		"be tried again", Host: string(wayInside)}
	switch mailbox.KindOf(err) {
	case mailbox.NoSuchRecipient:
		a.Outcome, a.Code, a.Enhanced, a.Text = mailbox.Refused, 550, "5.1.1", "5.1.1 No such mailbox here"
	case mailbox.TooLarge:
		a.Outcome, a.Code, a.Enhanced, a.Text = mailbox.Refused, 552, "5.3.4", "5.3.4 The message is too large"
	case mailbox.TooManyHops:
		a.Outcome, a.Code, a.Enhanced, a.Text = mailbox.Refused, 554, "5.4.6", "5.4.6 The message is going in circles"
	case mailbox.Denied:
		a.Outcome, a.Code, a.Enhanced, a.Text = mailbox.Refused, 550, "5.7.1",
			"5.7.1 The mailbox does not take mail from this sender"
	case mailbox.Paused:
		a.Code, a.Text = 450, "4.2.1 The mailbox is paused"
	case mailbox.Lapsed:
		a.Code, a.Text = 450, "4.1.2 The domain is not verified here at present"
	case mailbox.QuotaFull:
		a.Code, a.Text = 452, "4.2.2 The mailbox is full"
	case mailbox.Limited:
		var e *mailbox.Error
		errors.As(err, &e)
		a.Code, a.Text = 450, "4.7.1 "+e.Message
	case mailbox.Internal:
		s.log.Error("deliver inside", "error", err)
	}
	return a
}

// outgoingRaw opens the bytes of a message that is to be sent.
func (s *Service) outgoingRaw(ctx context.Context, d mailbox.Delivery) (raw *Raw, m mailbox.Message,
	box mailbox.Mailbox, err error) {
	var c store.Content
	err = s.view(ctx, func(r store.Reader) (err error) {
		if m, err = r.Message(ctx, d.Mailbox, d.Message); err != nil {
			return err
		}
		if box, err = r.Mailbox(ctx, d.Mailbox); err != nil {
			return err
		}
		c, err = r.Content(ctx, m)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errLease
	}
	if err != nil {
		return nil, m, box, err
	}
	r, err := s.openRaw(ctx, c)
	if err != nil {
		return nil, m, box, err
	}
	return &Raw{SectionReader: r.SectionReader, ID: m.ID, ReceivedAt: m.ReceivedAt, Closer: r}, m, box, nil
}

// vouched is what is known of the sender of a message that one of our own mailboxes sent: we saw to its From ourselves.
func vouched() sender.Result {
	return sender.Result{SPF: "pass", DKIM: "none", DMARC: "pass", ARC: "none", FromAligned: true, Checked: true}
}

// OutgoingMessage is a message as the next server is told it, with its signatures before it. The caller closes it.
type OutgoingMessage struct {
	Signatures []byte
	Raw        *Raw
	UTF8       bool // its header is not ASCII
	EightBit   bool // some of it is not
}

// Size is how many bytes it has in all.
func (o *OutgoingMessage) Size() int64 { return int64(len(o.Signatures)) + o.Raw.Size() }

// Reader reads it from its beginning.
func (o *OutgoingMessage) Reader() io.Reader {
	return io.MultiReader(bytes.NewReader(o.Signatures), io.NewSectionReader(o.Raw, 0, o.Raw.Size()))
}

// Close ends the reading.
func (o *OutgoingMessage) Close() error { return o.Raw.Close() }
