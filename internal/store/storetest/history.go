package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var historyTests = []test{
	{"is a message's own, in its order, and bounded", func(k kit) {
		box, other := k.box("a@x.org"), k.box("b@x.org")
		m, next := k.mail(sample(box.Num, "m")), k.mail(sample(box.Num, "next"))
		foreign := k.mail(sample(other.Num, "o"))
		full := mailbox.HistoryEntry{At: after(time.Hour), Kind: mailbox.HistoryAttempt, Actor: "operator",
			HistoryFacts: mailbox.HistoryFacts{Recipient: "a@y.org", Status: "queued", Reason: "x", Attempt: 2,
				Code: 451, Answer: "later", Server: "mx", TLS: "TLS1.3", Added: []string{"a", "b"},
				Removed: []string{"c"}, Draft: "d", Version: 7, SendAt: after(time.Minute).UTC(), Event: "e", URL: "u"}}
		k.same("before", k.history(m), []mailbox.HistoryEntry(nil))
		k.append(m, full, 10)
		k.append(next, mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryRead, Actor: "key 1"}, 10)
		k.append(foreign, mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryRead, Actor: "key 2"}, 10)
		k.same("one", k.history(m), []mailbox.HistoryEntry{full})
		var want []mailbox.HistoryEntry
		for i := range 12 {
			e := mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryLabeled, Actor: fmt.Sprint(i)}
			if k.append(m, e, 5); i >= 7 {
				want = append(want, e)
			}
		}
		k.same("the newest", k.history(m), want)
		k.same("the next message", len(k.history(next)), 1)
	}},
	{"knows who has read", func(k kit) {
		box := k.box("a@x.org")
		m, next := k.mail(sample(box.Num, "m")), k.mail(sample(box.Num, "next"))
		k.append(m, mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryRead, Actor: "one"}, 10)
		k.append(m, mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryLabeled, Actor: "two"}, 10)
		read := func(m mailbox.Message, actor string) bool {
			return must(k, func(ctx context.Context, r store.Reader) (bool, error) {
				return r.WasRead(ctx, m.Mailbox, m.Seq, actor)
			})
		}
		k.same("who", []bool{read(m, "one"), read(m, "two"), read(m, ""), read(next, "one")},
			[]bool{true, false, false, false})
	}},
	{"goes with its message and its mailbox", func(k kit) {
		box := k.box("a@x.org")
		m, next := k.mail(sample(box.Num, "m")), k.mail(sample(box.Num, "next"))
		for _, m := range []mailbox.Message{m, next} {
			k.append(m, mailbox.HistoryEntry{At: noon, Kind: mailbox.HistoryRead}, 10)
		}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteMessage(ctx, m, nil) })
		k.same("of one that is deleted", len(k.history(m)), 0)
		k.same("of another", len(k.history(next)), 1)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.RemoveMailbox(ctx, box.Num) })
		for done := false; !done; {
			k.update(func(ctx context.Context, tx store.Tx) (err error) {
				_, done, err = tx.Purge(ctx, box.Num, 100)
				return err
			})
		}
		k.same("of a mailbox that is gone", len(k.history(next)), 0)
	}},
}

func (k kit) history(m mailbox.Message) []mailbox.HistoryEntry {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.HistoryEntry, error) {
		return r.History(ctx, m.Mailbox, m.Seq)
	})
}

func (k kit) append(m mailbox.Message, e mailbox.HistoryEntry, keep int) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.AppendHistory(ctx, m.Mailbox, m.Seq, e, keep) })
}
