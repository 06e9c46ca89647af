package service

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A token for a download lets whoever holds it read one file for a while, without a key: a message, or an attachment of
// one or of a draft. It ends with its time, with the key that asked for it, and with the message; it does not work
// while the mailbox is paused. Nothing is stored of it:
//
//	version 1, id of message or attachment 16, mailbox 8, key 16 (zero: the operator's), end in Unix seconds 8, MAC 32
const (
	tokenVersion = 1
	tokenSigned  = 1 + 16 + 8 + 16 + 8
	tokenSize    = tokenSigned + 32
)

// DownloadToken makes a token for a message or an attachment in a mailbox that the caller reads.
func (s *Service) DownloadToken(in Access, box mailbox.Num, id mailbox.ID, until time.Time) (string, error) {
	if !in.readsFiles() && in.Need != mailbox.DraftMail {
		return "", denied(in.Caller, mailbox.ReadAttachment)
	}
	b := make([]byte, 0, tokenSize)
	b = append(append(b, tokenVersion), id[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(box))
	b = append(b, in.Caller.Key.ID[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(until.Unix()))
	mac := derive(s.secrets().root, "download", string(b))
	return base64.RawURLEncoding.EncodeToString(append(b, mac[:]...)), nil
}

// Download is a file that a token is for: an attachment, or else the message. The caller closes it.
type Download struct {
	Attachment *Attachment
	Draft      *DraftAttachment
	Raw        *Raw
}

// Bytes are those of the file.
func (d Download) Bytes() io.ReadSeekCloser {
	switch {
	case d.Attachment != nil:
		return d.Attachment
	case d.Draft != nil:
		return d.Draft
	}
	return d.Raw
}

// Download opens what a token is for. A token that is over, was changed or is for something that is no longer there is
// one that does not exist.
func (s *Service) Download(ctx context.Context, token string) (d Download, err error) {
	in, id, err := s.downloader(ctx, token)
	if err != nil {
		return d, err
	}
	_, part := id.Whole()
	err = errNoDownload
	switch reads := in.readsFiles(); { // the key may have been bound to less since
	case part > 0 && reads:
		d.Attachment, err = s.Attachment(ctx, in, id)
	case reads:
		d.Raw, err = s.Raw(ctx, in, id)
	}
	if part > 0 && mailbox.KindOf(err) == mailbox.NotFound && in.Caller.May(mailbox.DraftMail) {
		d.Attachment = nil
		d.Draft, err = s.draftAttachment(ctx, in, id)
	}
	if mailbox.KindOf(err) == mailbox.NotFound {
		err = errNoDownload
	}
	return d, err
}

var errNoDownload = mailbox.Errorf(mailbox.NotFound, "not_found", "This download does not exist, or it is over.")

// downloader is the access that a token gives, and what to.
func (s *Service) downloader(ctx context.Context, token string) (in Access, id mailbox.ID, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) != tokenSize || b[0] != tokenVersion || !s.signed(b[:tokenSigned], b[tokenSigned:]) {
		return in, id, errNoDownload
	}
	var key mailbox.ID
	copy(id[:], b[1:])
	num := mailbox.Num(binary.BigEndian.Uint64(b[17:]))
	copy(key[:], b[25:])
	if now := s.now(); now.Unix() >= int64(binary.BigEndian.Uint64(b[41:])) {
		return in, id, errNoDownload
	}
	in.Act = Act{Need: mailbox.ReadAttachment, Verb: "download"}
	err = s.view(ctx, func(r store.Reader) error {
		if in.Box, err = r.Mailbox(ctx, num); err != nil || key.IsZero() {
			return err
		}
		in.Caller.Key, err = r.Key(ctx, key)
		return err
	})
	in.Caller.Scope, in.Caller.Mailbox = mailbox.Permanent, in.Box
	if errors.Is(err, store.ErrNotFound) || err == nil && (in.Box.Status == mailbox.Halted ||
		in.Box.Expired(s.now()) || in.Caller.Key.Expired(s.now())) {
		err = errNoDownload
	}
	return in, id, err
}

// signed tells whether a signature is one of ours.
func (s *Service) signed(b, mac []byte) bool {
	for _, root := range s.roots() {
		want := derive(root, "download", string(b))
		if hmac.Equal(want[:], mac) {
			return true
		}
	}
	return false
}
