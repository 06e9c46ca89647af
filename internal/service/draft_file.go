package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// keptFile is an attachment whose bytes are durable, or in memory where they are small, before a draft names it.
type keptFile struct {
	mailbox.DraftFile
	packed []byte
}

// keepFiles makes attachments ready to be stored.
func (s *Service) keepFiles(ctx context.Context, box mailbox.Mailbox, list []mailbox.Attachment) (kept []keptFile,
	err error) {
	for _, a := range list {
		if a.Size > s.opt.Limits.AttachmentBytes {
			err = mailbox.Errorf(mailbox.TooLarge, "attachment_too_large", "The attachment %s is too large: at most "+
				"%d bytes.", mailbox.Clip(a.Filename, 80), s.opt.Limits.AttachmentBytes)
		}
		if err == nil {
			err = s.room(a.Size)
		}
		var f keptFile
		if err == nil {
			f, err = s.keepFile(ctx, box, a)
			kept = append(kept, f)
		}
		if err != nil {
			err = fail(err)
			s.noteStored(err)
			s.dropKept(ctx, kept, err)
			return nil, err
		}
	}
	return kept, nil
}

func (s *Service) keepFile(ctx context.Context, box mailbox.Mailbox, a mailbox.Attachment) (f keptFile, err error) {
	f.DraftFile = mailbox.DraftFile{Filename: a.Filename, ContentType: a.ContentType, ContentID: a.ContentID,
		Inline: a.Inline, Size: a.Size}
	from, err := a.Open()
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if a.Size <= inlineMost {
		raw, err := io.ReadAll(from)
		f.packed = blob.Compress(nil, raw)
		return f, err
	}
	place, err := s.large.enter(ctx, sentBy(box))
	if err != nil {
		return f, err
	}
	defer place.leave()
	into, err := s.blobs.Create(ctx)
	if err != nil {
		return f, err
	}
	defer into.Abort()
	if _, err := io.Copy(into, from); err != nil {
		return f, err
	}
	key := fmt.Sprintf("%d/%s", box.Num, mailbox.NewID(s.opt.Now()))
	if err := into.Commit(ctx, key); err != nil {
		return f, fmt.Errorf("store attachment: %w", err)
	}
	f.Blob = key
	return f, nil
}

// dropKept removes the blobs of attachments that no draft came to name. Where nobody knows whether one did, they are
// left to be swept up.
func (s *Service) dropKept(ctx context.Context, kept []keptFile, failed error) {
	if failed == nil || errors.Is(failed, store.ErrUnavailable) {
		return
	}
	var keys []string
	for _, f := range kept {
		if f.Blob != "" {
			keys = append(keys, f.Blob)
		}
	}
	s.dropBlobs(ctx, keys)
}

// dropBlobs removes blobs that nothing names any more. One that cannot be removed now is swept up later.
func (s *Service) dropBlobs(ctx context.Context, keys []string) {
	if len(keys) == 0 {
		return
	}
	if err := s.blobs.Delete(context.WithoutCancel(ctx), keys...); err != nil {
		s.log.Warn("remove unused blob", "error", err)
	}
}

func blobsOf(files []mailbox.DraftFile) (keys []string) {
	for _, f := range files {
		if f.Blob != "" {
			keys = append(keys, f.Blob)
		}
	}
	return keys
}

// attach adds attachments to a draft.
func (s *Service) attach(ctx context.Context, tx store.Tx, d *mailbox.StoredDraft, kept []keptFile) error {
	d.Files = slices.Clone(d.Files)
	for _, f := range kept {
		d.LastFile++
		f.N = d.LastFile
		d.Files = append(d.Files, f.DraftFile)
		err := tx.InsertDraftFile(ctx, d.Mailbox, d.ID, f.N, store.Content{Packed: f.packed, Blob: f.Blob})
		if err != nil {
			return err
		}
	}
	return nil
}

func allFiles(mailbox.DraftFile) bool { return true }

// detach takes attachments off a draft, and gives the blobs that they had.
func (s *Service) detach(ctx context.Context, tx store.Tx, d *mailbox.StoredDraft,
	which func(mailbox.DraftFile) bool) (unused []string, err error) {
	var left, gone []mailbox.DraftFile
	for _, f := range d.Files {
		if !which(f) {
			left = append(left, f)
			continue
		}
		if err := tx.DeleteDraftFile(ctx, d.Mailbox, d.ID, f.N); err != nil {
			return nil, err
		}
		gone = append(gone, f)
	}
	d.Files = left
	return blobsOf(gone), nil
}

