package sqlite

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A log may be as long as its numbers have room, and have gaps as long.
func TestEventsUntilLong(t *testing.T) {
	db := newDB(t)
	numbers := []int64{1, 2, 1000, 1 << 20, 1 << 31, last - 1, last}
	mustWork(t)(db.Update(t.Context(), func(tx store.Tx) error {
		box, q := insert(t, tx, "a@x.org"), tx.(*queries)
		for i, n := range numbers {
			if err := q.sql(`UPDATE counters SET seq = ?`).int(n - 1).run(); err != nil {
				return err
			}
			e := mailbox.Event{Mailbox: box, At: time.Unix(int64(i+1), 0), Kind: mailbox.MessageBounced}
			if err := tx.AppendEvent(t.Context(), &e); err != nil {
				return err
			}
		}
		number, seq, err := tx.LastEvent(t.Context(), box)
		base := number - seq
		for i := range len(numbers) + 1 {
			want := base
			if i > 0 {
				want += numbers[i-1]
			}
			if got, _, err := tx.EventsUntil(t.Context(), box, time.Unix(int64(i+1), 0)); err != nil || got != want {
				t.Errorf("until the time of event %d: %d, %v, want %d", i, got, err, want)
			}
		}
		return err
	}))
}
