package service

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// near lists the messages of a mailbox whose meaning is nearest to a text, the nearest first.
// Where little else finds them, those that have no vector yet get one even while much comes in.
func (s *Service) near(ctx context.Context, num mailbox.Num, text string, alone bool) ([]meaning.Hit, error) {
	if s.opt.Encoder == nil || !meaning.Latin(text) {
		return nil, nil
	}
	s.noteInterest(num)
	query, err := s.query(ctx, text)
	if err != nil {
		return nil, err
	}
	recent, err := s.recent(ctx, num, alone)
	if err != nil {
		return nil, err
	}
	oldest := int64(1 << 62)
	if len(recent) > 0 {
		oldest = recent[len(recent)-1].Seq
	}
	find := query.Find(nearest)
	have := make(map[int64]bool, len(recent)) // of those
	err = s.opt.Index.Vectors(ctx, num, func(seq int64, record []byte) error {
		if find.Add(uint64(seq), record) && seq >= oldest { // otherwise it is another model's, and on its way out
			have[seq] = true
		}
		return nil
	})
	if err != nil {
		return nil, fail(err)
	}
	s.nearNew(ctx, num, slices.DeleteFunc(recent, func(m mailbox.Message) bool { return have[m.Seq] }), find)
	return find.Hits(farthest), nil
}

// query reads what is looked for.
func (s *Service) query(ctx context.Context, text string) (meaning.Query, error) {
	if e, ok := s.opt.Encoder.(CloseEncoder); ok {
		return e.Query(text), nil
	}
	made, err := s.opt.Encoder.Vectors(ctx, []string{text})
	if err != nil {
		return meaning.Query{}, err
	}
	return meaning.Query{Vector: made[0]}, nil
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

// noteInterest notes that a mailbox is searched by meaning. The search does not wait for it: the index may be busy with a batch.
func (s *Service) noteInterest(num mailbox.Num) {
	now := s.now()
	if !s.interest.fresh(num, now) {
		return
	}
	s.behind("note a search by meaning", func(tx store.IndexTx) error { return tx.Ask(num, now) }, func() { s.wake(wake.Vectors, 0) })
}

// behind writes to the index behind a search, and does what follows from that.
func (s *Service) behind(what string, fn func(tx store.IndexTx) error, then func()) {
	s.looks.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.opt.Index.Update(ctx, fn); err != nil {
			s.log.Warn(what, "error", err)
			return
		}
		then()
	})
}

// byMeaning gives the messages nearest in meaning that the caller's filters let through, and what of the query is not about meaning.
func (x *finder) byMeaning(ctx context.Context, hits []meaning.Hit) (out []scored, err error) {
	bounds, none := x.query.Bounds()
	within := search.NewMatcher(bounds)
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = int64(h.ID)
	}
	rows, err := x.s.messagesAt(ctx, x.num, seqs)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		m, ok := rows[int64(h.ID)]
		if ok && none {
			ok = x.wanted(*m)
		} else if ok {
			if _, ok, err = x.matches(ctx, *m, within); err != nil {
				return nil, err
			}
		}
		if ok {
			out = append(out, scored{m.Seq, max(float64(h.Score), 0), m})
		}
	}
	return out, nil
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
		matches = append(matches, meaning.Match{ID: uint64(f.seq), Share: 1})
	}
	merged := meaning.Merge(hits, matches)
	out := make([]scored, len(merged))
	for i, m := range merged {
		out[i] = bySeq[m.ID]
		out[i].score = float64(m.Score)
	}
	return out
}
