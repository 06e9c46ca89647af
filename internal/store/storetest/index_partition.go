package storetest

import (
	"maps"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var partitionTests = []indexTest{
	{"each partition has a place of its own", func(k indexKit) {
		want := make(store.Places)
		for p := range k.x.Partitions() {
			want[p] = 0
		}
		check := func(what string) {
			k.Helper()
			got, err := k.x.Places(k.Context())
			if err != nil || !maps.Equal(got, want) {
				k.Errorf("%s: %v (%v), want %v", what, got, err, want)
			}
		}
		check("at first")
		for p := range k.x.Partitions() {
			for _, place := range []int64{int64(p) + 7, int64(p) + 9} {
				want[p] = place
				k.do(func(tx store.IndexTx) error { return tx.SetPlace(p, place) })
				check("set")
			}
		}
	}},
	{"lists are of the partitions that are asked for", func(k indexKit) {
		whole, ok := k.x.(store.FencedIndex)
		if !ok {
			return // one node has all
		}
		all := make([]mailbox.Num, 40)
		for i := range all {
			all[i] = mailbox.Num(i + 1)
			k.do(drop(all[i], 3), renew(all[i]))
		}
		lists := map[string]func(x store.Index) ([]mailbox.Num, error){
			"dropped in": func(x store.Index) ([]mailbox.Num, error) { return x.DroppedIn(k.Context()) },
			"unmerged":   func(x store.Index) ([]mailbox.Num, error) { return x.Unmerged(k.Context(), 100) },
			"renewals":   func(x store.Index) ([]mailbox.Num, error) { return x.Renewals(k.Context(), 100) },
		}
		for name, list := range lists {
			var together []mailbox.Num
			for p := range k.x.Partitions() {
				some, err := list(whole.Within([]int{p}))
				if err != nil {
					k.Fatal(err)
				}
				for _, num := range some {
					if k.x.Partition(num) != p {
						k.Errorf("%s of %d: %d is in %d", name, p, num, k.x.Partition(num))
					}
				}
				together = append(together, some...)
			}
			slices.Sort(together)
			k.same(name, together, all)
		}
		one := k.x.Partition(all[len(all)-1])
		last, err := whole.Within([]int{one}).Unmerged(k.Context(), 1)
		if len(last) != 1 || err != nil || k.x.Partition(last[0]) != one {
			k.Errorf("at most one: %v, %v", last, err)
		}
	}},
}
