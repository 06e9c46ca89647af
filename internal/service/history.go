package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// History is everything that happened to a message, the oldest first.
type History struct {
	ID        mailbox.ID
	Address   string // of the mailbox
	Entries   []mailbox.HistoryEntry
	Truncated bool // there were more: the oldest are missing
}

const (
	historyKept  = 500  // entries that are stored for a message
	historyHooks = 100  // events on their way to webhooks that are looked at
	historyMost  = 1000 // entries that are shown
)

// record notes in the transaction of what happened to a message.
func (s *Service) record(ctx context.Context, tx store.Tx, m mailbox.Message, e mailbox.HistoryEntry) error {
	e.At = s.now()
	return tx.AppendHistory(ctx, m.Mailbox, m.Seq, e, historyKept)
}

// recordDelivery is record for what happened to one recipient's mail.
func (s *Service) recordDelivery(ctx context.Context, tx store.Tx, d mailbox.Delivery, e mailbox.HistoryEntry) error {
	e.Recipient = d.Recipient
	return s.record(ctx, tx, mailbox.Message{Mailbox: d.Mailbox, Seq: d.Seq}, e)
}

// recordSettled notes what an event tells about a delivery that the delivery itself does not say.
func (s *Service) recordSettled(ctx context.Context, tx store.Tx, d mailbox.Delivery, e mailbox.Event) error {
	kind := map[mailbox.EventKind]mailbox.HistoryKind{mailbox.MessageBounced: mailbox.HistoryBounced,
		mailbox.MessageComplained: mailbox.HistoryComplained}[e.Kind]
	if kind == "" {
		return nil
	}
	return s.recordDelivery(ctx, tx, d, mailbox.HistoryEntry{Kind: kind, HistoryFacts: mailbox.HistoryFacts{
		Status: e.Result.Status, Reason: e.Result.Reason}})
}

// recordLabels notes how the labels of a message were changed.
func (s *Service) recordLabels(ctx context.Context, tx store.Tx, m mailbox.Message, old []string, actor string) error {
	var f mailbox.HistoryFacts
	for _, l := range m.Labels {
		if !slices.Contains(old, l) {
			f.Added = append(f.Added, l)
		}
	}
	for _, l := range old {
		if !slices.Contains(m.Labels, l) {
			f.Removed = append(f.Removed, l)
		}
	}
	if len(f.Added)+len(f.Removed) == 0 {
		return nil
	}
	return s.record(ctx, tx, m, mailbox.HistoryEntry{Kind: mailbox.HistoryLabeled, Actor: actor, HistoryFacts: f})
}

// lastAttempt is the entry of the last attempt at a delivery, which the delivery itself tells.
func lastAttempt(d mailbox.Delivery) mailbox.HistoryEntry {
	at := d.TriedAt
	if at.IsZero() { // it was before the time was noted
		at = d.QueuedAt
	}
	return mailbox.HistoryEntry{At: at, Kind: mailbox.HistoryAttempt, HistoryFacts: mailbox.HistoryFacts{
		Recipient: d.Recipient, Status: string(d.Status), Attempt: d.Attempts, Code: d.Code, Answer: d.Text,
		Server: d.Host, TLS: d.TLS}}
}

// recordAttempt keeps the last attempt at a delivery, which is about to be tried once more.
func (s *Service) recordAttempt(ctx context.Context, tx store.Tx, d mailbox.Delivery) error {
	if d.Attempts == 0 {
		return nil
	}
	return tx.AppendHistory(ctx, d.Mailbox, d.Seq, lastAttempt(d), historyKept)
}

// History tells what happened to a message.
func (s *Service) History(ctx context.Context, in Access, id mailbox.ID) (History, error) {
	if err := s.flushReads(ctx, true); err != nil && mailbox.KindOf(err) != mailbox.DiskFull {
		return History{}, err
	}
	var h historyParts
	out := History{ID: id}
	err := s.view(ctx, func(r store.Reader) error {
		m, box, err := s.find(ctx, r, in, id)
		if err != nil {
			return err
		}
		h.message, out.Address = m, box.Address
		return h.read(ctx, r)
	})
	if err == nil {
		h.trace, err = s.traceOf(ctx, h.message)
	}
	if err != nil {
		return History{}, noMessage(err)
	}
	out.Entries = h.entries(in.Caller.May(mailbox.ManageMailbox))
	if over := len(out.Entries) - historyMost; over > 0 {
		out.Entries, out.Truncated = out.Entries[over:], true
	}
	out.Truncated = out.Truncated || len(h.stored) >= historyKept || len(h.hooks) >= historyHooks
	return out, nil
}

// traceOf reads how a message came, or by whom it was sent.
func (s *Service) traceOf(ctx context.Context, m mailbox.Message) (t mailbox.Trace, err error) {
	leave, err := s.largeTurn(ctx, m)
	if err != nil {
		return t, err
	}
	defer leave()
	var c store.Content
	err = s.view(ctx, func(r store.Reader) (err error) {
		c, err = r.Content(ctx, m)
		return err
	})
	if err == nil {
		t, err = rawmail.Trace(c)
	}
	return t, err
}

// historyParts are what the history of a message is made from.
type historyParts struct {
	message    mailbox.Message
	trace      mailbox.Trace
	stored     []mailbox.HistoryEntry
	deliveries []mailbox.Delivery
	hooks      []mailbox.Hook
	review     mailbox.Review    // zero: there is none
	names      map[string]string // of keys, by their ids
}

