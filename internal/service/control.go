package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// ControlChange is what people may decide about a mailbox, and its own key may not. A nil field stays.
type ControlChange struct {
	UndoSeconds   *int
	Brakes        *mailbox.Switch
	SendPolicy    *mailbox.SendPolicy
	ReceiveAction *mailbox.ReceiveAction // empty: what the deployment does
	Limits        *LimitsChange
	Reviewers     *[]string // addresses
}

// allowed tells whether a caller may make this change, and whether it makes sense.
func (c ControlChange) allowed(who mailbox.Caller) error {
	if c == (ControlChange{}) {
		return nil
	}
	if !who.May(mailbox.ControlMailbox) {
		return denied(who, mailbox.ControlMailbox)
	}
	if n := c.UndoSeconds; n != nil && (*n < 0 || *n > mailbox.MaxUndoSeconds) {
		return mailbox.InvalidField("undo_seconds", "undo_seconds is 0 to %d.", mailbox.MaxUndoSeconds)
	}
	if p := c.SendPolicy; p != nil && !p.Known() {
		return mailbox.InvalidField("send_policy", "send_policy is open, review_all, review_new or review_outside.")
	}
	if a := c.ReceiveAction; a != nil && *a != "" && !slices.Contains(mailbox.ReceiveActions(), *a) {
		return mailbox.InvalidField("receive_action", "receive_action is refuse or quarantine, or null for what the "+
			"deployment does.")
	}
	return c.Limits.check()
}

// checkReviewers puts the addresses of reviewers in order. The mailbox itself is none, nor one that is yet to be made:
// its key could decide then.
func (s *Service) checkReviewers(ctx context.Context, box mailbox.Mailbox, c *ControlChange) error {
	if c.Reviewers == nil {
		return nil
	}
	list, err := parseReviewers(*c.Reviewers)
	if err != nil {
		return err
	}
	for _, a := range list {
		if s.reaches(box, a) {
			return mailbox.InvalidField("reviewers", "%s is an address of the mailbox itself, so its key could "+
				"approve what it sends.", a)
		}
		if !s.serves(domainOf(a)) {
			continue
		}
		err := s.view(ctx, func(r store.Reader) error {
			at, err := firstAt(ctx, r, s.candidates(a))
			if errors.Is(err, store.ErrNotFound) || err == nil && s.sendsNotices(at) {
				return mailbox.InvalidField("reviewers", "Nobody reads %s: there is no such mailbox here. Make it "+
					"first, "+
					"so that nobody else does.", a)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	c.Reviewers = &list
	return nil
}

// apply returns what is decided with this change.
func (c ControlChange) apply(to mailbox.Control) mailbox.Control {
	if c.UndoSeconds != nil {
		to.UndoSeconds = *c.UndoSeconds
	}
	if c.Brakes != nil {
		to.Brakes = *c.Brakes
	}
	if c.SendPolicy != nil {
		if to.SendPolicy = *c.SendPolicy; to.SendPolicy == mailbox.SendOpen {
			to.SendPolicy = "" // as if nothing had been decided
		}
	}
	if c.ReceiveAction != nil {
		to.ReceiveAction = *c.ReceiveAction
	}
	to.Limits = c.Limits.apply(to.Limits)
	if c.Reviewers != nil {
		to.Reviewers = append([]string(nil), *c.Reviewers...) // nil where there are none
	}
	return to
}

// note says for the audit log what is changed.
func (c ControlChange) note() string {
	var changed []string
	if c.UndoSeconds != nil {
		changed = append(changed, fmt.Sprintf("undo_seconds %d", *c.UndoSeconds))
	}
	if c.Brakes != nil {
		changed = append(changed, "brakes "+cmp.Or(string(*c.Brakes), "by default"))
	}
	if c.SendPolicy != nil {
		changed = append(changed, "send_policy "+string(*c.SendPolicy))
	}
	if c.ReceiveAction != nil {
		changed = append(changed, "receive_action "+cmp.Or(string(*c.ReceiveAction), "by default"))
	}
	if c.Reviewers != nil {
		changed = append(changed, "reviewers "+cmp.Or(strings.Join(*c.Reviewers, " "), "by default"))
	}
	return strings.Join(append(changed, c.Limits.notes()...), ", ")
}
