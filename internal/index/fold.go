package index

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// Bodies are indexed first. A message whose attachments were not read by then is indexed without their text and noted;
// when it was read (textreader.go), the message is indexed once more, in the segment that has it, in place of what was
// there.

const (
	// foldMost is how many messages of a mailbox take up the text of their attachments together.
	foldMost = 64
	// foldDocs is how many messages a segment may have to be rewritten for that. Where it has more, the mailbox's
	// whole part is rebuilt, which takes longer but lets new mail through, once all its attachments that wait have
	// been read. That is seldom: text comes moments behind the body, whose segment is still a small one.
	foldDocs = 4096
)

// takeTexts adds the text of its attachments to a message that is being indexed, or notes that it has none yet.
func (x *indexer) takeTexts(m toIndex, d *mailbox.Detail) {
	if !hasText(d.Parts) {
		return
	}
	if t, ok := unpackTexts(m.texts); ok {
		d.Texts = t
		return
	}
	x.textless = append(x.textless, store.TextWork{Mailbox: m.Mailbox, Seq: m.Seq})
}

// wantTexts notes the messages that were indexed without the text of their attachments. That is durable before the
// index is.
func (x *indexer) wantTexts(ctx context.Context) error {
	list := x.textless
	x.textless = x.textless[:0]
	if len(list) == 0 {
		return nil
	}
	seqs := make(map[mailbox.Num][]int64)
	var order []mailbox.Num
	for _, w := range list {
		if seqs[w.Mailbox] == nil {
			order = append(order, w.Mailbox)
		}
		seqs[w.Mailbox] = append(seqs[w.Mailbox], w.Seq)
	}
	slices.Sort(order)
	err := x.ix.opt.Store.Update(ctx, func(tx store.Tx) error {
		for _, num := range order {
			if err := tx.WantTexts(ctx, num, seqs[num]...); err != nil {
				return err
			}
		}
		return nil
	})
	x.ix.wanting.Wake(0)
	return err
}

// withTexts adds what is kept of the attachments' text to messages of a mailbox.
func withTexts(ctx context.Context, r store.Reader, num mailbox.Num, list []toIndex) error {
	var seqs []int64
	for _, m := range list {
		if m.Attachments > 0 {
			seqs = append(seqs, m.Seq)
		}
	}
	if len(seqs) == 0 {
		return nil
	}
	kept, err := r.PartTexts(ctx, num, seqs...)
	for i := range list {
		list[i].texts = kept[list[i].Seq]
	}
	return err
}

// foldTexts lets messages take up the text of their attachments, for a while. It goes on where it stopped the last
// time.
func (x *indexer) foldTexts(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < mergeTime; {
		work, err := x.ix.textWork(ctx, store.IndexText, x.folded, foldMost)
		if err != nil {
			return err
		}
		if len(work) == 0 {
			x.folded = 0
			return nil
		}
		num := work[0].Mailbox
		x.folded = num
		if x.renewing(num) || !x.mine(num) {
			continue
		}
		var seqs []int64
		for _, w := range work {
			if w.Mailbox == num {
				seqs = append(seqs, w.Seq)
			}
		}
		if err := x.unlessDamaged(ctx, num, x.foldBox(ctx, num, seqs)); err != nil {
			return err
		}
	}
	return nil
}

// foldBox lets messages of one mailbox take up the text of their attachments.
func (x *indexer) foldBox(ctx context.Context, num mailbox.Num, seqs []int64) error {
	list, err := x.index.Segments(ctx, num)
	if err != nil {
		return err
	}
	done := seqs
	for _, sg := range list {
		held, err := x.held(ctx, sg, seqs)
		if err != nil {
			return err
		}
		if len(held) == 0 {
			continue
		}
		if sg.Docs > x.foldDocs {
			return x.foldLarge(ctx, num)
		}
		taken, err := x.foldSegment(ctx, sg, held)
		if err != nil {
			return err
		}
		done = slices.DeleteFunc(slices.Clone(done), func(seq int64) bool { return slices.Contains(held[taken:], seq) })
	}
	return x.ix.opt.Store.Update(ctx, func(tx store.Tx) error {
		return tx.DoneTexts(ctx, store.IndexText, num,
			done...)
	})
}

// held returns those of the messages that a segment has.
func (x *indexer) held(ctx context.Context, sg store.Segment, seqs []int64) (held []int64, err error) {
	r := x.ix.reader(sg)
	for _, seq := range seqs {
		has, err := r.Has(ctx, seq)
		if err != nil {
			return nil, err
		}
		if has {
			held = append(held, seq)
		}
	}
	return held, nil
}

