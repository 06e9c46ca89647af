package index

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
)

// Texts wait in bounded memory; those that nobody wants make room.
func TestFresh(t *testing.T) {
	f := fresh{many: make(chan struct{}, 1)}
	now := time.Now()
	mail := search.Mail{Body: strings.Repeat("x", 100_000)}
	most := freshBytes / (len(mail.Body) + freshCost)
	key := func(i int) freshKey { return freshKey{mailbox.Num(1), int64(i)} }
	for i := range 2 * most {
		f.put(key(i), mail, now)
	}
	if len(f.mails) != most || f.bytes > freshBytes {
		t.Fatalf("%d texts of %d bytes wait", len(f.mails), f.bytes)
	}
	if len(f.many) != 1 {
		t.Error("the indexer is not woken when many wait")
	}
	if _, ok := f.take(key(0)); !ok {
		t.Error("the oldest is not there")
	}
	if _, ok := f.take(key(0)); ok {
		t.Error("given twice")
	}
	if _, ok := f.take(key(most)); ok {
		t.Error("there is one too many")
	}
	f.put(key(3*most), mail, now)
	if _, ok := f.take(key(3 * most)); !ok {
		t.Error("what was taken makes no room")
	}
	f.put(key(4*most), mail, now.Add(freshAge+time.Second))
	f.put(key(5*most), mail, now.Add(freshAge+time.Second))
	if len(f.mails) != 2 || len(f.order) != 2 {
		t.Errorf("%d texts wait, of which two are new", len(f.mails))
	}
	f.settle(now.Add(time.Hour))
	if f.mails != nil || f.bytes != 0 {
		t.Errorf("%d bytes wait for ever", f.bytes)
	}
}
