package service

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// NewSecret is a secret that has just replaced another.
type NewSecret struct {
	SecretState
	Value      mailbox.Secret // shown once; empty: it is in the data folder and nobody needs to know it
	Unfinished bool           // what follows is still to be done, and is tried again
}

// Next is what is left to do for the operator.
func (n NewSecret) Next() string {
	if n.Unfinished {
		return "What follows from it is not finished, and the server's log says why: it is tried again by itself. " +
			n.next()
	}
	return n.next()
}

func (n NewSecret) next() string {
	until := n.OldUntil.Format(time.RFC3339)
	change := "Set " + secretSettings[n.Name] + " to it on every node before the next start. "
	if n.InFile {
		change = ""
	}
	switch {
	case n.Name == mailbox.SecretToken:
		return change + "Give the new token to everybody who uses it: the one before is taken until " + until + "."
	case n.Name == mailbox.SecretWebhook:
		return change + "Have every receiver accept both secrets: X-Webhook-Signature is made with the one before until " +
			until + ", and with the new one after that."
	case n.Name == mailbox.SecretHooks:
		return "Have the owner of every webhook fetch the new secret (mailkin webhook secret): events are signed with " +
			"both until " + until + "."
	case n.InFile:
		return "What was made with the one before is taken until " + until + ", and ends by itself then."
	}
	return change + "What was made with the one before is taken until you end it with \"mailkin secret end root\", which " +
		"is safe from " + until + " on and when every node has the new setting."
}

var (
	errNoSecret = mailbox.Errorf(mailbox.NotFound, "not_found",
		"There is no such secret: it is token, root, webhook or mailbox-webhooks.")
	errNotRotating = mailbox.Errorf(mailbox.Conflict, "no_rotation", "Nothing is to be ended: only one secret counts.")
)

func rotating(name mailbox.SecretName) error {
	return mailbox.Errorf(mailbox.Conflict, "rotation_open", "The %s secret was replaced not long ago, and the one "+
		"before still counts. When everybody has the new one, end that with \"mailkin secret end %s\"; then it can "+
		"be replaced again.", name, name)
}

// RotateSecret replaces a secret of the deployment: wholly, or not at all. The one before is taken until the overlap is
// over.
func (s *Service) RotateSecret(ctx context.Context, in Access, name mailbox.SecretName,
	overlap time.Duration) (NewSecret, error) {
	if !slices.Contains(mailbox.SecretNames(), name) {
		return NewSecret{}, errNoSecret
	}
	if overlap == 0 {
		overlap = overlapOf(name)
	}
	if overlap < 0 || overlap > maxOverlap {
		return NewSecret{}, mailbox.InvalidField("overlap", "overlap is a length of time up to %s, such as 24h.",
			maxOverlap)
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	value := mailbox.Secret(hex.EncodeToString(random[:]))
	switch name {
	case mailbox.SecretToken:
		value = mailbox.SecretOf(random)
	case mailbox.SecretHooks:
		value = hookPair(value, "")
	}
	s.rotation.Lock() // a second one finds the first done
	defer s.rotation.Unlock()
	if err := s.keepable(name); err != nil {
		return NewSecret{}, err
	}
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Secrets(ctx)
		if err != nil {
			return err
		}
		if err := s.replaceSecret(ctx, tx, all, name, value, overlap); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, "", string(name)+": the one before is taken for "+overlap.String()))
	})
	if err != nil {
		return NewSecret{}, err
	}
	s.log.Info("a secret was replaced", "secret", string(name), "overlap", overlap.String())
	done := s.secretsChanged(ctx)
	made := s.newSecret(name, value)
	made.Unfinished = !done
	return made, nil
}

// keepable makes sure that the file of a secret can be written, by writing to it what it has.
func (s *Service) keepable(name mailbox.SecretName) error {
	value := s.secrets().configured[name]
	if s.opt.SecretFiles[name] == "" || value == "" {
		return nil
	}
	if err := s.opt.KeepSecret(name, value); err != nil {
		return s.notKept(name, err)
	}
	return nil
}

