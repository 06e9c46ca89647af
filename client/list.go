package client

import (
	"errors"
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/api"
)

// Page is which part of a list is asked for. Most callers need none of it: the methods that end in All go on by themselves.
type Page struct {
	Limit  int    // entries, up to 100; 0: 20
	Cursor string // where the last page said that the list goes on
	Offset int    // entries to leave out, instead of a cursor
}

func (p Page) values(q values) {
	q.number("limit", p.Limit)
	q.text("cursor", p.Cursor)
	q.number("offset", p.Offset)
}

// all walks over the pages of a list, from where it is to begin.
func all[T any](from Page, page func(Page) (items []T, next api.NullString, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for p := from; ; {
			items, next, err := page(p)
			if err == nil && next != "" && string(next) == p.Cursor {
				err = errors.New("client: the list goes on where it was: it does not end")
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
