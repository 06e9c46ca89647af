package index

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// write puts messages into the index, one segment for each mailbox. What is to be forgotten is forgotten after that,
// because it may be among them.
func (x *indexer) write(ctx context.Context, work []store.IndexWork, gone []store.Forgotten) error {
	x.textless = x.textless[:0]
	var order []mailbox.Num
	boxes := make(map[mailbox.Num][]store.IndexWork)
	for _, w := range work {
		if boxes[w.Mailbox] == nil {
			order = append(order, w.Mailbox)
		}
		boxes[w.Mailbox] = append(boxes[w.Mailbox], w)
	}
	slices.Sort(order) // neighbours in the index are merged together
	err := x.index.Update(ctx, func(tx store.IndexTx) error {
		for _, num := range order {
			if err := x.writeBox(ctx, tx, num, boxes[num]); err != nil {
				return err
			}
		}
		for _, g := range gone {
			if err := tx.Drop(g.Mailbox, g.Seq); err != nil {
				return err
			}
		}
		if len(work) == 0 {
			return nil
		}
		if err := x.wantTexts(ctx); err != nil {
			return err
		}
		return x.setPlaces(tx, work)
	})
	if err == nil {
		x.wrote(order, gone)
	}
	return err
}

// setPlaces notes how far messages, which are in order, go in their partitions.
func (x *indexer) setPlaces(tx store.IndexTx, work []store.IndexWork) error {
	places := make(store.Places)
	for _, w := range work {
		places[x.index.Partition(w.Mailbox)] = w.Place
	}
	for _, p := range slices.Sorted(maps.Keys(places)) {
		if err := tx.SetPlace(p, places[p]); err != nil {
			return err
		}
	}
	return nil
}

// wrote counts the segments that mailboxes have got, and gives up what was deleted.
func (x *indexer) wrote(order []mailbox.Num, gone []store.Forgotten) {
	if len(x.pieces) > piecesMost {
		clear(x.pieces) // they are merged when nothing comes
	}
	if len(x.drops) > piecesMost {
		clear(x.drops) // the same
	}
	for _, num := range order {
		x.gotPiece(num)
	}
	for _, g := range gone {
		x.drops[g.Mailbox]++
		if g.Seq == 0 {
			delete(x.drops, g.Mailbox)
			delete(x.pieces, g.Mailbox)
			if x.renew != nil && x.renew.num == g.Mailbox {
				x.renew = nil
			}
		}
	}
}

// writeBox indexes messages of one mailbox.
func (x *indexer) writeBox(ctx context.Context, tx store.IndexTx, num mailbox.Num, work []store.IndexWork) error {
	x.builder.Reset()
	for page := range slices.Chunk(work, indexPage) {
		if err := x.addPage(ctx, num, page); err != nil {
			return err
		}
		if x.builder.Size() > indexBytes {
			if err := x.flush(tx, num); err != nil {
				return err
			}
		}
	}
	return x.flush(tx, num)
}

// addPage indexes some messages: from memory where they are there, the others from the store.
func (x *indexer) addPage(ctx context.Context, num mailbox.Num, page []store.IndexWork) error {
	x.unread = x.unread[:0]
	for _, w := range page {
		m, ok := x.ix.fresh.take(freshKey{num, w.Seq})
		if !ok {
			x.unread = append(x.unread, w)
			continue
		}
		if err := x.addMail(w.Seq, m); err != nil {
			return err
		}
	}
	if len(x.unread) == 0 {
		return nil
	}
	messages, err := x.read(ctx, num, x.unread)
	for _, m := range messages {
		if err == nil {
			err = x.add(ctx, m)
		}
	}
	return err
}

// toIndex is a message that is being indexed.
type toIndex struct {
	mailbox.Message
	content store.Content
	texts   []byte // of its attachments, as they are kept; none where they were not read yet
}

// read reads messages of a mailbox. Those that were deleted meanwhile are left out.
func (x *indexer) read(ctx context.Context, num mailbox.Num, work []store.IndexWork) (list []toIndex, err error) {
	err = x.ix.opt.Store.View(ctx, func(r store.Reader) error {
		list = list[:0]
		seqs := make([]int64, len(work))
		for i, w := range work {
			seqs[i] = w.Seq
		}
		rows, err := r.MessagesAt(ctx, num, seqs...)
		if err != nil {
			return err
		}
		slices.SortFunc(rows, func(a, b mailbox.Message) int { return cmp.Compare(a.Seq, b.Seq) })
		for _, m := range rows {
			c, err := r.Content(ctx, m)
			if err != nil {
				return err
			}
			list = append(list, toIndex{Message: m, content: c})
		}
		return withTexts(ctx, r, num, list)
	})
	if mailbox.KindOf(err) == mailbox.KeyLost { // others' mail does not wait for the key
		return nil, nil
	}
	return list, err
}

func (x *indexer) flush(tx store.IndexTx, num mailbox.Num) error {
	if x.builder.Docs() == 0 {
		return nil
	}
	id, err := tx.NewSegment()
	if err != nil {
		return err
	}
	meta, err := x.builder.Write(blockWriter{tx, num, id}, segment.ID{Mailbox: int64(num), Segment: id})
	if err != nil {
		return err
	}
	x.builder.Reset()
	return tx.PutSegment(storedSegment(num, id, meta))
}

func storedSegment(num mailbox.Num, id int64, m segment.Meta) store.Segment {
	return store.Segment{Mailbox: num, ID: id, Docs: m.Docs, Blocks: m.Blocks, MinSeq: m.MinSeq, MaxSeq: m.MaxSeq,
		Bytes: m.Bytes}
}

type blockWriter struct {
	tx  store.IndexTx
	num mailbox.Num
	id  int64
}

func (w blockWriter) WriteBlock(n int, data []byte) error { return w.tx.PutBlock(w.num, w.id, n, data) }

// add indexes one message of the store. One that cannot be read is passed over.
func (x *indexer) add(ctx context.Context, m toIndex) error {
	leave, err := x.ix.opt.LargeTurn(ctx, mailbox.Message{Size: m.Size})
	if err != nil {
		return err
	}
	defer leave()
	d, err := rawmail.Skim(m.content)
	if err != nil {
		x.ix.opt.Log.Warn("a message cannot be indexed", "message", m.ID, "error", err)
		return nil
	}
	x.takeTexts(m, &d)
	return x.addMail(m.Seq, searchMail(m.Message, d))
}

// addMail indexes the words of a message.
func (x *indexer) addMail(seq int64, m search.Mail) error {
	x.tokens = m.Tokens(x.tokens[:0])
	err := x.builder.Add(seq, func(yield func(segment.Token) bool) {
		for _, t := range x.tokens {
			if !yield(segment.Token{Term: t.Text, Field: uint8(t.Field), Pos: t.Pos}) {
				return
			}
		}
	})
	if errors.Is(err, segment.ErrDocument) {
		x.ix.opt.Log.Warn("a message cannot be indexed", "seq", seq, "error", err)
		err = nil
	}
	return err
}
