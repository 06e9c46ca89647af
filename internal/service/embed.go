package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/store"
)

// Vectors are made behind everything else, by one goroutine: a message takes up to thirty milliseconds. Where much is waiting,
// only the mail of mailboxes that are searched by meaning gets them.

// Encoder makes vectors of texts.
type Encoder interface {
	Model() string
	Vectors(ctx context.Context, texts []string) ([]meaning.Vector, error)
}

const (
	embedBatch = 8
	embedRest  = 2 * time.Second
	// embedBacklog is how many messages may wait before the mail of mailboxes that nobody searches by meaning is left out.
	embedBacklog = 200
	askedFor     = 30 * 24 * time.Hour
	// embedNow is how many messages without a vector a search makes one for itself, and how long it may take for that.
	embedNow     = 60
	embedNowTime = 1500 * time.Millisecond
	// nearest is how many messages a search by meaning looks at, and farthest what is not taken for a hit.
	nearest  = 200
	farthest = 0.25
)

// Embed makes vectors until ctx ends.
func (s *Service) Embed(ctx context.Context) error {
	if s.opt.Index == nil || s.opt.Encoder == nil {
		return nil
	}
	ear := s.embedding.Listen(0, 1<<30)
	defer ear.Close()
	for {
		began := time.Now()
		more, err := s.embedBatch(ctx)
		if more && !rest(ctx, nil, time.Since(began)) { // half a core at most
			return nil
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			s.log.Error("make vectors of messages", "error", err)
		}
		if more && err == nil {
			continue
		}
		if !rest(ctx, ear.C, embedRest) {
			return nil
		}
	}
}

// embedBatch makes the vectors of the next messages, and tells whether there may be more.
func (s *Service) embedBatch(ctx context.Context) (more bool, err error) {
	place, model, err := s.opt.Index.VectorPlace(ctx)
	if err != nil {
		return false, err
	}
	if model != s.opt.Encoder.Model() {
		place = 0 // another model's vectors cannot be compared with
	}
	var work []store.IndexWork
	err = s.view(ctx, func(r store.Reader) (err error) {
		work, err = r.ToIndex(ctx, place, embedBacklog)
		return err
	})
	if err != nil || len(work) == 0 {
		return false, err
	}
	asked, err := s.opt.Index.Asked(ctx, s.now().Add(-askedFor))
	if err != nil {
		return false, err
	}
	var batch []store.IndexWork
	last := int64(0)
	for _, w := range work {
		if len(batch) == embedBatch {
			break
		}
		last = w.Place
		if len(work) < embedBacklog || slices.Contains(asked, w.Mailbox) {
			batch = append(batch, w)
		}
	}
	vectors, err := s.vectors(ctx, batch)
	if err != nil {
		return false, err
	}
	err = s.opt.Index.Update(ctx, func(tx store.IndexTx) error {
		if err := tx.SetVectorPlace(last, s.opt.Encoder.Model()); err != nil {
			return err
		}
		return putVectors(tx, batch, vectors)
	})
	return true, err
}

func putVectors(tx store.IndexTx, work []store.IndexWork, vectors []meaning.Vector) error {
	for i, w := range work {
		if vectors[i] == nil {
			continue
		}
		if err := tx.PutVector(w.Mailbox, w.Seq, vectors[i]); err != nil {
			return err
		}
	}
	return nil
}

// vectors makes the vectors of messages. One that is gone, or mostly in a script that the encoder does not know, has none.
func (s *Service) vectors(ctx context.Context, work []store.IndexWork) ([]meaning.Vector, error) {
	out := make([]meaning.Vector, len(work))
	var texts []string
	var of []int
	for i, w := range work {
		text, err := s.passage(ctx, w)
		if err != nil {
			return nil, err
		}
		if text != "" {
			texts, of = append(texts, text), append(of, i)
		}
	}
	if len(texts) == 0 {
		return out, nil
	}
	made, err := s.opt.Encoder.Vectors(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, v := range made {
		out[of[i]] = v
	}
	return out, nil
}

// passage is what of a message is embedded; empty: nothing.
func (s *Service) passage(ctx context.Context, w store.IndexWork) (string, error) {
	var m mailbox.Message
	var c store.Content
	err := s.view(ctx, func(r store.Reader) (err error) {
		if m, err = r.MessageAt(ctx, w.Mailbox, w.Seq); err == nil {
			c, err = r.Content(ctx, m)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	d, err := skimmed(c)
	if err != nil {
		return "", nil // it cannot be read
	}
	text := meaning.Passage(m.Subject, d.Text)
	if !meaning.Latin(text) {
		return "", nil
	}
	return text, nil
}

// vectorsPending counts the messages of a mailbox that vectors have not been looked at for.
func (s *Service) vectorsPending(ctx context.Context, r store.Reader, num mailbox.Num) (int64, error) {
	if s.opt.Index == nil || s.opt.Encoder == nil {
		return 0, nil
	}
	place, _, err := s.opt.Index.VectorPlace(ctx)
	if err != nil {
		return 0, nil // as in notIndexed
	}
	waiting, err := r.NotIndexed(ctx, num, place, searchWaiting)
	return int64(len(waiting)), err
}

// near lists the messages of a mailbox whose meaning is nearest to a text, the nearest first.
func (s *Service) near(ctx context.Context, num mailbox.Num, text string) ([]meaning.Hit, error) {
	if s.opt.Encoder == nil || !meaning.Latin(text) {
		return nil, nil
	}
	err := s.opt.Index.Update(ctx, func(tx store.IndexTx) error { return tx.Ask(num, s.now()) })
	if err != nil {
		return nil, fail(err)
	}
	s.embedding.Wake(0)
	query, err := s.opt.Encoder.Vectors(ctx, []string{text})
	if err != nil || query[0] == nil {
		return nil, err
	}
	scan := meaning.NewScanner(query[0], nearest)
	have := make(map[int64]bool)
	err = s.opt.Index.Vectors(ctx, num, func(seq int64, v []byte) error {
		have[seq] = true
		return scan.Add(uint64(seq), meaning.Vector(v))
	})
	if err != nil {
		return nil, fail(err)
	}
	if err := s.nearNew(ctx, num, have, scan); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(scan.Hits(), func(h meaning.Hit) bool { return h.Cosine < farthest }), nil
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
	for _, m := range rows {
		if have[m.Seq] || ctx.Err() != nil {
			continue
		}
		work := []store.IndexWork{{Mailbox: num, Seq: m.Seq}}
		vectors, err := s.vectors(ctx, work)
		if err != nil {
			return nil // it is made in the background
		}
		if vectors[0] == nil {
			continue
		}
		if err := scan.Add(uint64(m.Seq), vectors[0]); err != nil {
			return err
		}
		err = s.opt.Index.Update(ctx, func(tx store.IndexTx) error { return putVectors(tx, work, vectors) })
		if err != nil {
			return nil
		}
	}
	return nil
}

// byMeaning gives the messages nearest in meaning that the caller's filters and those of the query let through.
func (x *finder) byMeaning(ctx context.Context, hits []meaning.Hit) (out []Found, err error) {
	err = x.s.view(ctx, func(r store.Reader) error {
		out = out[:0]
		for _, h := range hits {
			m, err := r.MessageAt(ctx, x.num, int64(h.ID))
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if x.wanted(m) {
				out = append(out, Found{Message: m, Score: max(float64(h.Cosine), 0)})
			}
		}
		return nil
	})
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
