package service_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func newSubject(text string) mailbox.DraftEdit {
	return mailbox.DraftEdit{Draft: mailbox.Draft{Subject: text}, Given: []string{"subject"}}
}

// A message that is too large for a row has its bytes in a blob: an edit leaves one, the new one.
func TestReviewEditedLarge(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	noise := make([]byte, 1<<20)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(noise)
	d := draftTo("ann@other.test")
	d.Attachments = []mailbox.Attachment{file("noise", noise)}
	sent := b.send(d)
	for i := range 2 {
		before := k.files()
		page, err := b.editReview(sent.ID, newSubject(fmt.Sprintf("Version %d", i+2)))
		k.works("edit", err)
		if now := k.files(); len(before) != 1 || len(now) != 1 || now[0] == before[0] {
			t.Errorf("files were %v and are %v", before, now)
		}
		if page.Version != int64(i+2) || len(page.Email.Detail.Parts) != 1 || !bytes.Contains([]byte(k.raw(b, sent.ID)),
			[]byte(fmt.Sprintf("Subject: Version %d\r\n", i+2))) {
			t.Errorf("edited to %+v", page.FullReview)
		}
	}
	_, err := b.editReview(sent.ID, mailbox.DraftEdit{Given: []string{"attachments"}})
	k.works("edit to a small one", err)
	k.noFiles("small")
}

// What the brakes hold, people look at and may change.
func TestReviewEditedWhilePaused(t *testing.T) {
	k := brakeKit(t)
	b := k.permanent("bo")
	b.policy(mailbox.ReviewAll)
	sent := b.send(draftTo("ann@other.test"))
	b.policy(mailbox.SendOpen)
	k.until(func(n int) error { return b.try(saying("the same", fmt.Sprintf("p%d@other.test", n))) })
	_, err := b.editReview(sent.ID, newSubject("Other"))
	k.works("edit", err)
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID})
	wantCode(t, err, "sending_paused")
}

// The time to call a message back begins when it is approved, and cannot be got round by moving it.
func TestUndoFromApproval(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	b.undo(60)
	sent := b.send(draftTo("ann@other.test"))
	k.clock.advance(time.Hour)
	_, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID})
	k.works("approve", err)
	due := k.clock.Now().Add(time.Minute)
	k.works("sooner", b.moveTo(sent.ID, k.clock.Now()))
	if next := k.next(); b.status(sent.ID) != "scheduled: scheduled/0" || !next.Equal(due) {
		t.Errorf("%s until %v, want %v", b.status(sent.ID), next, due)
	}
}

// Whoever approves a version approves the time at which it is sent.
func TestMovedIsAnotherVersion(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	at := k.clock.Now().Add(2 * time.Hour)
	sent := b.send(later2h(k, "ann@other.test"))
	page, err := k.svc.Review(t.Context(), b.review(), sent.ID)
	if k.works("review", err); !page.SendAt.Equal(at) {
		t.Errorf("sent at %v, want %v", page.SendAt, at)
	}
	k.works("move", b.moveTo(sent.ID, at.Add(time.Hour)))
	_, err = k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID, Version: 1})
	wantCode(t, err, "review_changed")
	if list := b.heldReviews(); list[0].Version != 2 || !list[0].SendAt.Equal(at.Add(time.Hour)) {
		t.Errorf("held are %+v", list)
	}
	k.clock.advance(4 * time.Hour)
	full, err := k.svc.Approve(t.Context(), b.review(), service.ReviewRef{ID: sent.ID, Version: 2})
	if k.works("approve", err); full.Mail.Status != "queued" {
		t.Errorf("it is %s", full.Mail.Status)
	}
}

// Repeated, a send says what the message is now where it does not leave.
func TestRepeatedIsNotQueued(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	d := draftTo("ann@other.test")
	d.IdempotencyKey = "once"
	sent := b.send(d)
	_, err := k.svc.Reject(t.Context(), b.review(), rejection(sent.ID, "No."))
	k.works("reject", err)
	if again := b.send(d); again.Status != mailbox.Rejected || again.Review == nil || again.Review.Note != "No." {
		t.Errorf("rejected, it answers %+v", again)
	}
	k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), sent.ID))
	if again := b.send(d); again.ID != sent.ID || again.Status != mailbox.Deleted || again.Review != nil {
		t.Errorf("deleted, it answers %+v", again)
	}
}
