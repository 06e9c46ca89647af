package service

import (
	"context"
	"sync"
	"time"

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

// recent lists the newest messages, as many as can be given records while the caller waits.
// While much comes in those are few, and none where they are looked for by words too.
func (s *Service) recent(ctx context.Context, num mailbox.Num, alone bool) (rows []mailbox.Message, err error) {
	most := embedNow
	switch pressed := s.pressure.high(time.Now()); {
	case pressed && !alone:
		return nil, nil
	case pressed:
		most = embedPressed
	}
	err = s.ask(ctx, func(r store.Reader) (err error) {
		rows, err = r.Messages(ctx, num, store.MessageFilter{Limit: most})
		return err
	})
	return rows, err
}

// nearNew adds messages that have no vector yet. Searches make them one after the other: whoever waited finds them made.
func (s *Service) nearNew(ctx context.Context, num mailbox.Num, rows []mailbox.Message, find *meaning.Finder) {
	if len(rows) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, embedNowTime)
	defer cancel()
	if _, here := s.opt.Encoder.(CloseEncoder); here {
		select {
		case s.sketching <- struct{}{}:
			defer func() { <-s.sketching }()
		case <-ctx.Done():
			return // they are made in the background
		}
	}
	s.sketch(ctx, num, rows, find)
}

// sketch makes the records of messages, and has them stored behind the search.
func (s *Service) sketch(ctx context.Context, num mailbox.Num, rows []mailbox.Message, find *meaning.Finder) {
	var work []store.IndexWork
	var made [][]byte
	for _, m := range rows {
		if ctx.Err() != nil {
			break
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