func (s *Service) notKept(name mailbox.SecretName, err error) error {
	e := mailbox.Errorf(mailbox.Conflict, "secret_not_kept", "Nothing was changed: %s cannot be written. Let the "+
		"server's user write to its folder, make room on its disk, and do this again.", s.secretPlace(name))
	e.Err = err
	return e
}

// replaceSecret notes that a secret is in force from now on.
func (s *Service) replaceSecret(ctx context.Context, tx store.Tx, all []mailbox.KnownSecret, name mailbox.SecretName,
	value mailbox.Secret, overlap time.Duration) (err error) {
	now := s.now()
	k, err := s.currentKeyring(all)
	if err != nil {
		return err
	}
	was, ok := inForce(all, name)
	if !ok || name == mailbox.SecretRoot && was.Digest != secretDigest(name, k.root) {
		return mailbox.Errorf(mailbox.Conflict, "unknown_secret", "This deployment does not know the %s secret in %s: "+
			"compare it with the earlier one (mailkin doctor).", name, s.secretPlace(name))
	}
	if _, open := replaced(all, name, now); open && name != mailbox.SecretToken {
		return rotating(name)
	}
	next := mailbox.KnownSecret{Name: name, Digest: secretDigest(name, value), MadeAt: now}
	was.EndsAt = now.Add(overlap)
	// The new root secret opens the one before, and the other way round; all others are opened by the root secret.
	opensNext, opensOld, old := k.root, k.root, k.webhook
	switch name {
	case mailbox.SecretToken:
		if err := s.endTokens(ctx, tx, all, was.EndsAt); err != nil {
			return err
		}
		if was.Sealed = nil; s.inFile(name) {
			next.Sealed, err = sealSecret(opensNext, next, value)
		}
		return errors.Join(err, tx.PutSecret(ctx, was), tx.PutSecret(ctx, next))
	case mailbox.SecretHooks:
		old = k.hooks
	case mailbox.SecretRoot:
		opensOld, old = value, k.root
		if err := s.resealSecrets(ctx, tx, k, value); err != nil {
			return err
		}
	}
	if next.Sealed, err = sealSecret(opensNext, next, value); err == nil {
		was.Sealed, err = sealSecret(opensOld, was, old)
	}
	return errors.Join(err, tx.PutSecret(ctx, was), tx.PutSecret(ctx, next))
}

