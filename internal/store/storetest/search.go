package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

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
		k.soon("to index", func() bool {
			for _, w := range k.toIndex(after, 2) {
				got, after = append(got, fmt.Sprint(w.Mailbox, " ", w.Seq)), w.Place
			}
			return len(got) >= len(want)
		})
		k.same("order", got, want)
		k.same("after the last", k.toIndex(after, 2), []store.IndexWork{})
	}},
	{"what is not indexed is listed newest first, of one mailbox", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		for i := range 30 {
			k.mail(sample(a, fmt.Sprint(i)))
			k.mail(sample(b, "other"))
		}
		var work []store.IndexWork
		k.soon("to index", func() bool {
			work = k.toIndex(0, 100)
			return len(work) == 60
		})
		for _, tt := range []struct{ indexed, limit, want int }{{0, 100, 30}, {0, 10, 10}, {58, 100, 1}, {60, 100, 0},
			{20, 100, 20}} {
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
	{"messages are found by their Seqs", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		one, other := k.mail(sample(a, "one")), k.mail(sample(a, "two"))
		find := func(num mailbox.Num, seqs ...int64) []mailbox.Message {
			list := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
				return r.MessagesAt(ctx, num, seqs...)
			})
			slices.SortFunc(list, func(x, y mailbox.Message) int { return cmp.Compare(x.Seq, y.Seq) })
			return list
		}
		both := find(a, other.Seq, 1<<40, -1, one.Seq, other.Seq+7)
		if len(both) != 2 {
			k.Fatalf("%d found", len(both))
		}
		k.same("one", both[0], one)
		k.same("other", both[1], other)
		for name, got := range map[string][]mailbox.Message{"of another": find(b, one.Seq), "none": find(a)} {
			if len(got) > 0 {
				k.Errorf("%s: %d found", name, len(got))
			}
		}
	}},
	{"times and contents are found by Seqs", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		one, other := k.mail(sample(a, "one")), k.mail(sample(a, "two"))
		content := func(m mailbox.Message) store.Content {
			return must(k, func(ctx context.Context, r store.Reader) (store.Content, error) {
				return r.Content(ctx,
					m)
			})
		}
		find := func(num mailbox.Num, seqs ...int64) (times map[int64]time.Time, contents map[int64]store.Content) {
			times = must(k, func(ctx context.Context, r store.Reader) (map[int64]time.Time, error) {
				return r.Times(ctx, num, seqs...)
			})
			contents = must(k, func(ctx context.Context, r store.Reader) (map[int64]store.Content, error) {
				return r.Contents(ctx, num, seqs...)
			})
			return times, contents
		}
		times, contents := find(a, other.Seq, 1<<40, -1, one.Seq, other.Seq+7)
		k.same("times", times, map[int64]time.Time{one.Seq: one.ReceivedAt, other.Seq: other.ReceivedAt})
		k.same("contents", contents, map[int64]store.Content{one.Seq: content(one), other.Seq: content(other)})
		for name, seqs := range map[string][]int64{"of another": {one.Seq}, "none": nil} {
			if times, contents := find(b, seqs...); len(times)+len(contents) > 0 {
				k.Errorf("%s: %v %v", name, times, contents)
			}
		}
	}},
	{"what is deleted is to be forgotten", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		m := k.mail(sample(a, "one"))
		k.mail(sample(b, "two"))
		var numbers []int64
		list := func() (out []string, numbers []int64) {
			for _, f := range must(k, func(ctx context.Context, r store.Reader) ([]store.Forgotten,
				error) {
				return r.Forgotten(ctx, 0, 10)
			}) {
				out, numbers = append(out, fmt.Sprint(f.Mailbox, " ", f.Seq)), append(numbers, f.Number)
			}
			return out, numbers
		}
		forgetting := func(num mailbox.Num, limit int) []int64 {
			return must(k, func(ctx context.Context, r store.Reader) ([]int64, error) {
				return r.Forgetting(ctx, num,
					limit)
			})
		}
		k.deleteMail(m)
		k.same("at once", forgetting(a, 10), []int64{m.Seq})
		for _, w := range k.toIndex(0, 10) {
			if w.Mailbox == a {
				k.Errorf("message %d, which was deleted, is to be indexed", w.Seq)
			}
		}
		k.same("of another", forgetting(b, 10), []int64(nil))
		more := k.mail(sample(a, "three"))
		k.deleteMail(more)
		k.same("at most one", len(forgetting(a, 1)), 1)
		k.same("both", len(forgetting(a, 10)), 2)
		k.remove(b)
		var got []string
		k.soon("to forget", func() bool {
			got, numbers = list()
			return len(got) == 3
		})
		k.same("to be forgotten", got, []string{fmt.Sprint(a, " ", m.Seq), fmt.Sprint(a, " ", more.Seq),
			fmt.Sprint(b, " ", 0)})
		rest := must(k, func(ctx context.Context, r store.Reader) ([]store.Forgotten, error) {
			return r.Forgotten(ctx, numbers[0], 1)
		})
		k.same("after the first", rest[0].Number, numbers[1])
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.Forgot(ctx, numbers[1]) })
		_, left := list()
		k.same("left", left, []int64{numbers[0], numbers[2]})
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.Forgot(ctx, left...) })
		got, _ = list()
		k.same("forgotten", got, []string(nil))
		k.same("forgotten in one", forgetting(a, 10), []int64(nil))
	}},
}

func (k kit) toIndex(after int64, limit int) []store.IndexWork {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]store.IndexWork, error) {
		list, err := r.ToIndex(ctx, everywhere(after), limit)
		return list[:min(limit, len(list))], err // the limit is that of each partition
	})
}

// everywhere is a place in all partitions that a store in a test may have.
func everywhere(place int64) store.Places {
	return store.Places{0: place, 1: place, 2: place, 3: place}
}
