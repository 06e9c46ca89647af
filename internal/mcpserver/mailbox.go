package mcpserver

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func createTool() tool {
	return tool{
		name: "create_temporary_mailbox", title: "Create a temporary mailbox",
		about: "Give a mail address that receives mail and codes at once, for sign-ups and tests. It lives 72 hours, " +
			"cannot send, and needs no registration. " +
			"Other tools make one by themselves when there is none.",
		hints: hints{openWorld: false}, create: true,
		input: arguments{{name: "new", kind: flag, about: "make another, also if a temporary one is in use"}},
	}
}

// createMailbox is what the tool does. It needs no client.
func createMailbox(ctx context.Context, from Source, in args) (result, error) {
	made, err := from.Create(ctx, in.is("new"))
	if err != nil {
		return result{}, err
	}
	return result{fields: fields{
		"mailbox": made.Mailbox, "expires_at": timestamp(made.ExpiresAt), "api_key": nullable(made.Key),
		"how_to_use": made.Note,
	}}, nil
}

func statsTool() tool {
	return tool{
		name: "get_stats", title: "Mailbox statistics",
		needs: []string{"read"},
		about: "Tell which mailbox is in use, its mail address, and how many messages it holds.",
		hints: hints{readOnly: true, idempotent: true},
		run:   stats,
	}
}

func stats(ctx context.Context, c *client.Client, _ args) (result, error) {
	s, err := c.Stats(ctx)
	if err != nil {
		return result{}, err
	}
	return result{fields: fields{
		"mailbox": s.Mailbox, "total_emails": s.TotalEmails, "inbound": s.Inbound, "outbound": s.Outbound,
		"emails_this_month": s.EmailsThisMonth,
		"unseen":            s.Unseen, "storage_bytes": s.StorageBytes, "suppression_count": s.SuppressionCount,
		"index_pending": s.Index.Pending,
	}}, nil
}

func updateTool() tool {
	return tool{
		name: "update_email", title: "Label or mark an email",
		needs: []string{"manage"},
		about: "Change the labels of a message, or whether it is seen. The sender does not learn of it.",
		hints: hints{idempotent: true}, permanent: true,
		input: arguments{
			emailID("id of the message"), {name: "seen", kind: flag, about: "mark as seen or unseen",
				also: []string{"read"}},
			{name: "add_labels", kind: words, plain: true, about: "lower-case letters, digits, _ and -",
				also: []string{"labels", "label", "add"}},
			{name: "remove_labels", kind: words, plain: true, about: "to take away", also: []string{"remove"}},
		},
		run: updateEmail,
	}
}

func updateEmail(ctx context.Context, c *client.Client, in args) (result, error) {
	change := api.EmailChange{Seen: in.choice("seen"), AddLabels: in.words("add_labels"),
		RemoveLabels: in.words("remove_labels")}
	if change.Seen == nil && len(change.AddLabels) == 0 && len(change.RemoveLabels) == 0 {
		return result{}, advice("Nothing is to be changed: give seen (true or false), add_labels or remove_labels " +
			"(lists of labels).")
	}
	m, err := c.UpdateEmail(ctx, in.text("email_id"), change)
	if err != nil {
		return result{}, err
	}
	return result{fields: fields{"email_id": m.ID, "seen": m.Seen, "labels": brief(m.Labels, wordsBudget)}}, nil
}

func deleteTool() tool {
	return tool{
		name: "delete_email", title: "Delete an email",
		needs: []string{"manage"},
		about: "Delete one message for good. Of a message that is still being sent, what has not left is cancelled.",
		hints: hints{destructive: true, idempotent: true}, permanent: true,
		input: arguments{emailID("id of the message")}, run: deleteEmail,
	}
}

func deleteEmail(ctx context.Context, c *client.Client, in args) (result, error) {
	if err := c.DeleteEmail(ctx, in.text("email_id")); err != nil {
		return result{}, err
	}
	return result{fields: fields{"deleted": true, "email_id": in.text("email_id")}}, nil
}

// timestamp is a time as the interface writes it, or null.
func timestamp(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
