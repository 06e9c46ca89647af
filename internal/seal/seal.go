// Package seal encrypts what is kept of a mailbox with a key of its own, so that the end of the key is the end of the
// mail, wherever copies of it are (decision 54).
//
//	master key    in a file or a key service; it wraps
//	root key      one for a deployment, wrapped, beside the mailbox keys; it wraps
//	mailbox key   one for each mailbox, in a table of its own, apart from the mail
//
// The key service is asked once, when a process starts. Each record is AES-256-GCM with a random nonce, and what it is,
// whose, and which, is associated data: records cannot be exchanged for each other.
package seal

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/mailbox"
)

var (
	// ErrNoKey is that a mailbox never had a key: nothing of it is sealed.
	ErrNoKey = errors.New("the mailbox has no key")
	// ErrShredded is that the key of a mailbox was destroyed.
	ErrShredded = errors.New("the key of the mailbox was destroyed")
	// ErrLost is that mail was sealed with keys that are not there any more. No others are made in their place: the
	// keys may come back, and what is sealed meanwhile with others would be lost then.
	ErrLost = errors.New("keys that mail was encrypted with are lost")
	// ErrMaster is that the master key is not there, or not the one that the other keys were wrapped with.
	ErrMaster = errors.New("the master key")
	// ErrDamaged is that a sealed record is not what was sealed, or not in its place.
	ErrDamaged = errors.New("a sealed record is damaged or not in its place")
)

// KeySize is that of every key.
const KeySize = 32

// Table keeps wrapped keys. A nil key: there never was one; an empty one: it was destroyed. Number 0 is the root key.
type Table interface {
	Key(ctx context.Context, num mailbox.Num) ([]byte, error)
	// AddKey stores a key durably where there never was one, and else leaves what there is.
	AddKey(ctx context.Context, num mailbox.Num, wrapped []byte) error
	// Keys lists the mailboxes that have a key, and those whose key was destroyed.
	Keys(ctx context.Context) (there, destroyed []mailbox.Num, err error)
	// Shred destroys a key durably, and notes that.
	Shred(ctx context.Context, num mailbox.Num) error
	Close() error
}

// Master wraps the root key.
type Master interface {
	Wrap(ctx context.Context, key []byte) ([]byte, error)
	Unwrap(ctx context.Context, wrapped []byte) ([]byte, error)
}

// Ring has the keys of a deployment's mailboxes. Its methods may be called at the same time.
type Ring struct {
	table  Table
	root   cipher.AEAD
	digest [32]byte // of the root key
	mac    []byte   // for hashes that are the same for all mailboxes
	on     bool
	// Shredded is told of every key that was destroyed, if it is set. It must not wait.
	Shredded func(mailbox.Num)
	// Missed is told once of every mailbox whose key was needed and is lost or damaged, if it is set. It must not wait.
	Missed func(mailbox.Num)

	mu    sync.RWMutex
	known map[mailbox.Num]*key
	lost  map[mailbox.Num]bool // those that Missed was told of
}

// mostKnown bounds the keys that are kept in memory.
const mostKnown = 10_000

// Options say how the keys of a deployment are opened.
type Options struct {
	Master func() (Master, error)
	// On has new records sealed, and a root key made where there is none. Without it sealed records can be read.
	On bool
	// Digest is that of the root key that mail was sealed with before; nil: not known.
	Digest []byte
}

