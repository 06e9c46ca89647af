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

// waits are the arguments of every wait.
func waits() arguments {
	return arguments{
		{name: "from", about: "part of the sender's address or name"},
		{name: "since", kind: moment, about: "only what came later: set it to when you began"},
		{name: "timeout", kind: whole, least: 1, most: longestWait, usual: 30, about: "seconds",
			also: []string{"timeout_seconds", "seconds"}},
	}
}

func codeTool() tool {
	return tool{
		name: "wait_for_code", title: "Wait for a verification code",
		needs: []string{"code", "read"},
		about: "Wait for a mail with a verification code or sign-in link; it answers the moment it arrives. " +
			"Without since, one of the last 15 minutes counts. If nothing came, call again as the result says.",
		hints: reads, input: waits(), run: waitForCode,
	}
}

func waitForCode(ctx context.Context, c *client.Client, in args) (result, error) {
	began := time.Now()
	since := in.moment("since")
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
		"found": true, "code": nullable(shortened(oneLine(found.Code), wordLimit)), "email_id": found.ID,
		"from": oneLine(found.From), "subject": oneLine(found.Subject),
		"received_at": timestamp(found.ReceivedAt.Time), "links": links, "continue": nil,
	}
	// The code is what was waited for: that its message cannot be read as well, deleted perhaps, is no failure.
	if m, err := c.Email(ctx, found.ID, client.EmailOptions{}); err == nil {
		out["trust"], out["screening"] = summary(m.Message)["trust"], screening(m.Screening)
	}
	return result{fields: out, fromMail: true}, nil
}

func waitTool() tool {
	return tool{
		name: "wait_for_email", title: "Wait for an email",
		needs: []string{"read"},
		about: "Wait for a message that fits, and read it; it answers the moment it arrives. Without since, one of " +
			"the last 60 seconds counts. " +
			"If nothing came, call again as the result says.",
		hints: reads,
		input: append(waits(),
			argument{name: "subject", about: "subject holds this"}, argument{name: "query", about: "as in get_inbox",
				also: queryNames},
			argument{name: "label", about: "has this label"}, threadID("is in this conversation"),
			argument{name: "has", kind: words, plain: true, among: []string{"code", "link", "attachment"},
				about: "has all of these"},
			view(viewNew, viewOutline, viewFull), maxChars()),
		run: waitForEmail,
	}
}

func waitForEmail(ctx context.Context, c *client.Client, in args) (result, error) {
	began := time.Now()
	since := in.moment("since")
	ctx, over, stop := forAWait(ctx, in)
	defer stop()
	m, err := c.Wait(ctx, client.WaitQuery{
		Query: in.text("query"), From: in.text("from"), Subject: in.text("subject"), Label: in.text("label"),
		ThreadID: in.text("thread_id"),
		Has:      in.words("has"), Since: since, Timeout: in.seconds(),
	})
	if over(err) {
		return result{fields: nothingYet("wait_for_email", since, began, in)}, nil
	}
	if err != nil {
		return result{}, err
	}
	shown, more := detail(m, in.text("view"), 0, in.budget())
	return result{fields: fields{"found": true, "email": shown, "continue": nullable(more)}, fromMail: true}, nil
}

// grace is how much longer than it was asked to a wait may take, with all that comes after it: many clients give a tool
// a minute.
const grace = 4 * time.Second

// forAWait returns the context of a wait, and what tells of an error that the time is over and nothing came.
func forAWait(outer context.Context, in args) (ctx context.Context, over func(error) bool, stop context.CancelFunc) {
	ctx, stop = context.WithTimeout(outer, in.seconds()+grace)
	return ctx, func(err error) bool {
		return errors.Is(err, client.ErrTimedOut) || err != nil && ctx.Err() != nil && outer.Err() == nil
	}, stop
}

// nothingYet says that nothing came, and how to go on so that nothing is missed in between.
func nothingYet(name string, since, began time.Time, in args) fields {
	if since.IsZero() || since.After(began) { // what comes from now on must not be missed
		since = began.Add(-overlap)
	}
	from := timestamp(since)
	return fields{
		"found": false, "since": from,
		"continue": fmt.Sprintf("Nothing came in %d seconds. To go on waiting, call %s again with the same arguments "+
			"and since=%s. If it should have come by now, "+
			"check that the address was entered right, or look with get_inbox.", in.number("timeout"), name, from),
	}
}
