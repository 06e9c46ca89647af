package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// keptAtOnce is how many mailboxes the copies of a message are stored in at the same time.
const keptAtOnce = 16

// keepCopies stores the copies of a message: all in one transaction, or, where mailboxes may be on different servers,
// those of each mailbox in its own. Then some may be stored and others not: those have an error as their receipt, and
// the sender who comes back is recognised by the Message-ID where it is stored. So a message without one is stored for
// all or for nobody.
func (s *Service) keepCopies(ctx context.Context, copies []*mailCopy, with attributes,
	reports []mailbox.DomainReport) error {
	// as sortByMailbox
	ordered := slices.SortedStableFunc(slices.Values(copies), func(a, b *mailCopy) int {
		return cmp.Compare(s.storeOrder(a.box), s.storeOrder(b.box))
	})
	keep := func(part []*mailCopy) error {
		return s.insert(ctx, with.content, len(part), func(tx store.Tx) error {
			return s.keepPart(ctx, tx, part, with, reports)
		})
	}
	if !s.opt.Apart || s.catchesAll() || copies[0].message.MessageID == "" {
		return keep(ordered)
	}
	var parts [][]*mailCopy
	for i, c := range ordered {
		if i == 0 || c.box.Num != ordered[i-1].box.Num {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], c)
	}
	errs := make([]error, len(parts))
	var all sync.WaitGroup
	places := make(chan bool, keptAtOnce)
	for i, part := range parts[1:] {
		places <- true
		all.Go(func() {
			errs[i+1] = keep(part)
			<-places
		})
	}
	errs[0] = keep(parts[0])
	all.Wait()
	if !slices.Contains(errs, nil) {
		return errs[0]
	}
	for i, part := range parts {
		for _, c := range part {
			if errs[i] != nil {
				c.receipt.Err = errs[i]
			}
		}
	}
	return nil
}

// keepPart stores copies in one transaction.
func (s *Service) keepPart(ctx context.Context, tx store.Tx, copies []*mailCopy, with attributes,
	reports []mailbox.DomainReport) error {
	kept := make(map[mailbox.Num]mailbox.ID, len(copies))
	for _, c := range copies {
		if id, ok := kept[c.box.Num]; ok { // two addresses of one mailbox
			c.receipt.ID, c.receipt.Duplicate, c.receipt.Err = id, true, nil
			continue
		}
		c.receipt.Err = s.keep(ctx, tx, c, with)
		if storageBroken(c.receipt.Err) {
			return c.receipt.Err
		}
		if c.receipt.Err == nil {
			kept[c.box.Num] = c.receipt.ID
		}
		if c.isNew() && len(reports) > 0 {
			if err := s.keepReports(ctx, tx, c.box, reports); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep stores one copy: once, whatever way and how often it was delivered (API 5). The function may run again, so it
// sets everything from scratch.
func (s *Service) keep(ctx context.Context, tx store.Tx, c *mailCopy, with attributes) error {
	c.receipt.ID, c.receipt.Duplicate, c.receipt.Quarantined = c.message.ID, false, false
	m := c.message
	box, err := s.open(ctx, tx, m.Mailbox)
	if err != nil {
		return err
	}
	c.box = box
	var refusal mailbox.Refusal
	if !c.report {
		refusal, err = s.mayWrite(ctx, tx, box, with.authors, with.judgement.auth)
	}
	refused := refusal != mailbox.Refusal{}
	if err == nil && refused && s.receiveAction(box) == mailbox.RefuseMail {
		err = errSenderDenied
	}
	if err != nil {
		return err
	}
	known, twin, err := s.twin(ctx, tx, c, &m, with)
	switch {
	case err != nil || twin:
		return err
	case refused:
		return s.quarantine(ctx, tx, c, m, with, refusal)
	}
	c.before, err = s.mayHold(ctx, tx, box, m.Size)
	if err != nil {
		return err
	}
	if err := s.spendInbound(ctx, tx, box); err != nil {
		return err
	}
	if s.inView(box) { // senders come and go there, and none is anybody's correspondent
		_, err = judgeOnly(ctx, tx, &m, with.judgement)
	} else {
		err = s.judge(ctx, tx, &m, with.judgement)
	}
	if err != nil {
		return err
	}
	return s.admit(ctx, tx, c, m, with, known)
}

// admit stores a copy that was judged in its mailbox. known is whether its Message-ID is known there.
func (s *Service) admit(ctx context.Context, tx store.Tx, c *mailCopy, m mailbox.Message, with attributes,
	known bool) (err error) {
	if known || len(with.answers) > 0 {
		err = s.insertRelated(ctx, tx, &m, with.content.of(c.message), with.answers)
	} else {
		err = tx.InsertMessage(ctx, &m, with.content.of(c.message)) // it belongs to nothing
	}
	if err != nil {
		return err
	}
	c.stored, c.hooked = m, hooked(c.box)
	if err := s.hookReceived(ctx, tx, c.box, &m, with.detail); err != nil {
		return err
	}
	_, err = s.tellMessage(ctx, tx, c.box, c.before, m.Size)
	return err
}

// twin finds out whether a copy is in its mailbox already, and whether its Message-ID is known there.
func (s *Service) twin(ctx context.Context, tx store.Tx, c *mailCopy, m *mailbox.Message, with attributes) (known,
	twin bool, err error) {
	if m.MessageID == "" {
		return false, false, nil
	}
	if known, err = tx.Mentioned(ctx, m.Mailbox, m.MessageID); err != nil || !known {
		return false, false, err
	}
	if s.inView(c.box) && !with.inside { // there each delivery is a message, as in other test servers
		return true, false, nil
	}
	old, err := duplicate(ctx, tx, m, with.content)
	if errors.Is(err, store.ErrNotFound) {
		return true, false, nil
	}
	if err != nil {
		return true, false, fmt.Errorf("find duplicate: %w", err)
	}
	c.receipt.ID, c.receipt.Duplicate = old.ID, true
	return true, true, nil
}

// insertRelated stores a message in its conversation.
func (s *Service) insertRelated(ctx context.Context, tx store.Tx, m *mailbox.Message, c store.Content,
	answers []string) error {
	related, err := s.related(ctx, tx, *m, answers)
	if err != nil {
		return err
	}
	if err := tx.InsertMessage(ctx, m, c); err != nil {
		return err
	}
	return s.thread(ctx, tx, m, related, answers)
}

// open returns a mailbox as it is now, if it takes mail at this moment: it may have been paused or deleted since RCPT.
func (s *Service) open(ctx context.Context, r store.Reader, num mailbox.Num) (mailbox.Mailbox, error) {
	box, err := r.Mailbox(ctx, num)
	return box, s.takes(box, err)
}

// storageBroken tells whether an error is the whole message's and not one recipient's.
func storageBroken(err error) bool {
	var known *mailbox.Error
	return err != nil && !errors.As(err, &known)
}
