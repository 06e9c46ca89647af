package service

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Secrets of the deployment are replaced while it serves. The store knows which one is in force: that is what nodes
// agree on, and one transaction is all that a rotation consists of. Everything after it is repeated by the next start
// where it was interrupted: the file in the data folder, and what lies encrypted with the root secret of before.
//
// A root secret and the one before are each encrypted with the other for as long as both count, so a node with either
// of them in its settings knows both. See docs/decisions/0047-secrets-are-replaced-in-the-store.md.

// How long a secret that was replaced is taken by default.
const (
	tokenOverlap = 24 * time.Hour
	// rootOverlap is how long bounces of earlier mail may come to return paths that were signed with it.
	rootOverlap = 7 * 24 * time.Hour
	maxOverlap  = 90 * 24 * time.Hour
)

func overlapOf(name mailbox.SecretName) time.Duration {
	if name == mailbox.SecretToken {
		return tokenOverlap
	}
	return rootOverlap
}

// keyring is the secrets as the store and the settings have them. It is not changed once it is made.
type keyring struct {
	configured map[mailbox.SecretName]mailbox.Secret // what the settings and the files of the data folder have
	root       mailbox.Secret
	rootOld    mailbox.Secret // empty: nothing was made with another one
	webhook    mailbox.Secret
	webhookOld mailbox.Secret
	known      []mailbox.KnownSecret
}

// secrets returns the keyring in use.
func (s *Service) secrets() *keyring {
	if k := s.keyring.Load(); k != nil {
		return k
	}
	return &keyring{configured: s.configuredSecrets(), root: s.opt.Root, rootOld: s.opt.RootOld,
		webhook: s.opt.WebhookSecret}
}

func findSecret(all []mailbox.KnownSecret, is func(mailbox.KnownSecret) bool) (mailbox.KnownSecret, bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return mailbox.KnownSecret{}, false
}

// inForce finds the secret of a name that is in force.
func inForce(all []mailbox.KnownSecret, name mailbox.SecretName) (mailbox.KnownSecret, bool) {
	return findSecret(all, func(one mailbox.KnownSecret) bool { return one.Name == name && one.InForce() })
}

// replaced finds the secret of a name that still counts beside the one in force.
func replaced(all []mailbox.KnownSecret, name mailbox.SecretName, now time.Time) (mailbox.KnownSecret, bool) {
	return findSecret(all, func(one mailbox.KnownSecret) bool {
		return one.Name == name && !one.InForce() && (one.Taken(now) || len(one.Sealed) > 0)
	})
}

// isOperator tells whether a token is the operator's: the one of the settings, unless it was replaced, and those that
// the store knows.
func (s *Service) isOperator(token mailbox.Secret) bool {
	k, given, now := s.secrets(), token.Digest(), s.now()
	is := func(digest [32]byte) bool { return subtle.ConstantTimeCompare(given[:], digest[:]) == 1 }
	yes, listed := false, false
	for _, one := range k.known {
		if one.Name == mailbox.SecretToken && is(one.Digest) {
			listed, yes = true, one.Taken(now)
		}
	}
	own := k.configured[mailbox.SecretToken]
	return yes || !listed && own != "" && is(own.Digest())
}

// secretDigest is what the store keeps of a secret. A root secret's must not help to guess what is derived from it.
func secretDigest(name mailbox.SecretName, value mailbox.Secret) [32]byte {
	if name == mailbox.SecretToken {
		return value.Digest()
	}
	return derive(value, "digest of the "+string(name)+" secret")
}

// sealSecret encrypts a secret with another.
func sealSecret(with mailbox.Secret, k mailbox.KnownSecret, value mailbox.Secret) ([]byte, error) {
	a, err := aead(with)
	if err != nil {
		return nil, err
	}
	return a.Seal(nil, nil, []byte(value), secretLabel(k)), nil
}

// openSecret returns a secret that was encrypted with one of those given; empty: with none of them.
func openSecret(k mailbox.KnownSecret, with ...mailbox.Secret) mailbox.Secret {
	for _, w := range with {
		if a, err := aead(w); err == nil && len(k.Sealed) > 0 && w != "" {
			if text, err := a.Open(nil, nil, k.Sealed, secretLabel(k)); err == nil {
				return mailbox.Secret(text)
			}
		}
	}
	return ""
}