// foldSegment rewrites a segment in which messages have the text of their attachments. It takes as many of them as
// memory allows, and tells how many those are.
func (x *indexer) foldSegment(ctx context.Context, sg store.Segment, seqs []int64) (taken int, err error) {
	texts := &memorySegment{}
	if taken, err = x.buildTexts(ctx, texts, sg.Mailbox, seqs); err != nil || texts.meta.Docs == 0 {
		return taken, err
	}
	release, err := x.ix.roomToMerge(sg.Bytes + texts.meta.Bytes)
	if err != nil {
		return 0, err
	}
	defer release()
	return taken, x.index.Update(ctx, func(tx store.IndexTx) error {
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		to := segment.ID{Mailbox: int64(sg.Mailbox), Segment: id}
		meta, err := segment.Merge(ctx, blockWriter{tx, sg.Mailbox, id}, to, []*segment.Reader{x.ix.reader(sg),
			texts.reader()}, nil)
		if err != nil {
			return err
		}
		if err := tx.DeleteSegment(sg.Mailbox, sg.ID); err != nil {
			return err
		}
		tx.Durable() // that it was done is noted in the store
		return tx.PutSegment(storedSegment(sg.Mailbox, id, meta))
	})
}

// buildTexts makes a segment in memory of messages with the text of their attachments. Those that are gone are left
// out.
func (x *indexer) buildTexts(ctx context.Context, to *memorySegment, num mailbox.Num, seqs []int64) (taken int,
	err error) {
	own, build := x.builder, segment.NewBuilder()
	x.builder = build
	defer func() { x.builder = own }()
	for page := range slices.Chunk(seqs, indexPage) {
		work := make([]store.IndexWork, len(page))
		for i, seq := range page {
			work[i] = store.IndexWork{Mailbox: num, Seq: seq}
		}
		messages, err := x.read(ctx, num, work)
		for _, m := range messages {
			if err == nil {
				err = x.add(ctx, m)
			}
		}
		x.textless = x.textless[:0] // noted already
		if err != nil {
			return 0, err
		}
		if taken += len(page); build.Size() > indexBytes {
			break
		}
	}
	if build.Docs() == 0 {
		return taken, nil
	}
	to.id = segment.ID{Mailbox: int64(num), Segment: math.MaxInt64} // the latest: it takes the place of what was there
	to.meta, err = build.Write(to, to.id)
	return taken, err
}

// errNoProgress is work that is done and is still there.
var errNoProgress = errors.New("what was done is still to be done")

// foldLarge has the part of a mailbox rebuilt, when all its attachments that wait have been read. What is kept by now
// is taken up then.
func (x *indexer) foldLarge(ctx context.Context, num mailbox.Num) error {
	waiting, err := x.ix.textWork(ctx, store.ReadText, num-1, 1)
	if err != nil || len(waiting) > 0 && waiting[0].Mailbox == num {
		return err
	}
	err = x.index.Update(ctx, func(tx store.IndexTx) error {
		tx.Durable()
		return tx.Renew(num)
	})
	x.ix.renewals.due.Store(true)
	for last := int64(-1); err == nil; {
		var work []store.TextWork
		if work, err = x.ix.textWork(ctx, store.IndexText, num-1, 1000); err != nil {
			return err
		}
		var seqs []int64
		for _, w := range work {
			if w.Mailbox == num {
				seqs = append(seqs, w.Seq)
			}
		}
		if len(seqs) == 0 {
			return nil
		}
		if seqs[0] == last {
			return errNoProgress
		}
		last = seqs[0]
		err = x.ix.opt.Store.Update(ctx, func(tx store.Tx) error {
			return tx.DoneTexts(ctx, store.IndexText, num,
				seqs...)
		})
	}
	return err
}

// memorySegment is a segment that is not stored.
type memorySegment struct {
	id     segment.ID
	meta   segment.Meta
	blocks map[int][]byte
}

func (m *memorySegment) WriteBlock(n int, data []byte) error {
	if m.blocks == nil {
		m.blocks = make(map[int][]byte)
	}
	m.blocks[n] = slices.Clone(data)
	return nil
}

func (m *memorySegment) Block(_ context.Context, n int) ([]byte, error) {
	if data, ok := m.blocks[n]; ok {
		return data, nil
	}
	return nil, errors.New("no such block")
}

func (m *memorySegment) reader() *segment.Reader { return segment.NewReader(m.id, m.meta, m) }
