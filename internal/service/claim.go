package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// ClaimMode is who may confirm a claim (API 3).
type ClaimMode string

const (
	ClaimOff      ClaimMode = "off"
	ClaimOperator ClaimMode = "operator"
	ClaimOpen     ClaimMode = "open"
)

var (
	errClaimOff = mailbox.Errorf(mailbox.NotFound, "claim_disabled", "This service does not let mailboxes be "+
		"claimed; ask its operator for one.")
	errNoClaim = mailbox.Errorf(mailbox.NotFound, "not_found", "There is no such claim; it may be long over. Start "+
		"a new one.")
	errClaimOver = mailbox.Errorf(mailbox.Conflict, "claim_expired", "This claim was not confirmed in time; the "+
		"agent has to start a new one.")
)

// ClaimRequest asks for a permanent mailbox: a new one, or the caller's temporary one under its own or another name.
type ClaimRequest struct {
	Client netip.Addr
	Name   string         // empty: the temporary mailbox keeps its address
	Key    mailbox.Secret // of a temporary mailbox; empty: none
}

// StartedClaim is a claim that waits for a person.
type StartedClaim struct {
	mailbox.Claim
	Session string // with which the agent fetches the key
	Link    string // with which a person confirms; it does not open the key
}

// StartClaim begins a claim. It reserves nothing.
func (s *Service) StartClaim(ctx context.Context, r ClaimRequest) (StartedClaim, error) {
	if s.opt.Claim == ClaimOff {
		return StartedClaim{}, errClaimOff
	}
	out := StartedClaim{Session: newSession(), Link: newSession()}
	out.Claim = mailbox.Claim{Session: sessionDigest(out.Session), Link: sessionDigest(out.Link),
		Client:    r.Client.String(),
		CreatedAt: s.now(), ExpiresAt: s.now().Add(mailbox.ClaimTime)}
	_, _ = rand.Read(out.Salt[:]) // never fails since Go 1.24
	if err := s.describeClaim(ctx, r, &out.Claim); err != nil {
		return StartedClaim{}, err
	}
	if err := s.room(0); err != nil { // anyone may ask
		return StartedClaim{}, err
	}
	err := s.update(ctx, func(tx store.Tx) error {
		if out.Name != "" {
			if _, err := tx.MailboxAt(ctx, out.Address); err == nil {
				return taken(out.Address)
			} else if !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if err := s.unretired(ctx, tx, out.Address); err != nil {
				return err
			}
		}
		if err := s.spend(ctx, tx, r.Client); err != nil {
			return err
		}
		return tx.InsertClaim(ctx, out.Claim)
	})
	return out, err
}

// describeClaim finds out what is claimed: the mailbox of the caller's key, or a new one.
func (s *Service) describeClaim(ctx context.Context, r ClaimRequest, c *mailbox.Claim) error {
	if r.Key != "" {
		who, err := s.Authenticate(ctx, r.Key)
		switch {
		case err != nil:
			return err
		case who.Halted():
			return errPaused
		case who.Scope == mailbox.Permanent || who.Scope == mailbox.Provisional &&
			who.Mailbox.Scope == mailbox.Permanent:
			return mailbox.Errorf(mailbox.Conflict, "already_permanent",
				"The mailbox of this key is permanent already.")
		case who.Scope == mailbox.Provisional:
			c.Mailbox, c.Address = who.Mailbox.Num, who.Mailbox.Address
		}
	}
	if c.Mailbox == 0 && strings.TrimSpace(r.Name) == "" {
		return mailbox.InvalidField("name", "A name is needed for a new mailbox; or send the key of a temporary one "+
			"to keep its address.")
	}
	if strings.TrimSpace(r.Name) == "" {
		return nil
	}
	name, err := mailbox.ParseName(r.Name)
	c.Name, c.Address = name, name+"@"+s.opt.Domains[0]
	return err
}

func taken(address string) error {
	return mailbox.Errorf(mailbox.Conflict, "name_taken", "The address %s is taken; choose another name.", address)
}

// newSession makes an id that cannot be guessed, and that no command line takes for a flag.
func newSession() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	b[0] &= 0x7f           // the first character is a letter
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// sessionDigest is all that is stored of a session.
func sessionDigest(session string) [32]byte { return sha256.Sum256([]byte(session)) }

// claimKey is the key of a claimed mailbox.
func claimKey(root mailbox.Secret, c mailbox.Claim) mailbox.Secret {
	return mailbox.SecretOf(derive(root, "claim key", string(c.Salt[:])))
}

