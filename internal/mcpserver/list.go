package mcpserver

import (
	"context"
	"fmt"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// filters are what narrows a list of messages.
func filters() arguments {
	return append(arguments{
		{name: "label", also: []string{"labels"},
			about: "newsletter, code, personal, bounce, calendar, suspicious, … or your own"},
		{name: "direction", among: []string{"inbound", "outbound"}, open: true, about: "received or sent"},
		{name: "seen", kind: flag, about: "false: only unseen"},
		{name: "since", kind: moment, about: "received then or later"},
		{name: "until", kind: moment, about: "received before"},
		{name: "mode", among: []string{"keyword", "semantic", "hybrid"}, open: true,
			hidden: true},
		view(viewOutline, viewNew, viewFull),
	}, paging(20, 50)...)
}

const aboutQuery = `words, "a phrase", -without, from:kim subject:invoice has:attachment has:code is:unseen after:7d`

var queryNames = []string{"q", "search"}

func inboxTool() tool {
	return tool{
		name: "get_inbox", title: "List emails",
		needs: []string{"read"},
		about: "List messages, newest first, received and sent. " +
			"To wait for mail that has not come yet use wait_for_email or wait_for_code, not this again and again.",
		hints: reads, run: inbox,
		input: append(arguments{{name: "query", about: "only what fits: " + aboutQuery, also: queryNames}},
			filters()...),
	}
}

func searchTool() tool {
	return tool{
		name: "search_inbox", title: "Search emails",
		needs: []string{"read"},
		about: "Find messages by words and by meaning, best first. For the newest use get_inbox.",
		hints: reads, run: search,
		input: append(arguments{
			{name: "query", needed: true, about: "plain words, or as in get_inbox", also: queryNames},
		}, filters()...),
	}
}

// inboxQuery reads what narrows a list.
func (a args) inboxQuery() client.InboxQuery {
	return client.InboxQuery{
		Query: a.text("query"), Mode: a.text("mode"), Direction: a.text("direction"), Label: a.text("label"),
		Seen: a.choice("seen"), Since: a.moment("since"), Until: a.moment("until"), Page: a.page(),
	}
}

// page is a part of a list, and where it goes on.
type page[T any] struct {
	items []T
	next  api.NullString
}

func inbox(ctx context.Context, c *client.Client, in args) (result, error) {
	q := in.inboxQuery()
	return lister[api.Message]{
		name: "get_inbox", member: "emails",
		ask: func(p client.Page) (page[api.Message], error) {
			q.Page = p
			list, err := c.Inbox(ctx, q)
			if err != nil {
				return page[api.Message]{}, err
			}
			return page[api.Message]{list.Emails, list.Next}, nil
		},
		show: func(m api.Message, budget int) (fields, error) { return entry(ctx, c, m, in.text("view"), budget) },
	}.list(in)
}

func search(ctx context.Context, c *client.Client, in args) (result, error) {
	q := in.inboxQuery()
	mode := ""
	return lister[api.Found]{
		name: "search_inbox", member: "emails",
		ask: func(p client.Page) (page[api.Found], error) {
			q.Page = p
			list, err := c.Search(ctx, q)
			if err != nil {
				return page[api.Found]{}, err
			}
			mode = list.SearchMode
			return page[api.Found]{list.Emails, list.Next}, nil
		},
		show: func(m api.Found, budget int) (fields, error) {
			f, err := entry(ctx, c, m.Message, in.text("view"), budget)
			if h := highlights(m.Highlights); err == nil && h != "" && in.text("view") != viewOutline {
				f["highlights"] = mailText(h)
			}
			return f, err
		},
		also: func(f fields) { f["search_mode"] = mode },
	}.list(in)
}

// highlights are the pieces of a message that fit, one to a line.
func highlights(all []api.Highlight) string {
	text := ""
	for _, h := range all[:min(len(all), 3)] {
		if text != "" {
			text += "\n"
		}
		text += oneLine(h.Field) + ": " + oneLine(h.Text)
	}
	return text
}

// entry is a message in a list. Its text, where the view has one, is asked for.
func entry(ctx context.Context, c *client.Client, m api.Message, view string, budget int) (fields, error) {
	if view == viewOutline {
		return outline(m), nil
	}
	whole, err := c.Email(ctx, m.ID, client.EmailOptions{})
	if err != nil {
		return nil, err
	}
	return told(whole, view, budget), nil
}

// told is a message in a list, with its text.
func told(m *api.Email, view string, budget int) fields {
	f := summary(m.Message)
	f["screening"] = screening(m.Screening)
	f["text"], _ = passage(m, view, 0, budget)
	return f
}

// lister makes a result of a list.
type lister[T any] struct {
	name   string // of the tool
	member string // of the result
	ask    func(client.Page) (page[T], error)
	show   func(item T, budget int) (fields, error)
	also   func(fields) // what else the result has; may be nil
}

// list takes as many entries as fit. Where some do not, the list is asked for again, as long as it was shown, to learn
// where it goes on: a cursor stays right while mail comes and goes.
func (l lister[T]) list(in args) (result, error) {
	asked := in.page()
	got, err := l.ask(asked)
	if err != nil {
		return result{}, err
	}
	shown, err := l.fill(got.items, in.listBudget())
	if err != nil {
		return result{}, err
	}
	if len(shown) < len(got.items) {
		asked.Limit = len(shown)
		if got, err = l.ask(asked); err != nil {
			return result{}, err
		}
	}
	out := fields{l.member: shown, "next_cursor": nullable(string(got.next))}
	if got.next != "" {
		out["continue"] = fmt.Sprintf("There are more: call %s with the same arguments and cursor=next_cursor.", l.name)
	}
	if l.also != nil {
		l.also(out)
	}
	return result{fields: out, fromMail: true}, nil
}

// listBudget is what the entries of a list may take. Outlines are small: as many come as were asked for, unless the
// call says otherwise.
func (a args) listBudget() int {
	if _, said := a["max_chars"]; !said && a.text("view") == viewOutline {
		return resultLimit/2 - 1000 // for what stands around them
	}
	return a.budget()
}

// fill shows entries until the budget is used up: one at least.
func (l lister[T]) fill(items []T, budget int) ([]fields, error) {
	shown := []fields{}
	for _, item := range items {
		f, err := l.show(item, min(entryBudget, max(budget, leastBudget)))
		if err != nil {
			return nil, err
		}
		n := costIn(f) + 1
		if _, fenced := f["text"]; fenced {
			n += fenceCost
		}
		if len(shown) > 0 && n > budget {
			return shown, nil
		}
		budget -= n
		shown = append(shown, f)
	}
	return shown, nil
}
