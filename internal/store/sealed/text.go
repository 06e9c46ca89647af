package sealed

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// Of a row of text columns that which is about other people, and what their servers said, is one sealed record in one
// column, the carrier. The carrier is a column in which no clear text of a row from before there was encryption can
// look like a record: an address that was validated, or words of ours. What such a row is looked up by is a keyed hash
// in its own column.
const (
	textMark = rowMark
	hashMark = "\x01"
)

// pack puts texts together as one plain record.
func pack(texts ...string) []byte { return packBefore("", texts...) }

// packBefore does the same, and puts one more text behind them as it is.
func packBefore(last string, texts ...string) []byte {
	size := len(last)
	for _, text := range texts {
		size += binary.MaxVarintLen32 + len(text)
	}
	plain := make([]byte, 0, size)
	for _, text := range texts {
		plain = append(binary.AppendUvarint(plain, uint64(len(text))), text...)
	}
	return append(plain, last...)
}

// unpack reads what pack put together, and returns what follows it.
func unpack(plain []byte, to ...*string) ([]byte, error) {
	for _, text := range to {
		n, used := binary.Uvarint(plain)
		if used <= 0 || n > uint64(len(plain)-used) {
			return nil, seal.ErrDamaged
		}
		*text, plain = string(plain[used:used+int(n)]), plain[used+int(n):]
	}
	return plain, nil
}

// sealTexts returns texts as one sealed record, itself a text.
func (t *tx) sealTexts(ctx context.Context, rec seal.Record, texts ...string) (string, error) {
	sealed, err := t.seal(ctx, rec, pack(texts...))
	if err != nil {
		return "", err
	}
	return textMark + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// openTexts reads a record of sealTexts. Where text is none it does nothing. Where the key was destroyed the texts are
// empty.
func (r *reader) openTexts(ctx context.Context, rec seal.Record, text string, to ...*string) error {
	coded, ok := strings.CutPrefix(text, textMark)
	if !ok {
		return nil
	}
	for _, text := range to {
		*text = ""
	}
	sealed, err := base64.RawStdEncoding.DecodeString(coded)
	if err == nil && !seal.Sealed(sealed) {
		err = seal.ErrDamaged
	}
	var plain []byte
	if err == nil {
		plain, err = r.ring.Open(ctx, rec, sealed)
	}
	if err == nil {
		_, err = unpack(plain, to...)
	}
	if errors.Is(err, seal.ErrShredded) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open a record (%s) of mailbox %d: %w", rec.Kind, rec.Mailbox, err)
	}
	return nil
}

// sealing tells whether what a mailbox has is sealed from now on. What the deployment itself has is in clear.
func (t *tx) sealing(num mailbox.Num) bool { return t.ring.On() && num != 0 }

// digest is the hash under which a row is stored that is looked up by a text.
func (t *tx) digest(ctx context.Context, num mailbox.Num, text string) (string, error) {
	if err := t.mayHaveNone(ctx, num); err != nil {
		return "", err
	}
	hash, err := t.ring.Hash(ctx, num, text)
	if errors.Is(err, seal.ErrShredded) {
		err = store.ErrNotFound
	}
	return hashMark + hash, err
}

// known is the hash under which a row may have been stored. It is not ok for a mailbox that has no key, or none any
// more: nothing of it can be found so.
func (r *reader) known(ctx context.Context, num mailbox.Num, text string) (hash string, ok bool, err error) {
	if num == 0 || text == "" {
		return "", false, nil
	}
	if has, err := r.ring.HasKey(ctx, num); err != nil || !has {
		return "", false, err
	}
	hash, err = r.ring.Hash(ctx, num, text)
	if errors.Is(err, seal.ErrShredded) {
		return "", false, nil
	}
	return hashMark + hash, err == nil, err
}

// isHash tells whether a column has a hash.
func isHash(text string) bool { return strings.HasPrefix(text, hashMark) }