// ShownClaim is a claim as the person sees it who is asked to confirm it.
type ShownClaim struct {
	mailbox.Claim
	State         mailbox.ClaimState
	Temporary     string // present address of the temporary mailbox that is claimed; empty: a new one is made
	NeedsOperator bool   // only the operator may confirm

	RetiredAt time.Time // when a mailbox of this address was deleted; zero: never, or long ago
	Barred    bool      // the address cannot be claimed for that reason
}

// ShowClaim shows a claim. session is that of the agent or that of the link.
func (s *Service) ShowClaim(ctx context.Context, session string) (out ShownClaim, err error) {
	if s.opt.Claim == ClaimOff {
		return out, errClaimOff
	}
	err = s.view(ctx, func(r store.Reader) error {
		c, err := r.Claim(ctx, sessionDigest(session))
		if err == nil {
			out, err = s.shown(ctx, r, c)
		}
		return err
	})
	return out, noClaim(err)
}

// shown adds to a claim what a person has to know who decides about it.
func (s *Service) shown(ctx context.Context, r store.Reader, c mailbox.Claim) (out ShownClaim, err error) {
	out = ShownClaim{Claim: c, State: c.State(s.now()), NeedsOperator: s.opt.Claim == ClaimOperator}
	if out.RetiredAt, out.Barred, err = s.retirement(ctx, r, c.Address); err != nil || c.Mailbox == 0 {
		return out, err
	}
	box, err := r.Mailbox(ctx, c.Mailbox)
	out.Temporary = box.Address
	return out, err
}

func noClaim(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errNoClaim
	}
	return err
}

// ConfirmedClaim is the mailbox that a claim has made.
type ConfirmedClaim struct {
	Address string
	Already bool           // it was confirmed before
	Key     mailbox.Secret // of the mailbox, where anyone may confirm, to the agent that started the claim
}

// ConfirmClaim makes the mailbox that a claim asks for. by is the credential of who confirms, empty for none.
func (s *Service) ConfirmClaim(ctx context.Context, session string, by mailbox.Secret) (ConfirmedClaim, error) {
	if err := s.mayConfirm(ctx, by); err != nil {
		return ConfirmedClaim{}, err
	}
	entry := mailbox.Audit{At: s.now(), Action: "POST /v1/claim/confirm"}
	out, err := s.confirm(ctx, sessionDigest(session), entry, s.opt.Claim == ClaimOperator)
	if err == nil && s.opt.Claim == ClaimOpen {
		out.Key = s.polledKey(ctx, session, by)
	}
	return out, err
}

// confirm makes the mailbox that a claim asks for, with an entry for the audit log where it is to be there.
func (s *Service) confirm(ctx context.Context, digest [32]byte, entry mailbox.Audit, audit bool) (out ConfirmedClaim,
	err error) {
	var num mailbox.Num
	err = s.update(ctx, func(tx store.Tx) error {
		c, err := tx.Claim(ctx, digest)
		if err != nil {
			return err
		}
		out = ConfirmedClaim{Address: c.Address, Already: !c.DoneAt.IsZero()}
		if out.Already {
			return nil
		}
		if c.State(s.now()) == mailbox.ClaimExpired {
			return errClaimOver
		}
		if err := s.roomForChange(); err != nil {
			return err
		}
		if num, err = s.fulfil(ctx, tx, c); err != nil {
			return err
		}
		c.DoneAt, c.Mailbox = s.now(), num // the claim goes with its mailbox
		if err := tx.UpdateClaim(ctx, c); err != nil || !audit {
			return err
		}
		entry.Mailbox = c.Address
		return tx.AppendAudit(ctx, entry)
	})
	if err != nil {
		return out, noClaim(err)
	}
	if num != 0 {
		s.wake(wake.Changed, num)
		s.wake(wake.Mail, num)
	}
	return out, nil
}

// polledKey is the key that a poll with the same session would get now, empty for none: the link of a claim does not
// open its key.
func (s *Service) polledKey(ctx context.Context, session string, by mailbox.Secret) mailbox.Secret {
	polled, err := s.PollClaim(ctx, session, by)
	if err != nil {
		return "" // it is confirmed all the same, and can be polled
	}
	return polled.Key
}

// mayConfirm tells whether who has this credential may confirm claims.
func (s *Service) mayConfirm(ctx context.Context, by mailbox.Secret) error {
	open := s.opt.Claim == ClaimOpen
	switch {
	case s.opt.Claim == ClaimOff:
		return errClaimOff
	case open && by == "":
		return nil
	case by == "":
		return errUnauthorized
	}
	who, err := s.Authenticate(ctx, by)
	if err == nil && who.Halted() {
		return errPaused
	}
	if err == nil && !open && !who.Everywhere(mailbox.Administer) {
		err = mailbox.Errorf(mailbox.Denied, "scope_denied", "Only the operator of this service can confirm a claim.")
	}
	return err
}

