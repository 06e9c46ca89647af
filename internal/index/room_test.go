package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// fullDisk is a blob store on a disk of 1 GB, of which so much is free.
type fullDisk struct {
	blob.Store
	free *uint64
}

func (d fullDisk) Free() (free, total uint64, err error) { return *d.free, 1 << 30, nil }

// Where the disk is low, the file of the index becomes smaller with what is deleted, and not at the next sweep.
func TestIndexShrinksOnLowDisk(t *testing.T) {
	free, path := uint64(1<<30), filepath.Join(t.TempDir(), "index.db")
	k := newService(t, func(o *service.Options) {
		x := sqlite.OpenIndex(path)
		t.Cleanup(func() { _ = x.Close() })
		o.Index, o.Blobs = x, fullDisk{o.Blobs, &free}
		o.MinFree = func(uint64) uint64 { return 100 << 20 }
	})
	b := k.permanent("robin")
	x := k.svc.Index().NewIndexer()
	random := rand.New(rand.NewPCG(1, 2))
	var ids []mailbox.ID
	for n := range 6 {
		var text strings.Builder
		for range 3000 {
			fmt.Fprintf(&text, "w%x ", random.Uint64())
		}
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", n), text.String()), b.Address)[0].ID)
		k.works("index", x.IdleRound(t.Context()))
	}
	size := func() (n int64) { // with its log
		for _, file := range []string{path, path + "-wal"} {
			st, err := os.Stat(file)
			k.works("look at the file", err)
			n += st.Size()
		}
		return n
	}
	full := size()
	free = 90 << 20
	for _, id := range ids {
		k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), id))
	}
	for range 10 {
		k.works("round", x.IdleRound(t.Context()))
	}
	if left := size(); left > full/4 {
		t.Errorf("the index has %d bytes, and had %d", left, full)
	}
}
