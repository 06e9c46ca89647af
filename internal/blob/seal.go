package blob

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A sealed stream has frames that are encrypted with a key of its own, AES-256-GCM with the frame's number as nonce.
// Its key is behind the last frame, once for each key of the object, encrypted with that mailbox's key, in a skippable
// frame before the index; the version of the index is sealedVersion. So many recipients share the bytes, and each of
// them loses them with its own key.

// Sealer has the keys of mailboxes.
type Sealer interface {
	// Sealing tells whether new objects are to be sealed.
	Sealing() bool
	// SealKey encrypts the key of an object for the mailbox of one of its names.
	SealKey(ctx context.Context, name string, key []byte) ([]byte, error)
	OpenKey(ctx context.Context, name string, sealed []byte) ([]byte, error)
}

// ErrSealed is what Open returns for a sealed object where there are no keys.
var ErrSealed = errors.New("blob is sealed, and there is no key for it")

const (
	sealedVersion = 2
	keysMagic     = 0x184D2A5E
	sealKeySize   = 32
)

// frameSeal encrypts the frames of one stream.
type frameSeal struct {
	cipher.AEAD
	key []byte
}

func newFrameSeal(key []byte) (*frameSeal, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &frameSeal{aead, key}, err
}

// sealerOf returns what a new draft is sealed with; nil: nothing.
func sealerOf(s Sealer) (*frameSeal, error) {
	if s == nil || !s.Sealing() {
		return nil, nil
	}
	key := make([]byte, sealKeySize)
	rand.Read(key)
	return newFrameSeal(key)
}

func frameNonce(i int) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 4, 12), uint64(i))
}

// sealKeys makes the skippable frame with the key of a stream for each of its names.
func (f *frameSeal) sealKeys(ctx context.Context, s Sealer, names []string) ([]byte, error) {
	var list []byte
	for _, name := range names {
		sealed, err := s.SealKey(ctx, name, f.key)
		if err != nil {
			return nil, fmt.Errorf("seal blob: %w", err)
		}
		list = append(binary.AppendUvarint(list, uint64(len(name))), name...)
		list = append(binary.AppendUvarint(list, uint64(len(sealed))), sealed...)
	}
	out := binary.LittleEndian.AppendUint32(nil, keysMagic)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(list))), list...), nil
}

// openSeal finds the key of a sealed stream under one of its names.
func openSeal(ctx context.Context, s Sealer, name string, keys []byte) (*frameSeal, error) {
	if s == nil {
		return nil, ErrSealed
	}
	le := binary.LittleEndian
	if len(keys) < skippableHead || le.Uint32(keys) != keysMagic ||
		int(le.Uint32(keys[4:])) != len(keys)-skippableHead {
		return nil, fmt.Errorf("%w: keys", ErrCorrupt)
	}
	for rest := keys[skippableHead:]; len(rest) > 0; {
		var field [2][]byte
		for i := range field {
			n, used := binary.Uvarint(rest)
			if used <= 0 || n > uint64(len(rest)-used) {
				return nil, fmt.Errorf("%w: keys", ErrCorrupt)
			}
			field[i], rest = rest[used:used+int(n)], rest[used+int(n):]
		}
		if string(field[0]) == name {
			key, err := s.OpenKey(ctx, name, slices.Clone(field[1]))
			if err != nil {
				return nil, err
			}
			return newFrameSeal(key)
		}
	}
	return nil, fmt.Errorf("%w: no key for %s", ErrCorrupt, name)
}

// unseal decrypts a frame in its place.
func (f *frameSeal) unseal(i int, packed []byte) ([]byte, error) {
	plain, err := f.Open(packed[:0], frameNonce(i), packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: frame %d cannot be decrypted", ErrCorrupt, i)
	}
	return plain, nil
}

// isSealed tells from the end of a stream whether it is sealed.
func isSealed(tail []byte) bool {
	foot := tail[max(0, len(tail)-footerSize):]
	return len(foot) == footerSize && binary.LittleEndian.Uint32(foot[16:]) == sealedVersion &&
		bytes.HasSuffix(foot, []byte(footerMagic))
}
