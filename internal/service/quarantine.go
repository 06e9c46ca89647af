package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// What one mailbox may have in quarantine. Strangers fill it, so it is bounded apart from the mailbox's own mail.
const (
	maxQuarantined      = 1000
	maxQuarantinedBytes = 256 << 20
)

// quarantineHead is what is stored of mail in quarantine beside its content. Names of members are part of that form.
type quarantineHead struct {
	Message mailbox.Message
	Answers []string // Message-IDs that it answers
	Refusal mailbox.Refusal
}

// quarantines counts since the start what happened to mail in quarantine.
type quarantines struct{ kept, released, deleted atomic.Int64 }

// QuarantineCounts counts since the start what happened to mail in quarantine, by what it was.
func (s *Service) QuarantineCounts() map[string]int64 {
	return map[string]int64{"quarantined": s.quarantined.kept.Load(), "released": s.quarantined.released.Load(),
		"deleted": s.quarantined.deleted.Load()}
}

// receiveAction is what a mailbox does with mail that the lists do not let in.
func (s *Service) receiveAction(box mailbox.Mailbox) mailbox.ReceiveAction {
	if own := box.Control().ReceiveAction; own != "" {
		return own
	}
	if s.live().ReceiveAction != "" {
		return s.live().ReceiveAction
	}
	return mailbox.RefuseMail
}

