package sqlite

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// BenchmarkComeAndGo has a thousand mails a second come, and as many go when 2,400 have come after them, each update in
// a commit of its own, and what the index is to forget being taken off the list twice a second. It tells how many bytes
// are written for one: to the log, and when that is copied.
func BenchmarkComeAndGo(b *testing.B) {
	const live = 2400
	db, nums := benchBoxes(b, 50)
	var mails [live]mailbox.Message
	before := writtenBytes(b)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	b.ResetTimer()
	for n := range b.N {
		<-tick.C
		m, c := benchMail(int64(n), nums[n%len(nums)])
		if err := db.Update(b.Context(), func(tx store.Tx) error {
			return tx.InsertMessage(b.Context(), &m, c)
		}); err != nil {
			b.Fatal(err)
		}
		old := mails[n%live]
		if mails[n%live] = m; n < live {
			continue
		}
		if err := db.Update(b.Context(), func(tx store.Tx) error {
			return tx.DeleteMessage(b.Context(), old, nil)
		}); err != nil {
			b.Fatal(err)
		}
		if n%500 == 0 {
			benchForget(b, db)
		}
	}
	b.ReportMetric(float64(writtenBytes(b)-before)/1000/float64(b.N), "KB-written/mail")
}

// benchForget takes off the list of what is to be forgotten what the index would have forgotten by now.
func benchForget(b *testing.B, db *DB) {
	b.Helper()
	var numbers []int64
	err := db.View(b.Context(), func(r store.Reader) error {
		list, err := r.Forgotten(b.Context(), 0, 1000)
		for _, f := range list {
			numbers = append(numbers, f.Number)
		}
		return err
	})
	if err == nil {
		err = db.Update(b.Context(), func(tx store.Tx) error { return tx.Forgot(b.Context(), numbers...) })
	}
	if err != nil {
		b.Fatal(err)
	}
}

// writtenBytes is what this process has written.
func writtenBytes(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Skip(err)
	}
	n, err := strconv.ParseInt(string(regexp.MustCompile(`wchar: (\d+)`).FindSubmatch(text)[1]), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
