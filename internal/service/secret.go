package service

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
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
	hooks      mailbox.Secret // see hookPair
	hooksOld   mailbox.Secret
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
	after := slices.DeleteFunc(slices.Clone(all), func(one mailbox.KnownSecret) bool {
		return slices.ContainsFunc(fresh, func(k mailbox.KnownSecret) bool {
			return k.Name == one.Name && k.Digest == one.Digest
		})
	})
	return append(fresh, s.unknownHooks(append(after, fresh...))...)
}

// unknownHooks is what is to be noted of that which the webhooks' secrets of mailboxes are derived from: at the first
// start, and where the root secret was changed by hand.
func (s *Service) unknownHooks(all []mailbox.KnownSecret) (fresh []mailbox.KnownSecret) {
	k, err := s.newKeyring(all, s.configuredSecrets())
	if err != nil {
		return nil // the start says so
	}
	root, ok := inForce(all, mailbox.SecretRoot)
	if !ok || root.Digest != secretDigest(mailbox.SecretRoot, k.root) {
		return nil // what belongs to another root secret is not overwritten
	}
	list := slices.DeleteFunc(slices.Clone(all), func(one mailbox.KnownSecret) bool {
		return one.Name != mailbox.SecretHooks || len(one.Sealed) == 0 || openSecret(one, k.root) != ""
	})
	if _, ok := inForce(all, mailbox.SecretHooks); !ok {
		pair := hookPair(k.root, k.webhook)
		list = append(list, mailbox.KnownSecret{Name: mailbox.SecretHooks, MadeAt: s.now(),
			Digest: secretDigest(mailbox.SecretHooks, pair)})
		k.hooks = pair
	}
	for _, one := range list {
		value := k.hooks
		if !one.InForce() {
			value = k.hooksOld
		}
		if one.Sealed, err = sealSecret(k.root, one, value); err == nil && value != "" {
			fresh = append(fresh, one)
		}
	}
	return fresh
}

// hookPair is what the secrets of mailboxes' webhooks are derived from, as one text.
func hookPair(root, webhook mailbox.Secret) mailbox.Secret { return root + "\n" + webhook }

func (s *Service) configuredSecrets() map[mailbox.SecretName]mailbox.Secret {
	return map[mailbox.SecretName]mailbox.Secret{mailbox.SecretToken: s.opt.Operator, mailbox.SecretRoot: s.opt.Root,
		mailbox.SecretWebhook: s.opt.WebhookSecret}
}

// ReplacedError is a setting, or a file, with a secret that is not taken any more.
type ReplacedError struct {
	Name  mailbox.SecretName
	Place string // that it comes from
	At    time.Time
}

func (e *ReplacedError) Error() string {
	return fmt.Sprintf("the %s secret in %s was replaced and has ended (%s): put the one there that has replaced it",
		e.Name, e.Place, e.At.Format(time.RFC3339))
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
	hooks, _ := inForce(all, mailbox.SecretHooks)
	k.hooks = openSecret(hooks, k.root, k.rootOld)
	if old, ok := replaced(all, mailbox.SecretHooks, s.now()); ok {
		k.hooksOld = openSecret(old, k.root, k.rootOld)
	}
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
			return "", "", &ReplacedError{Name: name, Place: s.secretPlace(name), At: k.EndsAt}
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
	k, err := s.currentKeyring(all)
	if err != nil {
		return err
	}
	if was := s.secrets(); was.root != k.root {
		defer s.signers.Clear()
	}
	s.keyring.Store(k)
	return nil
}

// currentKeyring is the keyring in use with what the store has now.
func (s *Service) currentKeyring(all []mailbox.KnownSecret) (*keyring, error) {
	was := s.secrets()
	k, err := s.newKeyring(all, was.configured)
	var ended *ReplacedError
	if errors.As(err, &ended) { // of the settings, which a start must not use; what is known goes on
		k, err = &keyring{configured: was.configured, root: was.root, webhook: was.webhook, hooks: was.hooks,
			hooksOld: was.hooksOld, known: all}, nil
	}
	return k, err
}

// SecretState is a secret of the deployment as the operator sees it.
type SecretState struct {
	Name     mailbox.SecretName
	InFile   bool      // it is kept in the data folder, or in the store; otherwise the settings have it
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
				return k.Name == name && k.Digest == digest
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
	return s.opt.SecretFiles[name] != "" || name == mailbox.SecretHooks
}

// secretSettings are the variables that secrets may come from.
var secretSettings = map[mailbox.SecretName]string{mailbox.SecretToken: "AUTH_TOKEN",
	mailbox.SecretRoot: "MAILKIN_SECRET", mailbox.SecretWebhook: "WEBHOOK_SECRET"}

// secretPlace says where a secret comes from.
func (s *Service) secretPlace(name mailbox.SecretName) string {
	if s.inFile(name) {
		return "the file " + s.opt.SecretFiles[name]
	}
	return secretSettings[name]
}
