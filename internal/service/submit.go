package service

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/netip"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// Mail can be handed in by SMTP instead of POST /v1/send (API 11): Login once, then for each message Sender, Addressee
// for every recipient, and Submit. What a message of Send may do, one of Submit may, and no more.

// Login finds whose key this is. The user is an address of its mailbox; it must be one that can send. Why not is said
// to the log alone: who does not have the key learns nothing about the mailbox. A client that fails too often is told
// so in place of that; one with a right key never is.
func (s *Service) Login(ctx context.Context, client netip.Addr, user string, key mailbox.Secret) (mailbox.Caller,
	error) {
	who, reason, err := s.logIn(ctx, client, user, key)
	switch {
	case err != nil:
		return mailbox.Caller{}, err
	case reason == "":
		return who, nil
	case who.Halted(): // nobody guesses here: the key is right
		s.log.LogAttrs(ctx, slog.LevelInfo, "log-in refused", slog.String("edge", EdgeSubmission.String()),
			slog.String("client", client.String()), slog.String("reason", reason),
			slog.String("mailbox", who.Mailbox.Address))
		return mailbox.Caller{}, errUnauthorized
	}
	if err := s.failedLogin(EdgeSubmission, client, reason, who.Mailbox.Address); err != nil {
		return mailbox.Caller{}, err
	}
	return mailbox.Caller{}, errUnauthorized
}

// logIn finds whose key this is, and the reason why that one may not log in, if there is one.
func (s *Service) logIn(ctx context.Context, client netip.Addr, user string, key mailbox.Secret) (who mailbox.Caller,
	reason string, err error) {
	if !key.WellFormed() {
		return who, "malformed key", nil
	}
	who, err = s.Authenticate(ctx, key)
	switch {
	case mailbox.KindOf(err) == mailbox.Unauthorized:
		return who, "wrong key", nil
	case err != nil:
	case who.Scope != mailbox.Permanent, !who.May(mailbox.SendMail):
		reason = "this key cannot send"
	case !who.Key.Restriction().Admits(client):
		reason = "this key cannot be used from there"
	case !who.Mailbox.Owns(canonical(user)):
		reason = "the name is no address of the key's mailbox"
	case who.Halted():
		reason = "the mailbox is paused"
	}
	return who, reason, err
}

// Sender tells whether a caller may send from an address now: an SMTP session is long, and the key may be gone, or the
// mailbox paused, since it began.
func (s *Service) Sender(ctx context.Context, who mailbox.Caller, from string) error {
	who, err := s.present(ctx, who)
	if err != nil {
		return err
	}
	return s.maySendAs(who, canonical(from))
}

// present returns a caller with key and mailbox as they are now, if the key still opens it and may send.
func (s *Service) present(ctx context.Context, who mailbox.Caller) (mailbox.Caller, error) {
	err := s.view(ctx, func(r store.Reader) (err error) {
		who, err = s.asNow(ctx, r, who)
		return err
	})
	return who, err
}

func (s *Service) asNow(ctx context.Context, r store.Reader, who mailbox.Caller) (_ mailbox.Caller, err error) {
	if who.Key, err = r.KeyByDigest(ctx, who.Key.Digest); err == nil {
		who.Mailbox, err = r.Mailbox(ctx, who.Key.Mailbox)
	}
	now := s.now()
	if errors.Is(err, store.ErrNotFound) || err == nil && (who.Key.Expired(now) || who.Mailbox.Expired(now) ||
		!who.May(mailbox.SendMail)) {
		err = errUnauthorized
	}
	return who, err
}

// Addressee returns a recipient's address in canonical form, if the caller may send to it, else why not.
func (s *Service) Addressee(ctx context.Context, who mailbox.Caller, address string) (string, error) {
	a, err := parseAddress("to", address)
	if err != nil {
		return "", err
	}
	to := newAddressee(a)
	err = s.view(ctx, func(r store.Reader) error {
		who, err := s.asNow(ctx, r, who)
		if err != nil {
			return err
		}
		_, err = s.mayAddress(ctx, r, who.Mailbox.Num, who.Key, []addressee{to}, toReview(threads{}))
		return err
	})
	return to.canonical, refusal(err)
}

