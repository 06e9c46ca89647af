package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
)

const (
	// spoolAt is how many bytes of a message are held in memory; more than that goes to a blob as it comes.
	spoolAt = 256 << 10
	// inlineMost is how large a message may be, packed, to be kept in a database row. A mail of 100 KB goes in twice as
	// fast that way as into a file of its own, whose making and syncing cost more than writing its bytes twice.
	inlineMost = 192 << 10
	// maxHops is how many servers a message may have passed before it is taken for a loop (RFC 5321 6.3).
	maxHops = 100
	// maxSubject and maxField bound, in bytes, what a list row holds of a header: lists and events are read by the
	// hundred, and a header may have hundreds of kilobytes. A message's own page shows its subject whole.
	maxSubject, maxField = 2000, 998
	// maxAnswers is how many Message-IDs that a message answers are noted for its thread.
	maxAnswers = 20
)

// intake is a message that was read to its end and taken apart, and is not yet stored.
type intake struct {
	raw    *bytes.Buffer // the whole message, if it is small; later what is packed
	packed *bytes.Buffer // what goes into the row
	draft  blob.Draft    // the whole message, if it is not
	large  *largePlace   // nil: it is small
	parsed *rfc822.Message
	held   func() // gives the room on the disk back that it was promised; nil: it was promised none
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takeBuffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

// giveBuffer gives the memory of a small message back.
func giveBuffer(b *bytes.Buffer) {
	if b.Cap() <= 2*spoolAt {
		buffers.Put(b)
	}
}

// intake reads a message: into memory if it is small, else into a draft of the blob store, and through the parser.
func (s *Service) intake(ctx context.Context, from source, message io.Reader) (*intake, error) {
	in := &intake{raw: takeBuffer(), packed: takeBuffer()}
	message = &bounded{r: message, left: s.opt.Limits.WireBytes}
	err := s.read(ctx, in, from, message)
	if err == nil {
		err = s.acceptable(in.parsed)
	}
	if err != nil {
		in.discard()
		return nil, err
	}
	return in, nil
}

func (s *Service) read(ctx context.Context, in *intake, from source, message io.Reader) error {
	n, err := in.raw.ReadFrom(io.LimitReader(message, spoolAt))
	if err != nil {
		return err
	}
	if n < spoolAt {
		in.parsed = rfc822.Parse(in.raw.Bytes(), s.skim())
		return nil
	}
	if in.large, err = s.large.enter(ctx, from); err != nil {
		return err
	}
	return s.readLarge(ctx, in, message)
}

// readLarge reads the rest of a message that has a place. What it is read into is the place's until then.
func (s *Service) readLarge(ctx context.Context, in *intake, message io.Reader) (err error) {
	// what comes between two looks, and what the draft has in memory
	if in.held, err = s.hold(2 * roomEvery); err != nil {
		return err
	}
	if in.draft, err = s.blobs.Create(ctx); err != nil {
		return err
	}
	lim := rfc822.DefaultLimits()
	lim.Digest = true
	parser := rfc822.NewParser(lim)
	if _, err := io.MultiWriter(in.draft, parser).Write(in.raw.Bytes()); err != nil {
		return err
	}
	giveBuffer(in.raw) // not to be held for as long as the sender takes
	in.raw = new(bytes.Buffer)
	in.large.hold(in.draft, parser)
	err = in.large.copy(&roomy{s: s, r: message, left: roomEvery})
	if in.draft, parser = in.large.release(); err != nil {
		return err
	}
	in.parsed = parser.Message()
	return nil
}

// skim is how a small message is read on its way in: what its attachments decode to is found out when somebody asks for
// them, unless they could be too large.
func (s *Service) skim() rfc822.Limits {
	lim := rfc822.DefaultLimits()
	lim.Skim = min(s.opt.Limits.MessageBytes, s.opt.Limits.AttachmentBytes) >= spoolAt
	return lim
}

// acceptable checks a message against the limits on inbound mail (API 11).
func (s *Service) acceptable(m *rfc822.Message) error {
	if m.DecodedSize > s.opt.Limits.MessageBytes {
		return tooLarge
	}
	for _, p := range m.Parts {
		if p.Size > s.opt.Limits.AttachmentBytes {
			return tooLarge
		}
	}
	if m.Header.Count("Received") > maxHops {
		return mailbox.Errorf(mailbox.TooManyHops, "mail_loop", "Too many hops: this message is going in circles.")
	}
	return nil
}

var tooLarge = mailbox.Errorf(mailbox.TooLarge, "message_too_large", "The message is larger than this service takes.")

// bytes returns a message that is in memory; nil: it is not.
func (in *intake) bytes() []byte {
	if in.draft != nil {
		return nil
	}
	return in.raw.Bytes()
}

// discard throws away what was not stored.
func (in *intake) discard() {
	giveBuffer(in.raw)
	giveBuffer(in.packed)
	if in.draft != nil {
		in.draft.Abort()
	}
	if in.large != nil {
		in.large.leave()
	}
	if in.held != nil {
		in.held()
	}
}

// bounded reads at most a given number of bytes, and fails on more: a message is never cut short in silence.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, tooLarge
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = mailbox.Errorf(mailbox.Invalid, "incomplete_message", "The message ended too early.")
	}
	return n, err
}

// list makes the list row of a message, as far as it is the same for all recipients.
func (in *intake) list() mailbox.Message {
	p := in.parsed
	m := mailbox.Message{
		Direction: mailbox.Inbound, Status: "received", Subject: mailbox.Clip(p.Subject, maxSubject),
		Snippet: snippet(p.Text), MessageID: mailbox.Clip(p.MessageID, maxField),
		Size: p.Size, Attachments: len(p.Parts), Labels: []string{mailbox.LabelPersonal},
		Digest: shortDigest(p),
	}
	if len(p.From) > 0 { // else it stays empty: neither Sender nor the envelope says who wrote it
		m.From = clipped(p.From[0])
	}
	if len(p.To) > 0 && p.To[0].Address != "" {
		m.To = mailbox.Clip(p.To[0].Address, maxField)
	}
	return m
}

func clipped(a rfc822.Address) mailbox.Address {
	return mailbox.Address{Name: mailbox.Clip(a.Name, maxField), Address: mailbox.Clip(a.Address, maxField)}
}

// answered lists the Message-IDs that a message answers: In-Reply-To, then the latest References first.
func answered(d mailbox.Detail) []string {
	var ids []string
	add := func(id string) {
		if id != "" && len(ids) < maxAnswers && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	add(d.InReplyTo)
	for i := len(d.References) - 1; i >= 0; i-- {
		add(d.References[i])
	}
	return ids
}
