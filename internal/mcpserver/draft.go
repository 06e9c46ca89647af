package mcpserver

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// stored are what a tool that writes drafts takes of a message.
func stored() arguments {
	return arguments{
		{name: "to", kind: words, about: "recipients"}, {name: "subject", about: "one line"},
		{name: "body", long: true, about: "plain text", also: []string{"text", "message", "content"}},
		// Taken, and not shown: the list of tools is to stay short.
		{name: "cc", kind: words, hidden: true}, {name: "bcc", kind: words, hidden: true},
		{name: "html", long: true, hidden: true, also: []string{"body_html"}},
		{name: "send_at", kind: moment, hidden: true}, {name: "attachments", kind: files, hidden: true},
	}
}

func draftID() argument {
	return argument{name: "draft_id", about: "its id", needed: true, also: []string{"id"}}
}

func createDraftTool() tool {
	return tool{
		name: "create_draft", title: "Write a draft",
		needs:     []string{"draft", "send"},
		about:     "Keep a message to be sent later, by send_draft or by a person.",
		permanent: true,
		input: append(arguments{
			{name: "email_id", about: "what it answers or sends on"},
			{name: "as", among: []string{"reply", "forward"}, also: []string{"mode"}},
		}, stored()...),
		run: createDraft,
	}
}

func createDraft(ctx context.Context, c *client.Client, in args) (result, error) {
	d, err := in.draft()
	if err != nil {
		return result{}, err
	}
	d.Subject, d.SendAt = in.text("subject"), in.moment("send_at")
	switch id := in.text("email_id"); {
	case id == "":
		return draftResult(c.CreateDraft(ctx, d))
	case in.text("as") == "forward":
		return draftResult(c.CreateForwardDraft(ctx, id, d))
	default:
		return draftResult(c.CreateReplyDraft(ctx, id, d))
	}
}

func updateDraftTool() tool {
	return tool{
		name: "update_draft", title: "Change a draft",
		needs:     []string{"draft", "send"},
		about:     "Change a draft. If somebody changed it after this version, read it again with list_drafts.",
		permanent: true,
		input: append(arguments{draftID(), {name: "version", kind: whole, most: 1<<31 - 1, about: "as you read it",
			needed: true}},
			stored()...),
		run: updateDraft,
	}
}

func updateDraft(ctx context.Context, c *client.Client, in args) (result, error) {
	d, err := in.draft()
	if err != nil {
		return result{}, err
	}
	change := api.DraftChange{Version: int64(in.number("version")), To: given[[]string](in, "to"),
		Cc: given[[]string](in, "cc"), Bcc: given[[]string](in, "bcc"), Subject: given[string](in, "subject"),
		Text: given[string](in, "body"), HTML: given[string](in, "html")}
	if at := given[time.Time](in, "send_at"); at != nil {
		change.SendAt = &api.Time{Time: *at}
	}
	changed, err := c.EditDraft(ctx, in.text("draft_id"), change)
	for _, f := range d.Files {
		if err == nil {
			changed, err = c.AttachToDraft(ctx, in.text("draft_id"), f)
		}
	}
	return draftResult(changed, err)
}

// given is an argument that may be left out.
func given[T any](in args, name string) *T {
	if v, ok := in[name].(T); ok {
		return &v
	}
	return nil
}

func listDraftsTool() tool {
	id := draftID()
	id.needed, id.about = false, "read this one whole"
	return tool{
		name: "list_drafts", title: "List drafts",
		needs: []string{"draft", "send"},
		about: "List drafts that were not sent, each with its version, or read one whole.",
		hints: hints{readOnly: true, idempotent: true}, permanent: true,
		input: append(arguments{id}, paging(20, 50)[1:2]...),
		run:   listDrafts,
	}
}

func listDrafts(ctx context.Context, c *client.Client, in args) (result, error) {
	if id := in.text("draft_id"); id != "" {
		d, err := c.Draft(ctx, id)
		if err != nil {
			return result{}, err
		}
		f := draftOutline(d.DraftSummary)
		text, html := clipped(string(d.Text), in.budget()), clipped(string(d.HTML), in.budget())
		f["body"], f["html"] = nullable(text), nullable(html)
		f["cut"] = text != string(d.Text) || html != string(d.HTML)
		return result{fields: f}, nil
	}
	return lister[api.DraftSummary]{
		name: "list_drafts", member: "drafts",
		ask: func(p client.Page) (page[api.DraftSummary], error) {
			list, err := c.Drafts(ctx, p)
			if err != nil {
				return page[api.DraftSummary]{}, err
			}
			return page[api.DraftSummary]{list.Drafts, list.Next}, nil
		},
		show: func(d api.DraftSummary, _ int) (fields, error) { return draftOutline(d), nil },
	}.list(in)
}

// clipped is the beginning of a text.
func clipped(text string, budget int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), budget)])
}

func draftOutline(d api.DraftSummary) fields {
	names := make([]string, len(d.Attachments))
	for i, f := range d.Attachments {
		names[i] = f.Filename
	}
	f := fields{"draft_id": d.ID, "version": d.Version, "status": d.Status,
		"to":      brief(slices.Concat(d.To, d.Cc, d.Bcc), 500),
		"subject": oneLine(d.Subject), "snippet": oneLine(d.Snippet), "attachments": brief(names, 500),
		"updated_at": d.UpdatedAt}
	if d.EmailID != "" {
		f["email_id"], f["as"] = string(d.EmailID), "reply"
		if d.Forward {
			f["as"] = "forward"
		}
	}
	if d.Sent != nil {
		f["sent_email_id"] = d.Sent.ID
	}
	return f
}

func draftResult(d *api.StoredDraft, err error) (result, error) {
	if err != nil {
		return result{}, err
	}
	return result{fields: draftOutline(d.DraftSummary)}, nil
}

func sendDraftTool() tool {
	return tool{
		name: "send_draft", title: "Send a draft",
		needs: []string{"send", "draft"},
		about: "Send a draft. A second call sends nothing and answers as the first.",
		hints: hints{openWorld: true, idempotent: true}, permanent: true,
		input: arguments{draftID(), {name: "version", kind: whole, most: 1<<31 - 1, hidden: true},
			{name: "dry_run", kind: flag, about: "only say what would be sent"}},
		run: sendDraft,
	}
}

func sendDraft(ctx context.Context, c *client.Client, in args) (result, error) {
	id, version := in.text("draft_id"), int64(in.number("version"))
	if !in.is("dry_run") {
		return sent(c.SendDraft(ctx, id, version))
	}
	p, err := c.PreviewDraft(ctx, id, version)
	if err != nil {
		return result{}, err
	}
	routes := make([]string, len(p.Deliveries))
	for i, d := range p.Deliveries {
		routes[i] = d.Recipient + ": " + d.Route
	}
	return result{fields: fields{"dry_run": true, "from": p.From, "subject": oneLine(p.Subject),
		"size_bytes": p.SizeBytes, "deliveries": brief(routes, 4000)}}, nil
}