func secretLabel(k mailbox.KnownSecret) []byte { return append([]byte(k.Name), k.Digest[:]...) }

// openSecrets finds out which secrets are in force, at a start: those of the settings, or those that have replaced them
// since. What is new is noted.
func (s *Service) openSecrets(ctx context.Context) error {
	var all []mailbox.KnownSecret
	read := func(r store.Reader) (err error) {
		all, err = r.Secrets(ctx)
		return err
	}
	if err := s.view(ctx, read); err != nil {
		return err
	}
	if fresh := s.unknownSecrets(all); len(fresh) > 0 {
		err := s.update(ctx, func(tx store.Tx) error {
			if err := read(tx); err != nil {
				return err
			}
			for _, k := range s.unknownSecrets(all) {
				if err := tx.PutSecret(ctx, k); err != nil {
					return err
				}
			}
			return read(tx)
		})
		if err != nil {
			return err
		}
	}
	k, err := s.newKeyring(all, s.configuredSecrets())
	if err != nil {
		return err
	}
	s.keyring.Store(k)
	return s.keepSecrets()
}

// unknownSecrets lists what is to be noted of secrets that the settings have and the store does not know: they are in
// force from now on. A token of before ends then; where other nodes may still have it, after the time that a rotation
// gives. A root secret that has no connection with the one before is not noted: it may be a mistake.
func (s *Service) unknownSecrets(all []mailbox.KnownSecret) (fresh []mailbox.KnownSecret) {
	now := s.now()
	for name, value := range s.configuredSecrets() {
		digest := secretDigest(name, value)
		if _, ok := findSecret(all, func(k mailbox.KnownSecret) bool {
			return k.Name == name && k.Digest == digest
		}); ok || value == "" {
			continue
		}
		was, before := inForce(all, name)
		if before && name == mailbox.SecretRoot && was.Digest != secretDigest(name, s.opt.RootOld) {
			continue
		}
		if before {
			was.EndsAt, was.Sealed = now, nil
			if name == mailbox.SecretToken && !s.opt.Alone {
				was.EndsAt = now.Add(tokenOverlap)
			}
			fresh = append(fresh, was)
		}
		fresh = append(fresh, mailbox.KnownSecret{Name: name, Digest: digest, MadeAt: now})
	}
	return fresh
}

func (s *Service) configuredSecrets() map[mailbox.SecretName]mailbox.Secret {
	return map[mailbox.SecretName]mailbox.Secret{mailbox.SecretToken: s.opt.Operator, mailbox.SecretRoot: s.opt.Root,
		mailbox.SecretWebhook: s.opt.WebhookSecret}
}

// ReplacedError is a setting with a secret that is not taken any more.
type ReplacedError struct {
	Name mailbox.SecretName
	At   time.Time
}

func (e *ReplacedError) Error() string {
	return fmt.Sprintf("the %s secret that is set was replaced and has ended (%s): set it to the one that has "+
		"replaced it", e.Name, e.At.Format(time.RFC3339))
}

// newKeyring puts together what the settings and the store say.
func (s *Service) newKeyring(all []mailbox.KnownSecret,
	configured map[mailbox.SecretName]mailbox.Secret) (*keyring, error) {
	k := &keyring{configured: configured, known: all}
	root := configured[mailbox.SecretRoot]
	var err error
	if k.root, k.rootOld, err = s.both(all, mailbox.SecretRoot, root, root); err != nil {
		return nil, err
	}
	if s.opt.RootOld != "" && k.rootOld == "" && s.opt.RootOld != k.root {
		k.rootOld = s.opt.RootOld
	}
	k.webhook, k.webhookOld, err = s.both(all, mailbox.SecretWebhook, configured[mailbox.SecretWebhook], k.root,
		k.rootOld)
	return k, err
}

