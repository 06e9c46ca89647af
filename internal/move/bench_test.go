package move

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// BenchmarkMove moves messages of 4 KB that do not compress, with all checks.
func BenchmarkMove(b *testing.B) {
	const messages, boxes = 20_000, 200
	cfg := config.Default()
	cfg.DataDir, cfg.Secret = b.TempDir(), "the root"
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	db, err := sqlite.Open(filepath.Join(cfg.DataDir, datadir.Database))
	must(err)
	packed := make([]byte, 4096)
	_, _ = rand.NewChaCha8([32]byte{}).Read(packed) // never fails
	for box := range boxes {
		must(db.Update(b.Context(), func(tx store.Tx) error {
			num, err := tx.InsertMailbox(b.Context(), mailbox.Mailbox{Address: fmt.Sprintf("%d@x.org", box)})
			for i := 0; i < messages/boxes && err == nil; i++ {
				m := mailbox.Message{ID: mailbox.ID{byte(box), byte(i), byte(i >> 8)}, Mailbox: num,
					Subject: "a subject", MessageID: fmt.Sprintf("<%d.%d@x>", box, i),
					Snippet: string(bytes.Repeat([]byte("word "), 40))}
				err = tx.InsertMessage(b.Context(), &m, store.Content{Packed: packed})
			}
			return err
		}))
	}
	must(db.Close())
	for b.Loop() {
		cfg.Database.URL = mailbox.Secret(pgtest.URL(b))
		_, err := Run(b.Context(), cfg, cfg.DataDir, discard(), silent)
		must(err)
	}
	b.ReportMetric(float64(messages*b.N)/b.Elapsed().Seconds(), "messages/s")
}