// endTokens has tokens of earlier rotations end with the one that is replaced now, at the latest.
func (s *Service) endTokens(ctx context.Context, tx store.Tx, all []mailbox.KnownSecret, at time.Time) error {
	for _, k := range all {
		if k.Name == mailbox.SecretToken && !k.InForce() && k.EndsAt.After(at) {
			k.EndsAt = at
			if err := tx.PutSecret(ctx, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// resealSecrets encrypts the other secrets, as far as the store has them, with a new root secret.
func (s *Service) resealSecrets(ctx context.Context, tx store.Tx, ring *keyring, root mailbox.Secret) error {
	for _, k := range ring.known {
		value := openSecret(k, ring.root, ring.rootOld)
		if k.Name == mailbox.SecretRoot || value == "" {
			continue
		}
		var err error
		if k.Sealed, err = sealSecret(root, k, value); err == nil {
			err = tx.PutSecret(ctx, k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// secretsChanged does what follows when a secret was replaced or has ended: here, and on the other nodes. What could
// not be done is tried again by Trim, Refresh and the next start.
func (s *Service) secretsChanged(ctx context.Context) (done bool) {
	ctx = context.WithoutCancel(ctx) // what is begun is carried through
	err := s.loadSecrets(ctx)
	s.wake(wake.Changed, 0)
	if err == nil {
		err = errors.Join(s.keepSecrets(), s.reencrypt(ctx))
	}
	if err != nil {
		s.log.Error("what follows when a secret was replaced is not finished, and is tried again", "error", err)
	}
	return err == nil
}

// reencrypt encrypts with the root secret in force what was encrypted with the one before.
func (s *Service) reencrypt(ctx context.Context) error {
	if err := s.resealDomains(ctx); err != nil {
		return err
	}
	if s.opt.Reencrypt != nil {
		if err := s.opt.Reencrypt(ctx); err != nil {
			return err
		}
	}
	return s.claimBlobs(ctx)
}

func (s *Service) newSecret(name mailbox.SecretName, value mailbox.Secret) (made NewSecret) {
	for _, one := range s.secretStates() {
		if one.Name == name {
			made.SecretState = one
		}
	}
	if name != mailbox.SecretHooks && (name != mailbox.SecretRoot || !made.InFile) {
		made.Value = value
	}
	return made
}

// EndSecret has a secret that was replaced count no longer, before its time.
func (s *Service) EndSecret(ctx context.Context, in Access, name mailbox.SecretName) (SecretState, error) {
	if !slices.Contains(mailbox.SecretNames(), name) {
		return SecretState{}, errNoSecret
	}
	if err := s.endSecret(ctx, name, func(tx store.Tx) error {
		return tx.AppendAudit(ctx, s.audited(in, "", string(name)))
	}); err != nil {
		return SecretState{}, err
	}
	return s.newSecret(name, "").SecretState, nil
}

func (s *Service) endSecret(ctx context.Context, name mailbox.SecretName, note func(store.Tx) error) error {
	if err := s.loadSecrets(ctx); err != nil {
		return err
	}
	if err := s.keepSecrets(); err != nil { // a start would find the one before
		return s.notKept(name, err)
	}
	current, _ := inForce(s.secrets().known, name)
	if name != mailbox.SecretToken && !s.inFile(name) && current.Digest != secretDigest(name,
		s.secrets().configured[name]) {
		return mailbox.Errorf(mailbox.Conflict, "settings_behind",
			"The settings of this node still have the secret of "+
				"before, so it could not start again: set the new one on every node first.")
	}
	if err := s.reencrypt(ctx); err != nil {
		return err
	}
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Secrets(ctx)
		ended := false
		for _, k := range all {
			if err != nil || k.Name != name {
				continue
			}
			open := !k.InForce() && (k.Taken(s.now()) || len(k.Sealed) > 0)
			if !open && len(k.Sealed) == 0 {
				continue
			}
			ended = ended || open
			if open && k.Taken(s.now()) {
				k.EndsAt = s.now()
			}
			if !k.InForce() || name != mailbox.SecretHooks { // nobody else has that one
				k.Sealed = nil
			}
			err = tx.PutSecret(ctx, k)
		}
		if err == nil && !ended {
			err = errNotRotating
		}
		if err != nil {
			return err
		}
		return note(tx)
	})
	if err != nil {
		return err
	}
	s.log.Info("a secret that was replaced has ended", "secret", string(name))
	s.secretsChanged(ctx)
	return nil
}

// endSecrets ends those that were replaced and whose time is over, where the new ones are in the data folder. Where the
// settings have them, somebody has to say that those of every node are changed.
func (s *Service) endSecrets(ctx context.Context) error {
	now := s.now()
	if err := s.keepSecrets(); err != nil {
		return err
	}
	for _, name := range mailbox.SecretNames() {
		old, open := replaced(s.secrets().known, name, now)
		if !open || old.Taken(now) || !s.inFile(name) {
			continue
		}
		err := s.endSecret(ctx, name, func(tx store.Tx) error {
			return tx.AppendAudit(ctx, mailbox.Audit{At: now, Action: "secret ended", Note: string(name)})
		})
		if err != nil && !errors.Is(err, errNotRotating) {
			return err
		}
	}
	return nil
}