// refusal returns the error of a send as one of SMTP: there, a recipient who is refused is not a wrong request.
func refusal(err error) error {
	var e *mailbox.Error
	if errors.As(err, &e) && (e.Code == "recipient_suppressed" || e.Code == "recipient_denied") {
		return mailbox.Errorf(mailbox.NoSuchRecipient, e.Code, "%s", e.Message)
	}
	return err
}

// Submit accepts a message to be sent, as a program wrote it. It is durable when Submit returns. The header is put in
// order (see submit_head.go), the body stays as it is, but for line ends that no mail server may pass on.
func (s *Service) Submit(ctx context.Context, who mailbox.Caller, env mailbox.Envelope, message io.Reader) (
	got mailbox.Receipt, err error) {
	ctx, span := s.opt.Tracer.Start(ctx, "submit")
	defer func() { span.EndWith(err) }()
	if err := s.room(env.Size); err != nil {
		return mailbox.Receipt{}, err
	}
	who, err = s.present(ctx, who)
	if err != nil {
		return mailbox.Receipt{}, err
	}
	up, err := s.upload(who.Mailbox.Num, env.Size)
	if err != nil {
		return mailbox.Receipt{}, err
	}
	defer up.Close()
	body := bufio.NewReaderSize(&counting{r: message, u: up}, 16<<10)
	head, err := readHead(body)
	if err != nil {
		return mailbox.Receipt{}, err
	}
	seen := rfc822.Parse(head.bytes(nil), rfc822.DefaultLimits())
	o, err := s.submitted(who, env, head, seen)
	if err != nil {
		return mailbox.Receipt{}, err
	}
	fixed := head.bytes(s.additions(o, env, head, seen))
	o.open = func() io.ReadCloser {
		return io.NopCloser(io.MultiReader(bytes.NewReader(fixed), &lineEnds{r: body})) // which is read once
	}
	sent, err := s.post(ctx, o)
	return mailbox.Receipt{ID: sent.ID, Held: sent.Status == mailbox.Held}, refusal(err)
}

// submitted makes an outgoing message of an envelope and a header, but for its bytes.
func (s *Service) submitted(who mailbox.Caller, env mailbox.Envelope, head head, seen *rfc822.Message) (*outgoing,
	error) {
	o := &outgoing{box: who.Mailbox, by: who.Key, id: mailbox.NewID(s.opt.Now()), proto: env.Proto, due: s.now()}
	from, err := head.authors()
	if err != nil {
		return nil, err
	}
	for _, a := range from {
		if err := s.maySendAs(who, canonical(a)); err != nil {
			return nil, err
		}
	}
	o.from = canonical(from[0])
	return o, s.addressed(o, env, seen)
}

// addressed fills in whom a message goes to. Whom the header does not name, the others do not see either.
func (s *Service) addressed(o *outgoing, env mailbox.Envelope, seen *rfc822.Message) error {
	shown := make(map[string]bool)
	for _, a := range append(seen.To, seen.Cc...) {
		shown[canonical(a.Address)] = true
	}
	var all []addressee
	for _, rcpt := range env.Recipients {
		all = append(all, newAddressee(mailbox.Address{Address: rcpt.Address}))
	}
	o.recipients = once(all)
	for _, a := range o.recipients {
		if !shown[a.canonical] {
			o.bcc = append(o.bcc, a)
		}
	}
	if n, most := len(o.recipients), s.opt.Limits.Recipients; n == 0 || n > most {
		return mailbox.Errorf(mailbox.Invalid, "too_many_recipients", "A message has 1 to %d recipients.", most)
	}
	return nil
}
