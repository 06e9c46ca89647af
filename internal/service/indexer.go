package service

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/extract/document"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// The index of words is written behind the commits: messages in the order in which they were stored, in batches, each batch with
// the note how far it has come. Nothing waits for it: a search also looks through what its own mailbox still has waiting.

const (
	indexBatch = 1024
	// indexPause lets mail gather, so that a batch is worth its commit. A segment of many messages costs a fifth for each of what one
	// of a single message does, so where much comes in, more is gathered.
	indexPause = 25 * time.Millisecond
	busyPause  = 400 * time.Millisecond
	busyBatch  = 100
	// indexPage is how many messages are read together.
	indexPage = 16
	// indexRest is how long the indexer waits before it looks again without having been woken.
	indexRest = time.Second
	// indexError is how long it waits after a failure: the disk may be full, and mail comes first.
	indexError = 10 * time.Second
	// indexBytes is how much memory the words of one batch may take.
	indexBytes = 32 << 20
	// mergeBoxes is how many mailboxes are looked at for merging at a time.
	mergeBoxes = 64
)

// indexer makes the index. There is one.
type indexer struct {
	s       *Service
	builder *segment.Builder
	tokens  []search.Token
	last    int // messages in the last batch
}

// Index keeps the index of words up to date until ctx ends.
func (s *Service) Index(ctx context.Context) error {
	if s.opt.Index == nil {
		return nil
	}
	ear := s.indexing.Listen(0, 1<<30)
	defer ear.Close()
	x := &indexer{s: s, builder: segment.NewBuilder()}
	for {
		more, err := x.round(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.log.Error("index messages", "error", err)
			if !rest(ctx, nil, indexError) {
				return nil
			}
			continue
		case more:
			continue
		}
		if err == nil && s.sweepIsDue() {
			if err = x.sweep(ctx); err == nil {
				s.sweepDone()
			}
		}
		if err == nil {
			err = x.merge(ctx, ear.C)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Error("merge the index", "error", err)
		}
		if !rest(ctx, ear.C, indexRest) {
			return nil
		}
		pause := indexPause
		if x.last > busyBatch {
			pause = busyPause
		}
		if !rest(ctx, nil, pause) {
			return nil
		}
	}
}

// rest waits for a time or a wake; false: ctx is over.
func rest(ctx context.Context, wake <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-wake:
	case <-ctx.Done():
		return false
	}
	return true
}

// round indexes one batch, and tells whether there may be more.
func (x *indexer) round(ctx context.Context) (more bool, err error) {
	place, err := x.s.opt.Index.Place(ctx)
	if err != nil {
		return false, err
	}
	var gone []store.Forgotten
	var work []store.IndexWork
	err = x.s.view(ctx, func(r store.Reader) (err error) {
		if gone, err = r.Forgotten(ctx, indexBatch); err == nil {
			work, err = r.ToIndex(ctx, place, indexBatch)
		}
		return err
	})
	x.last = len(work)
	if err != nil || len(gone) == 0 && len(work) == 0 {
		return false, err
	}
	done, err := x.write(ctx, work, gone)
	if err == nil && len(gone) > 0 {
		err = x.s.update(ctx, func(tx store.Tx) error { return tx.Forgot(ctx, gone[len(gone)-1].Number) })
	}
	return done < len(work) || len(work) == indexBatch || len(gone) == indexBatch, err
}

// write puts messages into the index, one segment for each mailbox, and says how many: as many as fit in memory. What is to be
// forgotten is forgotten behind that, because it may be among them.
func (x *indexer) write(ctx context.Context, work []store.IndexWork, gone []store.Forgotten) (done int, err error) {
	var order []mailbox.Num
	boxes := make(map[mailbox.Num][]store.IndexWork)
	for _, w := range work {
		if boxes[w.Mailbox] == nil {
			order = append(order, w.Mailbox)
		}
		boxes[w.Mailbox] = append(boxes[w.Mailbox], w)
	}
	err = x.s.opt.Index.Update(ctx, func(tx store.IndexTx) error {
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
		return tx.SetPlace(work[len(work)-1].Place)
	})
	return len(work), err
}

