package storetest

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var partTextTests = []test{
	{"are wanted, kept and taken up", keptTexts},
	{"are listed by mailbox", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		for _, num := range []mailbox.Num{b, a} {
			for _, subject := range []string{"one", "two"} {
				k.wantTexts(k.mail(sample(num, subject)))
			}
		}
		all := k.textWork(store.ReadText, 0, 10)
		if len(all) != 4 || all[0].Mailbox != a || all[1].Mailbox != a || all[0].Seq >= all[1].Seq || all[3].Mailbox != b {
			k.Errorf("listed %+v", all)
		}
		k.same("those of the next mailbox", k.textWork(store.ReadText, a, 10), all[2:])
		k.same("two", k.textWork(store.ReadText, 0, 2), all[:2])
	}},
	{"go with their message", func(k kit) {
		m, other := k.mail(sample(k.box("a@x.org").Num, "one")), k.mail(sample(k.box("b@x.org").Num, "two"))
		k.wantTexts(m)
		k.wantTexts(other)
		k.putTexts(m, "secret")
		k.putTexts(other, "theirs")
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteMessage(ctx, m, nil) })
		k.same("text", k.partText(m), "")
		k.same("work", k.textWork(store.IndexText, 0, 10), []store.TextWork{{Mailbox: other.Mailbox, Seq: other.Seq}})
		k.is("PutTexts", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.PutTexts(k.Context(), m.Mailbox, m.Seq, []byte("late")) }), store.ErrNotFound)
		k.same("text that came too late", k.partText(m), "")
	}},
	{"go with their mailbox", func(k kit) {
		m, other := k.mail(sample(k.box("a@x.org").Num, "one")), k.mail(sample(k.box("b@x.org").Num, "two"))
		wanted := k.mail(sample(m.Mailbox, "three"))
		k.wantTexts(m)
		k.wantTexts(other)
		k.putTexts(m, "secret")
		k.wantTexts(wanted)
		k.putTexts(other, "theirs")
		k.remove(m.Mailbox)
		k.purge(m.Mailbox, 1)
		k.same("text", k.partText(m), "")
		k.same("theirs", k.partText(other), "theirs")
		k.same("to be read", k.textWork(store.ReadText, 0, 10), []store.TextWork{})
		k.same("to be taken up", k.textWork(store.IndexText, 0, 10), []store.TextWork{{Mailbox: other.Mailbox, Seq: other.Seq}})
		k.is("PutTexts", k.db.Update(k.Context(), func(tx store.Tx) error { return tx.PutTexts(k.Context(), m.Mailbox, m.Seq, []byte("late")) }), store.ErrNotFound)
	}},
}

func keptTexts(k kit) {
	m := k.mail(sample(k.box("a@x.org").Num, "one"))
	want := []store.TextWork{{Mailbox: m.Mailbox, Seq: m.Seq}}
	k.same("at first", k.partText(m), "")
	k.wantTexts(m)
	k.wantTexts(m)
	k.same("to be read", k.textWork(store.ReadText, 0, 10), want)
	k.putTexts(m, "text")
	k.same("text", k.partText(m), "text")
	k.same("to be read then", k.textWork(store.ReadText, 0, 10), []store.TextWork{})
	k.same("to be taken up", k.textWork(store.IndexText, 0, 10), want)
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.DoneTexts(ctx, store.IndexText, m.Mailbox, m.Seq)
	})
	k.same("to be taken up then", k.textWork(store.IndexText, 0, 10), []store.TextWork{})
	k.putTexts(m, "another")
	k.same("put again", k.partText(m), "another")
	k.same("which nobody wanted", k.textWork(store.IndexText, 0, 10), []store.TextWork{})
	k.wantTexts(m)
	k.same("to be read once more", k.textWork(store.ReadText, 0, 10), []store.TextWork{})
	k.same("to be taken up once more", k.textWork(store.IndexText, 0, 10), want)
}

func (k kit) wantTexts(m mailbox.Message) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.WantTexts(ctx, m.Mailbox, m.Seq) })
}

func (k kit) putTexts(m mailbox.Message, text string) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.PutTexts(ctx, m.Mailbox, m.Seq, []byte(text)) })
}

func (k kit) partText(m mailbox.Message) string {
	k.Helper()
	return string(must(k, func(ctx context.Context, r store.Reader) (map[int64][]byte, error) {
		return r.PartTexts(ctx, m.Mailbox, m.Seq, m.Seq+100)
	})[m.Seq])
}

func (k kit) textWork(step store.TextStep, after mailbox.Num, limit int) []store.TextWork {
	k.Helper()
	list := must(k, func(ctx context.Context, r store.Reader) ([]store.TextWork, error) {
		return r.TextWork(ctx, step, after, limit)
	})
	return append([]store.TextWork{}, list...)
}
