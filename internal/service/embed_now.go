package service

import (
	"context"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/store"
)

// sketches are records that searches made a moment ago, until they are in the index: searches of one mailbox at the same time need the same ones.
type sketches struct {
	mu   sync.Mutex
	made map[freshKey][]byte // nil where a message has none
}

// sketchesMost is how many are remembered: they take up to 2 KB each.
const sketchesMost = 1000

func (k *sketches) find(key freshKey) (record []byte, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	record, ok = k.made[key]
	return record, ok
}

func (k *sketches) keep(key freshKey, record []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.made == nil || len(k.made) >= sketchesMost {
		k.made = make(map[freshKey][]byte)
	}
	k.made[key] = record
}

// nearNew adds the newest messages that have no vector yet, as many as can be done while the caller waits. Searches make them one after the other:
// whoever waited finds them made.
func (s *Service) nearNew(ctx context.Context, num mailbox.Num, have map[int64]bool, find *meaning.Finder) error {
	most := embedNow
	if s.pressed.Load() {
		most = embedPressed
	}
	var rows []mailbox.Message
	err := s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.Messages(ctx, num, store.MessageFilter{Limit: most})
		return err
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, embedNowTime)
	defer cancel()
	if _, here := s.opt.Encoder.(CloseEncoder); here {
		select {
		case s.sketching <- struct{}{}:
			defer func() { <-s.sketching }()
		case <-ctx.Done():
			return nil // they are made in the background
		}
	}
	s.sketch(ctx, num, rows, have, find)
	return nil
}

// sketch makes the records of those messages that have none, and has them stored behind the search.
func (s *Service) sketch(ctx context.Context, num mailbox.Num, rows []mailbox.Message, have map[int64]bool, find *meaning.Finder) {
	var work []store.IndexWork
	var made [][]byte
	for _, m := range rows {
		if have[m.Seq] || ctx.Err() != nil {
			continue
		}
		key := freshKey{num, m.Seq}
		record, ok := s.sketches.find(key)
		if !ok {
			one := []store.IndexWork{{Mailbox: num, Seq: m.Seq}}
			records, err := s.records(ctx, one)
			if err != nil {
				break // it is made in the background
			}
			record = records[0]
			s.sketches.keep(key, record)
			work, made = append(work, one...), append(made, record)
		}
		find.Add(uint64(m.Seq), record)
	}
	if len(work) > 0 {
		s.behind("keep vectors of messages", func(tx store.IndexTx) error { return putRecords(tx, work, made) }, func() {})
	}
}
