package sqlite

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Contents are bytes to the database, short or long, whatever is in them.
func TestContentsAreBytes(t *testing.T) {
	db, ctx := open(t, filepath.Join(t.TempDir(), "mailkin.db")), t.Context()
	box := mailbox.Mailbox{Address: "a@x.test", Scope: mailbox.Permanent, Status: mailbox.Active, CreatedAt: time.Now()}
	for _, size := range []int{100, payloadLeast, 300 << 10} {
		packed := bytes.Repeat([]byte{0, 0xff, 'a', 0xc3}, size/4)
		m := mailbox.Message{ID: mailbox.NewID(time.Now()), Direction: mailbox.Inbound, ReceivedAt: time.Now(), Size: 1}
		err := db.Update(ctx, func(tx store.Tx) error {
			if box.Num == 0 {
				num, err := tx.InsertMailbox(ctx, box)
				if err != nil {
					return err
				}
				box.Num = num
			}
			m.Mailbox = box.Num
			return tx.InsertMessage(ctx, &m, store.Content{Packed: packed})
		})
		if err != nil {
			t.Fatal(err)
		}
		err = db.View(ctx, func(r store.Reader) error {
			c, err := r.Content(ctx, m)
			if err == nil && !bytes.Equal(c.Packed, packed) {
				t.Errorf("%d bytes came back as %d others", len(packed), len(c.Packed))
			}
			return r.(*queries).sql(`SELECT DISTINCT typeof(packed) FROM docs`).each(func(r row) error {
				if kind := r.Text(0); kind != "blob" {
					t.Errorf("%d bytes are %s", len(packed), kind)
				}
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What goes wrong in the function is an error, and not what is stored: the library stores its text.
func TestPayloadFails(t *testing.T) {
	db, ctx := open(t, filepath.Join(t.TempDir(), "mailkin.db")), t.Context()
	box := newBox(t, db, "a@x.test")
	db.payload.fails = errors.New("alloc function result: out of memory")
	m := mailbox.Message{ID: mailbox.NewID(time.Now()), Mailbox: box, Direction: mailbox.Inbound,
		ReceivedAt: time.Now(), Size: 1}
	err := db.Update(ctx, func(tx store.Tx) error {
		return tx.InsertMessage(ctx, &m, store.Content{Packed: make([]byte, payloadLeast)})
	})
	if !errors.Is(err, store.ErrStorage) {
		t.Errorf("stored: %v", err)
	}
	mustWork(t)(db.View(ctx, func(r store.Reader) error {
		if _, err := r.Message(ctx, box, m.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the message is there: %v", err)
		}
		return nil
	}))
}
