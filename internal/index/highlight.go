package index

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	highlightAtOnce = 8       // messages that are read together
	highlightBytes  = 4 << 20 // of such, unless one has more
	highlightMost   = 4       // of recipients and names of attachments
)

// highlightAll reads the messages of a page for the pieces that show why they were found, some at a time, on all cores
// unless those are needed elsewhere.
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
	cores := x.ix.cores
	if x.ix.opt.Pressure.overloaded(time.Now(), x.ix.cores) {
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

// highlighter is one with room for the messages that it reads, one after the other.
type highlighter struct {
	*search.Highlighter
	room []byte
}

func (x *finder) highlight(ctx context.Context, part []Found, by *highlighter) error {
	var unread []int
	known := make([]bool, len(part)) // their texts are
	for i := range part {
		m := &part[i]
		var text string
		if text, known[i] = x.ix.shown.text(m.ID); known[i] {
			m.highlight(by, text)
		}
		if !known[i] || m.hidden() {
			unread = append(unread, i)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	contents, leave, err := x.contents(ctx, part, unread)
	if err != nil {
		return err
	}
	defer leave()
	for _, i := range unread {
		m := &part[i]
		c, ok := contents[m.Seq]
		if !ok {
			continue
		}
		if !known[i] {
			if text, err := rawmail.Text(&by.room, c); err == nil { // otherwise it has none
				x.ix.shown.keep(m.ID, text)
				m.highlight(by, text)
			}
		}
		if m.hidden() {
			x.highlightOthers(ctx, m, by, c)
		}
	}
	return nil
}

// hidden tells whether nothing is shown yet of the words for which a message was found.
func (m *Found) hidden() bool { return m.worded && len(m.Highlights) == 0 }

// contents reads some messages of a part of a page. The caller leaves when it is done with them.
func (x *finder) contents(ctx context.Context, part []Found, some []int) (contents map[int64]store.Content,
	leave func(), err error) {
	seqs, largest := make([]int64, len(some)), mailbox.Message{}
	for i, at := range some {
		m := &part[at]
		seqs[i] = m.Seq
		if m.Size > largest.Size {
			largest = m.Message
		}
	}
	if leave, err = x.ix.opt.LargeTurn(ctx, largest); err != nil { // one for all of them
		return nil, nil, err
	}
	err = x.ix.opt.Store.Ask(ctx, func(r store.Reader) (err error) {
		contents, err = r.Contents(ctx, x.num, seqs...)
		return err
	})
	if err != nil {
		leave()
	}
	return contents, leave, err
}

// highlight finds the pieces of a message that show why it was found.
func (m *Found) highlight(by *highlighter, text string) {
	m.show(by, search.Subject, m.Subject, 1)
	m.show(by, search.Body, text, 2)
	m.show(by, search.From, m.From.Text(), 1)
}

// show adds the pieces of one text.
func (m *Found) show(by *highlighter, field search.Field, text string, most int) {
	for _, snip := range by.Highlight(field, text, most) {
		m.Highlights = append(m.Highlights, Highlight{Field: field.String(), Snippet: snip})
	}
}

// highlightOthers looks where mail is seldom found alone: at recipients and attachments.
func (x *finder) highlightOthers(ctx context.Context, m *Found, by *highlighter, c store.Content) {
	d, err := rawmail.Skim(c)
	if err != nil {
		return
	}
	for _, to := range recipients(m.Message, d) {
		m.show(by, search.To, to.Text(), 1)
	}
	for _, p := range d.Parts {
		m.show(by, search.File, p.Filename, 1)
	}
	if len(m.Highlights) > 0 || !x.files {
		m.Highlights = m.Highlights[:min(len(m.Highlights), highlightMost)]
		return
	}
	kept := x.ix.messageTexts(ctx, m.Message)
	for _, p := range d.Parts {
		if m.show(by, search.FileText, kept[p.Index].Text, 2); len(m.Highlights) > 0 {
			return
		}
	}
}
