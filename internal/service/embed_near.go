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
func (s *Service) near(ctx context.Context, num mailbox.Num, text string) ([]meaning.Hit, error) {
	if s.opt.Encoder == nil || !meaning.Latin(text) {
		return nil, nil
	}
	s.ask(num)
	query, err := s.queryVector(ctx, text)
	if err != nil || query == nil {
		return nil, err
	}
	scan := meaning.NewScanner(query, 2*nearest)
	have := make(map[int64]bool)
	err = s.opt.Index.Vectors(ctx, num, func(seq int64, v []byte) error {
		if len(v)%len(query) == 0 { // otherwise it is another model's, and on its way out
			have[seq] = true
			return scan.AddAll(uint64(seq), v)
		}
		return nil
	})
	if err != nil {
		return nil, fail(err)
	}
	if err := s.nearNew(ctx, num, have, scan); err != nil {
		return nil, err
	}
	return nearestOf(scan.Hits()), nil
}

// queryVector gives what is looked for its vector.
func (s *Service) queryVector(ctx context.Context, text string) (meaning.Vector, error) {
	if e, ok := s.opt.Encoder.(QueryEncoder); ok {
		return e.QueryVector(text), nil
	}
	made, err := s.opt.Encoder.Vectors(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// nearestOf gives the nearest messages, each by the nearer of its vectors.
func nearestOf(hits []meaning.Hit) []meaning.Hit {
	seen := make(map[uint64]bool, len(hits))
	hits = slices.DeleteFunc(hits, func(h meaning.Hit) bool {
		again := seen[h.ID]
		seen[h.ID] = true
		return again || h.Cosine < farthest
	})
	return hits[:min(len(hits), nearest)]
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

// ask notes that a mailbox is searched by meaning. The search does not wait for it: the index may be busy with a batch.
func (s *Service) ask(num mailbox.Num) {
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

// nearNew adds the newest messages that have no vector yet, as many as can be done while the caller waits.
func (s *Service) nearNew(ctx context.Context, num mailbox.Num, have map[int64]bool, scan *meaning.Scanner) error {
	var rows []mailbox.Message
	err := s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.Messages(ctx, num, store.MessageFilter{Limit: embedNow})
		return err
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, embedNowTime)
	defer cancel()
	var work []store.IndexWork
	var made [][]byte
	for _, m := range rows {
		if have[m.Seq] || ctx.Err() != nil {
			continue
		}
		one := []store.IndexWork{{Mailbox: num, Seq: m.Seq}}
		vectors, err := s.vectors(ctx, one)
		if err != nil {
			break // it is made in the background
		}
		if len(vectors[0]) == 0 {
			continue
		}
		if err := scan.AddAll(uint64(m.Seq), vectors[0]); err != nil {
			return err
		}
		work, made = append(work, one...), append(made, vectors...)
	}
	if len(work) > 0 {
		s.behind("keep vectors of messages", func(tx store.IndexTx) error { return putVectors(tx, work, made) }, func() {})
	}
	return nil
}

// byMeaning gives the messages nearest in meaning that the caller's filters and those of the query let through.
func (x *finder) byMeaning(ctx context.Context, hits []meaning.Hit) (out []Found, err error) {
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = int64(h.ID)
	}
	rows, err := x.s.messagesAt(ctx, x.num, seqs)
	for _, h := range hits {
		if m, ok := rows[int64(h.ID)]; ok && x.wanted(m) {
			out = append(out, Found{Message: m, Score: max(float64(h.Cosine), 0)})
		}
	}
	return out, err
}

// meant is the words of a query, without its filters, for their meaning.
func meant(q search.Query) (text string) {
	for _, w := range q.Words() {
		if text != "" {
			text += " "
		}
		text += w.Text
	}
	return text
}

// fused merges what was found by words and by meaning.
func fused(words, near []Found) []Found {
	byID := make(map[uint64]Found, len(words)+len(near))
	var matches []meaning.Match
	var hits []meaning.Hit
	for _, f := range near {
		byID[uint64(f.Seq)] = f
		hits = append(hits, meaning.Hit{ID: uint64(f.Seq), Cosine: float32(f.Score)})
	}
	for _, f := range words {
		byID[uint64(f.Seq)] = f
		matches = append(matches, meaning.Match{ID: uint64(f.Seq), Share: 1})
	}
	merged := meaning.Merge(hits, matches)
	out := make([]Found, len(merged))
	for i, m := range merged {
		out[i] = byID[m.ID]
		out[i].Score = float64(m.Score)
	}
	return out
}
