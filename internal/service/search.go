package service

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
)

// Found is a message that a search found.
type Found struct {
	mailbox.Message
	Score      float64 // 0 to 1; only by relevance
	Highlights []Highlight
}

// Highlight is a piece of a message with what was searched for.
type Highlight struct {
	Field string
	search.Snippet
}

const (
	searchWaiting = 2000 // messages that are not yet indexed and are looked through
	searchPage    = 200  // hits of the index that are looked up together
	searchRanked  = 1000 // newest hits that are ranked
	searchTime    = 5 * time.Second
)

var errNoSearch = mailbox.Errorf(mailbox.Unimplemented, "search_unavailable", "This service has no search; list the inbox without query.")

// finder looks for the messages of one mailbox that a query asks for.
type finder struct {
	s       *Service
	num     mailbox.Num
	query   search.Query
	plan    search.Plan
	ask     segment.Query
	own     int  // leaves of ask before those that are for ranking
	exact   bool // what the index finds needs no second look
	matcher *search.Matcher
	filter  store.MessageFilter
	readers []*segment.Reader
	waiting []mailbox.Message
	tokens  []search.Token
}

// finder prepares a search. What the index has not got yet is looked up before the index itself, so that a message is in one of
// them at least.
func (s *Service) finder(ctx context.Context, num mailbox.Num, text string, f store.MessageFilter) (*finder, error) {
	x := &finder{s: s, num: num, query: search.Parse(text, s.now()), filter: f}
	x.plan = x.query.Plan()
	x.matcher = search.NewMatcher(x.query)
	x.ask, x.own, x.exact = indexQuery(x.query, x.plan)
	place, err := s.opt.Index.Place(ctx)
	if err != nil {
		return nil, fail(err)
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		x.waiting, err = r.NotIndexed(ctx, num, place, searchWaiting)
		return err
	})
	if err != nil {
		return nil, err
	}
	list, err := s.opt.Index.Segments(ctx, num)
	for _, sg := range list {
		x.readers = append(x.readers, s.reader(sg))
	}
	return x, fail(err)
}

// indexQuery is what the index is asked for, how many leaves of it come before those for ranking, and whether what it finds is
// all that is asked for.
func indexQuery(q search.Query, p search.Plan) (ask segment.Query, own int, exact bool) {
	all := segment.And{}
	for _, clause := range p.Must {
		any := segment.Or{}
		for _, leaf := range clause {
			both := segment.And{}
			for i, term := range leaf.Terms {
				if leaf.Prefix && i == len(leaf.Terms)-1 {
					both = append(both, segment.Prefix(uint8(leaf.Fields), term))
				} else {
					both = append(both, segment.Word(uint8(leaf.Fields), term))
				}
			}
			any = append(any, both)
		}
		all = append(all, any)
	}
	exact = true
	if p.Verify {
		phrases, plain := phrasesOf(q)
		exact = plain
		all = append(all, phrases...)
	}
	if len(all) == 0 {
		all = append(all, segment.All{})
	}
	own = len(segment.Leaves(all))
	rank := segment.Or{segment.All{}}
	for _, w := range q.Words() {
		rank = append(rank, rankLeaf(w))
	}
	return append(all, rank), own, exact
}

// phrasesOf gives the phrases of a query that consists of words and phrases that must all be there, and tells whether these are
// all there is to look at twice.
func phrasesOf(q search.Query) (phrases []segment.Query, plain bool) {
	if q.Root == nil {
		return nil, false
	}
	nodes := []*search.Node{q.Root}
	if q.Root.Op == search.And {
		nodes = q.Root.Kids
	}
	plain = true
	for _, n := range nodes {
		switch {
		case n.Op == search.Where && (n.Filter.Kind != search.Has || n.Filter.Value != search.HasLink):
		case n.Op == search.Find && !n.Words.Prefix:
			terms, ok := consecutive(n.Words)
			if !ok {
				return nil, false
			}
			phrases = append(phrases, segment.Phrase(uint8(n.Words.Fields), terms...))
		default:
			return nil, false
		}
	}
	return phrases, plain
}

// consecutive gives the words of a phrase one after the other, if they can be found in no other form.
func consecutive(w *search.Words) (terms []string, ok bool) {
	tokens, _ := search.Tokenize(nil, search.Body, w.Text, 0)
	for _, t := range tokens {
		if t.Span > 1 {
			if first, _ := utf8.DecodeRuneInString(t.Text); utf8.RuneCountInString(t.Text) != 2 || first < 0x2e80 {
				return nil, false
			}
			continue // a pair of characters, which are there by themselves
		}
		terms = append(terms, t.Text)
	}
	return terms, len(terms) > 0
}

// rankLeaf finds where a word or phrase occurs, for its relevance.
func rankLeaf(w *search.Words) segment.Leaf {
	terms, ok := consecutive(w)
	switch {
	case ok && len(terms) > 1:
		return segment.Phrase(uint8(w.Fields), terms...)
	case ok && w.Prefix:
		return segment.Leaf{Slots: []segment.Slot{{Terms: terms, Prefix: terms[0]}}, Fields: uint8(w.Fields)}
	case ok:
		return segment.Word(uint8(w.Fields), terms...)
	}
	var all []string
	tokens, _ := search.Tokenize(nil, search.Body, w.Text, 0)
	for _, t := range tokens {
		all = append(all, t.Text)
	}
	return segment.Word(uint8(w.Fields), all...)
}

