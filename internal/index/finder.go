package index

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// finder looks for the messages of one mailbox that a query asks for.
type finder struct {
	ix    *Index
	num   mailbox.Num
	query search.Query
	plan  search.Plan
	question
	page    int      // hits of the index that are looked up together
	upTo    int64    // no message that is newer than this one is ranked; 0: all are
	files   bool     // the text of attachments is searched too
	ranking bool     // the best are wanted: where the words were found is asked for
	load    loadMode // what is read of the messages that the index finds
	partial bool     // some messages have no vector yet
	matcher *search.Matcher
	filter  store.MessageFilter
	readers []*segment.Reader
	// messages that were deleted and that the index may still find; complete where nothing is loaded
	gone           map[int64]bool
	goneIncomplete bool // gone is not complete: there are too many, or one more was deleted meanwhile
	dropped        int  // messages that were deleted and are still in the segments
	waiting        []mailbox.Message
	tokens         []search.Token
	room           []segment.LeafHit // for the next hits

	lost bool         // a segment is damaged: waiting is the newest messages
	bad  []segment.ID // those
}

// loadMode is what is read of a message that the index finds, before it is ranked.
type loadMode int

const (
	loadRows  loadMode = iota // its row, for filters
	loadTimes                 // when it came, for its rank
	loadNone                  // nothing: finder.gone has those that are not there any more
)

