package seal

import (
	"bufio"
	"context"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// SlotSize is that of a key in the file of keys: a state, and the wrapped key. A key is overwritten in its place when
// it is destroyed: there is no log and no other page that still has it.
const SlotSize = 64

// States of a slot; 0: there never was a key.
const (
	slotKey      = 1
	slotShredded = 2
	slotUsed     = 1 + 12 + KeySize + 16
)

// Slot makes a slot of a wrapped key; of an empty one the slot of a key that was destroyed.
func Slot(wrapped []byte) []byte {
	b := make([]byte, SlotSize)
	b[0] = slotShredded
	if len(wrapped) > 0 {
		b[0] = slotKey
		copy(b[1:], wrapped)
	}
	return b
}

// IsShredded tells whether a slot is that of a key that was destroyed.
func IsShredded(slot []byte) bool { return slot[0] == slotShredded }

// FileTable is a Table in two files: the slots, by the number of the mailbox, and the root key in a file of its own.
type FileTable struct {
	file   *os.File
	root   string
	adding sync.Mutex // between the look whether there is a key and its writing
}

// OpenFile opens the table in a file, which is made with the first key.
func OpenFile(path, root string) (*FileTable, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &FileTable{file: f, root: root}, nil
}

func (t *FileTable) Close() error { return t.file.Close() }

func (t *FileTable) Key(_ context.Context, num mailbox.Num) ([]byte, error) {
	if num == 0 {
		b, err := os.ReadFile(t.root)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return b, err
	}
	var slot [SlotSize]byte
	if _, err := t.file.ReadAt(slot[:], int64(num)*SlotSize); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch slot[0] {
	case slotKey:
		return slot[1:slotUsed], nil
	case slotShredded:
		return []byte{}, nil
	}
	if slot != ([SlotSize]byte{}) { // nobody may take that for a mailbox that never had a key
		return nil, fmt.Errorf("%w: the slot of mailbox %d in %s", ErrDamaged, num, t.file.Name())
	}
	return nil, nil
}

// Keys reads the whole file. A slot that is damaged is that of a key that is there: what uses it tells what it is.
func (t *FileTable) Keys(context.Context) (there, destroyed []mailbox.Num, err error) {
	slots, slot := bufio.NewReader(io.NewSectionReader(t.file, 0, math.MaxInt64)), make([]byte, SlotSize)
	for num := mailbox.Num(0); ; num++ {
		_, err := io.ReadFull(slots, slot)
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return there, destroyed, nil
		case err != nil:
			return nil, nil, err
		case IsShredded(slot):
			destroyed = append(destroyed, num)
		case slot[0] != 0:
			there = append(there, num)
		}
	}
}

func (t *FileTable) AddKey(ctx context.Context, num mailbox.Num, wrapped []byte) error {
	t.adding.Lock()
	defer t.adding.Unlock()
	if there, err := t.Key(ctx, num); err != nil || there != nil {
		return err
	}
	if num == 0 {
		return datadir.WriteFile(t.root, wrapped)
	}
	if len(wrapped) != slotUsed-1 {
		return errors.New("a wrapped key has another length")
	}
	return t.write(num, Slot(wrapped))
}

func (t *FileTable) Shred(_ context.Context, num mailbox.Num) error { return t.write(num, Slot(nil)) }

func (t *FileTable) write(num mailbox.Num, slot []byte) error {
	_, err := t.file.WriteAt(slot, int64(num)*SlotSize)
	if err != nil {
		return err
	}
	return t.file.Sync()
}

// fileMaster is a master key that is a secret.
type fileMaster struct{ cipher.AEAD }

// FileMaster reads the master key from a file. With mayMake, one is made where there is none.
func FileMaster(path string, mayMake bool) (Master, error) {
	secret, err := datadir.Secret(path)
	if errors.Is(err, datadir.ErrEmpty) {
		return nil, fmt.Errorf("%w: %w", ErrMaster, err)
	}
	if err != nil {
		return nil, err
	}
	if secret == "" && mayMake {
		secret = mailbox.Secret(rand.Text() + rand.Text())
		err = datadir.WriteFile(path, []byte(string(secret)+"\n"))
	}
	if err != nil {
		return nil, err
	}
	if secret == "" {
		return nil, fmt.Errorf("%w is not in %s: put it there, or name its file", ErrMaster, path)
	}
	if len(secret) < KeySize {
		return nil, fmt.Errorf("%w in %s is too short: it has %d characters or more", ErrMaster, path, KeySize)
	}
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "mailkin master key", KeySize)
	if err != nil {
		return nil, err
	}
	aead, err := newAEAD(key)
	return fileMaster{aead}, err
}

func (m fileMaster) Wrap(_ context.Context, key []byte) ([]byte, error) {
	return m.AEAD.Seal(nil, nil, key, []byte("root")), nil
}

func (m fileMaster) Unwrap(_ context.Context, wrapped []byte) ([]byte, error) {
	key, err := m.AEAD.Open(nil, nil, wrapped, []byte("root"))
	if err != nil {
		return nil, fmt.Errorf("%w is not the one that the root key was wrapped with, or that is damaged", ErrMaster)
	}
	return key, nil
}
