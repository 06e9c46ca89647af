package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/client"
)

const longestWait = int(client.LongestWait / time.Second)

// overlap is how far a wait that goes on looks back before the one that it continues: clocks differ.
const overlap = time.Minute

func timeout() schema {
	return whole("seconds to wait; the call answers at once when it comes", 1, longestWait, 30)
}

// waitMembers are what every wait has.
func waitMembers() members {
	return members{
		"from":    text("only from a sender whose address or name holds this, such as github.com").bounded(1, 300),
		"since":   moment("only what came later than this, such as 2026-03-02T10:00:00Z: set it to when you began, so that nothing old is taken for new"),
		"timeout": timeout(),
	}
}

func codeTool() tool {
	return tool{
		name: "wait_for_code", title: "Wait for a verification code",
		about: "Wait for a mail with a verification code or sign-in link and give the code. It answers the moment the mail arrives. " +
			"Without since, one that came in the last 15 minutes counts. If nothing came in time it says how to go on: call again.",
		hints: reads, input: arguments(waitMembers()),
		output: object(members{
			"found": flag("a code came"), "code": text("the code, exactly as to be entered").orNull(), "email_id": text(""), "from": text(""), "subject": text(""),
			"received_at": moment("").orNull(), "links": messageMembers["links"], "trust": messageMembers["trust"], "screening": messageMembers["screening"],
			"continue": text("what to do if nothing came").orNull(), "since": text("the since of the next call"),
		}, "found", "code", "continue"),
		run: waitForCode,
	}
}

func waitForCode(ctx context.Context, c *client.Client, in args) (result, error) {
	began := time.Now()
	since, err := in.moment("since")
	if err != nil {
		return result{}, err
	}
	ctx, over, stop := forAWait(ctx, in)
	defer stop()
	found, err := c.Code(ctx, client.CodeQuery{From: in.text("from"), Since: since, Timeout: in.seconds()})
	if over(err) {
		out := nothingYet("wait_for_code", since, began, in)
		out["code"] = nil
		return result{fields: out}, nil
	}
	if err != nil {
		return result{}, err
	}
	links, _ := within(found.Links, linkBudget, showLink)
	out := fields{
		"found": true, "code": nullable(shortened(oneLine(found.Code), wordLimit)), "email_id": found.ID, "from": oneLine(found.From), "subject": oneLine(found.Subject),
		"received_at": timestamp(found.ReceivedAt.Time), "links": links, "continue": nil,
	}
	// The code is what was waited for: that its message cannot be read as well, deleted perhaps, is no failure.
	if m, err := c.Email(ctx, found.ID, client.EmailOptions{}); err == nil {
		out["trust"], out["screening"] = outline(m.Message)["trust"], screening(m.Screening)
	}
	return result{fields: out, fromMail: true}, nil
}

func waitTool() tool {
	input := waitMembers()
	input["query"] = text("only messages that fit these words or operators, as in search_inbox").bounded(1, 1000)
	input["subject"] = text("only messages whose subject holds this").bounded(1, 300)
	input["label"] = text("only messages with this label").bounded(1, 32)
	input["thread_id"] = id("only messages of this conversation: an answer to what you sent")
	kinds := list("only messages that have all of these", choiceOf("code", "link", "attachment"))
	kinds["uniqueItems"] = true
	input["has"] = kinds
	input["view"] = choice(aboutView, viewNew, viewOutline, viewFull)
	input["max_chars"] = maxChars()
	return tool{
		name: "wait_for_email", title: "Wait for an email",
		about: "Wait for a message that fits, and read it. It answers the moment the mail arrives. Without since, one that came in the last 60 seconds counts. " +
			"If nothing came in time it says how to go on: call again.",
		hints: reads, input: arguments(input),
		output: object(members{
			"found": flag("a message came"), "email": listed(), "continue": text("how to get the rest, or what to do if nothing came").orNull(), "since": text("the since of the next call"),
		}, "found", "continue"),
		run: waitForEmail,
	}
}

func waitForEmail(ctx context.Context, c *client.Client, in args) (result, error) {
	began := time.Now()
	since, err := in.moment("since")
	if err != nil {
		return result{}, err
	}
	ctx, over, stop := forAWait(ctx, in)
	defer stop()
	m, err := c.Wait(ctx, client.WaitQuery{
		Query: in.text("query"), From: in.text("from"), Subject: in.text("subject"), Label: in.text("label"), ThreadID: in.text("thread_id"),
		Has: in.words("has"), Since: since, Timeout: in.seconds(),
	})
	if over(err) {
		return result{fields: nothingYet("wait_for_email", since, began, in)}, nil
	}
	if err != nil {
		return result{}, err
	}
	shown, rest := detail(m, in.text("view"), 0, in.number("max_chars"))
	return result{fields: fields{"found": true, "email": shown, "continue": nullable(rest)}, fromMail: true}, nil
}

// grace is how much longer than it was asked to a wait may take, with all that comes after it: many clients give a tool a minute.
const grace = 4 * time.Second

// forAWait gives the context of a wait, and what tells of an error that the time is over and nothing came.
func forAWait(outer context.Context, in args) (ctx context.Context, over func(error) bool, stop context.CancelFunc) {
	ctx, stop = context.WithTimeout(outer, in.seconds()+grace)
	return ctx, func(err error) bool {
		return errors.Is(err, client.ErrTimedOut) || err != nil && ctx.Err() != nil && outer.Err() == nil
	}, stop
}

// nothingYet says that nothing came, and how to go on so that nothing is missed in between.
func nothingYet(name string, since, began time.Time, in args) fields {
	if since.IsZero() {
		since = began.Add(-overlap)
	}
	from := timestamp(since)
	return fields{
		"found": false, "since": from,
		"continue": fmt.Sprintf("Nothing came in %d seconds. To go on waiting, call %s again with the same arguments and since=%s. If it should have come by now, "+
			"check that the address was entered right, or look with get_inbox.", in.number("timeout"), name, from),
	}
}
