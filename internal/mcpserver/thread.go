package mcpserver

import (
	"context"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func threadsTool() tool {
	return tool{
		name: "get_threads", title: "List conversations",
		needs: []string{"read"},
		about: "List conversations by their newest message, each once. get_thread reads one.",
		hints: reads, input: append(arguments{view(viewOutline, viewNew, viewFull)}, paging(20, 50)...), run: threads,
	}
}

func threads(ctx context.Context, c *client.Client, in args) (result, error) {
	return lister[api.Thread]{
		name: "get_threads", member: "threads",
		ask: func(p client.Page) (page[api.Thread], error) {
			list, err := c.Threads(ctx, p)
			if err != nil {
				return page[api.Thread]{}, err
			}
			return page[api.Thread]{list.Threads, list.Next}, nil
		},
		show: func(t api.Thread, budget int) (fields, error) {
			f := threadOutline(t)
			if in.text("view") == viewOutline {
				return f, nil
			}
			m, err := c.Email(ctx, t.LatestEmailID, client.EmailOptions{})
			if err != nil {
				return nil, err
			}
			f["latest"] = told(m, in.text("view"), budget)
			return f, nil
		},
	}.list(in)
}

func threadTool() tool {
	id := threadID("id of the conversation, from a message or get_threads")
	id.needed, id.also = true, append(id.also, "id")
	return tool{
		name: "get_thread", title: "Read a conversation",
		needs: []string{"read"},
		about: "Read the messages of one conversation, oldest first, each with its new text. A message that is cut " +
			"says so; get_email reads it on.",
		hints: reads, input: append(arguments{id, view(viewNew, viewOutline, viewFull)}, paging(10, 20)...),
		heavy: func(args) bool { return true }, run: thread,
	}
}

func thread(ctx context.Context, c *client.Client, in args) (result, error) {
	threadID := in.text("thread_id")
	return lister[api.Email]{
		name: "get_thread", member: "emails",
		ask: func(p client.Page) (page[api.Email], error) {
			list, err := c.Thread(ctx, threadID, p)
			if err != nil {
				return page[api.Email]{}, err
			}
			threadID = list.ThreadID
			return page[api.Email]{list.Emails, list.Next}, nil
		},
		show: func(m api.Email, budget int) (fields, error) {
			if view := in.text("view"); view != viewOutline {
				return told(&m, view, budget), nil
			}
			return outline(m.Message), nil
		},
		also: func(f fields) { f["thread_id"] = threadID },
	}.list(in)
}