func (h *historyParts) read(ctx context.Context, r store.Reader) (err error) {
	m := h.message
	if h.stored, err = r.History(ctx, m.Mailbox, m.Seq); err != nil {
		return err
	}
	if m.Direction == mailbox.Outbound {
		if h.deliveries, err = r.Deliveries(ctx, m); err != nil {
			return err
		}
		h.review, err = r.Review(ctx, m.Mailbox, m.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	if h.hooks, err = r.Hooks(ctx, m.Mailbox, store.HookFilter{Message: m.ID, Limit: historyHooks}); err != nil {
		return err
	}
	keys, err := r.Keys(ctx, m.Mailbox)
	h.names = make(map[string]string)
	for _, k := range keys {
		h.names[k.ID.String()] = k.Restriction().Name
	}
	return err
}

// entries puts all of it into one list. Where webhooks post to is for those who manage the mailbox.
func (h *historyParts) entries(manages bool) []mailbox.HistoryEntry {
	list := h.began()
	list = append(list, decided(h.review)...)
	for _, d := range h.deliveries { // before what is learned from them in the same moment
		if d.Attempts > 0 {
			list = append(list, lastAttempt(d))
		}
	}
	list = append(list, h.stored...)
	for _, hook := range h.hooks {
		list = append(list, posted(hook, manages)...)
	}
	for i := range list {
		list[i].Name = h.names[list[i].Actor]
	}
	slices.SortStableFunc(list, func(a, b mailbox.HistoryEntry) int { return a.At.Compare(b.At) })
	return list
}

// began is how the message came to be here.
func (h *historyParts) began() []mailbox.HistoryEntry {
	m := h.message
	if m.Direction == mailbox.Outbound {
		e := mailbox.HistoryEntry{At: m.ReceivedAt, Kind: mailbox.HistoryAccepted, Actor: h.trace.By, Trace: h.trace}
		if m.Held && !h.review.CreatedAt.IsZero() { // an edit stores it again
			e.At = h.review.CreatedAt
		}
		for _, d := range h.deliveries {
			if d.QueuedAt.After(m.ReceivedAt) && d.Attempts == 0 && d.Status == mailbox.Scheduled {
				e.SendAt = d.QueuedAt
			}
		}
		return []mailbox.HistoryEntry{e}
	}
	list := []mailbox.HistoryEntry{
		{At: m.ReceivedAt, Kind: mailbox.HistoryReceived, Trace: h.trace, HistoryFacts: mailbox.HistoryFacts{
			Recipient: cmp.Or(m.Recipient, m.To)}},
		{At: m.ReceivedAt, Kind: mailbox.HistoryChecked, Verdict: m.Verdict},
	}
	if first := h.firstLabels(); len(first) > 0 {
		list = append(list, mailbox.HistoryEntry{At: m.ReceivedAt, Kind: mailbox.HistoryLabeled,
			HistoryFacts: mailbox.HistoryFacts{Added: first}})
	}
	return list
}

// decided is why a message was held, and what a person decided.
func decided(r mailbox.Review) (list []mailbox.HistoryEntry) {
	if r.Message.IsZero() {
		return nil
	}
	list = append(list, mailbox.HistoryEntry{At: r.CreatedAt, Kind: mailbox.HistoryHeld,
		HistoryFacts: mailbox.HistoryFacts{Reason: strings.Join(r.Reasons, " ")}})
	kind := map[mailbox.ReviewStatus]mailbox.HistoryKind{mailbox.ReviewApproved: mailbox.HistoryApproved,
		mailbox.ReviewRejected: mailbox.HistoryRejected, mailbox.ReviewExpired: mailbox.HistoryExpired}[r.Status]
	if kind == "" { // it waits, or was called back, which is an entry of its own
		return list
	}
	return append(list, mailbox.HistoryEntry{At: r.DecidedAt, Kind: kind, Actor: r.By,
		HistoryFacts: mailbox.HistoryFacts{Reason: r.Note, Version: r.Version}})
}

// firstLabels are those that the message came with: those of today, with every change undone.
func (h *historyParts) firstLabels() []string {
	labels := slices.Clone(h.message.Labels)
	for _, e := range slices.Backward(h.stored) {
		if e.Kind == mailbox.HistoryLabeled {
			labels = mailbox.Relabel(labels, e.Removed, e.Added)
		}
	}
	return labels
}

// posted is what became of one event on its way to one webhook.
func posted(h mailbox.Hook, manages bool) []mailbox.HistoryEntry {
	e := mailbox.HistoryEntry{At: h.At, Kind: mailbox.HistoryWebhook, HistoryFacts: mailbox.HistoryFacts{
		Event: string(h.Kind), Status: string(h.State)}}
	if manages {
		e.URL = h.URL
	}
	if len(h.Log) == 0 {
		return []mailbox.HistoryEntry{e}
	}
	var list []mailbox.HistoryEntry
	for i, a := range h.Log {
		e.At, e.Attempt, e.Code, e.Reason = a.At, i+1, a.Status, a.Error
		switch { // what became of this attempt
		case a.OK():
			e.Status = string(mailbox.HookDelivered)
		case i < len(h.Log)-1 || h.State == mailbox.HookDelivered:
			e.Status = string(mailbox.HookFailed)
		}
		list = append(list, e)
	}
	return list
}
