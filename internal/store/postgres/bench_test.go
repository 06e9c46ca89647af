package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/storetest"
)

var benchMail = storetest.Mail

// receiveMail does what the service does for one mail.
func receiveMail(tx store.Tx, m mailbox.Message, c store.Content) error {
	ctx := context.Background()
	if _, err := tx.Mailbox(ctx, m.Mailbox); err != nil {
		return err
	}
	if known, err := tx.Mentioned(ctx, m.Mailbox, m.MessageID); err != nil || known {
		return err
	}
	known, err := tx.Contact(ctx, m.Mailbox, m.From.Address)
	if err == nil && !known.Known {
		if _, err = tx.ContactDomains(ctx, m.Mailbox, 500); err == nil {
			err = tx.InsertContact(ctx, m.Mailbox, m.From.Address, true)
		}
	}
	if err != nil {
		return err
	}
	return tx.InsertMessage(ctx, &m, c)
}

// benchStore makes a store on a server that syncs, with a given number of mailboxes.
func benchStore(b *testing.B, opt Options, n int) (*DB, []mailbox.Num) {
	_, db, nums := benchServer(b, opt, n)
	return db, nums
}

func benchServer(b *testing.B, opt Options, n int) (*pgtest.Server, *DB, []mailbox.Num) {
	server := pgtest.Start(b, pgtest.Durable()...)
	db := openStore(b, server.URL(b), opt)
	return server, db, benchBoxes(b, db, n)
}

func benchBoxes(b *testing.B, db *DB, n int) []mailbox.Num {
	nums := make([]mailbox.Num, n)
	err := db.Update(b.Context(), func(tx store.Tx) (err error) {
		for i := range nums {
			box := mailbox.Mailbox{Address: fmt.Sprintf("a%d-%d@x.org", n, i), Scope: mailbox.Permanent,
				Status: mailbox.Active, CreatedAt: time.Now()}
			if nums[i], err = tx.InsertMailbox(b.Context(), box); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return nums
}

// BenchmarkReceive stores mail, each durable, from several callers at once for several mailboxes.
func BenchmarkReceive(b *testing.B) {
	for _, form := range []struct {
		name string
		opt  Options
	}{{"plain", Options{}}, {"pooler", Options{Pooler: true}}, {"partitions=16", Options{Partitions: 16}}} {
		b.Run(form.name, func(b *testing.B) {
			server, db, nums := benchServer(b, form.opt, 100)
			for _, c := range []struct{ callers, boxes int }{{1, 100}, {16, 100}, {50, 100}, {50, 1}} {
				b.Run(fmt.Sprintf("callers=%d/boxes=%d", c.callers, c.boxes),
					func(b *testing.B) { benchReceive(b, server, db, nums[:c.boxes], c.callers) })
			}
		})
	}
}

func benchReceive(b *testing.B, server *pgtest.Server, db *DB, nums []mailbox.Num, callers int) {
	b.ReportAllocs()
	node, base := ownCPU(), server.CPU(b)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				m, c := benchMail(n, nums[n%int64(len(nums))])
				if err := db.Update(b.Context(), func(tx store.Tx) error { return receiveMail(tx, m, c) }); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "mails/s")
	b.ReportMetric(float64((ownCPU()-node).Microseconds())/float64(b.N), "node-µs/mail")
	b.ReportMetric(float64((server.CPU(b)-base).Microseconds())/float64(b.N), "db-µs/mail")
}

// ownCPU is how long this process has worked.
func ownCPU() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use) // zero where there is none
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// BenchmarkList50 lists the newest 50 of a mailbox of 10,000 messages.
func BenchmarkList50(b *testing.B) {
	db, nums := benchStore(b, Options{}, 10)
	for i := 0; i < 100_000; {
		err := db.Update(b.Context(), func(tx store.Tx) error {
			for range 2000 {
				m, c := benchMail(int64(i), nums[i%len(nums)])
				if err := tx.InsertMessage(b.Context(), &m, c); err != nil {
					return err
				}
				i++
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	unseen := false
	for _, c := range []struct {
		name string
		f    store.MessageFilter
	}{
		{"newest", store.MessageFilter{Limit: 50}},
		{"before", store.MessageFilter{Limit: 50, Before: 5000}},
		{"unseen", store.MessageFilter{Limit: 50, Seen: &unseen}},
		{"sender nobody has", store.MessageFilter{Limit: 50, From: "nobody"}},
		{"code after the newest but 10", store.MessageFilter{Limit: 1, Code: true, Untaken: true, After: 9990}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				err := db.View(b.Context(), func(r store.Reader) error {
					_, err := r.Messages(b.Context(), nums[i%len(nums)], c.f)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
