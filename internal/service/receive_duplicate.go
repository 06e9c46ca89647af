package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// duplicate finds the message of a mailbox that this one is once more: store.ErrNotFound if there is none. It is asked
// where the Message-ID is known, and only then are digests worked out: this one's, which it keeps, and that of the
// first with this Message-ID, of which nobody knew that it would be needed. Of what is in a blob it was worked out on
// the way there.
func duplicate(ctx context.Context, tx store.Reader, m *mailbox.Message, c content) (mailbox.Message, error) {
	if m.Digest == (mailbox.Digest{}) {
		var err error
		if m.Digest, err = digestOf(store.Content{Packed: c.packed}); err != nil {
			return mailbox.Message{}, err
		}
	}
	old, err := tx.Duplicate(ctx, m.Mailbox, m.MessageID, m.Digest)
	if err == nil || !errors.Is(err, store.ErrNotFound) {
		return old, err
	}
	first, err := tx.Duplicate(ctx, m.Mailbox, m.MessageID, mailbox.Digest{})
	if err != nil {
		return mailbox.Message{}, err
	}
	stored, err := tx.Content(ctx, first)
	if err != nil {
		return mailbox.Message{}, err
	}
	digest, err := digestOf(stored)
	if err != nil || digest != m.Digest {
		return mailbox.Message{}, store.ErrNotFound // one that cannot be read is not the same
	}
	return first, nil
}

// digestOf works out the digest of a message in a row.
func digestOf(c store.Content) (mailbox.Digest, error) {
	raw, err := rawmail.Raw(c)
	if err != nil {
		return mailbox.Digest{}, err
	}
	return shortDigest(rfc822.Parse(raw, rfc822.Limits{Skim: true, Digest: true})), nil
}

// shortDigest is what is kept of a message's digest.
func shortDigest(p *rfc822.Message) mailbox.Digest { return mailbox.Digest(p.Digest[:16]) }
