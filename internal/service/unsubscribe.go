package service

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// The link with which a recipient unsubscribes names the mailbox, the message and the recipient, encrypted and
// authenticated with a key of the root secret. Nothing of it is stored, so it works for as long as the mailbox exists,
// also when the message was deleted.

// UnsubscribePath is where these links lead, followed by a slash and the token.
const UnsubscribePath = "/u"

const maxUnsubscribeToken = 1000 // characters

var errNoUnsubscribe = mailbox.Errorf(mailbox.NotFound, "not_found", "This link leads to nothing: it is not whole, or "+
	"the mailbox that wrote to you was deleted, and writes to nobody any more.")

// subscription is what a link names.
type subscription struct {
	box       mailbox.Num
	message   mailbox.ID
	recipient string // canonical
}

// unsubscribeCipher seals links with a root secret.
func unsubscribeCipher(root mailbox.Secret) cipher.AEAD {
	key := derive(root, "unsubscribe link")
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	sealed, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // AES has the block size that it wants
	}
	return sealed
}

// token is the secret of a link. The same subscription has the same one.
func (b subscription) token(root mailbox.Secret) string {
	plain := binary.AppendUvarint(nil, uint64(b.box))
	plain = append(append(plain, b.message[:]...), b.recipient...)
	nonce := derive(root, "unsubscribe nonce", string(plain))
	gcm := unsubscribeCipher(root)
	return base64.RawURLEncoding.EncodeToString(gcm.Seal(slices.Clone(nonce[:gcm.NonceSize()]),
		nonce[:gcm.NonceSize()], plain, nil))
}

// readSubscription opens the token of a link, with the root secret of now or of before.
func (s *Service) readSubscription(token string) (b subscription, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(token) > maxUnsubscribeToken {
		return b, false
	}
	for _, root := range s.roots() {
		gcm := unsubscribeCipher(root)
		if len(raw) < gcm.NonceSize() {
			return b, false
		}
		plain, err := gcm.Open(nil, raw[:gcm.NonceSize()], raw[gcm.NonceSize():], nil)
		if err != nil {
			continue
		}
		num, n := binary.Uvarint(plain)
		if n <= 0 || len(plain) <= n+len(b.message) {
			return b, false
		}
		b.box, b.recipient = mailbox.Num(num), string(plain[n+len(b.message):])
		copy(b.message[:], plain[n:])
		return b, true
	}
	return b, false
}

// addUnsubscribe puts a link into the header of a message with which its one recipient unsubscribes (RFC 2369, 8058).
func (s *Service) addUnsubscribe(o *outgoing, m *compose.Mail) error {
	if len(o.recipients) != 1 {
		return mailbox.InvalidField("unsubscribe", "A message with unsubscribe has one recipient, because the link is "+
			"the recipient's own: send one message to each.")
	}
	if slices.ContainsFunc(m.Fields, func(f compose.Field) bool {
		return strings.HasPrefix(strings.ToLower(f.Name), "list-unsubscribe")
	}) {
		return mailbox.InvalidField("unsubscribe", "Leave out unsubscribe, or the headers List-Unsubscribe and "+
			"List-Unsubscribe-Post: both say where to unsubscribe.")
	}
	link := s.unsubscribeBase() + subscription{o.box.Num, o.id, o.recipients[0].canonical}.token(s.opt.Root)
	m.Fields = append(m.Fields, compose.Field{Name: "List-Unsubscribe", Value: "<" + link + ">"},
		compose.Field{Name: "List-Unsubscribe-Post", Value: "List-Unsubscribe=One-Click"})
	return nil
}

func (s *Service) unsubscribeBase() string {
	base := ""
	if s.opt.PublicURL != nil {
		base = s.opt.PublicURL()
	}
	return base + UnsubscribePath + "/"
}

// ownUnsubscribe tells whether a message has a link of ours, which is for its recipient alone.
func (s *Service) ownUnsubscribe(d mailbox.Detail) bool {
	_, token, ok := strings.Cut(d.Header(unsubscribe), UnsubscribePath+"/")
	if !ok {
		return false
	}
	_, ok = s.readSubscription(strings.TrimSuffix(token, ">"))
	return ok
}

// Unsubscription is what a recipient sees who follows a link.
type Unsubscription struct {
	Sender, Recipient string
	Done              bool // the recipient gets no more mail of the sender
}

// ShowUnsubscribe tells where a link leads. It changes nothing: links are opened by programs too.
func (s *Service) ShowUnsubscribe(ctx context.Context, token string) (out Unsubscription, err error) {
	b, ok := s.readSubscription(token)
	if !ok {
		return out, errNoUnsubscribe
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		out, _, err = s.unsubscription(ctx, r, b)
		return err
	})
	return out, err
}

func (s *Service) unsubscription(ctx context.Context, r store.Reader, b subscription) (out Unsubscription,
	box mailbox.Mailbox, err error) {
	if box, err = r.Mailbox(ctx, b.box); errors.Is(err, store.ErrNotFound) {
		return out, box, errNoUnsubscribe
	}
	if err != nil {
		return out, box, err
	}
	out = Unsubscription{Sender: box.Address, Recipient: b.recipient}
	old, err := r.Suppression(ctx, b.box, b.recipient)
	if errors.Is(err, store.ErrNotFound) {
		return out, box, nil
	}
	out.Done = err == nil && old.Reason == mailbox.SuppressedByRecipient
	return out, box, err
}

// Unsubscribe puts the recipient whose link it is on the sender's suppression list. Doing it again changes nothing.
func (s *Service) Unsubscribe(ctx context.Context, token string) (Unsubscription, error) {
	b, ok := s.readSubscription(token)
	if !ok {
		return Unsubscription{}, errNoUnsubscribe
	}
	out, err := s.ShowUnsubscribe(ctx, token)
	if err != nil || out.Done {
		return out, err
	}
	if err := s.roomForChange(); err != nil {
		return out, err
	}
	err = s.update(ctx, func(tx store.Tx) error {
		now, box, err := s.unsubscription(ctx, tx, b)
		if out = now; err != nil || out.Done {
			return err
		}
		return s.unsubscribe(ctx, tx, box, b)
	})
	if err != nil {
		return out, err
	}
	out.Done = true
	s.wake(wake.Mail, b.box)
	s.wake(wake.Hooks, 0)
	return out, nil
}

// unsubscribe is its transaction. An address that bounced stays on the list for its own wish when the bounce is
// forgiven.
func (s *Service) unsubscribe(ctx context.Context, tx store.Tx, box mailbox.Mailbox, b subscription) error {
	err := tx.DeleteSuppression(ctx, b.box, b.recipient)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	at := s.now()
	if err := tx.InsertSuppression(ctx, mailbox.Suppression{Mailbox: b.box, Address: b.recipient, At: at,
		Reason: mailbox.SuppressedByRecipient, Message: b.message}); err != nil {
		return err
	}
	e := mailbox.Event{Mailbox: b.box, Kind: mailbox.RecipientUnsubscribed, Message: b.message, At: at,
		Result: mailbox.Result{Recipient: b.recipient, Status: string(mailbox.Suppressed)}}
	if err := tx.AppendEvent(ctx, &e); err != nil {
		return err
	}
	m, err := tx.Message(ctx, b.box, b.message)
	switch {
	case err == nil:
		e.Mail = &m
	case !errors.Is(err, store.ErrNotFound): // else it was deleted
		return err
	}
	return s.hook(ctx, tx, box, e)
}