// quarantine stores a copy apart from the mailbox: once, however often it was delivered.
func (s *Service) quarantine(ctx context.Context, tx store.Tx, c *mailCopy, m mailbox.Message, with attributes,
	why mailbox.Refusal) (err error) {
	if m.MessageID != "" {
		if m.Digest == (mailbox.Digest{}) {
			if m.Digest, err = digestOf(store.Content{Packed: with.content.packed}); err != nil {
				return err
			}
		}
		twin, err := tx.QuarantinedTwin(ctx, m.Mailbox, m.Digest)
		if err == nil {
			c.receipt.ID, c.receipt.Duplicate, c.receipt.Quarantined = twin, true, true
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	if err := s.roomInQuarantine(ctx, tx, c.box, m.Size); err != nil {
		return err
	}
	if _, err := judgeOnly(ctx, tx, &m, with.judgement); err != nil {
		return err
	}
	head, err := json.Marshal(quarantineHead{Message: m, Answers: with.answers, Refusal: why})
	if err != nil {
		return fmt.Errorf("pack mail for quarantine: %w", err)
	}
	row := store.Quarantined{ID: m.ID, Mailbox: m.Mailbox, ReceivedAt: m.ReceivedAt,
		ExpiresAt: m.ReceivedAt.Add(s.live().QuarantineKept), Size: m.Size, Digest: m.Digest, Head: head}
	if m.MessageID == "" {
		row.Digest = mailbox.Digest{}
	}
	c.receipt.Quarantined = true
	return tx.InsertQuarantined(ctx, &row, with.content.of(c.message))
}

// roomInQuarantine bounds what a mailbox has in quarantine, with a message of this size.
func (s *Service) roomInQuarantine(ctx context.Context, r store.Reader, box mailbox.Mailbox, size int64) error {
	messages, bytes, err := r.CountQuarantine(ctx, box.Num)
	if err != nil {
		return err
	}
	mostMessages, mostBytes := int64(maxQuarantined), max(maxQuarantinedBytes, s.opt.Limits.WireBytes)
	if box.Scope == mailbox.Provisional {
		mostMessages = min(mostMessages, s.opt.Limits.ProvisionalMessages)
		mostBytes = min(mostBytes, s.opt.Limits.ProvisionalBytes)
	}
	if messages >= mostMessages || bytes+size > mostBytes {
		return mailbox.Errorf(mailbox.QuotaFull, "quarantine_full", "This mailbox does not take mail from this sender "+
			"now.")
	}
	return nil
}

// Quarantine lists the mail in the mailbox's quarantine, newest first, or in that of all for an operator who names no
// mailbox.
func (s *Service) Quarantine(ctx context.Context, in Access, p Page) (List[mailbox.Quarantined], error) {
	before, err := decodeCursor(cursorQuarantine, p.Cursor)
	if err != nil {
		return List[mailbox.Quarantined]{}, err
	}
	var page List[store.Quarantined]
	addresses := map[mailbox.Num]string{in.Box.Num: in.Box.Address}
	err = s.view(ctx, func(r store.Reader) error {
		rows, err := r.Quarantine(ctx, in.within(), store.QuarantineFilter{At: s.now(), Before: before,
			Offset: p.Offset, Limit: p.Limit + 1})
		page = list(rows, p.Limit, cursorQuarantine, func(m store.Quarantined) int64 { return m.Number })
		for _, m := range page.Items {
			if _, ok := addresses[m.Mailbox]; ok || err != nil {
				continue
			}
			var box mailbox.Mailbox
			if box, err = r.Mailbox(ctx, m.Mailbox); errors.Is(err, store.ErrNotFound) {
				err = nil // it was just deleted
			}
			addresses[m.Mailbox] = box.Address
		}
		return err
	})
	out := List[mailbox.Quarantined]{Next: page.Next}
	for _, row := range page.Items {
		if err != nil || addresses[row.Mailbox] == "" {
			continue
		}
		var head quarantineHead
		head, err = unpackQuarantined(row)
		head.Message.Thread = head.Message.ID
		out.Items = append(out.Items, mailbox.Quarantined{Message: head.Message, Address: addresses[row.Mailbox],
			Refusal: head.Refusal, ExpiresAt: row.ExpiresAt})
	}
	return out, err
}

func unpackQuarantined(row store.Quarantined) (head quarantineHead, err error) {
	if err = json.Unmarshal(row.Head, &head); err != nil {
		err = fmt.Errorf("read mail in quarantine: %w", err)
	}
	return head, err
}

// QuarantinedMessage shows mail in quarantine whole, as its recipient would see it. ReceivedAt is when it arrived.
func (s *Service) QuarantinedMessage(ctx context.Context, in Access, id mailbox.ID) (FullMessage, error) {
	var found foundMessage
	err := s.view(ctx, func(r store.Reader) error {
		row, err := r.Quarantined(ctx, in.within(), id)
		if err != nil {
			return err
		}
		box, err := s.boxOf(ctx, r, in, row.Mailbox)
		if err != nil {
			return err
		}
		if !row.ReleasedAt.IsZero() || !row.ExpiresAt.After(s.now()) {
			return store.ErrNotFound
		}
		if box.Num != in.Box.Num {
			s.ledger.note(s.audited(in, box.Address, ""))
		}
		head, err := unpackQuarantined(row)
		if err != nil {
			return err
		}
		content, err := r.QuarantinedContent(ctx, row.Mailbox, id)
		head.Message.Thread = id
		found = foundMessage{full: FullMessage{Message: head.Message, Address: box.Address},
			kept: &stored{Content: content}}
		return err
	})
	full := found.full
	if err == nil {
		err = found.understand(ctx, s, &full, nil)
	}
	return full, notQuarantined(err)
}

var errNotQuarantined = mailbox.Errorf(mailbox.NotFound, "not_found", "This is not in quarantine.")

// inQuarantine finds mail in quarantine, and its mailbox, which is locked before the mail is read: whoever decides on
// it second sees what the first decided.
func (s *Service) inQuarantine(ctx context.Context, tx store.Tx, in Access, id mailbox.ID) (store.Quarantined,
	mailbox.Mailbox, error) {
	found, err := tx.Quarantined(ctx, in.within(), id)
	if err != nil {
		return found, mailbox.Mailbox{}, err
	}
	box, err := tx.Mailbox(ctx, found.Mailbox)
	if err == nil {
		found, err = tx.Quarantined(ctx, found.Mailbox, id)
	}
	if err == nil && !found.ExpiresAt.After(s.now()) {
		err = store.ErrNotFound
	}
	if err == nil {
		err = s.noteChange(ctx, tx, in, box)
	}
	return found, box, err
}

var errDeploymentKeeps = mailbox.Errorf(mailbox.Denied, "scope_denied",
	"A list of the deployment keeps this mail out: "+
		"only the operator of this service can release it.")

// Release puts mail from the quarantine into its mailbox, as if it came now. Whoever releases it once more gets the
// same answer, and nothing happens.
func (s *Service) Release(ctx context.Context, in Access, id mailbox.ID) (mailbox.Receipt, error) {
	c := new(mailCopy)
	var unused string // blob of mail that had come another way as well
	again := false
	err := s.update(ctx, func(tx store.Tx) error {
		*c, unused = mailCopy{}, ""
		row, box, err := s.inQuarantine(ctx, tx, in, id)
		if err != nil {
			return err
		}
		c.box, c.receipt = box, mailbox.Receipt{Mailbox: box.Address, ID: row.Message}
		if again = !row.ReleasedAt.IsZero(); again {
			c.receipt.Duplicate = row.Message != id // the same mail had come another way
			return nil
		}
		if box.Status == mailbox.Halted {
			return errPaused
		}
		if unused, err = s.letIn(ctx, tx, in, c, row); err != nil || !c.isNew() {
			return err
		}
		return s.record(ctx, tx, c.stored, mailbox.HistoryEntry{Kind: mailbox.HistoryReleased,
			Actor: in.Caller.Actor()})
	})
	if err != nil {
		return mailbox.Receipt{}, notQuarantined(err)
	}
	if unused != "" {
		s.dropBlobs(ctx, []string{unused})
	}
	if c.isNew() && !again {
		s.quarantined.released.Add(1)
		s.wakeWaiting([]*mailCopy{c})
		s.wakeWorkers([]*mailCopy{c})
	}
	return c.receipt, nil
}

// letIn stores mail from the quarantine in its mailbox. It returns the blob that is not needed, where the same mail was
// there already.
func (s *Service) letIn(ctx context.Context, tx store.Tx, in Access, c *mailCopy,
	row store.Quarantined) (unused string, err error) {
	head, err := unpackQuarantined(row)
	if err != nil {
		return "", err
	}
	if head.Refusal.Deployment && in.Caller.Scope != mailbox.Operator {
		return "", errDeploymentKeeps
	}
	stored, err := tx.QuarantinedContent(ctx, row.Mailbox, row.ID)
	if err != nil {
		return "", err
	}
	m := head.Message
	m.ReceivedAt = s.now() // streams, waits and days go by it
	m.Verdict.Trust.Reasons = append(m.Verdict.Trust.Reasons, "It was in quarantine, arrived at "+
		row.ReceivedAt.Format(time.RFC3339)+", and was released by a person.")
	c.message, c.receipt.Recipient, c.receipt.ID = m, m.Recipient, m.ID
	with := attributes{content: content{packed: stored.Packed, blob: stored.Blob != ""}, answers: head.Answers}
	known, twin, err := s.twin(ctx, tx, c, &m, with)
	if err != nil {
		return "", err
	}
	if twin {
		unused = stored.Blob
	} else if err := s.admitReleased(ctx, tx, c, m, with, known); err != nil {
		return "", err
	}
	row.ReleasedAt, row.Message = s.now(), c.receipt.ID
	return unused, tx.MarkReleased(ctx, row)
}

// admitReleased is admit for mail that was judged when it arrived.
func (s *Service) admitReleased(ctx context.Context, tx store.Tx, c *mailCopy, m mailbox.Message, with attributes,
	known bool) error {
	var err error
	if c.before, err = s.mayHold(ctx, tx, c.box, m.Size); err != nil {
		return err
	}
	if err := remember(ctx, tx, &m); err != nil {
		return err
	}
	return s.admit(ctx, tx, c, m, with, known)
}

// DeleteQuarantined deletes mail from the quarantine for good.
func (s *Service) DeleteQuarantined(ctx context.Context, in Access, id mailbox.ID) error {
	var key string
	err := s.update(ctx, func(tx store.Tx) error {
		row, _, err := s.inQuarantine(ctx, tx, in, id)
		if err != nil {
			return err
		}
		c, err := tx.QuarantinedContent(ctx, row.Mailbox, id)
		if key = c.Blob; err != nil {
			return err
		}
		return tx.DeleteQuarantined(ctx, row.Mailbox, id)
	})
	if err != nil {
		return notQuarantined(err)
	}
	s.quarantined.deleted.Add(1)
	if key != "" {
		s.dropBlobs(ctx, []string{key})
	}
	return nil
}

func notQuarantined(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errNotQuarantined
	}
	return err
}

// trimQuarantine forgets mail whose time in quarantine is over.
func (s *Service) trimQuarantine(ctx context.Context) error {
	for more := true; more; {
		var blobs []string
		err := s.step(ctx, func(tx store.Tx) (err error) {
			var removed int
			blobs, removed, more, err = tx.TrimQuarantine(ctx, s.now(), trimStep)
			if err == nil && more && removed == 0 {
				err = errNoProgress
			}
			return err
		})
		if err != nil {
			return err // blobs whose rows are gone all the same are swept up
		}
		s.dropBlobs(ctx, blobs)
	}
	return nil
}

// countQuarantined counts the copies that were stored in quarantine.
func (s *Service) countQuarantined(copies []*mailCopy) {
	for _, c := range copies {
		if c.stays() && c.receipt.Quarantined {
			s.quarantined.kept.Add(1)
		}
	}
}
