package mcpserver

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/client"
)

func createTool() tool {
	return tool{
		name: "create_temporary_mailbox", title: "Create a temporary mailbox",
		about: "Give a mail address that can receive mail and codes at once, for sign-ups and tests. It lives 72 hours, cannot send, and needs no registration. " +
			"If a temporary mailbox is already in use, that one is given unless new is true. Other tools make one by themselves when there is none, so this is only needed to learn the address.",
		hints: hints{openWorld: false}, create: true,
		input: arguments(members{
			"new": withDefault(flag("true: make another mailbox, also if a temporary one is in use; its mail stays behind"), false),
		}),
		output: object(members{
			"mailbox":    text("the address; give it to whoever shall write"),
			"expires_at": moment("when the mailbox and its mail are gone").orNull(),
			"api_key":    text("the key of the mailbox, where the tools do not use it by themselves; a secret").orNull(),
			"how_to_use": text("what to do next"),
		}, "mailbox", "expires_at", "how_to_use"),
	}
}

// createMailbox is what the tool does. It needs no client.
func createMailbox(ctx context.Context, from Source, in args) (result, error) {
	made, err := from.Create(ctx, in.is("new"))
	if err != nil {
		return result{}, err
	}
	return result{fields: fields{
		"mailbox": made.Mailbox, "expires_at": timestamp(made.ExpiresAt), "api_key": nullable(made.Key), "how_to_use": made.Note,
	}}, nil
}

func statsTool() tool {
	number := count("")
	return tool{
		name: "get_stats", title: "Mailbox statistics",
		about: "Tell which mailbox is in use and how many messages it holds. Use it to learn your own mail address.",
		hints: hints{readOnly: true, idempotent: true},
		input: arguments(members{}),
		output: object(members{
			"mailbox": text("the address of the mailbox"), "total_emails": number, "inbound": number, "outbound": number, "emails_this_month": number,
			"unseen": number, "storage_bytes": number, "suppression_count": count("addresses that are not sent to any more"),
			"index_pending": count("messages that search does not know yet"),
		}, "mailbox", "total_emails", "inbound", "outbound", "unseen"),
		run: stats,
	}
}

func stats(ctx context.Context, c *client.Client, _ args) (result, error) {
	s, err := c.Stats(ctx)
	if err != nil {
		return result{}, err
	}
	return result{fields: fields{
		"mailbox": s.Mailbox, "total_emails": s.TotalEmails, "inbound": s.Inbound, "outbound": s.Outbound, "emails_this_month": s.EmailsThisMonth,
		"unseen": s.Unseen, "storage_bytes": s.StorageBytes, "suppression_count": s.SuppressionCount, "index_pending": s.Index.Pending,
	}}, nil
}

func deleteTool() tool {
	return tool{
		name: "delete_email", title: "Delete an email",
		about: "Delete one message for good. Of a message that is still being sent, what has not left is cancelled. It cannot be undone.",
		hints: hints{destructive: true, idempotent: true}, permanent: true,
		input:  arguments(members{"id": id("id of the message, from get_inbox, search_inbox or get_thread")}, "id"),
		output: object(members{"deleted": flag(""), "id": text("")}, "deleted", "id"),
		run:    deleteEmail,
	}
}

func deleteEmail(ctx context.Context, c *client.Client, in args) (result, error) {
	if err := c.DeleteEmail(ctx, in.text("id")); err != nil {
		return result{}, err
	}
	return result{fields: fields{"deleted": true, "id": in.text("id")}}, nil
}

func withDefault(s schema, value any) schema {
	s["default"] = value
	return s
}

// timestamp is a time as the interface writes it, or null.
func timestamp(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
