package mcpserver

import (
	"context"

	"github.com/mailkin/mailkin/client"
)

func threadsTool() tool {
	return tool{
		name: "get_threads", title: "List conversations",
		about: "List conversations by their newest message, each once. get_thread reads one.",
		hints: reads, input: append(arguments{view(viewOutline, viewNew, viewFull)}, paging(20, 50)...), run: threads,
	}
}

func threads(ctx context.Context, c *client.Client, in args) (result, error) {
	return lister[client.Thread]{
		name: "get_threads", member: "threads",
		ask: func(p client.Page) (page[client.Thread], error) {
			list, err := c.Threads(ctx, p)
			if err != nil {
				return page[client.Thread]{}, err
			}
			return page[client.Thread]{list.Threads, list.Next}, nil
		},
		show: func(t client.Thread, budget int) (fields, error) {
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
		about: "Read the messages of one conversation, oldest first, each with its new text. A message that is cut says so; get_email reads it on.",
		hints: reads, input: append(arguments{id, view(viewNew, viewOutline, viewFull)}, paging(10, 20)...),
		heavy: func(args) bool { return true }, run: thread,
	}
}

func thread(ctx context.Context, c *client.Client, in args) (result, error) {
	threadID := in.text("thread_id")
	return lister[client.Email]{
		name: "get_thread", member: "emails",
		ask: func(p client.Page) (page[client.Email], error) {
			list, err := c.Thread(ctx, threadID, p)
			if err != nil {
				return page[client.Email]{}, err
			}
			threadID = list.ThreadID
			return page[client.Email]{list.Emails, list.Next}, nil
		},
		show: func(m client.Email, budget int) (fields, error) {
			if view := in.text("view"); view != viewOutline {
				return told(&m, view, budget), nil
			}
			return outline(m.Message), nil
		},
		also: func(f fields) { f["thread_id"] = threadID },
	}.list(in)
}