// writeBox indexes messages of one mailbox.
func (x *indexer) writeBox(ctx context.Context, tx store.IndexTx, num mailbox.Num, work []store.IndexWork) error {
	x.builder.Reset()
	for page := range slices.Chunk(work, indexPage) {
		messages, err := x.read(ctx, num, page)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if err := x.add(ctx, m); err != nil {
				return err
			}
		}
		if x.builder.Size() > indexBytes {
			if err := x.flush(tx, num); err != nil {
				return err
			}
		}
	}
	return x.flush(tx, num)
}

// toIndex is a message that is being indexed.
type toIndex struct {
	mailbox.Message
	content store.Content
}

// read reads messages of a mailbox. Those that were deleted meanwhile are left out.
func (x *indexer) read(ctx context.Context, num mailbox.Num, work []store.IndexWork) (list []toIndex, err error) {
	err = x.s.view(ctx, func(r store.Reader) error {
		list = list[:0]
		for _, w := range work {
			m, err := r.MessageAt(ctx, num, w.Seq)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			c, err := r.Content(ctx, m)
			if err != nil {
				return err
			}
			list = append(list, toIndex{m, c})
		}
		return nil
	})
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
	return store.Segment{Mailbox: num, ID: id, Docs: m.Docs, Blocks: m.Blocks, MinSeq: m.MinSeq, MaxSeq: m.MaxSeq, Bytes: m.Bytes}
}

type blockWriter struct {
	tx  store.IndexTx
	num mailbox.Num
	id  int64
}

func (w blockWriter) WriteBlock(n int, data []byte) error { return w.tx.PutBlock(w.num, w.id, n, data) }

// add indexes one message. One that cannot be read is passed over.
func (x *indexer) add(ctx context.Context, m toIndex) error {
	d, err := skimmed(m.content)
	if err != nil {
		x.s.log.Warn("a message cannot be indexed", "message", m.ID, "error", err)
		return nil
	}
	x.s.fileTexts(ctx, &d, m.content)
	x.tokens = searchMail(m.Message, d).Tokens(x.tokens[:0])
	err = x.builder.Add(m.Seq, func(yield func(segment.Token) bool) {
		for _, t := range x.tokens {
			if !yield(segment.Token{Term: t.Text, Field: uint8(t.Field), Pos: t.Pos}) {
				return
			}
		}
	})
	if errors.Is(err, segment.ErrDocument) {
		x.s.log.Warn("a message cannot be indexed", "message", m.ID, "error", err)
		err = nil
	}
	return err
}

// skimmed gives what of a message is searched, without decoding what is not.
func skimmed(c store.Content) (d mailbox.Detail, err error) {
	if c.Blob != "" {
		d, _, err = unpack(c)
		return d, err
	}
	raw, half, err := halves(c)
	if err != nil {
		return d, err
	}
	var k sentKernel
	if err := json.Unmarshal(half, &k); err != nil {
		return d, err
	}
	limits := rfc822.DefaultLimits()
	limits.Skim = true
	p := rfc822.Parse(raw, limits)
	d = mailbox.Detail{Subject: p.Subject, Text: p.Text, HTML: p.HTML, To: addresses(p.To), Cc: addresses(p.Cc), Bcc: addresses(p.Bcc), Parts: k.Parts}
	if k.Bcc != nil {
		d.Bcc = k.Bcc
	}
	return d, nil
}

// fileTexts reads the attachments of a message for the index, as long as they take.
func (s *Service) fileTexts(ctx context.Context, d *mailbox.Detail, c store.Content) {
	if len(d.Parts) == 0 {
		return
	}
	d.Texts = make(map[int]mailbox.PartText)
	left := textsBytes
	for i, p := range d.Parts {
		if i == textsMost || left <= 0 {
			return
		}
		if document.Kind(documentPart(p)) == document.Unreadable {
			continue
		}
		t := s.readPart(ctx, p, c)
		t.Text = mailbox.Clip(t.Text, left)
		left -= len(t.Text)
		d.Texts[p.Index] = t
	}
}

