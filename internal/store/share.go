package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Share is what one node has of a work that is divided among nodes by partitions.
type Share struct {
	Partitions []int  // in order
	Lease      string // the fence is that of this lease
	Fence      int64  // 0: the node is alone
}

// Sharer divides a work among the nodes that take part in it.
type Sharer interface {
	// Share has holder take part in a work for ttl from now, or go on doing so, and returns what it has of the
	// partitions: as many as every other, or one more. That of a holder whose time is over goes to others. The fence is
	// the same until something of the share goes to another holder, which is not while something is being written under
	// it: a write that names the old one is refused.
	Share(ctx context.Context, what, holder string, partitions int, ttl time.Duration) (Share, error)
	// Unshare gives a share back, so that the others need not wait for its end.
	Unshare(ctx context.Context, what, holder string) error
}

// RunShare calls work with this node's share of the partitions, until ctx ends or work returns nil or an error of its
// own. The ctx of work ends with a cause of ErrFenced when the share becomes another, or can no longer be counted on.
// Work that returns then, or that returns ErrFenced, is called again with the share of that time.
func (t Turn) RunShare(ctx context.Context, partitions int, work func(context.Context, Share) error) error {
	if t.Leaser == nil {
		all := Share{Partitions: make([]int, partitions)}
		for p := range partitions {
			all.Partitions[p] = p
		}
		return work(ctx, all)
	}
	t.failing = new(bool)
	defer t.unshare(ctx)
	for ctx.Err() == nil {
		asked := time.Now()
		share, ok := t.askShare(ctx, partitions)
		if !ok || len(share.Partitions) == 0 {
			pause(ctx, t.TTL/3)
			continue
		}
		if lost, err := t.holdShare(ctx, share, asked, partitions, work); !lost {
			return err
		}
	}
	return ctx.Err()
}

// holdShare runs work and asks for the share meanwhile. lost: work was ended because the share is another.
func (t Turn) holdShare(ctx context.Context, share Share, since time.Time, partitions int,
	work func(context.Context, Share) error) (lost bool, err error) {
	return t.keep(ctx, since, func(term context.Context) error { return work(term, share) },
		func(term context.Context) (same, known bool) {
			again, ok := t.askShare(term, partitions)
			return ok && again.Fence == share.Fence && slices.Equal(again.Partitions, share.Partitions), ok
		},
		func() {})
}

// askShare asks for the share; false: it is not known.
func (t Turn) askShare(ctx context.Context, partitions int) (Share, bool) {
	ctx, cancel := context.WithTimeout(ctx, t.TTL/3)
	defer cancel()
	share, err := t.Leaser.Share(ctx, t.What, t.Holder, partitions, t.TTL)
	if err != nil && ctx.Err() == nil && !*t.failing {
		t.Log.Warn("ask for a share", "what", t.What, "error", err)
	}
	*t.failing = err != nil
	return share, err == nil
}

// unshare lets the other nodes go on at once, also when ctx has ended.
func (t Turn) unshare(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.TTL/3)
	defer cancel()
	if err := t.Leaser.Unshare(ctx, t.What, t.Holder); err != nil {
		t.Log.Warn("give a share back", "what", t.What, "error", err)
	}
}

// Divide gives each of the partitions to one of the nodes, each node as many as every other or one more, and moves as
// few as it can. had says who had which.
func Divide(partitions int, had map[int]string, nodes []string) map[int]string {
	owner := make(map[int]string, partitions)
	if len(nodes) == 0 {
		return owner
	}
	held := make(map[string]int)
	for p := range partitions {
		held[had[p]]++
	}
	// those who have the most keep the one more, where it does not come out even
	nodes = slices.SortedFunc(slices.Values(nodes), func(a, b string) int {
		if held[a] != held[b] {
			return held[b] - held[a]
		}
		return cmp.Compare(a, b)
	})
	room := make(map[string]int, len(nodes))
	for i, n := range nodes {
		room[n] = partitions / len(nodes)
		if i < partitions%len(nodes) {
			room[n]++
		}
	}
	for p := range partitions {
		if n := had[p]; room[n] > 0 {
			owner[p] = n
			room[n]--
		}
	}
	for p := range partitions {
		if _, ok := owner[p]; ok {
			continue
		}
		for len(nodes) > 1 && room[nodes[0]] == 0 {
			nodes = nodes[1:]
		}
		owner[p] = nodes[0]
		room[nodes[0]]--
	}
	return owner
}
