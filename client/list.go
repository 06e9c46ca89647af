package client

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/api"
)

// Page is which part of a list is asked for. Most callers need none of it: the methods that end in All go on by
// themselves.
type Page struct {
	Limit  int    // entries, up to 100; 0: 20
	Cursor string // where the last page said that the list goes on
	Offset int    // entries to leave out, instead of a cursor
	// Words are those that an entry has: in refused mail, suppressions, the audit log and the log of webhooks. A page
	// may then have few entries or none, and the list still go on.
	Words string
}

func (p Page) values(q values) {
	q.number("limit", p.Limit)
	q.text("cursor", p.Cursor)
	q.number("offset", p.Offset)
	q.text("query", p.Words)
}

// full asks for a page of a list, and goes on where the service left the page short because few entries are what is
// asked for. part returns the entries of a page and where it goes on.
func full[L, T any](ctx context.Context, p Page, page func(context.Context, Page) (*L, error),
	part func(*L) (*[]T, *api.NullString)) (*L, error) {
	list, err := page(ctx, p)
	if err != nil {
		return nil, err
	}
	items, next := part(list)
	for want := cmp.Or(p.Limit, defaultLimit); *next != "" && len(*items) < want; {
		p = Page{Limit: want - len(*items), Cursor: string(*next)}
		more, err := page(ctx, p)
		if err != nil {
			return nil, err
		}
		others, then := part(more)
		if string(*then) == p.Cursor {
			return nil, errEndless
		}
		*items, *next = append(*items, *others...), *then
	}
	return list, nil
}

const defaultLimit = 20

var errEndless = errors.New("client: the list goes on where it was: it does not end")

// all walks over the pages of a list, from where it is to begin. part returns the entries of a page and where it goes
// on.
func all[L, T any](ctx context.Context, from Page, page func(context.Context, Page) (*L, error),
	part func(*L) ([]T, api.NullString)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for p := from; ; {
			var items []T
			var next api.NullString
			list, err := page(ctx, p)
			if err == nil {
				items, next = part(list)
			}
			if err == nil && next != "" && string(next) == p.Cursor {
				err = errEndless
			}
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			p = Page{Limit: from.Limit, Cursor: string(next)}
		}
	}
}

// values are the parameters of a call. What is empty is left out.
type values url.Values

func (v values) text(name, value string) {
	if value != "" {
		url.Values(v).Set(name, value)
	}
}

func (v values) number(name string, value int) {
	if value != 0 {
		url.Values(v).Set(name, strconv.Itoa(value))
	}
}

func (v values) moment(name string, at time.Time) {
	if !at.IsZero() {
		url.Values(v).Set(name, at.UTC().Format(time.RFC3339Nano))
	}
}

func (v values) flag(name string, set bool) {
	if set {
		url.Values(v).Set(name, "true")
	}
}

func (v values) choice(name string, is *bool) {
	if is != nil {
		url.Values(v).Set(name, strconv.FormatBool(*is))
	}
}