// searchMail is a message as package search looks at it.
func searchMail(m mailbox.Message, d mailbox.Detail) search.Mail {
	out := search.Mail{Subject: m.Subject, From: []mailbox.Address{m.From}, To: recipients(m, d), Body: d.Text}
	if d.Subject != "" {
		out.Subject = d.Subject
	}
	for _, p := range d.Parts {
		out.Files = append(out.Files, p.Filename)
		if t := d.Texts[p.Index].Text; t != "" {
			out.FileTexts = append(out.FileTexts, t)
		}
	}
	return out
}

func recipients(m mailbox.Message, d mailbox.Detail) []mailbox.Address {
	list := make([]mailbox.Address, 0, len(d.To)+len(d.Cc)+len(d.Bcc)+1)
	list = append(append(append(list, d.To...), d.Cc...), d.Bcc...)
	if len(list) == 0 && m.Recipient != "" {
		list = append(list, mailbox.Address{Address: m.Recipient})
	}
	return list
}

// sweep writes every segment anew that has a deleted message in it, so that no word of it is left.
func (x *indexer) sweep(ctx context.Context) error {
	boxes, err := x.s.opt.Index.DroppedIn(ctx)
	for _, num := range boxes {
		if err == nil {
			err = x.sweepBox(ctx, num)
		}
	}
	return err
}

func (x *indexer) sweepBox(ctx context.Context, num mailbox.Num) error {
	dropped, err := x.s.opt.Index.Dropped(ctx, num)
	if err != nil {
		return err
	}
	list, err := x.s.opt.Index.Segments(ctx, num)
	if err != nil {
		return err
	}
	for _, sg := range list {
		if sg.Dropped == 0 {
			continue
		}
		if err := x.rewrite(ctx, num, []*segment.Reader{x.s.reader(sg)}); err != nil {
			return err
		}
	}
	// Those that were deleted before they were indexed are in no segment.
	return x.s.opt.Index.Update(ctx, func(tx store.IndexTx) error { return tx.Undrop(num, slices.Collect(maps.Keys(dropped))) })
}

// sweepEvery is how often that is done: words of a deleted message are gone within a day.
const sweepEvery = 12 * time.Hour

// dueSweep asks for a sweep when it is time for one, for the first time an hour after the start.
func (s *Service) dueSweep() {
	s.sweeps.Lock()
	defer s.sweeps.Unlock()
	if now := s.now(); now.Sub(s.swept) >= sweepEvery {
		s.swept, s.sweepDue = now, true
		s.indexing.Wake(0)
	}
}

// sweepIsDue tells whether a sweep is due, until it is done.
func (s *Service) sweepIsDue() bool {
	s.sweeps.Lock()
	defer s.sweeps.Unlock()
	return s.sweepDue
}

func (s *Service) sweepDone() {
	s.sweeps.Lock()
	defer s.sweeps.Unlock()
	s.sweepDue = false
}

// merge merges segments until there is nothing to merge, or new mail has come.
func (x *indexer) merge(ctx context.Context, wake <-chan struct{}) error {
	for {
		boxes, err := x.s.opt.Index.Unmerged(ctx, mergeBoxes)
		if err != nil || len(boxes) == 0 {
			return err
		}
		for _, num := range boxes {
			if len(wake) > 0 {
				return nil // it is kept for the wait
			}
			if err := x.mergeBox(ctx, num); err != nil {
				return err
			}
		}
	}
}

// mergeBox does one merge of a mailbox, or notes that there is none to do.
func (x *indexer) mergeBox(ctx context.Context, num mailbox.Num) error {
	list, err := x.s.opt.Index.Segments(ctx, num)
	if err != nil {
		return err
	}
	planned := make([]segment.Planned, len(list))
	readers := make(map[int64]*segment.Reader, len(list))
	for i, sg := range list {
		planned[i] = segment.Planned{ID: segment.ID{Mailbox: int64(num), Segment: sg.ID}, Docs: sg.Docs, Dropped: min(sg.Dropped, sg.Docs)}
		readers[sg.ID] = x.s.reader(sg)
	}
	ids := segment.Plan(planned)
	if len(ids) == 0 {
		return x.s.opt.Index.Update(ctx, func(tx store.IndexTx) error { return tx.Merged(num) })
	}
	from := make([]*segment.Reader, len(ids))
	for i, id := range ids {
		from[i] = readers[id.Segment]
	}
	return x.rewrite(ctx, num, from)
}

