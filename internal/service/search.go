package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
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

// newest lists the newest messages that match, as a page of the inbox; by meaning the best.
func (s *Service) newest(ctx context.Context, in Access, q InboxQuery, f store.MessageFilter) (List[mailbox.Message], error) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	done, err := s.turn(ctx)
	if err != nil {
		return List[mailbox.Message]{}, err
	}
	defer done()
	x, err := s.finder(ctx, in, q.Query, f, false)
	if err != nil {
		return List[mailbox.Message]{}, err
	}
	if x.nearlyExact() && x.unfiltered() {
		x.page = min(f.Offset+f.Limit, searchPage) // few of them will be gone
	}
	var rows []mailbox.Message
	skip := f.Offset
	err = x.each(ctx, f.Before, func(h hit) bool {
		if skip--; skip >= 0 {
			return true
		}
		rows = append(rows, *h.row)
		return len(rows) < f.Limit
	})
	return list(rows, q.Page.Limit, cursorMessage, func(m mailbox.Message) int64 { return m.Seq }), err
}

var errNoMeaning = mailbox.Errorf(mailbox.Unavailable, "semantic_search_unavailable", "Search by meaning does not work at the moment; search by words (mode=keyword).")

// SearchResult is a page of what a search found.
type SearchResult struct {
	List[Found]
	PartialVectors bool // some messages have no vector yet, and were looked for by their words alone, if at all
}

