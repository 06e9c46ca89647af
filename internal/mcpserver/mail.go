package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// The views of a message.
const (
	viewOutline = "outline"
	viewNew     = "new"
	viewFull    = "full"
)

// Budgets of the parts of a message, in characters.
const (
	peopleBudget   = 800
	linkBudget     = 2500
	fileBudget     = 2000
	deliveryBudget = 1000
	wordsBudget    = 500
)

func emailTool() tool {
	return tool{
		name: "get_email", title: "Read an email",
		needs: []string{"read"},
		about: "Read one message: by default only what the sender newly wrote. A long text comes in pieces: call " +
			"again with the offset that the result names.",
		hints: reads,
		input: arguments{
			emailID("id of the message"),
			view(viewNew, viewOutline, viewFull), offset("next_offset of an earlier result"), maxChars(),
		},
		heavy: readsWhole, run: readEmail,
	}
}

// readsWhole tells whether get_email needs the whole of a text: what comes after its first piece may be after what a
// message is cut at.
func readsWhole(in args) bool { return in.text("view") != viewOutline && in.number("offset") > 0 }

func readEmail(ctx context.Context, c *client.Client, in args) (result, error) {
	view, offset := in.text("view"), in.number("offset")
	m, err := c.Email(ctx, in.text("email_id"), client.EmailOptions{Full: readsWhole(in)})
	var refused *client.Error
	if errors.Is(err, client.ErrTooLarge) && !errors.As(err, &refused) {
		return result{}, advice("The message is too large to be read on by a tool. GET /v1/email/raw?id=" +
			in.text("email_id") + " of the HTTP interface gives all of it.")
	}
	if err != nil {
		return result{}, err
	}
	shown, more := detail(m, view, offset, in.budget())
	return result{fields: fields{"email": shown, "continue": nullable(more)}, fromMail: true}, nil
}

// summary is what there is to say about a message besides its text.
func summary(m api.Message) fields {
	return fields{
		"email_id": m.ID, "thread_id": m.ThreadID, "direction": m.Direction, "status": m.Status,
		"received_at":  timestamp(m.ReceivedAt.Time),
		"from_address": oneLine(m.FromAddress), "from_name": oneLine(m.FromName), "to_address": oneLine(m.ToAddress),
		"subject": oneLine(m.Subject),
		"code":    nullable(shortened(oneLine(string(m.Code)), wordLimit)), "labels": brief(m.Labels, wordsBudget),
		"seen":             m.Seen,
		"attachment_count": m.AttachmentCount,
		"trust":            fields{"level": m.Trust.Level, "reasons": brief(m.Trust.Reasons, wordsBudget)},
	}
}

// detail is a message whole, with a piece of its text, and how to get the rest of that.
func detail(m *api.Email, view string, offset, budget int) (shown fields, more string) {
	shown = summary(m.Message)
	shown["screening"] = screening(m.Screening)
	if offset == 0 {
		describe(shown, m)
	}
	if view == viewOutline {
		return shown, ""
	}
	t, more := passage(m, view, offset, budget)
	shown["text"] = t
	return shown, more
}

// describe adds what comes with the first piece alone.
func describe(shown fields, m *api.Email) {
	var missing []string
	part := func(name string, list []fields, left int) {
		shown[name] = list
		if left > 0 {
			missing = append(missing, fmt.Sprintf("%s: %d more", name, left))
		}
	}
	for name, people := range map[string][]api.Address{"to": m.To, "cc": m.Cc, "reply_to": m.ReplyTo} {
		list, left := within(people, peopleBudget, showPerson)
		part(name, list, left)
	}
	links, left := within(m.Links, linkBudget, showLink)
	part("links", links, left)
	files, left := within(m.Attachments, fileBudget, showFile)
	part("attachments", files, left)
	if m.Direction == "outbound" {
		deliveries, left := within(m.Deliveries, deliveryBudget, showDelivery)
		part("deliveries", deliveries, left)
		if m.Review != nil {
			shown["review"] = reviewed(m.Review)
		}
	} else {
		shown["auth"] = fields{"spf": oneLine(m.Auth.SPF), "dkim": oneLine(m.Auth.DKIM), "dmarc": oneLine(m.Auth.DMARC)}
	}
	if missing != nil {
		shown["left_out"] = missing
	}
}

// passage is a piece of a message's text, with how to get the next.
func passage(m *api.Email, view string, offset, budget int) (t fields, more string) {
	whole := m.BodyText
	if view == viewNew && m.ReplyText != "" {
		whole = m.ReplyText
	}
	p := cut(clean(whole), offset, budget)
	t = fields{"view": view, "fenced": mailText(p.text), "offset": p.offset, "length": p.length, "total": p.total,
		"next_offset": nil}
	if m.InlineReply {
		t["inline_reply"] = true
	}
	if next := p.next(); next > 0 {
		t["next_offset"] = next
		more = fmt.Sprintf("The text goes on: call get_email with email_id=%s, view=%s, offset=%d.", m.ID, view, next)
	}
	return t, more
}

func screening(s *api.Screening) any {
	if s == nil {
		return nil
	}
	var rules []string
	for _, f := range s.Findings {
		rules = append(rules, f.Rule)
	}
	return fields{"verdict": s.Verdict, "findings": brief(rules, wordsBudget)}
}

func showPerson(a api.Address) fields {
	return fields{"address": oneLine(a.Address), "name": oneLine(a.Name)}
}

func showLink(l api.Link) fields {
	shown := fields{"url": clean(l.URL), "text": oneLine(l.Text), "kind": l.Kind}
	if l.Mismatch {
		shown["mismatch"] = true
	}
	return shown
}

func showFile(a api.Attachment) fields {
	return fields{
		"attachment_id": a.ID, "email_id": a.EmailID, "filename": oneLine(a.Filename),
		"content_type": oneLine(a.ContentType), "size_bytes": a.SizeBytes,
		"has_text": a.TextContent != "",
	}
}

func showDelivery(d api.Delivery) fields {
	return fields{"recipient": oneLine(d.Recipient), "status": d.Status, "last_text": oneLine(d.LastText)}
}
