package storetest

import (
	"context"
	"fmt"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var searchTests = []test{
	{"messages are worked through in the order they were stored, of all mailboxes", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		var want []string
		for i := range 6 {
			num := []mailbox.Num{a, b}[i%2]
			m := k.mail(sample(num, fmt.Sprint(i)))
			want = append(want, fmt.Sprint(m.Mailbox, " ", m.Seq))
		}
		var got []string
		after := int64(0)
		for {
			list := must(k, func(ctx context.Context, r store.Reader) ([]store.IndexWork, error) { return r.ToIndex(ctx, after, 2) })
			if len(list) == 0 {
				break
			}
			for _, w := range list {
				got, after = append(got, fmt.Sprint(w.Mailbox, " ", w.Seq)), w.Place
			}
		}
		k.same("order", got, want)
		k.same("the last", must(k, func(ctx context.Context, r store.Reader) (int64, error) { return r.LastPlace(ctx) }), after)
	}},
	{"what is not indexed is listed newest first, of one mailbox", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		for i := range 30 {
			k.mail(sample(a, fmt.Sprint(i)))
			k.mail(sample(b, "other"))
		}
		work := must(k, func(ctx context.Context, r store.Reader) ([]store.IndexWork, error) { return r.ToIndex(ctx, 0, 100) })
		for _, tt := range []struct{ indexed, limit, want int }{{0, 100, 30}, {0, 10, 10}, {58, 100, 1}, {60, 100, 0}, {20, 100, 20}} {
			after := int64(0)
			if tt.indexed > 0 {
				after = work[tt.indexed-1].Place
			}
			list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
				return r.NotIndexed(ctx, a, after, tt.limit)
			})
			if len(list) != tt.want || len(list) > 0 && list[0].Subject != "29" {
				k.Errorf("after %d, at most %d: %d", tt.indexed, tt.limit, len(list))
			}
		}
	}},
	{"a message is found by its Seq", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		m := k.mail(sample(a, "one"))
		find := func(num mailbox.Num, seq int64) (mailbox.Message, error) {
			return ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) { return r.MessageAt(ctx, num, seq) })
		}
		got, err := find(a, m.Seq)
		k.is("found", err, nil)
		k.same("found", got, m)
		for name, at := range map[string][2]int64{"of another": {int64(b), m.Seq}, "another": {int64(a), m.Seq + 1}, "below": {int64(a), -1}, "beyond": {int64(a), 1 << 40}} {
			_, err := find(mailbox.Num(at[0]), at[1])
			k.is(name, err, store.ErrNotFound)
		}
	}},
	{"what is deleted is to be forgotten", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		m := k.mail(sample(a, "one"))
		k.mail(sample(b, "two"))
		list := func() (out []string, last int64) {
			for _, f := range must(k, func(ctx context.Context, r store.Reader) ([]store.Forgotten, error) { return r.Forgotten(ctx, 10) }) {
				out, last = append(out, fmt.Sprint(f.Mailbox, " ", f.Seq)), f.Number
			}
			return out, last
		}
		k.deleteMail(m)
		k.remove(b)
		got, last := list()
		k.same("to be forgotten", got, []string{fmt.Sprint(a, " ", m.Seq), fmt.Sprint(b, " ", 0)})
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.Forgot(ctx, last) })
		got, _ = list()
		k.same("forgotten", got, []string(nil))
	}},
}