// Search lists the messages that match a query, the best first.
func (s *Service) Search(ctx context.Context, in Access, q InboxQuery) (SearchResult, error) {
	if s.opt.Index == nil {
		return SearchResult{}, errNoSearch
	}
	place, err := decodeCursor(cursorFound, q.Page.Cursor)
	if err != nil {
		return SearchResult{}, err
	}
	q.Page.Cursor = ""
	f, err := s.searchFilter(ctx, in, q)
	if err != nil {
		return SearchResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	done, err := s.turn(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	defer done()
	x, err := s.finder(ctx, in, q.Query, f, true)
	if err != nil {
		return SearchResult{}, err
	}
	x.upTo = place >> foundBits
	ranked, err := x.best(ctx, q.Mode)
	if err != nil {
		return SearchResult{}, err
	}
	page, next, err := x.pageOf(ctx, ranked, int(place&(1<<foundBits-1))+q.Page.Offset, q.Page.Limit)
	if err != nil {
		return SearchResult{}, err
	}
	out := SearchResult{List: List[Found]{Items: page}, PartialVectors: x.partial}
	if next > 0 {
		for _, f := range ranked {
			x.upTo = max(x.upTo, f.seq)
		}
		out.Next = encodeCursor(cursorFound, x.upTo<<foundBits|int64(next))
	}
	return out, x.highlightAll(ctx, out.Items)
}

// foundBits are those of a cursor that say how many hits were shown. The others are the newest message that was among the hits: what has come since
// would only push some of them onto the next page once more.
const foundBits = 12

const (
	highlightAtOnce = 8       // messages that are read together
	highlightBytes  = 4 << 20 // of such, unless one has more
	highlightMost   = 4       // of recipients and names of attachments
)

// highlightAll reads the messages of a page for the pieces that show why they were found, some at a time, on all cores unless those are needed elsewhere.
func (x *finder) highlightAll(ctx context.Context, page []Found) error {
	parts := make(chan []Found, len(page))
	for n := 0; len(page) > 0; page = page[n:] {
		n = 1
		for bytes := page[0].Size; n < min(len(page), highlightAtOnce) && bytes+page[n].Size <= highlightBytes; n++ {
			bytes += page[n].Size
		}
		parts <- page[:n]
	}
	close(parts)
	var readers sync.WaitGroup
	cores := x.s.cores
	if x.s.pressure.crowded(time.Now(), x.s.cores) {
		cores = 1
	}
	errs := make([]error, min(cores, len(parts)))
	for r := range errs {
		readers.Go(func() {
			by := highlighter{Highlighter: search.NewHighlighter(x.query)}
			for part := range parts {
				if errs[r] = x.highlight(ctx, part, &by); errs[r] != nil {
					return
				}
			}
		})
	}
	readers.Wait()
	return errors.Join(errs...)
}

// best gives what was found, by words, by meaning or by both, the best first.
func (x *finder) best(ctx context.Context, mode string) ([]scored, error) {
	var words, near []scored
	var err error
	text := x.query.Meant()
	if mode != "semantic" || text == "" || x.s.opt.Encoder == nil {
		if words, err = x.ranked(ctx); err != nil {
			return nil, err
		}
		x.noteWorded(words)
	}
	if mode == "keyword" || text == "" || x.s.opt.Encoder == nil {
		return words, nil
	}
	near, err = x.byMeaning(ctx, text, mode == "semantic")
	switch {
	case err != nil && ctx.Err() == nil:
		x.s.log.Warn("search by meaning", "mailbox", x.num, "error", err)
		if mode == "semantic" {
			return nil, errNoMeaning
		}
		return words, nil
	case err != nil:
		return nil, fail(err)
	case mode == "semantic":
		return near, nil
	}
	return fused(words, near), nil
}

// noteWorded notes which messages have words of the query. What was found by its meaning or by a filter has nothing to show.
func (x *finder) noteWorded(words []scored) {
	if len(x.query.Words()) == 0 {
		return
	}
	x.worded = make(map[int64]bool, len(words))
	for _, w := range words {
		x.worded[w.seq] = true
	}
}

// highlighter is one with room for the messages that it reads, one after the other.
type highlighter struct {
	*search.Highlighter
	room []byte
}

func (x *finder) highlight(ctx context.Context, part []Found, by *highlighter) error {
	seqs := make([]int64, len(part))
	for i, m := range part {
		seqs[i] = m.Seq
	}
	var contents map[int64]store.Content
	err := x.s.ask(ctx, func(r store.Reader) (err error) {
		contents, err = r.Contents(ctx, x.num, seqs...)
		return err
	})
	if err != nil {
		return err
	}
	for i := range part {
		c, ok := contents[part[i].Seq]
		if !ok {
			continue
		}
		if part[i].highlight(by, c); len(part[i].Highlights) == 0 && x.worded[part[i].Seq] {
			x.highlightRest(ctx, &part[i], by, c)
		}
	}
	return nil
}

// highlight finds the pieces of a message that show why it was found.
func (m *Found) highlight(by *highlighter, c store.Content) {
	text, err := bodyText(&by.room, c)
	if err != nil {
		return // it has none
	}
	m.show(by, search.Subject, m.Subject, 1)
	m.show(by, search.Body, text, 2)
	m.show(by, search.From, formatAddress(m.From), 1)
}

// show adds the pieces of one text.
func (m *Found) show(by *highlighter, field search.Field, text string, most int) {
	for _, snip := range by.Highlight(field, text, most) {
		m.Highlights = append(m.Highlights, Highlight{Field: field.String(), Snippet: snip})
	}
}

// highlightRest looks where mail is seldom found alone: at recipients and attachments.
func (x *finder) highlightRest(ctx context.Context, m *Found, by *highlighter, c store.Content) {
	d, err := skimmed(c)
	if err != nil {
		return
	}
	for _, to := range recipients(m.Message, d) {
		m.show(by, search.To, formatAddress(to), 1)
	}
	for _, p := range d.Parts {
		m.show(by, search.File, p.Filename, 1)
	}
	if len(m.Highlights) > 0 || !x.files {
		m.Highlights = m.Highlights[:min(len(m.Highlights), highlightMost)]
		return
	}
	kept := x.s.messageTexts(ctx, m.Message)
	for _, p := range d.Parts {
		if m.show(by, search.FileText, kept[p.Index].Text, 2); len(m.Highlights) > 0 {
			return
		}
	}
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
