package index_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// contentsRead counts the contents of messages that are read from the store.
type contentsRead struct {
	store.Store
	n atomic.Int64
}

func (c *contentsRead) View(ctx context.Context, fn func(store.Reader) error) error {
	return c.Store.View(ctx, func(r store.Reader) error { return fn(readContents{r, c}) })
}

func (c *contentsRead) Ask(ctx context.Context, fn func(store.Reader) error) error {
	return c.Store.Ask(ctx, func(r store.Reader) error { return fn(readContents{r, c}) })
}

type readContents struct {
	store.Reader
	c *contentsRead
}

func (r readContents) Content(ctx context.Context, m mailbox.Message) (store.Content, error) {
	r.c.n.Add(1)
	return r.Reader.Content(ctx, m)
}

func (r readContents) Contents(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64]store.Content, error) {
	r.c.n.Add(int64(len(seqs)))
	return r.Reader.Contents(ctx, num, seqs...)
}

// Whose mail has the address in one piece need not be read to be found, however much there is of it, and what was shown
// once not to be shown again. Where the words of an address only stand side by side, in a name, the message is read.
func TestSearchBySenderReadsWhatItShows(t *testing.T) {
	counted := &contentsRead{}
	k := newService(t, withIndex(t), func(o *service.Options) { counted.Store, o.Store = o.Store, counted })
	b := k.permanent("robin")
	k.receive(plainMail(`"kim else test" <a@y.test>`, "by its name", "text"), b.Address)
	k.receive(plainMail(`"else kim test" <a@y.test>`, "another name", "text"), b.Address)
	for i := range 40 {
		k.receive(plainMail("kim@else.test", fmt.Sprint("number ", i), "text"), b.Address)
	}
	k.receive(plainMail("lee@else.test", "of another one", "text"), b.Address)
	k.index()
	for _, tt := range []struct {
		when, query string
		limit       int
		found, read int
	}{
		{"one page", "from:kim@else.test ", 5, 5, 5 + 2},
		{"the same again", "from:kim@else.test ", 5, 5, 2},
		{"while it is typed", "from:kim@else.test", 5, 5, 2},
		{"all", "from:kim@else.test ", 100, 41, 41 - 5 + 2},
	} {
		counted.n.Store(0)
		found := b.asks(service.InboxQuery{Query: tt.query, Mode: "keyword", Page: service.Page{Limit: tt.limit}})
		if len(found.Items) != tt.found || counted.n.Load() != int64(tt.read) {
			t.Errorf("%s: %d were found and %d read, want %d and %d", tt.when, len(found.Items), counted.n.Load(),
				tt.found, tt.read)
		}
		for i, m := range found.Items {
			if want := fmt.Sprint("number ", 39-i); i < 40 && m.Subject != want {
				t.Errorf("%s: %d is %q, want %q", tt.when, i, m.Subject, want)
			}
			if len(m.Highlights) == 0 {
				t.Errorf("%s: %q shows nothing", tt.when, m.Subject)
			}
		}
	}
	counted.n.Store(0)
	if got := b.find("kim@else.test -subject:39"); len(got) != 40 || counted.n.Load() != 2 {
		t.Errorf("newest first: %d were found and %d read, want 40 and 2", len(got), counted.n.Load())
	}
}