// both returns the secret of a name in force, and the one before it as long as that counts. What the store has of them
// is encrypted with one of those given, or with the one in force.
func (s *Service) both(all []mailbox.KnownSecret, name mailbox.SecretName, configured mailbox.Secret,
	with ...mailbox.Secret) (now, before mailbox.Secret, err error) {
	now = configured
	current, ok := inForce(all, name)
	if configured == "" || !ok {
		return now, "", nil
	}
	if digest := secretDigest(name, configured); current.Digest != digest {
		k, listed := findSecret(all, func(k mailbox.KnownSecret) bool { return k.Name == name && k.Digest == digest })
		next := openSecret(current, with...)
		switch {
		case next != "":
			return next, configured, nil
		case listed && s.opt.RootOld == "":
			return "", "", &ReplacedError{Name: name, At: k.EndsAt}
		}
		return now, "", nil // the settings are another deployment's, or are being changed by hand
	}
	if old, ok := replaced(all, name, s.now()); ok {
		before = openSecret(old, append(with, now)...)
	}
	return now, before, nil
}

// keepSecrets writes secrets that have replaced those in files of the data folder to these files, where that has not
// been done.
func (s *Service) keepSecrets() error {
	s.keyringChange.Lock()
	defer s.keyringChange.Unlock()
	k := s.secrets()
	files := maps.Clone(k.configured)
	current, _ := inForce(k.known, mailbox.SecretToken)
	for name, value := range map[mailbox.SecretName]mailbox.Secret{mailbox.SecretRoot: k.root,
		mailbox.SecretToken: openSecret(current, k.root, k.rootOld), mailbox.SecretWebhook: k.webhook} {
		if value == "" || value == files[name] || !s.inFile(name) {
			continue
		}
		if err := s.opt.KeepSecret(name, value); err != nil {
			return fmt.Errorf("keep the %s secret: %w", name, err)
		}
		files[name] = value
	}
	next := *k
	next.configured = files
	s.keyring.Store(&next)
	return nil
}

// loadSecrets reads again which secrets are in force: another node may have replaced one.
func (s *Service) loadSecrets(ctx context.Context) error {
	s.keyringChange.Lock()
	defer s.keyringChange.Unlock()
	var all []mailbox.KnownSecret
	err := s.view(ctx, func(r store.Reader) (err error) {
		all, err = r.Secrets(ctx)
		return err
	})
	if err != nil {
		return err
	}
	was := s.secrets()
	k, err := s.newKeyring(all, was.configured)
	var ended *ReplacedError
	if errors.As(err, &ended) { // of the settings, which a start must not use; what is known goes on
		k, err = &keyring{configured: was.configured, root: was.root, webhook: was.webhook, known: all}, nil
	}
	if err != nil {
		return err
	}
	s.keyring.Store(k)
	if was.root != k.root {
		s.signers.Clear()
	}
	return nil
}

// SecretState is a secret of the deployment as the operator sees it.
type SecretState struct {
	Name     mailbox.SecretName
	InFile   bool      // it is kept in the data folder; otherwise the settings have it
	MadeAt   time.Time // or first seen; zero: not known
	OldUntil time.Time // how long the one before is taken; zero: it is not
	Overdue  bool      // that time is over, and it waits for the settings of every node to have the new one
	Pending  bool      // the settings of this node have the one before
}

// Secrets lists the secrets of the deployment, and tells nothing of what they are.
func (s *Service) Secrets(_ context.Context, _ Access) ([]SecretState, error) {
	return s.secretStates(), nil
}

func (s *Service) secretStates() (list []SecretState) {
	k, now := s.secrets(), s.now()
	for _, name := range mailbox.SecretNames() {
		one := SecretState{Name: name, InFile: s.inFile(name)}
		if current, ok := inForce(k.known, name); ok {
			one.MadeAt = current.MadeAt
			digest := secretDigest(name, k.configured[name])
			_, known := findSecret(k.known, func(k mailbox.KnownSecret) bool {
				return k.Name == name &&
					k.Digest == digest
			})
			one.Pending = known && digest != current.Digest
		}
		if old, ok := replaced(k.known, name, now); ok {
			one.OldUntil, one.Overdue = old.EndsAt, !old.Taken(now)
		}
		list = append(list, one)
	}
	return list
}

func (s *Service) inFile(name mailbox.SecretName) bool {
	return slices.Contains(s.opt.SecretFiles, name)
}

