package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func lists(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	put := func(num mailbox.Num, l mailbox.List, p mailbox.Pattern, note string, end time.Time) {
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.PutListed(ctx, mailbox.Listed{Mailbox: num, List: l, Pattern: p, Note: note, ExpiresAt: end,
				CreatedAt: noon})
		})
	}
	entries := func(num mailbox.Num, l mailbox.List, f store.ListFilter) (out []string, last int64) {
		for _, e := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Listed, error) {
			return r.ListEntries(ctx, num, l, f)
		}) {
			out, last = append(out, string(e.Pattern)), e.Number
		}
		return out, last
	}
	for _, p := range []mailbox.Pattern{"y.org", "*.y.org", "kim@y.org", "z.org"} {
		put(a, mailbox.SendBlock, p, "n", time.Time{})
	}
	put(a, mailbox.SendAllow, "y.org", "", time.Time{})
	put(b, mailbox.SendBlock, "y.org", "b's", time.Time{})
	put(0, mailbox.SendBlock, "y.org", "all", after(time.Hour))
	put(a, mailbox.SendBlock, "y.org", "changed", after(time.Minute))
	all, _ := entries(a, mailbox.SendBlock, store.ListFilter{Limit: 10})
	k.same("all", all, []string{"z.org", "kim@y.org", "*.y.org", "y.org"})
	page, last := entries(a, mailbox.SendBlock, store.ListFilter{Limit: 2, Offset: 1})
	k.same("a page", page, []string{"kim@y.org", "*.y.org"})
	page, _ = entries(a, mailbox.SendBlock, store.ListFilter{Limit: 10, Before: last})
	k.same("the next", page, []string{"y.org"})
	k.same("count", must(k, func(ctx context.Context, r store.Reader) (int64, error) {
		return r.CountListed(ctx, a, mailbox.SendBlock)
	}), int64(4))
	find := func(num mailbox.Num, ps ...mailbox.Pattern) (out []mailbox.Listed) {
		for _, e := range must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Listed, error) {
			return r.Listed(ctx, num, ps)
		}) {
			e.Number = 0
			out = append(out, e)
		}
		slices.SortFunc(out, func(x, y mailbox.Listed) int {
			return slices.Compare([]string{x.Note, string(x.Pattern)}, []string{y.Note, string(y.Pattern)})
		})
		return out
	}
	k.same("found", find(a, "kim@y.org", "y.org", "*.org"), []mailbox.Listed{
		{Mailbox: a, List: mailbox.SendAllow, Pattern: "y.org", CreatedAt: noon},
		{Mailbox: 0, List: mailbox.SendBlock, Pattern: "y.org", Note: "all", ExpiresAt: after(time.Hour),
			CreatedAt: noon},
		{Mailbox: a, List: mailbox.SendBlock, Pattern: "y.org", Note: "changed", ExpiresAt: after(time.Minute),
			CreatedAt: noon},
		{Mailbox: a, List: mailbox.SendBlock, Pattern: "kim@y.org", Note: "n", CreatedAt: noon}})
	k.same("the deployment's", find(0, "y.org"), []mailbox.Listed{{Mailbox: 0, List: mailbox.SendBlock,
		Pattern: "y.org", Note: "all", ExpiresAt: after(time.Hour), CreatedAt: noon}})
	k.same("nothing", len(find(a, "q.org")), 0)
	remove := func(num mailbox.Num, p mailbox.Pattern) error {
		return k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.DeleteListed(k.Context(), num, mailbox.SendBlock, p)
		})
	}
	k.is("deleted", remove(a, "kim@y.org"), nil)
	k.is("deleted twice", remove(a, "kim@y.org"), store.ErrNotFound)
	k.remove(a)
	k.purge(a, 2)
	all, _ = entries(a, mailbox.SendBlock, store.ListFilter{Limit: 10})
	k.same("after its mailbox", all, []string(nil))
	for _, num := range []mailbox.Num{0, b} {
		all, _ = entries(num, mailbox.SendBlock, store.ListFilter{Limit: 10})
		k.same("the others'", all, []string{"y.org"})
	}
}
