package mcpserver

import (
	"context"

	"github.com/mailkin/mailkin/client"
)

func threadsTool() tool {
	input := pageMembers(10)
	input["view"] = choice("of the newest message of each conversation. "+aboutView, viewOutline, viewNew, viewFull)
	thread := members{
		"thread_id": text(""), "latest_email_id": text(""), "subject": text(""), "from_address": text(""), "from_name": text(""), "received_at": moment("").orNull(),
		"message_count": count(""), "has_attachments": flag(""), "code": text("").orNull(), "participants": list("", person), "labels": list("", text("")),
		"latest": listed(),
	}
	return tool{
		name: "get_threads", title: "List conversations",
		about: "List conversations by their newest message, each once. get_thread reads one.",
		hints: reads, input: arguments(input),
		output: object(members{
			"threads": list("", object(thread, "thread_id", "latest_email_id", "subject", "message_count")), "next_cursor": text("").orNull(), "continue": text("").orNull(),
		}, "threads", "next_cursor", "continue"),
		run: threads,
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
			f := showThread(t)
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

func showThread(t client.Thread) fields {
	people, _ := within(t.Participants, peopleBudget, showPerson)
	return fields{
		"thread_id": t.ThreadID, "latest_email_id": t.LatestEmailID, "subject": oneLine(t.Subject), "from_address": oneLine(t.FromAddress),
		"from_name": oneLine(t.FromName), "received_at": timestamp(t.ReceivedAt.Time), "message_count": t.MessageCount, "has_attachments": t.HasAttachments,
		"code": nullable(shortened(oneLine(string(t.Code)), wordLimit)), "participants": people, "labels": brief(t.Labels, wordsBudget),
	}
}

func threadTool() tool {
	input := pageMembers(10)
	input["limit"] = whole("how many messages at most; fewer come if they do not fit into the result", 1, 20, 10)
	input["thread_id"] = id("id of the conversation: thread_id of a message or of get_threads")
	input["view"] = choice(aboutView, viewNew, viewOutline, viewFull)
	return tool{
		name: "get_thread", title: "Read a conversation",
		about: "Read the messages of one conversation, oldest first, by default each with only its new text. A message that is cut says so in its text; get_email reads it on.",
		hints: reads, input: arguments(input, "thread_id"),
		output: object(members{
			"thread_id": text(""), "emails": list("", listed()), "next_cursor": text("").orNull(), "continue": text("").orNull(),
		}, "thread_id", "emails", "next_cursor", "continue"),
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
			f := outline(m.Message)
			f["screening"] = screening(m.Screening)
			return f, nil
		},
		also: func(f fields) { f["thread_id"] = threadID },
	}.list(in)
}