// fulfil makes the mailbox of a claim, or makes the temporary one permanent, with its key.
func (s *Service) fulfil(ctx context.Context, tx store.Tx, c mailbox.Claim) (num mailbox.Num, err error) {
	if num = c.Mailbox; num == 0 {
		num, err = tx.InsertMailbox(ctx, s.newBox(c.Address))
	} else {
		err = s.keepForGood(ctx, tx, c)
	}
	if errors.Is(err, store.ErrTaken) {
		return 0, taken(c.Address)
	}
	if err == nil { // after the address is ours: before that, another transaction may still delete its mailbox
		err = s.unretired(ctx, tx, c.Address)
	}
	if err != nil {
		return 0, err
	}
	return num, tx.InsertKey(ctx, s.newKey(num, claimKey(s.secrets().root, c)))
}

// keepForGood makes a temporary mailbox permanent, under the name that was asked for. Its old address stays an alias,
// and its old key good until the new one is used (supersede).
func (s *Service) keepForGood(ctx context.Context, tx store.Tx, c mailbox.Claim) error {
	box, err := tx.Mailbox(ctx, c.Mailbox)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && box.Expired(s.now()):
		return mailbox.Errorf(mailbox.Conflict, "mailbox_gone", "The temporary mailbox of this claim is gone; its "+
			"time was over or it was deleted.")
	case err != nil:
		return err
	case box.Scope != mailbox.Provisional:
		return mailbox.Errorf(mailbox.Conflict, "already_permanent", "The mailbox of this claim is permanent already.")
	case box.Status == mailbox.Halted:
		return errPaused
	}
	if box.Address != c.Address {
		if err := tx.RenameMailbox(ctx, box.Num, c.Address); err != nil {
			return err
		}
	}
	box.Scope, box.ExpiresAt = mailbox.Permanent, time.Time{}
	return tx.UpdateMailbox(ctx, box)
}

// PolledClaim is how far a claim has come; with its key when it is complete.
type PolledClaim struct {
	State   mailbox.ClaimState
	Address string
	Key     mailbox.Secret
}

// PollClaim tells the agent that started a claim how far it has come. by is the credential it has, empty for none.
func (s *Service) PollClaim(ctx context.Context, session string, by mailbox.Secret) (PolledClaim, error) {
	if s.opt.Claim == ClaimOff {
		return PolledClaim{}, errClaimOff
	}
	var c mailbox.Claim
	var key mailbox.Secret // empty: not confirmed, or no longer good
	over := false          // the mailbox that is claimed has ended
	err := s.view(ctx, func(r store.Reader) (err error) {
		if c, err = r.Claim(ctx, sessionDigest(session)); err != nil {
			return err
		}
		if c.Mailbox != 0 {
			box, err := r.Mailbox(ctx, c.Mailbox)
			if over = errors.Is(err, store.ErrNotFound) || box.Expired(s.now()); err != nil && !over {
				return err
			}
		}
		for _, root := range s.roots() {
			made := claimKey(root, c)
			if _, err := r.KeyByDigest(ctx, made.Digest()); err == nil {
				key = made
				return nil
			} else if !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return PolledClaim{}, noClaim(err)
	}
	if err := s.mayPoll(ctx, c, session, by); err != nil {
		return PolledClaim{}, err
	}
	out := PolledClaim{State: c.State(s.now())}
	switch {
	case out.State == mailbox.ClaimComplete && key == "": // revoked, or deleted with its mailbox
		out.State = mailbox.ClaimExpired
	case out.State == mailbox.ClaimPending && over:
		out.State = mailbox.ClaimExpired
	case out.State == mailbox.ClaimComplete:
		out.Address, out.Key = c.Address, key
	}
	return out, nil
}

// mayPoll refuses the key of a claim to those who have only the link, or the key of another mailbox.
func (s *Service) mayPoll(ctx context.Context, c mailbox.Claim, session string, by mailbox.Secret) error {
	if c.Session != sessionDigest(session) {
		return mailbox.Errorf(mailbox.Denied, "not_your_claim", "This is the link to confirm with; only the agent "+
			"that started the claim can fetch its key.")
	}
	if by == "" {
		return nil
	}
	who, err := s.Authenticate(ctx, by)
	switch {
	case err != nil:
		return err
	case who.Halted():
		return errPaused
	case c.Mailbox != 0 && !who.Everywhere(mailbox.Administer) && who.Mailbox.Num != c.Mailbox:
		return errForbidden
	}
	return nil
}