// NewSecret is a secret that has just replaced another.
type NewSecret struct {
	SecretState
	Value mailbox.Secret // shown once; empty: it is in the data folder and nobody needs to know it
}

// Next is what is left to do for the operator.
func (n NewSecret) Next() string {
	until := n.OldUntil.Format(time.RFC3339)
	setting := map[mailbox.SecretName]string{mailbox.SecretToken: "AUTH_TOKEN", mailbox.SecretRoot: "MAILKIN_SECRET",
		mailbox.SecretWebhook: "WEBHOOK_SECRET"}[n.Name]
	change := "Set " + setting + " to it on every node before the next start. "
	if n.InFile {
		change = ""
	}
	switch {
	case n.Name == mailbox.SecretToken:
		return change + "Give the new token to everybody who uses it: the one before is taken until " + until + "."
	case n.Name == mailbox.SecretWebhook:
		return change + "Have every receiver accept both secrets: X-Webhook-Signature is made with the one before until " +
			until + ", and with the new one after that."
	case n.InFile:
		return "What was made with the one before is taken until " + until + ", and ends by itself then."
	}
	return change + "What was made with the one before is taken until you end it with \"mailkin secret end root\", which " +
		"is safe from " + until + " on and when every node has the new setting."
}

var (
	errNoSecret = mailbox.Errorf(mailbox.NotFound, "not_found",
		"There is no such secret: it is token, root or webhook.")
	errRotating = mailbox.Errorf(mailbox.Conflict, "rotation_open",
		"This secret was replaced not long ago, and the one "+
			"before still counts. End that first with \"mailkin secret end\".")
	errNotRotating = mailbox.Errorf(mailbox.Conflict, "no_rotation", "Nothing is to be ended: only one secret counts.")
)

// RotateSecret replaces a secret of the deployment. The one before is taken until the overlap is over.
func (s *Service) RotateSecret(ctx context.Context, in Access, name mailbox.SecretName,
	overlap time.Duration) (NewSecret,
	error) {
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
	if name == mailbox.SecretToken {
		value = mailbox.SecretOf(random)
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
	if err := s.secretsChanged(ctx); err != nil {
		return NewSecret{}, err
	}
	s.log.Info("a secret was replaced", "secret", string(name), "overlap", overlap.String())
	return s.newSecret(name, value), nil
}

// replaceSecret notes that a secret is in force from now on.
func (s *Service) replaceSecret(ctx context.Context, tx store.Tx, all []mailbox.KnownSecret, name mailbox.SecretName,
	value mailbox.Secret, overlap time.Duration) (err error) {
	now, k := s.now(), s.secrets()
	was, ok := inForce(all, name)
	if !ok || name == mailbox.SecretRoot && was.Digest != secretDigest(name, k.root) {
		return mailbox.Errorf(mailbox.Conflict, "unknown_secret",
			"The settings have a secret that this deployment does "+
				"not know: compare MAILKIN_SECRET with that of before (mailkin doctor).")
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
	case mailbox.SecretRoot:
		opensOld, old = value, k.root
		if err := s.resealSecrets(ctx, tx, all, value); err != nil {
			return err
		}
	}
	if _, open := replaced(all, name, now); open {
		return errRotating
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
func (s *Service) resealSecrets(ctx context.Context, tx store.Tx, all []mailbox.KnownSecret,
	root mailbox.Secret) error {
	for _, k := range all {
		value := openSecret(k, s.roots()...)
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

// secretsChanged does what follows when a secret was replaced or has ended: here, and on the other nodes.
func (s *Service) secretsChanged(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx) // what is begun is carried through
	if err := s.loadSecrets(ctx); err != nil {
		return err
	}
	s.wake(wake.Changed, 0)
	if err := s.keepSecrets(); err != nil {
		return err
	}
	return s.reencrypt(ctx)
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
	if name != mailbox.SecretRoot || !made.InFile {
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
			k.Sealed = nil
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
	return s.secretsChanged(ctx)
}

// endSecrets ends those that were replaced and whose time is over, where the new ones are in the data folder. Where the
// settings have them, somebody has to say that those of every node are changed.
func (s *Service) endSecrets(ctx context.Context) error {
	now := s.now()
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