// Open opens the keys of a deployment. It returns nil where nothing was ever sealed and nothing is to be.
func Open(ctx context.Context, table Table, o Options) (*Ring, error) {
	wrapped, err := table.Key(ctx, 0)
	if err == nil && wrapped == nil {
		var there []mailbox.Num
		if there, _, err = table.Keys(ctx); err == nil && (o.Digest != nil || len(there) > 0) {
			err = fmt.Errorf("%w: the root key is not there", ErrLost)
		}
	}
	if err != nil || wrapped == nil && !o.On {
		return nil, err
	}
	m, err := o.Master()
	if err != nil {
		return nil, err
	}
	var root []byte
	if wrapped == nil {
		root = make([]byte, KeySize)
		rand.Read(root)
		if wrapped, err = m.Wrap(ctx, root); err == nil {
			err = table.AddKey(ctx, 0, wrapped)
		}
		if err == nil { // another node may have been faster
			wrapped, err = table.Key(ctx, 0)
		}
	}
	if err == nil {
		root, err = m.Unwrap(ctx, wrapped)
	}
	if err != nil {
		return nil, fmt.Errorf("open the keys of mailboxes: %w", err)
	}
	r := &Ring{table: table, on: o.On, known: map[mailbox.Num]*key{}, lost: map[mailbox.Num]bool{}}
	if r.root, err = newAEAD(root); err != nil {
		return nil, err
	}
	digest := hmac.New(sha256.New, root)
	digest.Write([]byte("mailkin root key"))
	r.digest = [32]byte(digest.Sum(nil))
	if r.mac, err = hkdf.Key(sha256.New, root, nil, "mailkin hashes for all", KeySize); err != nil {
		return nil, err
	}
	if o.Digest != nil && !bytes.Equal(o.Digest, r.digest[:]) {
		return nil, fmt.Errorf("%w: the root key is another one", ErrLost)
	}
	return r, nil
}

// Digest tells the root key from any other.
func (r *Ring) Digest() [32]byte { return r.digest }

// HasKey tells whether a mailbox has a key, or had one that was destroyed.
func (r *Ring) HasKey(ctx context.Context, num mailbox.Num) (bool, error) {
	_, err := r.key(ctx, num)
	switch {
	case errors.Is(err, ErrNoKey):
		return false, nil
	case errors.Is(err, ErrShredded):
		return true, nil
	}
	return true, err
}

// On tells whether new records are sealed.
func (r *Ring) On() bool { return r.on }

// Close ends the use of the keys.
func (r *Ring) Close() error { return r.table.Close() }