// rewrite writes segments of a mailbox as one, without what was deleted.
func (x *indexer) rewrite(ctx context.Context, num mailbox.Num, from []*segment.Reader) error {
	dropped, err := x.s.opt.Index.Dropped(ctx, num)
	if err != nil {
		return err
	}
	var forgot []int64
	return x.s.opt.Index.Update(ctx, func(tx store.IndexTx) error {
		forgot = forgot[:0]
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		meta, err := segment.Merge(ctx, blockWriter{tx, num, id}, segment.ID{Mailbox: int64(num), Segment: id}, from, func(seq int64) bool {
			if dropped[seq] {
				forgot = append(forgot, seq)
			}
			return dropped[seq]
		})
		if err != nil {
			return err
		}
		for _, old := range from {
			if err := tx.DeleteSegment(num, old.ID().Segment); err != nil {
				return err
			}
		}
		if err := tx.Undrop(num, forgot); err != nil || meta.Docs == 0 {
			return err
		}
		return tx.PutSegment(storedSegment(num, id, meta))
	})
}

// reader reads a segment of a mailbox.
func (s *Service) reader(sg store.Segment) *segment.Reader {
	return segment.NewReader(segment.ID{Mailbox: int64(sg.Mailbox), Segment: sg.ID},
		segment.Meta{Docs: sg.Docs, MinSeq: sg.MinSeq, MaxSeq: sg.MaxSeq, Blocks: sg.Blocks, Bytes: sg.Bytes}, blockSource{s.opt.Index, sg.Mailbox, sg.ID})
}

type blockSource struct {
	index store.Index
	num   mailbox.Num
	id    int64
}

func (b blockSource) Block(ctx context.Context, n int) ([]byte, error) {
	return b.index.Block(ctx, b.num, b.id, n)
}

// Indexed tells whether everything that is stored is in the index, everything that was deleted is out of it, and nothing is to be
// merged.
func (s *Service) Indexed(ctx context.Context) (bool, error) {
	behind, err := s.indexBehind(ctx)
	if err != nil || behind {
		return false, err
	}
	boxes, err := s.opt.Index.Unmerged(ctx, 1)
	return len(boxes) == 0 && !s.sweepIsDue(), err
}

// indexBehind tells whether the index has something to do.
func (s *Service) indexBehind(ctx context.Context) (behind bool, err error) {
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return false, err
	}
	err = s.view(ctx, func(r store.Reader) error {
		work, err := r.ToIndex(ctx, place, 1)
		if err != nil {
			return err
		}
		gone, err := r.Forgotten(ctx, 1)
		behind = len(work)+len(gone) > 0
		return err
	})
	return behind, err
}

// notIndexed counts the messages of a mailbox that the index has not got yet.
func (s *Service) notIndexed(ctx context.Context, r store.Reader, num mailbox.Num) (int64, error) {
	if s.opt.Index == nil {
		return 0, nil
	}
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return 0, nil // it is not known: the counts of mail are all the same
	}
	waiting, err := r.NotIndexed(ctx, num, place, searchWaiting)
	return int64(len(waiting)), err
}

// IndexLag is how long the index is behind the store.
func (s *Service) IndexLag(ctx context.Context) (time.Duration, error) {
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return 0, fail(err)
	}
	var lag time.Duration
	err = s.view(ctx, func(r store.Reader) error {
		next, err := r.ToIndex(ctx, place, 1)
		if err == nil && len(next) > 0 {
			lag = max(time.Since(time.UnixMicro(next[0].Place)), 0) // places are times
		}
		return err
	})
	return lag, err
}
