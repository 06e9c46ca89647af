package storetest

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func reviews(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	put := func(num mailbox.Num, id byte, hours int) mailbox.Review {
		r := mailbox.Review{Mailbox: num, Message: mailbox.ID{id}, Status: mailbox.ReviewHeld,
			Version: 2, About: mailbox.ID{9}, Reasons: []string{"one", "two"}, CreatedAt: noon,
			ExpiresAt: noon.Add(time.Duration(hours) * time.Hour), Unnoticed: id != 3, Due: id == 3}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertReview(ctx, r) })
		return r
	}
	list := func(f store.ReviewFilter) (out []byte, last int64) {
		f.Limit = 10
		for _, r := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Review, error) {
			return r.Reviews(ctx, f)
		}) {
			out, last = append(out, r.Message[0]), r.Number
		}
		return out, last
	}
	find := func(num mailbox.Num, id byte) (mailbox.Review, error) {
		return ask(k, func(ctx context.Context, r store.Reader) (mailbox.Review, error) {
			return r.Review(ctx, num, mailbox.ID{id})
		})
	}
	held := func(num mailbox.Num) int64 {
		return must(k, func(ctx context.Context, r store.Reader) (int64, error) { return r.CountHeld(ctx, num) })
	}
	unsent := func(num mailbox.Num) int64 {
		return must(k, func(ctx context.Context, r store.Reader) (int64, error) { return r.CountUnsent(ctx, num) })
	}
	put(a, 1, 3)
	second := put(a, 2, 1)
	put(b, 3, 2)
	got, err := find(a, 2)
	k.is("found", err, nil)
	got.Number = 0
	k.same("as it was put", got, second)
	_, err = find(b, 2)
	k.is("another mailbox's", err, store.ErrNotFound)
	all, _ := list(store.ReviewFilter{})
	k.same("all", all, []byte{3, 2, 1})
	own, last := list(store.ReviewFilter{Mailbox: a})
	k.same("of a mailbox", own, []byte{2, 1})
	own, _ = list(store.ReviewFilter{Mailbox: a, Before: last + 1, Offset: 0})
	k.same("before", own, []byte{1})
	expired := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Review, error) {
		return r.ExpiredReviews(ctx, noon.Add(2*time.Hour), 10)
	})
	k.same("expired", []byte{expired[0].Message[0], expired[1].Message[0], byte(len(expired))}, []byte{2, 3, 2})
	unnoticed := func(after mailbox.Num) []mailbox.Num {
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Num, error) {
			return r.Unnoticed(ctx, after, 10)
		})
	}
	noticed := func(num mailbox.Num, upTo int64) (n int64) {
		k.update(func(ctx context.Context, tx store.Tx) (err error) {
			n, err = tx.MarkNoticed(ctx, num, upTo)
			return err
		})
		return n
	}
	untold := func(num mailbox.Num, limit int) (out []byte) {
		for _, r := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Review, error) {
			return r.UnnoticedReviews(ctx, num, limit)
		}) {
			out = append(out, r.Message[0])
		}
		return out
	}
	k.same("told of none", unnoticed(0), []mailbox.Num{a})
	k.same("those not told, the oldest first", untold(a, 10), []byte{1, 2})
	k.same("some of them", untold(a, 1), []byte{1})
	k.same("of another mailbox", len(untold(b, 10)), 0)
	k.same("after it", len(unnoticed(a)), 0)
	k.same("told of the first", []int64{noticed(a, last), noticed(a, last), noticed(b, last+9)}, []int64{1, 0, 0})
	k.same("told of one", unnoticed(0), []mailbox.Num{a})
	k.same("the other", untold(a, 10), []byte{2})
	k.same("told of all", noticed(a, last+9), int64(1))
	k.same("none is left", len(unnoticed(0)), 0)
	second.Unnoticed = false
	second.Status, second.Note, second.By, second.DecidedAt = mailbox.ReviewRejected, "no", "operator", noon
	second.Version = 3
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateReview(ctx, second) })
	got, _ = find(a, 2)
	got.Number = 0
	k.same("decided", got, second)
	k.same("still held", []int64{held(a), held(b)}, []int64{1, 1})
	k.same("not sent", []int64{unsent(a), unsent(b)}, []int64{2, 1})
	first, _ := find(a, 1)
	first.Status = mailbox.ReviewApproved
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateReview(ctx, first) })
	k.same("one is sent", unsent(a), int64(1))
	first.Status = mailbox.ReviewHeld
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateReview(ctx, first) })
	own, _ = list(store.ReviewFilter{Mailbox: a, Status: mailbox.ReviewHeld})
	k.same("held", own, []byte{1})
	all, _ = list(store.ReviewFilter{Status: mailbox.ReviewHeld})
	k.same("held anywhere", all, []byte{3, 1})
	all, _ = list(store.ReviewFilter{Status: mailbox.ReviewRejected})
	k.same("rejected anywhere", all, []byte{2})
	own, _ = list(store.ReviewFilter{Mailbox: a, Status: mailbox.ReviewRejected})
	k.same("rejected", own, []byte{2})
}

// reviewsGo: also where the message was held only when it was due, and its row does not say so.
func reviewsGo(k kit) {
	num := k.box("a@x.org").Num
	for _, held := range []bool{true, false} {
		m := sample(num, "hello")
		m.Direction, m.Held = mailbox.Outbound, held
		m = k.mail(m)
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.InsertReview(ctx, mailbox.Review{Mailbox: num, Message: m.ID, Status: mailbox.ReviewHeld,
				CreatedAt: noon, ExpiresAt: noon})
		})
		k.deleteMail(m)
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Review, error) {
			return r.Review(ctx, num, m.ID)
		})
		k.is("after its message", err, store.ErrNotFound)
	}
}
