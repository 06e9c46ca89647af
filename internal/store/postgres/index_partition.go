package postgres

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The index is made for each partition of the tables by itself, in the order of its places. Lists of mailboxes are
// tables that are not cut: who makes the index of some partitions passes over the others' mailboxes there.

// Partitions is into how many parts the tables are cut; 1: they are not.
func (x *Index) Partitions() int { return x.parts }

// Partition is the one that the server keeps a mailbox in.
func (x *Index) Partition(num mailbox.Num) int { return partitionOf(num, x.parts) }

// Within returns the same index, which lists only mailboxes of some partitions.
func (x *Index) Within(partitions []int) store.Index {
	some := *x
	some.within = make(map[int]bool, len(partitions))
	for _, p := range partitions {
		some.within[p] = true
	}
	return &some
}

// words is how far the index of words has come as a whole: what a partition starts from, and all there is where the
// tables are not cut. Nodes of releases that know no partitions work by it.
const words = "words"

// wordsOf names how far it has come in a partition.
func (x *Index) wordsOf(partition int) string {
	if x.parts == 1 {
		return words
	}
	return fmt.Sprintf("%s/%d", words, partition)
}

func (x *Index) Places(ctx context.Context) (store.Places, error) {
	noted := make(map[string]int64, x.parts+2)
	err := x.each(ctx, func(r pgx.Rows) error {
		var what string
		var place int64
		err := r.Scan(&what, &place)
		noted[what] = place
		return err
	}, `SELECT what, place FROM index_progress`)
	places := make(store.Places, x.parts)
	for p := range x.parts {
		places[p] = max(noted[words], noted[x.wordsOf(p)])
	}
	return places, err
}

// listPage is how many mailboxes are looked at at a time for those of some partitions.
const listPage = 1000

// listed asks for up to limit mailboxes of the index's partitions. The question has the number that they are after, and
// a limit.
func (x *Index) listed(ctx context.Context, limit int, sql string) (list []mailbox.Num, err error) {
	page := limit
	if x.within != nil {
		page = listPage
	}
	for after := mailbox.Num(0); len(list) < limit; {
		found, err := x.boxes(ctx, sql, int64(after), int64(page))
		if err != nil {
			return nil, err
		}
		for _, num := range found {
			if (x.within == nil || x.within[x.Partition(num)]) && len(list) < limit {
				list = append(list, num)
			}
		}
		if len(found) < page {
			break
		}
		after = found[len(found)-1]
	}
	return list, nil
}

// partitionOf is the remainder by which the server cuts a table by a bigint: of its hash with the seed of partitions,
// combined with nothing. A test asks the server about some.
func partitionOf(num mailbox.Num, partitions int) int {
	if partitions <= 1 {
		return 0
	}
	low, high := uint32(num), uint32(uint64(num)>>32)
	if num < 0 {
		high = ^high
	}
	return int((hash32(low^high, partitionSeed) + combineWithNothing) % uint64(partitions))
}

const (
	partitionSeed      = 0x7A5B22367996DCFD
	combineWithNothing = 0x49A0F4DD15E5A8E3
)

// hash32 is the hash of Jenkins ("lookup3") of one word with a seed.
func hash32(k uint32, seed uint64) uint64 {
	a := uint32(0x9e3779b9 + 4 + 3923095)
	b, c := a, a
	a, b = a+uint32(seed>>32), b+uint32(seed)
	rotated := func(v uint32, by int) uint32 { return bits.RotateLeft32(v, by) }
	a, c = (a-c)^rotated(c, 4), c+b
	b, a = (b-a)^rotated(a, 6), a+c
	c, b = (c-b)^rotated(b, 8), b+a
	a, c = (a-c)^rotated(c, 16), c+b
	b, a = (b-a)^rotated(a, 19), a+c
	c, b = (c-b)^rotated(b, 4), b+a
	a += k
	c = (c ^ b) - rotated(b, 14)
	a = (a ^ c) - rotated(c, 11)
	b = (b ^ a) - rotated(a, 25)
	c = (c ^ b) - rotated(b, 16)
	a = (a ^ c) - rotated(c, 4)
	b = (b ^ a) - rotated(a, 14)
	c = (c ^ b) - rotated(b, 24)
	return uint64(b)<<32 | uint64(c)
}
