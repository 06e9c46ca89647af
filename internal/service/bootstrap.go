package service

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	mathrand "math/rand/v2"
	"net/netip"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// BootstrapRequest asks for a temporary mailbox. No key is needed.
type BootstrapRequest struct {
	Client         netip.Addr
	IdempotencyKey string // empty: none
}

// Bootstrapped is a temporary mailbox with its key.
type Bootstrapped struct {
	CreatedMailbox
	Replayed bool  // it was made by an earlier request with the same Idempotency-Key
	Event    int64 // the number of its newest event
}

// Bootstrap makes a temporary mailbox (API 3).
func (s *Service) Bootstrap(ctx context.Context, r BootstrapRequest) (Bootstrapped, error) {
	if !s.live().Bootstrap {
		return Bootstrapped{}, mailbox.Errorf(mailbox.NotFound, "bootstrap_disabled",
			"This service gives no temporary mailboxes; ask its operator for one.")
	}
	if r.IdempotencyKey != "" && !validIdempotencyKey(r.IdempotencyKey) {
		return Bootstrapped{}, mailbox.Errorf(mailbox.Invalid, "invalid_idempotency_key",
			"Idempotency-Key has 16 to 128 characters of A-Z, a-z, 0-9, dot, _, : and -.")
	}
	if err := s.room(0); err != nil { // anyone may ask, and what is left of the disk is for deletions
		return Bootstrapped{}, err
	}
	var out Bootstrapped
	err := s.update(ctx, func(tx store.Tx) (err error) {
		out, err = s.replay(ctx, tx, r)
		if errors.Is(err, store.ErrNotFound) {
			out, err = s.bootstrap(ctx, tx, r)
		}
		if err == nil {
			out.Event, _, err = tx.LastEvent(ctx, out.Num)
		}
		return err
	})
	return out, err
}

func validIdempotencyKey(k string) bool {
	return len(k) >= 16 && len(k) <= 128 &&
		strings.Trim(k, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") == ""
}

// replay finds the mailbox that an earlier request with the same key made. store.ErrNotFound: there is none, or it is
// no longer temporary.
func (s *Service) replay(ctx context.Context, tx store.Tx, r BootstrapRequest) (out Bootstrapped, err error) {
	if r.IdempotencyKey == "" {
		return out, store.ErrNotFound
	}
	var b mailbox.Bootstrap
	err = store.ErrNotFound
	for _, root := range s.roots() {
		if !errors.Is(err, store.ErrNotFound) {
			break
		}
		b, err = tx.Bootstrap(ctx, bootstrapDigest(root, r))
		out.Replayed, out.Key = true, bootstrapKey(root, b.Salt, r)
	}
	if err != nil {
		return out, err
	}
	if out.Mailbox, err = tx.Mailbox(ctx, b.Mailbox); err != nil {
		return out, err
	}
	if out.Expired(s.now()) || out.Scope != mailbox.Provisional {
		return out, store.ErrNotFound
	}
	_, err = tx.KeyByDigest(ctx, out.Key.Digest())
	return out, err
}

// bootstrap makes a new temporary mailbox.
func (s *Service) bootstrap(ctx context.Context, tx store.Tx, r BootstrapRequest) (out Bootstrapped, err error) {
	if err := s.spend(ctx, tx, r.Client); err != nil {
		return out, err
	}
	var salt [16]byte
	_, _ = rand.Read(salt[:]) // never fails since Go 1.24
	out.Key = mailbox.NewSecret()
	if r.IdempotencyKey != "" {
		out.Key = bootstrapKey(s.secrets().root, salt, r)
	}
	for taken := true; taken; {
		out.Mailbox = s.newBox(temporaryName() + "@" + s.opt.Domains[0])
		out.Scope, out.ExpiresAt = mailbox.Provisional, out.CreatedAt.Add(s.opt.Limits.ProvisionalTTL)
		out.Num, err = tx.InsertMailbox(ctx, out.Mailbox)
		taken = errors.Is(err, store.ErrTaken)
	}
	if err != nil {
		return out, err
	}
	key := s.newKey(out.Num, out.Key)
	key.Scope, key.ExpiresAt = mailbox.Provisional, out.ExpiresAt
	if err := tx.InsertKey(ctx, key); err != nil || r.IdempotencyKey == "" {
		return out, err
	}
	return out, tx.InsertBootstrap(ctx, mailbox.Bootstrap{Digest: bootstrapDigest(s.secrets().root, r),
		Mailbox: out.Num,
		Salt:    salt})
}

func temporaryName() string { return randomName("agent-") }

func randomName(prefix string) string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return prefix + hex.EncodeToString(b[:])
}