// finder prepares a search. What the index has not got yet is looked up before the index itself, so that a message is
// in one of them at least. Without an index that can be read the newest messages are looked through. Ranking says that
// the best are wanted and not the newest.
func (ix *Index) finder(ctx context.Context, q Query, ranking bool) (*finder, error) {
	num := q.Mailbox
	query := search.Parse(q.Text, ix.opt.Now())
	x := &finder{ix: ix, num: num, filter: q.Filter, files: q.Files, ranking: ranking, gone: make(map[int64]bool)}
	if !x.files && !query.Within(search.MailFields) {
		return nil, ErrFiles
	}
	x.lookFor(query)
	ix.backlog.ask(time.Now())
	places, err := ix.opt.Index.Places(ctx)
	if err == nil {
		if err = x.wait(ctx, places[ix.opt.Index.Partition(num)]); err != nil {
			return nil, err
		}
		err = x.open(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		if !errors.Is(err, store.ErrFull) { // then it is known that the index waits for room
			ix.opt.Log.Warn("search without the index", "mailbox", num, "error", err)
		}
		return x, x.wait(ctx, 0)
	}
	return x, nil
}

// lookFor has the finder look for a query.
func (x *finder) lookFor(q search.Query) {
	x.query, x.plan, x.matcher = q, q.Plan(), search.NewMatcher(q)
	x.question = indexQuery(q, x.plan, x.ranking)
	x.page, x.load = searchPage, loadRows
}

// wait notes what of the mailbox is after a place of the index, and for ranking what the index is still to forget.
func (x *finder) wait(ctx context.Context, place int64) error {
	return x.ix.opt.Store.Ask(ctx, func(r store.Reader) (err error) {
		if x.waiting, err = r.NotIndexed(ctx, x.num, place, x.ix.waitingMost()); err != nil || !x.ranking {
			return err
		}
		list, err := r.Forgetting(ctx, x.num, goneMost)
		x.goneIncomplete = x.goneIncomplete || len(list) == goneMost
		for _, seq := range list {
			x.gone[seq] = true
		}
		return err
	})
}

// open gets the segments of the mailbox.
func (x *finder) open(ctx context.Context) error {
	list, err := x.ix.opt.Index.Segments(ctx, x.num)
	if err != nil {
		return err // those that it has may still do
	}
	x.readers, x.dropped = nil, 0
	for _, sg := range list {
		x.readers = append(x.readers, x.ix.searched.of(sg, x.ix.reader))
		x.dropped += sg.Dropped
	}
	return nil
}

// hit is a message that was found. Where its time is enough its row was not read.
type hit struct {
	seq    int64
	at     time.Time
	row    *mailbox.Message
	hits   *search.Hits      // of a message that was looked at; nil: the leaves say where the words are
	leaves []segment.LeafHit // of the query's words
	sure   bool              // it needs no second look
}

func rowHit(m *mailbox.Message, hits *search.Hits) hit {
	return hit{seq: m.Seq, at: m.ReceivedAt, row: m, hits: hits}
}

// wordHits returns where the words of the query are in a message, in the room that it is given.
func (h *hit) wordHits(room *search.Hits) search.Hits {
	if h.hits != nil {
		return *h.hits
	}
	room.Words = room.Words[:0]
	for _, l := range h.leaves {
		var w search.WordHits
		fields := bits.OnesCount8(l.Fields)
		for f := range search.Fields {
			if l.Fields&(1<<f) != 0 {
				w.Exact[f] = max(int(l.Freq)/fields, 1)
			}
		}
		room.Words = append(room.Words, w)
	}
	return *room
}

// each returns the messages that match, newest first, before a Seq if that is not 0, until found says no.
func (x *finder) each(ctx context.Context, before int64, found func(hit) bool) error {
	return x.reopening(ctx, func() error {
		return x.walk(ctx, before, func(h hit) bool {
			before = h.seq
			return found(h)
		})
	})
}

// walk is each, until it comes to a segment that cannot be read.
func (x *finder) walk(ctx context.Context, before int64, found func(hit) bool) error {
	if x.query.Void || x.plan.None {
		return nil
	}
	// Both lists are newest first. The index may have a newer one than some that still wait: messages are indexed in
	// the order in which they were stored, which between mailboxes is not that of their Seqs.
	waits := make(map[int64]bool, len(x.waiting))
	waiting := x.waiting
	for _, m := range waiting {
		waits[m.Seq] = true
	}
	upTo := func(seq int64) (more bool, err error) {
		for ; len(waiting) > 0 && waiting[0].Seq > seq; waiting = waiting[1:] {
			if before != 0 && waiting[0].Seq >= before {
				continue
			}
			hits, ok, err := x.matches(ctx, waiting[0], x.matcher)
			if err != nil || ok && !found(rowHit(&waiting[0], hits)) {
				return false, err
			}
		}
		return true, nil
	}
	over := false
	err := x.indexed(ctx, before, func(h hit) (more bool, err error) {
		if more, err = upTo(h.seq); more && !waits[h.seq] {
			more = found(h)
		}
		over = !more
		return more, err
	})
	if err != nil || over {
		return err
	}
	_, err = upTo(0)
	return err
}

// indexed returns those that the index finds.
func (x *finder) indexed(ctx context.Context, before int64, found func(hit) (bool, error)) error {
	opt := segment.Options{From: max(before-1, 0)}
	if before == 1 {
		return nil
	}
	ask := x.must
	if x.ranking {
		ask = x.ask
	}
	for {
		res, more, err := x.indexedPage(ctx, ask, opt, found)
		if err != nil || !more || res.Next == 0 {
			return err
		}
		opt.From = res.Next
	}
}

// indexedPage returns a page of what the index finds, or where nothing is to be read of it, all that the budget of an
// evaluation is enough for; more: found wants more.
func (x *finder) indexedPage(ctx context.Context, ask segment.Query, opt segment.Options,
	found func(hit) (bool, error)) (res segment.Result, more bool, err error) {
	if x.load == loadNone {
		var failed error
		more, found = true, x.sureOnly(ctx, found)
		res, err = segment.Eval(ctx, x.readers, ask, opt, func(h segment.Hit) bool {
			if !x.gone[h.Seq] {
				more, failed = found(x.hit(h))
			}
			return more && failed == nil
		})
		return res, more, cmp.Or(failed, err)
	}
	var page []hit
	res, err = segment.Eval(ctx, x.readers, ask, opt, func(h segment.Hit) bool {
		page = append(page, x.hit(h))
		return len(page) < x.page
	})
	if err == nil {
		more, err = x.look(ctx, page, found)
	}
	return res, more, err
}

// sure tells whether what the index found needs no second look.
func (x *finder) sure(h segment.Hit) bool {
	if len(x.strict) == 0 {
		return x.exact
	}
	return !slices.ContainsFunc(x.strict, func(d decider) bool { return !d.decides(h.Leaves) })
}

// hitsAtOnce is for how many hits room is made at a time.
const hitsAtOnce = 64

// hit notes what the index found.
func (x *finder) hit(h segment.Hit) hit {
	words := h.Leaves[x.own:]
	n := len(words)
	if len(x.room) < n {
		x.room = make([]segment.LeafHit, hitsAtOnce*n)
	}
	leaves := x.room[:n:n]
	x.room = x.room[n:]
	copy(leaves, words)
	return hit{seq: h.Seq, leaves: leaves, sure: x.sure(h)}
}

// look reads the rows of hits, or their times, and returns those that are wanted; false: found wants no more.
func (x *finder) look(ctx context.Context, page []hit, found func(hit) (bool, error)) (more bool, err error) {
	if x.load == loadTimes {
		return x.lookAtTimes(ctx, page, found)
	}
	rows, err := x.ix.messagesAt(ctx, x.num, seqsOf(page))
	if err != nil {
		return false, err
	}
	for _, h := range page {
		m, ok := rows[h.seq] // not: it was deleted
		if !ok || !x.wanted(*m) {
			continue
		}
		if h, ok, err = x.again(ctx, h, m); err != nil {
			return false, err
		} else if !ok {
			continue
		}
		if more, err := found(h); !more || err != nil {
			return false, err
		}
	}
	return true, nil
}

// again takes the second look at a hit that needs one.
func (x *finder) again(ctx context.Context, h hit, m *mailbox.Message) (hit, bool, error) {
	if h.sure {
		h.at, h.row = m.ReceivedAt, m
		return h, true, nil
	}
	hits, ok, err := x.matches(ctx, *m, x.matcher)
	return rowHit(m, hits), ok, err
}

// sureOnly is found without the hits that a second look rules out, where only such rows are read.
func (x *finder) sureOnly(ctx context.Context, found func(hit) (bool, error)) func(hit) (bool, error) {
	return func(h hit) (more bool, err error) {
		if h.sure {
			return found(h)
		}
		rows, err := x.ix.messagesAt(ctx, x.num, []int64{h.seq})
		if err != nil || rows[h.seq] == nil {
			return err == nil, err
		}
		h, ok, err := x.again(ctx, h, rows[h.seq])
		if err != nil || !ok {
			return err == nil, err
		}
		return found(h)
	}
}

func (x *finder) lookAtTimes(ctx context.Context, page []hit, found func(hit) (bool, error)) (more bool, err error) {
	times, err := x.times(ctx, seqsOf(page))
	if err != nil {
		return false, err
	}
	found = x.sureOnly(ctx, found)
	for _, h := range page {
		at, ok := times[h.seq] // not: it was deleted
		if !ok {
			continue
		}
		h.at = at
		if more, err := found(h); !more || err != nil {
			return false, err
		}
	}
	return true, nil
}

func seqsOf(page []hit) []int64 {
	seqs := make([]int64, len(page))
	for i, h := range page {
		seqs[i] = h.seq
	}
	return seqs
}

// times returns when messages came, those that there are.
func (x *finder) times(ctx context.Context, seqs []int64) (times map[int64]time.Time, err error) {
	err = x.ix.opt.Store.Ask(ctx, func(r store.Reader) (err error) {
		times, err = r.Times(ctx, x.num, seqs...)
		return err
	})
	return times, err
}

// messagesAt reads the rows of messages by their Seqs.
func (ix *Index) messagesAt(ctx context.Context, num mailbox.Num, seqs []int64) (map[int64]*mailbox.Message, error) {
	rows := make(map[int64]*mailbox.Message, len(seqs))
	err := ix.opt.Store.Ask(ctx, func(r store.Reader) error {
		list, err := r.MessagesAt(ctx, num, seqs...)
		for i := range list {
			rows[list[i].Seq] = &list[i]
		}
		return err
	})
	return rows, err
}

// unfiltered tells whether nothing is asked of the row of a message.
func (x *finder) unfiltered() bool {
	f := x.filter
	return f.Direction == "" && f.Label == "" && f.Since.IsZero() && f.Until.IsZero() && f.Seen == nil &&
		f.Thread.IsZero() && len(x.plan.Filters) == 0
}

// wanted tells whether the row of a message has what the caller and the query ask for besides words.
func (x *finder) wanted(m mailbox.Message) bool {
	f := x.filter
	switch {
	case f.Direction != "" && m.Direction != f.Direction, f.Label != "" && !slices.Contains(m.Labels, f.Label),
		!f.Since.IsZero() && m.ReceivedAt.Before(f.Since), !f.Until.IsZero() && !m.ReceivedAt.Before(f.Until),
		f.Seen != nil && m.Seen != *f.Seen, !f.Thread.IsZero() && m.Thread != f.Thread:
		return false
	}
	for _, w := range x.plan.Filters {
		if !holds(w, m) {
			return false
		}
	}
	return true
}

// holds tells whether a filter of the query language holds for the row of a message. Whether it has a link its row does
// not say.
func holds(f search.Filter, m mailbox.Message) bool {
	switch f.Kind {
	case search.Label:
		return slices.Contains(m.Labels, f.Value)
	case search.Has:
		return f.Value == search.HasAttachment && m.Attachments > 0 || f.Value == search.HasCode && m.Code != "" ||
			f.Value == search.HasLink
	case search.Before:
		return m.ReceivedAt.Before(f.Time)
	case search.After:
		return !m.ReceivedAt.Before(f.Time)
	case search.Seen:
		return m.Seen == f.Yes
	case search.Direction:
		return (m.Direction == mailbox.Outbound) == f.Yes
	}
	return true
}

// matches reads a message and tells whether it is what the query asks for.
func (x *finder) matches(ctx context.Context, m mailbox.Message, by *search.Matcher) (*search.Hits, bool, error) {
	if !x.wanted(m) {
		return nil, false, nil
	}
	leave, err := x.ix.opt.LargeTurn(ctx, m)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	var c store.Content
	var kept []byte
	err = x.ix.opt.Store.Ask(ctx, func(r store.Reader) (err error) {
		if c, err = r.Content(ctx, m); err == nil {
			kept, err = KeptTexts(ctx, r, m)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	d, err := rawmail.Skim(c)
	if err != nil {
		return nil, false, nil // it is not found by its words
	}
	if x.files {
		d.Texts, _ = unpackTexts(kept) // what was not read yet is found by it later
	}
	x.tokens = searchMail(m, d).Tokens(x.tokens[:0])
	doc := search.Doc{Tokens: x.tokens, Labels: m.Labels, Received: m.ReceivedAt, Seen: m.Seen,
		Sent:  m.Direction == mailbox.Outbound,
		Files: m.Attachments > 0, Code: m.Code != "", Link: x.ix.opt.HasLink(m, d)}
	hits, ok := by.Match(&doc)
	return &hits, ok, nil
}
