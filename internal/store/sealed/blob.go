package sealed

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
)

const blobKind = "blob"

// Blobs seals the keys of large messages for a blob store.
type Blobs struct{ Ring *seal.Ring }

var _ blob.Sealer = Blobs{}

// Sealing tells whether new objects are sealed.
func (b Blobs) Sealing() bool { return b.Ring.On() }

// SealKey seals the key of an object with that of the mailbox that its name begins with.
func (b Blobs) SealKey(ctx context.Context, name string, key []byte) ([]byte, error) {
	rec, err := blobRecord(name)
	if err != nil {
		return nil, err
	}
	return b.Ring.Seal(ctx, rec, key)
}

// OpenKey returns the key of an object. One whose mailbox's key was destroyed is gone.
func (b Blobs) OpenKey(ctx context.Context, name string, sealed []byte) ([]byte, error) {
	rec, err := blobRecord(name)
	if err != nil {
		return nil, err
	}
	key, err := b.Ring.Open(ctx, rec, sealed)
	if errors.Is(err, seal.ErrShredded) {
		err = blob.ErrNotFound
	}
	return key, err
}

func blobRecord(name string) (seal.Record, error) {
	box, _, _ := strings.Cut(name, "/")
	num, err := strconv.ParseInt(box, 10, 64)
	return seal.Record{Kind: blobKind, Mailbox: mailbox.Num(num), ID: []byte(name)}, err
}
