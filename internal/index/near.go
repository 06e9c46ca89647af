package index

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// near lists the messages of a mailbox whose meaning is nearest to a text, keep of those that are wanted, the nearest
// first. Of those that have no vector yet it makes a few; partial says that others were left out. Alone says that
// little else finds them.
func (ix *Index) near(ctx context.Context, num mailbox.Num, text string, alone bool, keep int,
	wanted func(seq int64) bool) (hits []meaning.Hit,
	partial bool, err error) {
	if ix.opt.Encoder == nil || !meaning.Says(text) {
		return nil, false, nil
	}
	ix.noteInterest(num)
	query, err := ix.query(ctx, text)
	if err != nil {
		return nil, false, err
	}
	recent, err := ix.recent(ctx, num)
	if err == nil && len(recent) == embedRecent {
		partial, err = ix.missesVectors(ctx, num)
	}
	if err != nil {
		return nil, false, err
	}
	oldest := int64(1 << 62)
	if len(recent) > 0 {
		oldest = recent[len(recent)-1].Seq
	}
	find := query.Find(keep)
	have := make(map[int64]bool, len(recent)) // of those
	err = ix.opt.Index.Vectors(ctx, num, func(seq int64, record []byte) error {
		// otherwise it is another model's, and on its way out
		if wanted(seq) && find.Add(uint64(seq), record) && seq >= oldest {
			have[seq] = true
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	recent = slices.DeleteFunc(recent, func(m mailbox.Message) bool { return have[m.Seq] || !wanted(m.Seq) })
	left := ix.nearNew(ctx, num, recent, find, alone)
	ix.makeSoon(num, left)
	return find.Hits(farthest), partial || len(left) > 0, nil
}

// interest is which mailboxes were searched by meaning of late.
type interest struct {
	mu sync.Mutex
	at map[mailbox.Num]time.Time
}

const (
	// interestTime is how long a search is not noted again.
	interestTime = time.Hour
	// interestMost is how many mailboxes are remembered for that.
	interestMost = 10_000
)

// fresh tells whether it is worth a note that a mailbox is searched now.
func (i *interest) fresh(num mailbox.Num, now time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if at, ok := i.at[num]; ok && now.Sub(at) < interestTime {
		return false
	}
	if i.at == nil || len(i.at) >= interestMost {
		i.at = make(map[mailbox.Num]time.Time)
	}
	i.at[num] = now
	return true
}

// noteInterest notes that a mailbox is searched by meaning. The search does not wait for it: the index may be busy with
// a batch.
func (ix *Index) noteInterest(num mailbox.Num) {
	now := ix.opt.Now()
	if !ix.interest.fresh(num, now) {
		return
	}
	ix.inBackground("note a search by meaning", func(tx store.IndexTx) error { return tx.Ask(num, now) },
		func() { ix.opt.Wake(wake.Vectors) })
}

// inBackground writes to the index after a search, and does what follows from that.
func (ix *Index) inBackground(what string, fn func(tx store.IndexTx) error, then func()) {
	if ix.opt.Disk.Spare() == 0 {
		return
	}
	ix.looks.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ix.opt.Index.Update(ctx, fn); err != nil {
			ix.opt.Log.Warn(what, "error", err)
			return
		}
		then()
	})
}

// byMeaning returns the messages nearest in meaning to a text that the caller's filters let through, and what of the
// query is not about meaning.
func (x *finder) byMeaning(ctx context.Context, text string, alone bool) (out []scored, err error) {
	bounds, none := x.query.Bounds()
	among, err := x.among(ctx, bounds)
	if err != nil {
		return nil, err
	}
	keep := nearest
	if !none || !x.unfiltered() {
		keep = nearestFiltered
	}
	hits, partial, err := x.ix.near(ctx, x.num, text, alone, keep, func(seq int64) bool {
		return (x.upTo == 0 || seq <= x.upTo) && (among == nil || among[seq])
	})
	if err != nil {
		return nil, err
	}
	x.partial = partial
	within := search.NewMatcher(bounds)
	read := 0
	for part := range slices.Chunk(hits, searchPage) {
		seqs := make([]int64, len(part))
		for i, h := range part {
			seqs[i] = int64(h.ID)
		}
		rows, err := x.ix.messagesAt(ctx, x.num, seqs)
		if err != nil {
			return nil, err
		}
		for _, h := range part {
			m, ok := rows[int64(h.ID)]
			if !ok || !x.wanted(*m) {
				continue
			}
			if !none {
				if read++; read > nearest {
					return out, nil
				}
				if _, ok, err = x.matches(ctx, *m, within); err != nil {
					return nil, err
				}
			}
			if ok {
				out = append(out, scored{seq: m.Seq, score: max(float64(h.Score), 0), row: m})
			}
			if len(out) == nearest {
				return out, nil
			}
		}
	}
	return out, nil
}

// among returns the messages for which bounds can hold, so that the nearest are looked for among them and not found to
// be others. It is nil where the index leaves out none.
func (x *finder) among(ctx context.Context, bounds search.Query) (among map[int64]bool, err error) {
	plan := bounds.Plan()
	if len(plan.Must) == 0 && !plan.Verify {
		return nil, nil
	}
	ask := indexQuery(bounds, plan, false)
	if ask.own == 0 {
		return nil, nil
	}
	err = x.reopening(ctx, func() error {
		among = make(map[int64]bool)
		for opt := (segment.Options{}); ; {
			res, err := segment.Eval(ctx, x.readers, ask.must, opt, func(h segment.Hit) bool {
				among[h.Seq] = true
				return true
			})
			if err != nil || res.Next == 0 {
				return err
			}
			opt.From = res.Next
		}
	})
	if err != nil || x.lost {
		return nil, err
	}
	for _, m := range x.waiting {
		among[m.Seq] = true
	}
	return among, nil
}

// fused merges what was found by words and by meaning.
func fused(words, near []scored) []scored {
	bySeq := make(map[uint64]scored, len(words)+len(near))
	var matches []meaning.Match
	var hits []meaning.Hit
	for _, f := range near {
		bySeq[uint64(f.seq)] = f
		hits = append(hits, meaning.Hit{ID: uint64(f.seq), Score: float32(f.score)})
	}
	for _, f := range words {
		if f.row == nil {
			f.row = bySeq[uint64(f.seq)].row
		}
		bySeq[uint64(f.seq)] = f
		matches = append(matches, meaning.Match{ID: uint64(f.seq), Share: float32(f.share)})
	}
	merged := meaning.Merge(hits, matches)
	out := make([]scored, len(merged))
	for i, m := range merged {
		out[i] = bySeq[m.ID]
		out[i].score = float64(m.Score)
	}
	return out
}