// bootstrapDigest is what a request is found by: the same key of another client is another request.
func bootstrapDigest(root mailbox.Secret, r BootstrapRequest) [32]byte {
	return derive(root, "bootstrap", r.Client.String(), r.IdempotencyKey)
}

// bootstrapKey is the API key of a mailbox that can be asked for again. It takes the caller's own Idempotency-Key,
// which is not stored, to derive it.
func bootstrapKey(root mailbox.Secret, salt [16]byte, r BootstrapRequest) mailbox.Secret {
	return mailbox.SecretOf(derive(root, "bootstrap key", string(salt[:]), r.IdempotencyKey))
}

// roots are the root secrets that something may have been made with: the one in force, and while it is being changed
// the one before.
func (s *Service) roots() []mailbox.Secret {
	k := s.secrets()
	if k.rootOld == "" {
		return []mailbox.Secret{k.root}
	}
	return []mailbox.Secret{k.root, k.rootOld}
}

// Roots are the root secrets that something may have been made with, the one in force first.
func (s *Service) Roots() []mailbox.Secret { return s.roots() }

// derive makes a secret from a root secret and what it is for.
func derive(root mailbox.Secret, purpose string, parts ...string) (sum [32]byte) {
	mac := hmac.New(sha256.New, []byte(root))
	for _, p := range append([]string{purpose}, parts...) {
		mac.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		mac.Write([]byte(p))
	}
	mac.Sum(sum[:0])
	return sum
}

// spend counts a request against what its client and the deployment may make in a UTC day.
func (s *Service) spend(ctx context.Context, tx store.Tx, client netip.Addr) error {
	day := utcDay(s.now())
	if c, limit := clientQuota(client), int64(s.live().BootstrapClientLimit); c != "" {
		used, err := tx.Spent(ctx, day, c)
		if err == nil && limit > 0 && used >= limit {
			err = s.spentLimited(day, "provisional_daily_limit",
				"Too many mailboxes were asked for from this address today; try again tomorrow (UTC).")
		}
		if err == nil {
			err = tx.Spend(ctx, day, c)
		}
		if err != nil {
			return err
		}
	}
	all := partedLimit{"", int64(s.live().BootstrapTotalLimit)}
	if all.limit == 0 {
		return nil
	}
	part, ok := s.fullParts.pick(all, day, mathrand.N(all.parts()))
	if !ok {
		return s.spentLimited(day, "global_bootstrap_limit",
			"This service has given out as many mailboxes as it does in a day; try again tomorrow (UTC).")
	}
	used, err := tx.Spent(ctx, day, all.part(part))
	if err == nil && used >= all.share(part) {
		s.fullParts.note(all, day, part, day)
		err = errPartFull
	}
	if err != nil {
		return err
	}
	return tx.Spend(ctx, day, all.part(part))
}

func (s *Service) spentLimited(day int64, code, message string) error {
	return &mailbox.Error{Kind: mailbox.Limited, Code: code, Message: message, RetryAfter: dayEnd(day).Sub(s.now())}
}

// utcDay numbers the UTC day of t.
func utcDay(t time.Time) int64 { return t.Unix() / 86400 }

// clientQuota names the quota of a client. One on this machine has none of its own.
func clientQuota(client netip.Addr) string {
	if client.Unmap().IsLoopback() {
		return ""
	}
	return clientNetwork(client)
}

// clientNetwork names what a client is counted as: its address, in IPv6 its network, of which one host has all
// addresses. All that are not known are one.
func clientNetwork(client netip.Addr) string {
	client = client.Unmap().WithZone("")
	switch {
	case !client.IsValid():
		return "unknown"
	case client.Is6():
		network, _ := client.Prefix(64) // never fails
		return network.String()
	}
	return client.String()
}
