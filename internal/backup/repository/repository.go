// Package repository keeps generations of backups in a folder or a bucket: encrypted, and each byte once.
//
//	mailkin-backups            salt, and a check of the key; the only file that is not encrypted
//	chunks/ab/ab12…            pieces of files, named by a keyed hash of what is in them
//	generations/2026-11-18T…   what a generation consists of: its files, and the chunks of each
//	keys/…                     wrapped keys of mailboxes, apart from every generation (see keys.go)
//
// A generation is written last, when all of its chunks are durable. So whatever ends a backup in the middle leaves
// chunks that no generation names, and the earlier generations whole; Prune removes such chunks. A chunk counts as
// being there where a generation names it and its file is there: what was left by a backup that was killed may be
// incomplete after a power cut, and a file may be lost later. Both are written again.
//
// Everything is AES-256-GCM under keys that are derived from the repository's secret. The name of a file is associated
// data, so that files cannot be exchanged for each other.
package repository

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/mailkin/mailkin/internal/datadir"
)

const (
	configFile        = "mailkin-backups"
	configHead        = "mailkin backups 1"
	chunkFolder       = "chunks"
	generationsFolder = "generations"
)

var (
	// ErrKey is that a repository was made with another secret.
	ErrKey = errors.New("the repository was made with another backup key")
	// ErrDamaged is that a file of a repository is not what was written.
	ErrDamaged = errors.New("the repository is damaged")
)

// Repository is one that is open. Its methods may be called by one goroutine at a time.
type Repository struct {
	at     place
	where  string
	config []byte // as it was when this was opened
	ids    []byte // keys the hash of chunks
	files  cipher.AEAD
	pack   *zstd.Encoder
	unpack *zstd.Decoder
}

// Exists tells whether there is a repository at a place.
func Exists(ctx context.Context, where string) (bool, error) {
	at, err := openPlace(where)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = at.get(ctx, configFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, at.close()
	}
	return err == nil, errors.Join(err, at.close())
}

// reopen opens the place of the repository by its name, if it is still there: its disk may have been unmounted, or its
// folder deleted.
func (r *Repository) reopen(ctx context.Context) (place, error) {
	at, err := openPlace(r.where)
	if err != nil {
		return nil, err
	}
	config, err := at.get(ctx, configFile)
	if err == nil && !bytes.Equal(config, r.config) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, errors.Join(err, at.close())
	}
	return at, nil
}

func (r *Repository) gone() error {
	return fmt.Errorf("the repository at %s has vanished while the backup ran: is its disk mounted? This backup does not "+
		"count", Name(r.where))
}

// Open opens the repository at a place; fs.ErrNotExist where there is none.
func Open(ctx context.Context, where, secret string) (*Repository, error) {
	at, err := openPlace(where)
	if err != nil {
		return nil, err
	}
	r, err := open(ctx, at, where, secret)
	if err != nil {
		return nil, errors.Join(err, at.close())
	}
	return r, nil
}

// Create opens a repository, and makes one where there is none. A folder must be empty then.
func Create(ctx context.Context, where, secret string) (*Repository, error) {
	if !IsBucket(where) {
		if err := datadir.MakeFolders(Name(where)); err != nil {
			return nil, err
		}
	}
	at, err := openPlace(where)
	if err != nil {
		return nil, err
	}
	r, err := open(ctx, at, where, secret)
	if errors.Is(err, fs.ErrNotExist) {
		if err = begin(ctx, at, secret); err == nil {
			r, err = open(ctx, at, where, secret)
		}
	}
	if err != nil {
		return nil, errors.Join(err, at.close())
	}
	return r, nil
}

// Close ends the use of a repository.
func (r *Repository) Close() error {
	r.unpack.Close()
	return r.at.close()
}

func begin(ctx context.Context, at place, secret string) error {
	names, err := at.list(ctx, ".")
	if f, ok := at.(folder); ok && err == nil && len(names) > 0 {
		return fmt.Errorf("%s is not empty, and no repository of backups: name another folder", f.Name())
	}
	salt := make([]byte, 32)
	rand.Read(salt)
	check, err := derive(secret, salt, "check")
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s\nsalt %x\ncheck %x\n", configHead, salt, check)
	return errors.Join(at.put(ctx, configFile, []byte(text)), at.sync())
}

func open(ctx context.Context, at place, where, secret string) (*Repository, error) {
	text, err := at.get(ctx, configFile)
	if err != nil {
		return nil, err
	}
	salt, check, err := parseConfig(string(text))
	if err != nil {
		return nil, err
	}
	want, err := derive(secret, salt, "check")
	if err != nil {
		return nil, err
	}
	if !hmac.Equal(want, check) {
		return nil, ErrKey
	}
	r := &Repository{at: at, where: where, config: text}
	if r.ids, err = derive(secret, salt, "chunk ids"); err != nil {
		return nil, err
	}
	key, err := derive(secret, salt, "files")
	if err == nil {
		r.files, err = newAEAD(key)
	}
	if err == nil {
		r.pack, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(uploads))
	}
	if err == nil {
		r.unpack, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostUnpacked),
			zstd.WithDecoderConcurrency(uploads))
	}
	return r, err
}

func parseConfig(text string) (salt, check []byte, err error) {
	lines := strings.Split(text, "\n")
	if lines[0] != configHead {
		return nil, nil, fmt.Errorf("%s is of another version", configFile)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, " ")
		b, err := hex.DecodeString(value)
		switch {
		case name == "salt" && err == nil:
			salt = b
		case name == "check" && err == nil:
			check = b
		}
	}
	if len(salt) != 32 || len(check) != 32 {
		return nil, nil, fmt.Errorf("%w: %s", ErrDamaged, configFile)
	}
	return salt, check, nil
}

func derive(secret string, salt []byte, use string) ([]byte, error) {
	return hkdf.Key(sha256.New, []byte(secret), salt, "mailkin backups: "+use, 32)
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// mostUnpacked bounds what one file may unpack to: the list of a generation with millions of large messages.
const mostUnpacked = 4 << 30

// write packs and encrypts a file.
func (r *Repository) write(ctx context.Context, name string, data []byte) (int64, error) {
	packed := r.pack.EncodeAll(data, make([]byte, 0, len(data)+r.files.Overhead()))
	sealed := r.files.Seal(packed[:0], nil, packed, []byte(name))
	err := r.at.put(ctx, name, sealed)
	if errors.Is(err, fs.ErrNotExist) { // folders are made where they are missing
		err = r.gone()
	}
	return int64(len(sealed)), err
}

// read returns what write has written.
func (r *Repository) read(ctx context.Context, name string) ([]byte, error) {
	sealed, err := r.at.get(ctx, name)
	if err != nil {
		return nil, err
	}
	packed, err := r.files.Open(sealed[:0], nil, sealed, []byte(name))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrDamaged, name)
	}
	data, err := r.unpack.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return data, nil
}
