package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The lines from which an operator learns what happened to a mail, one each at info: a message received, refused or
// queued, an attempt to deliver it, an attempt to post its event. They have ids, addresses, results and times; never a
// subject, a body, a code or a key. Text from outside goes through mailbox.Loggable. Reception is fast, so they are
// made without reflection.

func (s *Service) trace(ctx context.Context, msg string, attrs ...slog.Attr) {
	s.log.LogAttrs(ctx, slog.LevelInfo, msg, attrs...)
}

func outside(key, value string) slog.Attr { return slog.String(key, mailbox.Loggable(value)) }

// traceReceived tells of each copy of a message that came in. What SMTP refuses, the session tells of.
func (s *Service) traceReceived(ctx context.Context, env mailbox.Envelope, copies []*mailCopy, began time.Time) {
	if !s.log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	took := time.Since(began)
	for _, c := range copies {
		if c.receipt.Err != nil {
			continue
		}
		result := "stored"
		switch {
		case c.receipt.Duplicate:
			result = "duplicate"
		case c.receipt.Quarantined:
			result = "quarantined"
		}
		s.trace(ctx, "message received", slog.String("email_id", c.receipt.ID.String()),
			slog.String("mailbox", c.receipt.Mailbox),
			outside("from", env.From), outside("to", c.receipt.Recipient), slog.Int64("size", c.message.Size),
			slog.String("result", result), slog.String("client", env.Remote), slog.String("proto", env.Proto),
			slog.Duration("took", took))
	}
}

// traceRefused tells of a message that was handed in over HTTP and not taken.
func (s *Service) traceRefused(ctx context.Context, env mailbox.Envelope, err error) {
	for _, to := range env.Recipients {
		s.trace(ctx, "message refused", outside("from", env.From), outside("to", to.Address),
			slog.String("code", codeOf(err)),
			slog.String("proto", env.Proto))
	}
}

// codeOf returns the code of an error, which unlike its words has nothing of the mail in it.
func codeOf(err error) string {
	var e *mailbox.Error
	if errors.As(err, &e) && e.Code != "" {
		return e.Code
	}
	return "internal"
}

// traceQueued tells of a message that is going to be sent.
func (s *Service) traceQueued(ctx context.Context, o *outgoing, began time.Time) {
	what := "message queued"
	if o.status == mailbox.Held {
		what = "message held"
	}
	s.trace(ctx, what, slog.String("email_id", o.id.String()), slog.String("mailbox", o.box.Address),
		outside("from", o.from),
		slog.Int("recipients", len(o.recipients)), slog.Int64("size", o.message.Size), slog.String("proto", o.proto),
		slog.Duration("took", time.Since(began)))
}

// traceDelivery tells what is known of a delivery after an attempt, or a report. In a transaction that is run again it
// may be told twice.
func (s *Service) traceDelivery(ctx context.Context, d mailbox.Delivery, why, addr string) {
	attrs := []slog.Attr{slog.String("email_id", d.Message.String()), outside("recipient", d.Recipient),
		slog.String("status", string(d.Status)),
		slog.String("by", why), slog.Int("code", d.Code), outside("host", d.Host), slog.String("addr", addr),
		slog.String("tls", d.TLS), slog.Int("tries", d.Attempts),
		slog.Duration("since_queued", s.now().Sub(d.QueuedAt))}
	if !d.NextAt.IsZero() {
		attrs = append(attrs, slog.Time("next_at", d.NextAt))
	}
	s.trace(s.opt.Tracer.Recall(ctx, d.Message), "delivery", attrs...)
}

// traceHook tells of an attempt to post an event. Of the URL, which may hold secrets, it has the host.
func (s *Service) traceHook(ctx context.Context, address string, h mailbox.Hook, a mailbox.HookAttempt) {
	ctx = s.opt.Tracer.Recall(ctx, h.Message)
	s.trace(ctx, "webhook", slog.String("email_id", h.Message.String()), slog.String("mailbox", address),
		slog.String("event", string(h.Kind)),
		slog.String("hook", h.ID.String()), outside("host", hostOf(h.URL)), slog.String("state", string(h.State)),
		slog.Int("status", a.Status),
		outside("error", a.Error), slog.Int("tries", h.Attempts), slog.Duration("took", a.Duration))
}