// hit is a message that was found.
type hit struct {
	mailbox.Message
	hits search.Hits
}

// each gives the messages that match, newest first, before a Seq if that is not 0, until found says no.
func (x *finder) each(ctx context.Context, before int64, found func(hit) bool) error {
	if x.query.Void || x.plan.None {
		return nil
	}
	for _, m := range x.waiting {
		if before != 0 && m.Seq >= before {
			continue
		}
		hits, ok, err := x.matches(ctx, m)
		if err != nil {
			return err
		}
		if ok && !found(hit{m, hits}) {
			return nil
		}
	}
	if n := len(x.waiting); n > 0 { // the index is asked for the older ones alone
		if oldest := x.waiting[n-1].Seq; before == 0 || oldest < before {
			before = oldest
		}
	}
	return x.indexed(ctx, before, found)
}

// indexed gives those that the index finds.
func (x *finder) indexed(ctx context.Context, before int64, found func(hit) bool) error {
	opt := segment.Options{From: max(before-1, 0)}
	if before == 1 {
		return nil
	}
	for {
		var page []hit
		res, err := segment.Eval(ctx, x.readers, x.ask, opt, func(h segment.Hit) bool {
			page = append(page, hit{mailbox.Message{Seq: h.Seq}, x.hits(h)})
			return len(page) < searchPage
		})
		if err != nil {
			return fail(err)
		}
		more, err := x.look(ctx, page, found)
		if err != nil || !more || res.Next == 0 {
			return err
		}
		opt.From = res.Next
	}
}

// hits gives what the index found of the query's words in a message.
func (x *finder) hits(h segment.Hit) search.Hits {
	out := search.Hits{Words: make([]search.WordHits, len(h.Leaves)-x.own)}
	for i, l := range h.Leaves[x.own:] {
		fields := bits.OnesCount8(l.Fields)
		for f := range search.Fields {
			if l.Fields&(1<<f) != 0 {
				out.Words[i].Exact[f] = max(int(l.Freq)/fields, 1)
			}
		}
	}
	return out
}