func newAEAD(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("a key has %d bytes, not %d", KeySize, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// NewKey makes a key for a mailbox that is being made. It is durable when NewKey returns. One that is there was left by
// an update that was undone, and is kept: no key is ever replaced.
func (r *Ring) NewKey(ctx context.Context, num mailbox.Num) error {
	_, err := r.sealing(ctx, num)
	return err
}

// Shred destroys the key of a mailbox.
func (r *Ring) Shred(ctx context.Context, num mailbox.Num) error {
	r.mu.Lock()
	delete(r.known, num)
	r.mu.Unlock()
	key, err := r.table.Key(ctx, num)
	destroy := err == nil && len(key) > 0 || errors.Is(err, ErrDamaged)
	if destroy {
		err = r.table.Shred(ctx, num)
	}
	if err != nil {
		return fmt.Errorf("destroy the key of a mailbox: %w", err)
	}
	if destroy && r.Shredded != nil {
		r.Shredded(num)
	}
	return nil
}

func (r *Ring) remember(num mailbox.Num, k *key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= mostKnown {
		clear(r.known)
	}
	r.known[num] = k
}

// key is a mailbox's, ready to use.
type key struct {
	cipher.AEAD
	mac   []byte       // for hashes that nobody else can make
	names cipher.Block // for names that are compared

	last atomic.Pointer[sealedAddress] // what was looked up last: one mail asks for its sender three times
}

// sealedAddress is an address as it is stored.
type sealedAddress struct{ local, domain, hash, name string }

func newKey(plain []byte) (*key, error) {
	aead, err := newAEAD(plain)
	if err != nil {
		return nil, err
	}
	mac, err := hkdf.Key(sha256.New, plain, nil, "mailkin hashes", KeySize)
	if err != nil {
		return nil, err
	}
	secret, err := hkdf.Key(sha256.New, plain, nil, "mailkin names", KeySize)
	if err != nil {
		return nil, err
	}
	names, err := aes.NewCipher(secret)
	return &key{AEAD: aead, mac: mac, names: names}, err
}

func (r *Ring) key(ctx context.Context, num mailbox.Num) (*key, error) {
	r.mu.RLock()
	k := r.known[num]
	r.mu.RUnlock()
	if k != nil {
		return k, nil
	}
	wrapped, err := r.table.Key(ctx, num)
	switch {
	case errors.Is(err, ErrDamaged):
		return nil, r.Lost(num, err)
	case err != nil:
		return nil, fmt.Errorf("read the key of a mailbox: %w", err)
	case wrapped == nil:
		return nil, ErrNoKey
	case len(wrapped) == 0:
		return nil, ErrShredded
	}
	plain, err := r.root.Open(nil, nil, wrapped, label("key", num, nil))
	if err != nil {
		return nil, r.Lost(num, ErrDamaged)
	}
	if k, err = newKey(plain); err == nil {
		r.remember(num, k)
	}
	return k, err
}

// Lost is the error of a mailbox whose key is lost, with what was found in its place.
func (r *Ring) Lost(num mailbox.Num, found error) error {
	r.mu.Lock()
	told := r.lost[num]
	r.lost[num] = true
	r.mu.Unlock()
	if !told && r.Missed != nil {
		r.Missed(num)
	}
	return &mailbox.Error{Kind: mailbox.KeyLost, Code: "mailbox_key_lost",
		Message: "The key that this mailbox is encrypted with is lost; an operator has to put it back, and " +
			"\"mailkin doctor\" says how.",
		Err: fmt.Errorf("%w: that of mailbox %d: %w", ErrLost, num, found)}
}

// reading is the key that sealed records of a mailbox are read with. There was one: a mailbox that has none lost it.
func (r *Ring) reading(ctx context.Context, num mailbox.Num) (*key, error) {
	k, err := r.key(ctx, num)
	if errors.Is(err, ErrNoKey) {
		err = r.Lost(num, err)
	}
	return k, err
}

// sealing is the key that new records of a mailbox are sealed with. A mailbox that has none gets one: of several that
// seal its first records at once, here or on other nodes, one makes the key, and all of them use it.
func (r *Ring) sealing(ctx context.Context, num mailbox.Num) (*key, error) {
	k, err := r.key(ctx, num)
	if !errors.Is(err, ErrNoKey) {
		return k, err
	}
	plain := make([]byte, KeySize)
	rand.Read(plain)
	if err := r.table.AddKey(ctx, num, r.root.Seal(nil, nil, plain, label("key", num, nil))); err != nil {
		return nil, fmt.Errorf("store the key of a mailbox: %w", err)
	}
	return r.key(ctx, num)
}

// ownKey is the key of a mailbox, which gets one where it has none and there is encryption.
func (r *Ring) ownKey(ctx context.Context, num mailbox.Num) (*key, error) {
	k, err := r.key(ctx, num)
	if errors.Is(err, ErrNoKey) && r.on {
		return r.sealing(ctx, num)
	}
	return k, err
}

// Hash returns a hash of a text that only those can make who have the mailbox's key: for what is looked for and never
// shown. Of a mailbox without a key, and without encryption, it is the text itself.
func (r *Ring) Hash(ctx context.Context, num mailbox.Num, text string) (string, error) {
	k, err := r.ownKey(ctx, num)
	if errors.Is(err, ErrNoKey) {
		return text, nil
	}
	if err != nil {
		return "", err
	}
	return hash(k.mac, text), nil
}

// HashForAll returns a hash of a text that is the same for all mailboxes, and that only those can make who have the
// root key. It stays when a mailbox's key is destroyed: it is for what says little about a mailbox.
func (r *Ring) HashForAll(text string) string { return hash(r.mac, text) }

// SealAddress returns the Hash of a local part, and a domain encrypted so that it looks the same each time, for a
// column that is compared: its first bytes are a keyed hash of the domain, and the rest is encrypted with a stream that
// begins with them. It tells which of a mailbox's domains are equal. Without encryption both are themselves.
func (r *Ring) SealAddress(ctx context.Context, num mailbox.Num, local, domain string) (hashed, name string,
	err error) {
	k, err := r.ownKey(ctx, num)
	if errors.Is(err, ErrNoKey) {
		return local, domain, nil
	}
	if err != nil {
		return "", "", err
	}
	if last := k.last.Load(); last != nil && last.local == local && last.domain == domain {
		return last.hash, last.name, nil
	}
	h := hmac.New(sha256.New, k.mac)
	h.Write([]byte("name\x00" + domain))
	out := append(h.Sum(nil)[:aes.BlockSize:aes.BlockSize], domain...)
	cipher.NewCTR(k.names, out[:aes.BlockSize]).XORKeyStream(out[aes.BlockSize:], out[aes.BlockSize:])
	hashed, name = hash(k.mac, local), base64.RawStdEncoding.EncodeToString(out)
	k.last.Store(&sealedAddress{strings.Clone(local), strings.Clone(domain), hashed, name})
	return hashed, name, nil
}

// OpenName reads a domain that SealAddress encrypted.
func (r *Ring) OpenName(ctx context.Context, num mailbox.Num, sealed string) (string, error) {
	k, err := r.reading(ctx, num)
	if err != nil {
		return "", err
	}
	b, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(b) < aes.BlockSize {
		return "", ErrDamaged
	}
	cipher.NewCTR(k.names, b[:aes.BlockSize]).XORKeyStream(b[aes.BlockSize:], b[aes.BlockSize:])
	return string(b[aes.BlockSize:]), nil
}

func hash(mac []byte, text string) string {
	h := hmac.New(sha256.New, mac)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// mark begins every sealed record. No packed message begins so, nor anything else that is sealed.
var mark = []byte("\x00\xe5seal\x01\x00")

// Record is what a record is, whose, and which.
type Record struct {
	Kind    string
	Mailbox mailbox.Num
	ID      []byte
}

// BySeq names a record by a number.
func BySeq(kind string, num mailbox.Num, seqs ...int64) Record {
	r := Record{Kind: kind, Mailbox: num, ID: make([]byte, 0, 8*len(seqs))}
	for _, seq := range seqs {
		r.ID = binary.BigEndian.AppendUint64(r.ID, uint64(seq))
	}
	return r
}

// ByID names a record by an id.
func ByID(kind string, num mailbox.Num, id mailbox.ID) Record { return Record{kind, num, id[:]} }

// label is the associated data of a record.
func label(kind string, num mailbox.Num, id []byte) []byte {
	b := append(append(make([]byte, 0, len(kind)+9+len(id)), kind...), 0)
	b = binary.BigEndian.AppendUint64(b, uint64(num))
	return append(b, id...)
}

// Seal encrypts a record, where the deployment does that.
func (r *Ring) Seal(ctx context.Context, rec Record, plain []byte) ([]byte, error) {
	if !r.on {
		return plain, nil
	}
	k, err := r.sealing(ctx, rec.Mailbox)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(mark)+k.Overhead()+len(plain)), mark...)
	return k.Seal(out, nil, plain, label(rec.Kind, rec.Mailbox, rec.ID)), nil
}

// Sealed tells whether bytes are a sealed record.
func Sealed(b []byte) bool { return bytes.HasPrefix(b, mark) }

// Open returns what was sealed. A record from before there was encryption is returned as it is.
func (r *Ring) Open(ctx context.Context, rec Record, b []byte) ([]byte, error) {
	if !Sealed(b) {
		return b, nil
	}
	k, err := r.reading(ctx, rec.Mailbox)
	if err != nil {
		return nil, err
	}
	plain, err := k.AEAD.Open(nil, nil, b[len(mark):], label(rec.Kind, rec.Mailbox, rec.ID))
	if err != nil {
		return nil, ErrDamaged
	}
	return plain, nil
}
