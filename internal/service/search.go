package service

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// What a search finds, and how far rebuilding the index has come.
type (
	Found      = index.Found
	Highlight  = index.Highlight
	Reindexing = index.Reindexing
)

var errNoSearch = mailbox.Errorf(mailbox.Unimplemented, "search_unavailable", "This service has no search; list the "+
	"inbox without query.")

// newIndex makes the index, which sees of the service what it needs.
func (s *Service) newIndex() *index.Index {
	return index.New(index.Options{Store: indexStore{s}, Blobs: s.blobs, Index: s.opt.Index, Encoder: s.opt.Encoder,
		Pressure: &s.pressure,
		Disk:     index.Disk{Spare: s.spare, ToForget: s.roomToForget, Hold: s.keepFree},
		HasLink: func(m mailbox.Message, d mailbox.Detail) bool {
			return link.Any(linkMail(&m, &d, bodyOf(&d)))
		},
		LargeTurn: s.largeTurn,
		Turn:      s.Turn, Share: s.Share, Wake: func(topic wake.Topic) { s.wake(topic, 0) }, Alone: s.opt.Alone,
		OnDemand:    s.catchesAll(),
		LowPriority: s.opt.LowPriority,
		Leaving:     s.leaving, Workers: s.opt.Workers, Now: s.now, Log: s.log})
}

// indexStore is the store with the service's errors.
type indexStore struct{ s *Service }

func (i indexStore) View(ctx context.Context, fn func(store.Reader) error) error {
	return i.s.view(ctx, fn)
}
func (i indexStore) Ask(ctx context.Context, fn func(store.Reader) error) error {
	return i.s.ask(ctx, fn)
}
func (i indexStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return i.s.update(ctx, fn)
}

// Index is the index, for those who run its loops and measure it.
func (s *Service) Index() *index.Index { return s.index }

// newest lists the newest messages that match, as a page of the inbox.
func (s *Service) newest(ctx context.Context, in Access, q InboxQuery) (List[mailbox.Message], error) {
	find, err := s.searchQuery(ctx, in, q)
	if err != nil {
		return List[mailbox.Message]{}, err
	}
	rows, err := s.index.Newest(ctx, find)
	return list(rows, q.Page.Limit, cursorMessage, func(m mailbox.Message) int64 { return m.Seq }), searchError(in, err)
}

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
	from, err := decodeFound(q.Page.Cursor)
	if err != nil {
		return SearchResult{}, err
	}
	from.Skip, q.Page.Cursor = q.Page.Offset, ""
	find, err := s.searchQuery(ctx, in, q)
	if err != nil {
		return SearchResult{}, err
	}
	found, err := s.index.Search(ctx, find, from, q.Page.Limit)
	out := SearchResult{List: List[Found]{Items: found.Found}, PartialVectors: found.Partial}
	if next := found.Next; next != nil {
		out.Next = encodeFound(*next)
	}
	if err == nil && q.Screening != "" {
		for i := range out.Items {
			if err := s.screenRow(ctx, in, &out.Items[i].Message); err != nil {
				return out, err
			}
		}
	}
	return out, searchError(in, err)
}

// encodeFound makes the cursor of a search. It names all hits that were shown, each by how much older it is than the
// one before, which takes a byte or two.
func encodeFound(p index.Place) string {
	b := binary.AppendUvarint([]byte{cursorVersion, byte(cursorFound)}, uint64(p.UpTo))
	slices.SortFunc(p.Shown, func(a, b int64) int { return cmp.Compare(b, a) })
	last := p.UpTo
	for _, seq := range p.Shown {
		b = binary.AppendUvarint(b, uint64(last-seq))
		last = seq
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// decodeFound reads what encodeFound wrote; empty: the first page.
func decodeFound(s string) (p index.Place, err error) {
	if s == "" {
		return p, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 4 || b[0] != cursorVersion || b[1] != byte(cursorFound) {
		return p, errCursor
	}
	last := int64(0)
	for b = b[2:]; len(b) > 0; {
		v, n := binary.Uvarint(b)
		switch {
		case n <= 0 || v > 1<<62:
			return p, errCursor
		case last == 0:
			last = int64(v)
			p.UpTo = last
		default:
			last -= int64(v)
			p.Shown = append(p.Shown, last)
		}
		if last <= 0 {
			return p, errCursor
		}
		b = b[n:]
	}
	return p, nil
}

// searchError is what the caller of a search sees of an error.
func searchError(in Access, err error) error {
	if errors.Is(err, index.ErrFiles) {
		return denied(in.Caller, mailbox.ReadAttachment)
	}
	return fail(err)
}

// searchQuery checks a query and gives it as the index takes it.
func (s *Service) searchQuery(ctx context.Context, in Access, q InboxQuery) (index.Query, error) {
	f, err := filter(q)
	if err != nil {
		return index.Query{}, err
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
	return index.Query{Mailbox: in.Box.Num, Text: q.Query, Mode: q.Mode, Filter: f, Files: in.readsFiles()}, err
}

// Reindex has the index of words rebuilt, mailbox by mailbox, in the background. What there is serves until it is
// replaced. Asked for again before it is done, it starts over with those that are done.
func (s *Service) Reindex(ctx context.Context, _ Access) error { return fail(s.index.Reindex(ctx)) }

// ReindexProgress tells how far that has come.
func (s *Service) ReindexProgress(ctx context.Context, _ Access) (Reindexing, error) {
	p, err := s.index.Reindexing(ctx)
	return p, fail(err)
}
