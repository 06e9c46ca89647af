package acme

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
)

// Storage is where certificates, their keys and the account are kept.
type Storage = certmagic.Storage

// Folder is a storage for one node. Files in it are nobody else's to read.
func Folder(path string) Storage { return &certmagic.FileStorage{Path: path} }

// KV is a table that all nodes share. Keys are paths without a slash at either end. All methods may be called at the
// same time; what one has stored all others see from then on.
type KV interface {
	// Load returns a value, or fs.ErrNotExist.
	Load(ctx context.Context, key string) ([]byte, error)
	// Store puts a value in the place of what was there.
	Store(ctx context.Context, key string, value []byte) error
	// Delete removes the key and every key under it; that there is none is no error.
	Delete(ctx context.Context, key string) error
	// List returns every key under the prefix, sorted: of "a" these are "a/b" and "a/b/c", neither "a" nor "ab".
	List(ctx context.Context, prefix string) ([]string, error)
	// Stat returns the length of a value and when it was stored, or fs.ErrNotExist.
	Stat(ctx context.Context, key string) (size int64, changed time.Time, err error)
	// Lease takes what for holder, or goes on having it, for ttl; ok is false where another has it. The fence is not
	// needed here.
	Lease(ctx context.Context, what, holder string, ttl time.Duration) (fence int64, ok bool, err error)
	// Unlease gives it back. It is no error that holder does not have it.
	Unlease(ctx context.Context, what, holder string) error
}

// shared is a Storage over a KV.
type shared struct {
	kv      KV
	secrets func() [][]byte
	log     *slog.Logger

	mu   sync.Mutex
	held map[string]*lease // by name
}

// Shared is a storage for several nodes. What it keeps is encrypted with a key made from the first of the deployment's
// secrets. What was encrypted with another of them can be read, and is re-encrypted then.
func Shared(kv KV, secrets func() [][]byte, log *slog.Logger) Storage {
	return &shared{kv: kv, secrets: secrets, log: log, held: map[string]*lease{}}
}

// Reencrypt encrypts everything that a shared storage keeps with the secret in force.
func Reencrypt(ctx context.Context, storage Storage) error {
	keys, err := storage.List(ctx, "", true)
	for _, key := range keys {
		if _, loadErr := storage.Load(ctx, key); !errors.Is(loadErr, fs.ErrNotExist) {
			err = errors.Join(err, loadErr)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sealOverhead is how much longer encryption makes a value: a nonce of 12 bytes and a tag of 16.
const sealOverhead = 12 + 16

func newAEAD(secret []byte) (cipher.AEAD, error) {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("certificates"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		return nil, fmt.Errorf("shared certificates: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("shared certificates: %w", err)
	}
	return aead, nil
}

func (s *shared) Store(ctx context.Context, key string, value []byte) error {
	aead, err := newAEAD(s.secrets()[0])
	if err != nil {
		return err
	}
	return s.kv.Store(ctx, key, aead.Seal(nil, nil, value, []byte(key)))
}

// Load takes what another secret has encrypted for nothing, so that it is requested again.
func (s *shared) Load(ctx context.Context, key string) ([]byte, error) {
	sealed, err := s.kv.Load(ctx, key)
	if err != nil {
		return nil, err
	}
	for i, secret := range s.secrets() {
		aead, err := newAEAD(secret)
		if err != nil {
			return nil, err
		}
		value, err := aead.Open(nil, nil, sealed, []byte(key))
		switch {
		case err != nil:
			continue
		case i > 0:
			err = s.Store(ctx, key, value)
		}
		return value, err
	}
	s.log.Warn("a certificate was kept with another secret and is requested again", "key", key)
	return nil, fmt.Errorf("open %s: %w", key, fs.ErrNotExist)
}

func (s *shared) Delete(ctx context.Context, key string) error { return s.kv.Delete(ctx, key) }

// Exists agrees with Load: what cannot be read is not there.
func (s *shared) Exists(ctx context.Context, key string) bool {
	if _, err := s.Load(ctx, key); !errors.Is(err, fs.ErrNotExist) {
		return err == nil
	}
	under, err := s.kv.List(ctx, key)
	return err == nil && len(under) > 0
}

// List returns the keys right under a path, of values and of paths; or all values under it.
func (s *shared) List(ctx context.Context, path string, recursive bool) ([]string, error) {
	keys, err := s.kv.List(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("list %s: %w", path, fs.ErrNotExist)
	}
	if recursive {
		return keys, nil
	}
	start := 0
	if path != "" {
		start = len(path) + 1
	}
	for i, key := range keys {
		if end := strings.IndexByte(key[start:], '/'); end >= 0 {
			keys[i] = key[:start+end]
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

func (s *shared) Stat(ctx context.Context, key string) (certmagic.KeyInfo, error) {
	size, changed, err := s.kv.Stat(ctx, key)
	if err == nil {
		return certmagic.KeyInfo{Key: key, Modified: changed, Size: max(0, size-sealOverhead),
			IsTerminal: true}, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if under, listErr := s.kv.List(ctx, key); listErr == nil && len(under) > 0 {
			return certmagic.KeyInfo{Key: key}, nil
		}
	}
	return certmagic.KeyInfo{}, err
}
