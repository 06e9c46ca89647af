package mcpserver

import (
	"context"
	"fmt"

	"github.com/mailkin/mailkin/client"
)

// pageMembers are the arguments of every list.
func pageMembers(limit int) members {
	return members{
		"limit":     whole("how many entries at most; fewer come if they do not fit into the result", 1, 50, limit),
		"cursor":    text("go on where an earlier result ended: its next_cursor, with the other arguments unchanged").bounded(0, 2000),
		"max_chars": maxChars(),
	}
}

// filterMembers are what narrows a list of messages.
func filterMembers() members {
	has := pageMembers(10)
	has["direction"] = choiceOf("inbound", "outbound")
	has["label"] = text("newsletter, notification, code, personal, bounce, autoreply, calendar, suspicious, or one of your own").bounded(1, 32)
	has["seen"] = flag("false: only messages not yet marked as seen; true: only those that are")
	has["since"] = moment("received then or later, such as 2026-03-02T10:00:00Z")
	has["until"] = moment("received before then")
	has["view"] = choice(aboutView, viewOutline, viewNew, viewFull)
	has["mode"] = schema{"type": "string", "enum": []string{"keyword", "semantic", "hybrid"}, "description": "how the query is understood: by words, by meaning, or by both"}
	return has
}

const aboutQuery = `words, "a phrase", -without, and operators such as from:kim subject:invoice has:attachment has:code is:unseen after:7d`

// listOutput describes a page of messages.
func listOutput() schema {
	return object(members{
		"emails": list("", listed()), "next_cursor": text("cursor of the next call; null: this is the end").orNull(),
		"continue": text("how to get the rest; null: nothing is left").orNull(), "search_mode": text("how the query was understood"),
	}, "emails", "next_cursor", "continue")
}

func inboxTool() tool {
	input := filterMembers()
	input["query"] = text("only messages that fit: "+aboutQuery).bounded(0, 1000)
	return tool{
		name: "get_inbox", title: "List emails",
		about: "List messages, newest first, received and sent. Narrow it by label, direction, time or query. To wait for mail that has not come yet use wait_for_email or wait_for_code instead of asking again and again.",
		hints: reads, input: arguments(input), output: listOutput(), run: inbox,
	}
}

func searchTool() tool {
	input := filterMembers()
	input["query"] = text("what to look for, in plain words or as "+aboutQuery).bounded(1, 1000)
	return tool{
		name: "search_inbox", title: "Search emails",
		about: "Find messages by words and by meaning, the best first. Use it when you know what a message is about; use get_inbox for the newest.",
		hints: reads, input: arguments(input, "query"), output: listOutput(), run: search,
	}
}

// inboxQuery reads what narrows a list.
func (a args) inboxQuery() (q client.InboxQuery, err error) {
	q = client.InboxQuery{
		Query: a.text("query"), Mode: a.text("mode"), Direction: a.text("direction"), Label: a.text("label"), Seen: a.choice("seen"), Page: a.page(),
	}
	if q.Since, err = a.moment("since"); err != nil {
		return q, err
	}
	q.Until, err = a.moment("until")
	return q, err
}

// page is a part of a list, and where it goes on.
type page[T any] struct {
	items []T
	next  client.NullString
}

func inbox(ctx context.Context, c *client.Client, in args) (result, error) {
	q, err := in.inboxQuery()
	if err != nil {
		return result{}, err
	}
	mode := ""
	return lister[client.Message]{
		name: "get_inbox", member: "emails",
		ask: func(p client.Page) (page[client.Message], error) {
			q.Page = p
			list, err := c.Inbox(ctx, q)
			if err != nil {
				return page[client.Message]{}, err
			}
			mode = list.SearchMode
			return page[client.Message]{list.Emails, list.Next}, nil
		},
		show: func(m client.Message, budget int) (fields, error) { return entry(ctx, c, m, in.text("view"), budget) },
		also: func(f fields) { f["search_mode"] = mode },
	}.list(in)
}

func search(ctx context.Context, c *client.Client, in args) (result, error) {
	q, err := in.inboxQuery()
	if err != nil {
		return result{}, err
	}
	mode := ""
	return lister[client.Found]{
		name: "search_inbox", member: "emails",
		ask: func(p client.Page) (page[client.Found], error) {
			q.Page = p
			list, err := c.Search(ctx, q)
			if err != nil {
				return page[client.Found]{}, err
			}
			mode = list.SearchMode
			return page[client.Found]{list.Emails, list.Next}, nil
		},
		show: func(m client.Found, budget int) (fields, error) {
			f, err := entry(ctx, c, m.Message, in.text("view"), budget)
			if err != nil {
				return nil, err
			}
			f["score"] = m.Score
			if h := highlights(m.Highlights); h != "" {
				f["highlights"] = mailText(h)
			}
			return f, nil
		},
		also: func(f fields) { f["search_mode"] = mode },
	}.list(in)
}

// highlights are the pieces of a message that fit, one to a line.
func highlights(all []client.Highlight) string {
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
func entry(ctx context.Context, c *client.Client, m client.Message, view string, budget int) (fields, error) {
	if view == viewOutline {
		f := outline(m)
		if s := oneLine(m.Snippet); s != "" {
			f["snippet"] = mailText(s)
		}
		return f, nil
	}
	whole, err := c.Email(ctx, m.ID, client.EmailOptions{})
	if err != nil {
		return nil, err
	}
	return told(whole, view, budget), nil
}

// told is a message in a list, with its text.
func told(m *client.Email, view string, budget int) fields {
	f := outline(m.Message)
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

// list takes as many entries as fit. Where some do not, the list is asked for again, as long as it was shown, to learn where it goes on: a cursor
// stays right while mail comes and goes.
func (l lister[T]) list(in args) (result, error) {
	asked := in.page()
	got, err := l.ask(asked)
	if err != nil {
		return result{}, err
	}
	shown, err := l.fill(got.items, in.number("max_chars"))
	if err != nil {
		return result{}, err
	}
	if len(shown) < len(got.items) {
		asked.Limit = len(shown)
		if got, err = l.ask(asked); err != nil {
			return result{}, err
		}
	}
	out := fields{l.member: shown, "next_cursor": nullable(string(got.next)), "continue": nil}
	if got.next != "" {
		out["continue"] = fmt.Sprintf("There are more: call %s with the same arguments and cursor=%s.", l.name, got.next)
	}
	if l.also != nil {
		l.also(out)
	}
	return result{fields: out, fromMail: true}, nil
}

// fill shows entries until the budget is used up: one at least.
func (l lister[T]) fill(items []T, budget int) ([]fields, error) {
	shown := []fields{}
	for _, item := range items {
		f, err := l.show(item, min(entryBudget, max(budget, leastBudget)))
		if err != nil {
			return nil, err
		}
		n := costIn(f) + fenceCost
		if len(shown) > 0 && n > budget {
			return shown, nil
		}
		budget -= n
		shown = append(shown, f)
	}
	return shown, nil
}