// AttachToDraft adds attachments to a draft: to the version that is named, or whichever it has.
func (s *Service) AttachToDraft(ctx context.Context, in Access, ref mailbox.DraftRef,
	list []mailbox.Attachment) (FullDraft, error) {
	in, err := s.atDraft(ctx, in, ref.ID)
	if err != nil {
		return FullDraft{}, err
	}
	kept, err := s.keepFiles(ctx, in.Box, list)
	if err != nil {
		return FullDraft{}, err
	}
	d, err := s.changeDraft(ctx, in, ref, func(tx store.Tx, d *mailbox.StoredDraft) ([]string, error) {
		if err := s.attach(ctx, tx, d, kept); err != nil {
			return nil, err
		}
		return nil, s.checkDraft(ctx, tx, d, mailbox.DraftEdit{})
	})
	s.dropKept(ctx, kept, err)
	return d, err
}

var errNoDraftFile = mailbox.Errorf(mailbox.NotFound, "not_found", "Attachment not found")

// DetachFromDraft takes the n-th attachment off a draft.
func (s *Service) DetachFromDraft(ctx context.Context, in Access, ref mailbox.DraftRef, n int) (FullDraft, error) {
	in, err := s.atDraft(ctx, in, ref.ID)
	if err != nil {
		return FullDraft{}, err
	}
	return s.changeDraft(ctx, in, ref, func(tx store.Tx, d *mailbox.StoredDraft) ([]string, error) {
		nth := func(f mailbox.DraftFile) bool { return f.N == n }
		if !slices.ContainsFunc(d.Files, nth) {
			return nil, errNoDraftFile
		}
		return s.detach(ctx, tx, d, nth)
	})
}

// fileOf returns an attachment of a draft as one that is sent.
func (s *Service) fileOf(ctx context.Context, d mailbox.StoredDraft, f mailbox.DraftFile) mailbox.Attachment {
	return mailbox.Attachment{Filename: f.Filename, ContentType: f.ContentType, ContentID: f.ContentID,
		Inline: f.Inline, Size: f.Size,
		Open: func() (io.ReadCloser, error) { return s.openDraftFile(ctx, d, f) }}
}

// DraftAttachment is an attachment of a draft that is read. The caller closes it.
type DraftAttachment struct {
	io.ReadSeekCloser
	ID        mailbox.ID
	File      mailbox.DraftFile
	UpdatedAt time.Time // of the draft
}

// draftAttachment opens an attachment of a draft.
func (s *Service) draftAttachment(ctx context.Context, in Access, id mailbox.ID) (*DraftAttachment, error) {
	whole, n := id.Whole()
	d, err := s.Draft(ctx, in, whole)
	if err != nil {
		return nil, err
	}
	for _, f := range d.Files {
		if f.N == n && d.Sent == nil {
			from, err := s.openDraftFile(ctx, d.StoredDraft, f)
			return &DraftAttachment{from, id, f, d.UpdatedAt}, err
		}
	}
	return nil, errNoDraftFile
}

func (s *Service) openDraftFile(ctx context.Context, d mailbox.StoredDraft, f mailbox.DraftFile) (io.ReadSeekCloser,
	error) {
	if f.Blob != "" {
		o, err := s.blobs.Open(ctx, f.Blob)
		if err != nil {
			return nil, fail(err)
		}
		return &sectionCloser{io.NewSectionReader(o, 0, o.Size()), o}, nil
	}
	var c store.Content
	err := s.ask(ctx, func(r store.Reader) (err error) {
		c, err = r.DraftFile(ctx, d.Mailbox, d.ID, f.N)
		return err
	})
	if err != nil {
		return nil, err
	}
	raw, err := blob.Decompress(nil, c.Packed, inlineMost)
	return readSeekCloser{bytes.NewReader(raw)}, err
}

// readSeekCloser reads bytes in memory, which need no closing.
type readSeekCloser struct{ io.ReadSeeker }

func (readSeekCloser) Close() error { return nil }

// sectionCloser reads a blob and closes it.
type sectionCloser struct {
	*io.SectionReader
	io.Closer
}
