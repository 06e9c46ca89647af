package sqlite

import (
	"fmt"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// benchLog returns a mailbox so much mail, a second between any two, and after every fourth an event of its own.
func benchLog(b *testing.B, mails int) (db *DB, box mailbox.Num, began time.Time) {
	db, nums := benchBoxes(b, 1)
	began = time.Now().Add(-time.Duration(mails) * time.Second)
	for i := 0; i < mails; {
		mustWork(b)(db.Update(b.Context(), func(tx store.Tx) error {
			for range min(5000, mails-i) {
				m, _ := benchMail(int64(i), nums[0])
				m.ReceivedAt = began.Add(time.Duration(i) * time.Second)
				if err := tx.InsertMessage(b.Context(), &m, store.Content{}); err != nil {
					return err
				}
				if i%4 == 0 {
					e := mailbox.Event{Mailbox: m.Mailbox, Kind: mailbox.MessageDelivered, Message: m.ID,
						At: m.ReceivedAt}
					if err := tx.AppendEvent(b.Context(), &e); err != nil {
						return err
					}
				}
				i++
			}
			return nil
		}))
	}
	return db, nums[0], began
}

// BenchmarkEvents reads from a long log, most of all from its end, as every stream does when something happened.
func BenchmarkEvents(b *testing.B) {
	const mails = 100_000
	db, box, _ := benchLog(b, mails)
	for _, c := range []struct {
		name        string
		back, limit int64
		want        int
	}{
		{"nothing new", 0, 100, 0},
		{"newest 1", 1, 100, 1},
		{"newest 100", 100, 100, 100},
		{"oldest 1", mails + mails/4, 1, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := db.View(b.Context(), func(r store.Reader) error {
					last, _, err := r.LastEvent(b.Context(), box)
					if err != nil {
						return err
					}
					list, err := r.Events(b.Context(), box, last-c.back, int(c.limit))
					if len(list) != c.want {
						b.Errorf("%d events, want %d", len(list), c.want)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEventsUntil finds times in logs of several lengths: any, and that of a minute before the end.
func BenchmarkEventsUntil(b *testing.B) {
	for _, mails := range []int{1000, 100_000, 1_000_000} {
		db, box, began := benchLog(b, mails)
		for name, second := range map[string]func(i int) int{
			"any":    func(i int) int { return i * 7919 % mails },
			"recent": func(int) int { return mails - 60 },
		} {
			b.Run(fmt.Sprintf("mails=%d/%s", mails, name), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					err := db.View(b.Context(), func(r store.Reader) error {
						_, _, err := r.EventsUntil(b.Context(), box, began.Add(time.Duration(second(i))*time.Second))
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
