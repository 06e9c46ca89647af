package postgres

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// BenchmarkRecipients stores mail to several mailboxes, in one transaction for all or in one for each.
func BenchmarkRecipients(b *testing.B) {
	server, db, nums := benchServer(b, Options{}, 100)
	for _, c := range []struct{ callers, boxes int }{{1, 2}, {1, 10}, {16, 2}, {16, 10}} {
		for _, apart := range []bool{false, true} {
			b.Run(fmt.Sprintf("callers=%d/recipients=%d/apart=%v", c.callers, c.boxes, apart), func(b *testing.B) {
				node, base := ownCPU(), server.CPU(b)
				var next atomic.Int64
				var wg sync.WaitGroup
				for range c.callers {
					wg.Go(func() {
						for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
							receiveSeveral(b, db, n, nums[int(n*7)%(len(nums)-c.boxes):][:c.boxes], apart)
						}
					})
				}
				wg.Wait()
				copies := float64(b.N * c.boxes)
				b.ReportMetric(copies/b.Elapsed().Seconds(), "copies/s")
				b.ReportMetric(float64((ownCPU()-node).Microseconds())/copies, "node-µs/copy")
				b.ReportMetric(float64((server.CPU(b)-base).Microseconds())/copies, "db-µs/copy")
			})
		}
	}
}

func receiveSeveral(b *testing.B, db *DB, n int64, boxes []mailbox.Num, apart bool) {
	keep := func(boxes []mailbox.Num) {
		err := db.Update(b.Context(), func(tx store.Tx) error {
			for _, num := range boxes {
				m, c := benchMail(n, num)
				m.ID = m.ID.Copy(num)
				if err := receiveMail(tx, m, c); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Error(err)
		}
	}
	if !apart {
		keep(boxes)
		return
	}
	var all sync.WaitGroup
	for i := range boxes {
		all.Go(func() { keep(boxes[i : i+1]) })
	}
	all.Wait()
}