// look reads the rows of hits and gives those that are wanted; false: found wants no more.
func (x *finder) look(ctx context.Context, page []hit, found func(hit) bool) (more bool, err error) {
	err = x.s.view(ctx, func(r store.Reader) error {
		for i := range page {
			m, err := r.MessageAt(ctx, x.num, page[i].Seq)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			page[i].Message = m // none: it was deleted
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for _, h := range page {
		if h.ID.IsZero() || !x.wanted(h.Message) {
			continue
		}
		if !x.exact {
			hits, ok, err := x.matches(ctx, h.Message)
			if err != nil {
				return false, err
			}
			if !ok {
				continue
			}
			h.hits = hits
		}
		if !found(h) {
			return false, nil
		}
	}
	return true, nil
}

// wanted tells whether the row of a message has what the caller and the query ask for beside words.
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

// holds tells whether a filter of the query language holds for the row of a message. Whether it has a link its row does not say.
func holds(f search.Filter, m mailbox.Message) bool {
	switch f.Kind {
	case search.Label:
		return slices.Contains(m.Labels, f.Value)
	case search.Has:
		return f.Value == search.HasAttachment && m.Attachments > 0 || f.Value == search.HasCode && m.Code != "" || f.Value == search.HasLink
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
func (x *finder) matches(ctx context.Context, m mailbox.Message) (search.Hits, bool, error) {
	if !x.wanted(m) {
		return search.Hits{}, false, nil
	}
	var c store.Content
	err := x.s.view(ctx, func(r store.Reader) (err error) {
		c, err = r.Content(ctx, m)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return search.Hits{}, false, nil
	}
	if err != nil {
		return search.Hits{}, false, err
	}
	d, err := skimmed(c)
	if err != nil {
		return search.Hits{}, false, nil // it is not found by its words
	}
	x.s.fileTexts(ctx, &d, c)
	x.tokens = searchMail(m, d).Tokens(x.tokens[:0])
	doc := search.Doc{Tokens: x.tokens, Labels: m.Labels, Received: m.ReceivedAt, Seen: m.Seen, Sent: m.Direction == mailbox.Outbound,
		Files: m.Attachments > 0, Code: m.Code != "", Link: len(links(&FullMessage{Message: m, Detail: d})) > 0}
	hits, ok := x.matcher.Match(&doc)
	return hits, ok, nil
}

// newest lists the newest messages that match, as a page of the inbox; by meaning the best.
func (s *Service) newest(ctx context.Context, in Access, q InboxQuery, f store.MessageFilter) (List[mailbox.Message], error) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	x, err := s.finder(ctx, in.Box.Num, q.Query, f)
	if err != nil {
		return List[mailbox.Message]{}, err
	}
	var rows []mailbox.Message
	skip := f.Offset
	err = x.each(ctx, f.Before, func(h hit) bool {
		if skip--; skip >= 0 {
			return true
		}
		rows = append(rows, h.Message)
		return len(rows) < f.Limit
	})
	return list(rows, q.Page.Limit, cursorMessage, func(m mailbox.Message) int64 { return m.Seq }), err
}

// Search lists the messages that match a query, the best first.
func (s *Service) Search(ctx context.Context, in Access, q InboxQuery) (List[Found], error) {
	if s.opt.Index == nil {
		return List[Found]{}, errNoSearch
	}
	offset, err := decodeCursor(cursorFound, q.Page.Cursor)
	if err != nil {
		return List[Found]{}, err
	}
	q.Page.Cursor = ""
	f, err := s.searchFilter(ctx, in, q)
	if err != nil {
		return List[Found]{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	x, err := s.finder(ctx, in.Box.Num, q.Query, f)
	if err != nil {
		return List[Found]{}, err
	}
	ranked, err := x.best(ctx, q.Mode)
	if err != nil {
		return List[Found]{}, err
	}
	from := min(int(offset)+q.Page.Offset, len(ranked))
	end := min(from+q.Page.Limit, len(ranked))
	out := List[Found]{Items: ranked[from:end]}
	if end < len(ranked) {
		out.Next = encodeCursor(cursorFound, int64(end))
	}
	for i := range out.Items {
		if err := x.highlight(ctx, &out.Items[i]); err != nil {
			return List[Found]{}, err
		}
	}
	return out, nil
}

// best gives what was found, by words, by meaning or by both, the best first.
func (x *finder) best(ctx context.Context, mode string) ([]Found, error) {
	var words, near []Found
	var err error
	if mode != "semantic" || x.s.opt.Encoder == nil {
		if words, err = x.ranked(ctx); err != nil {
			return nil, err
		}
	}
	text := meant(x.query)
	if mode == "keyword" || text == "" || x.s.opt.Encoder == nil {
		return words, nil
	}
	hits, err := x.s.near(ctx, x.num, text)
	if err == nil {
		near, err = x.byMeaning(ctx, hits)
	}
	if err != nil || mode == "semantic" {
		return near, err
	}
	return fused(words, near), nil
}

// ranked gives the best of the newest messages that match.
func (x *finder) ranked(ctx context.Context) ([]Found, error) {
	var all []hit
	err := x.each(ctx, 0, func(h hit) bool {
		all = append(all, h)
		return len(all) < searchRanked
	})
	if err != nil {
		return nil, err
	}
	st, err := x.stats(ctx)
	if err != nil {
		return nil, err
	}
	now := x.s.now()
	out := make([]Found, len(all))
	for i, h := range all {
		out[i] = Found{Message: h.Message, Score: x.query.Score(h.hits, st, now.Sub(h.ReceivedAt))}
	}
	slices.SortStableFunc(out, func(a, b Found) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out, nil
}

// stats are the mailbox's own counts of the query's words.
func (x *finder) stats(ctx context.Context) (st search.Stats, err error) {
	total, err := segment.TotalStats(ctx, x.readers)
	if err != nil {
		return st, fail(err)
	}
	with, err := segment.Frequencies(ctx, x.readers, x.ask)
	if err != nil {
		return st, fail(err)
	}
	st.Mails = int(total.Docs) + len(x.waiting)
	for _, n := range with[x.own:] {
		st.With = append(st.With, int(n))
	}
	for f := range search.Fields {
		if total.Docs > 0 {
			st.Length[f] = float64(total.Tokens[f]) / float64(total.Docs)
		}
	}
	return st, nil
}

// highlight reads a message for the pieces that show why it was found.
func (x *finder) highlight(ctx context.Context, m *Found) error {
	var c store.Content
	err := x.s.view(ctx, func(r store.Reader) (err error) {
		c, err = r.Content(ctx, m.Message)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	d, _, err := unpack(c)
	if err != nil {
		return nil // it has none
	}
	for _, f := range []struct {
		field search.Field
		text  string
		most  int
	}{
		{search.Subject, m.Subject, 1}, {search.Body, d.Text, 2}, {search.From, formatAddress(m.From), 1},
	} {
		for _, snip := range search.Highlight(x.query, f.field, f.text, f.most) {
			m.Highlights = append(m.Highlights, Highlight{Field: f.field.String(), Snippet: snip})
		}
	}
	return nil
}

// searchFilter checks a query and gives what of it is not about words.
func (s *Service) searchFilter(ctx context.Context, in Access, q InboxQuery) (f store.MessageFilter, err error) {
	if f, err = filter(q); err != nil {
		return f, err
	}
	err = s.view(ctx, func(r store.Reader) error {
		if f.Label != "" {
			if err := known(ctx, r, in.Box.Num, f.Label); err != nil {
				return err
			}
		}
		if q.Thread != "" {
			if f.Thread, err = threadOf(ctx, r, in.Box.Num, q.Thread); err == nil && f.Thread.IsZero() {
				f.Thread = mailbox.ID{1} // no message has it
			}
		}
		return err
	})
	return f, err
}
