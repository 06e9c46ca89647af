package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/storetest"
)

var benchMail = storetest.Mail

// insertMail does what the service does for one mail.
func insertMail(tx store.Tx, m mailbox.Message, c store.Content) error {
	ctx := context.Background()
	if _, err := tx.Mailbox(ctx, m.Mailbox); err != nil {
		return err
	}
	if known, err := tx.Mentioned(ctx, m.Mailbox, m.MessageID); err != nil || known {
		return err
	}
	return tx.InsertMessage(ctx, &m, c)
}

// benchBoxes makes a store with a given number of mailboxes.
func benchBoxes(b *testing.B, n int) (*DB, []mailbox.Num) {
	db := open(b, filepath.Join(b.TempDir(), "mailkin.db"))
	nums := make([]mailbox.Num, n)
	mustWork(b)(db.Update(b.Context(), func(tx store.Tx) error {
		for i := range nums {
			nums[i] = insert(b, tx, fmt.Sprintf("a%d@x.org", i))
		}
		return nil
	}))
	return db, nums
}

// BenchmarkInsert stores mail for 100 mailboxes, each mail durable, from several callers at once.
func BenchmarkInsert(b *testing.B) {
	for _, callers := range []int{1, 10, 50} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			db, nums := benchBoxes(b, 100)
			b.ReportAllocs()
			b.ResetTimer()
			var next atomic.Int64
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						m, c := benchMail(n, nums[n%int64(len(nums))])
						if err := db.Update(b.Context(),
							func(tx store.Tx) error { return insertMail(tx, m, c) }); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "mails/s")
		})
	}
}

// BenchmarkInsertNoSync is what a mail costs without its commit: what is left when groups are large.
func BenchmarkInsertNoSync(b *testing.B) {
	db, nums := benchBoxes(b, 100)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; {
		mustWork(b)(db.Update(b.Context(), func(tx store.Tx) error {
			for range min(256, b.N-n) {
				m, c := benchMail(int64(n), nums[n%len(nums)])
				if err := insertMail(tx, m, c); err != nil {
					return err
				}
				n++
			}
			return nil
		}))
	}
}

// BenchmarkInsertLarge is the same with 100 KB of content.
func BenchmarkInsertLarge(b *testing.B) {
	db, nums := benchBoxes(b, 100)
	large := make([]byte, 100_000)
	b.SetBytes(16 * int64(len(large)))
	for n := 0; b.Loop(); n += 16 {
		mustWork(b)(db.Update(b.Context(), func(tx store.Tx) error {
			for i := range 16 {
				m, c := benchMail(int64(n+i), nums[(n+i)%len(nums)])
				c.Packed = large
				if err := insertMail(tx, m, c); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// BenchmarkList50 lists the newest 50 of a mailbox of 1,000 messages, among 100 such mailboxes.
func BenchmarkList50(b *testing.B) {
	db, nums := benchBoxes(b, 100)
	for i := 0; i < 100_000; {
		mustWork(b)(db.Update(b.Context(), func(tx store.Tx) error {
			for range 2000 {
				m, c := benchMail(int64(i), nums[i%len(nums)])
				if err := insertMail(tx, m, c); err != nil {
					return err
				}
				i++
			}
			return nil
		}))
	}
	unseen := false
	for _, c := range []struct {
		name string
		f    store.MessageFilter
	}{
		{"newest", store.MessageFilter{Limit: 50}},
		{"before", store.MessageFilter{Limit: 50, Before: 500}},
		{"unseen", store.MessageFilter{Limit: 50, Seen: &unseen}},
		{"label nobody has", store.MessageFilter{Limit: 50, Label: "code"}},
		{"sender nobody has", store.MessageFilter{Limit: 50, From: "nobody"}},
		{"sender nobody has, beyond ASCII", store.MessageFilter{Limit: 50, From: "nobödy"}},
		{"code after the newest but 10", store.MessageFilter{Limit: 1, Code: true, Untaken: true, After: 990}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var n atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					box := nums[n.Add(1)%int64(len(nums))]
					err := db.View(b.Context(), func(r store.Reader) error {
						_, err := r.Messages(b.Context(), box, c.f)
						return err
					})
					if err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
	b.Run("threads", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			err := db.View(b.Context(), func(r store.Reader) error {
				_, err := r.Threads(b.Context(), nums[i%len(nums)], store.ThreadFilter{Limit: 50})
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
