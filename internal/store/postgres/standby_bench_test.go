package postgres

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// BenchmarkStandby lists the newest 50 of a mailbox, from the primary and from a standby, by one or several readers at
// once, while nothing is written; and then while mail comes all the time.
func BenchmarkStandby(b *testing.B) {
	primary := pgtest.Start(b, pgtest.Durable()...)
	at := primary.URL(b)
	standby := primary.Standby(b)
	db := openStore(b, at, Options{StandbyURL: standby.At(at)})
	nums := benchBoxes(b, db, 10)
	for i := range 10 {
		mustUpdate(b, db, func(tx store.Tx) error {
			for j := range 200 {
				m, c := benchMail(int64(i*200+j), nums[i])
				if err := tx.InsertMessage(b.Context(), &m, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, readers := range []int{1, 8} {
		for _, from := range []string{"primary", "standby"} {
			b.Run(fmt.Sprintf("readers=%d/from=%s", readers, from), func(b *testing.B) {
				ctx := b.Context()
				if from == "standby" {
					ctx = store.Reading(ctx)
				}
				node, base, copied := ownCPU(), primary.CPU(b), standby.CPU(b)
				var all sync.WaitGroup
				for r := range readers {
					all.Go(func() {
						for i := r; i < b.N; i += readers {
							if err := list50(ctx, db, nums[i%len(nums)]); err != nil {
								b.Error(err)
							}
						}
					})
				}
				all.Wait()
				b.ReportMetric(float64((primary.CPU(b)-base).Microseconds())/float64(b.N), "primary-µs/read")
				b.ReportMetric(float64((standby.CPU(b)-copied).Microseconds())/float64(b.N), "standby-µs/read")
				b.ReportMetric(float64((ownCPU()-node).Microseconds())/float64(b.N), "node-µs/read")
			})
		}
	}
	b.Run("readers=8/from=standby/writing", func(b *testing.B) {
		ctx, end := context.WithCancel(store.Reading(b.Context()))
		var writing, all sync.WaitGroup
		writing.Go(func() {
			for i := int64(0); ctx.Err() == nil; i++ {
				m, c := benchMail(10_000+i, nums[i%10])
				mustUpdate(b, db, func(tx store.Tx) error { return receiveMail(tx, m, c) })
			}
		})
		before, lateBefore, _, _ := db.StandbyStats()
		for r := range 8 {
			all.Go(func() {
				for i := r; i < b.N; i += 8 {
					if err := list50(ctx, db, nums[i%len(nums)]); err != nil {
						b.Error(err)
					}
				}
			})
		}
		all.Wait()
		answered, late, _, _ := db.StandbyStats()
		end()
		writing.Wait()
		b.ReportMetric(float64(answered-before)/float64(b.N), "answered/read")
		b.ReportMetric(float64(late-lateBefore)/float64(b.N), "late/read")
	})
}

func list50(ctx context.Context, db *DB, num mailbox.Num) error {
	return db.View(ctx, func(r store.Reader) error {
		_, err := r.Messages(ctx, num, store.MessageFilter{Limit: 50})
		return err
	})
}
