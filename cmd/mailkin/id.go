package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// thing is something that has an id, and what a person knows it by.
type thing struct{ id, about string }

// idKind is a kind of things with ids. An id can be shortened to any beginning that no other has.
type idKind struct {
	noun, listed string // "message", and the command that lists them
	newest       func(*session) ([]thing, error)
	beginning    func(*session, string) ([]thing, error) // nil: newest has all that a person means
}

const (
	idLength    = 36
	leastPrefix = 4    // characters of a shortened id
	shownPrefix = 8    // characters that a table shows, and more where they are not unique
	mostScanned = 1000 // messages that are looked at for one shortened id
)

// isPrefix tells whether an argument is the beginning of an id.
func isPrefix(arg string) bool {
	return len(arg) >= leastPrefix && len(arg) < idLength && strings.Trim(arg, "0123456789abcdef-") == ""
}

// onIDs makes a command one whose first argument is an id, or all of them with every.
func (p *program) onIDs(kind idKind, every bool, cmd *cobra.Command,
	run func(*session, []string) error) *cobra.Command {
	cmd.ValidArgsFunction = p.completeIDs(kind, every)
	return p.remote(cmd, func(s *session, args []string) error {
		whole := append([]string(nil), args...)
		for i, arg := range args {
			if i > 0 && !every {
				break
			}
			var err error
			if whole[i], err = s.id(kind, arg); err != nil {
				return err
			}
		}
		return kind.hint(explain(run(s, whole), s))
	})
}

// hint adds to an error of a thing that there is not where it would be listed.
func (k idKind) hint(err error) error {
	var f *fault
	var refused *client.Error
	if errors.As(err, &f) && f.next == "" && errors.As(f.err, &refused) &&
		(refused.Code == "not_found" || refused.Code == "invalid_id" || refused.Code == "invalid_ids") {
		f.next = fmt.Sprintf("\"mailkin %s\" lists them.", k.listed)
	}
	return err
}

// id finds the whole id that an argument means. What is no beginning of an id is left to the service to judge.
func (s *session) id(kind idKind, arg string) (string, error) {
	arg = strings.ToLower(arg)
	if arg == "latest" && kind.noun == messages.noun {
		return s.latest()
	}
	if !isPrefix(arg) {
		return arg, nil
	}
	find := kind.beginning
	if find == nil {
		find = func(s *session, _ string) ([]thing, error) { return kind.newest(s) }
	}
	list, err := find(s, arg)
	if err != nil {
		return "", err
	}
	found := startingWith(list, arg)
	switch len(found) {
	case 0:
		return "", &fault{status: exitNothing, text: fmt.Sprintf("no %s has an id that begins with %s", kind.noun, arg),
			next: fmt.Sprintf("\"mailkin %s\" lists them.", kind.listed)}
	case 1:
		return found[0].id, nil
	}
	return "", ambiguous(kind.noun, arg, found)
}

func startingWith(list []thing, prefix string) (found []thing) {
	for _, t := range list {
		if strings.HasPrefix(t.id, prefix) {
			found = append(found, t)
		}
	}
	return found
}

// ambiguous says which things an argument could mean.
func ambiguous(noun, arg string, found []thing) error {
	const shown = 4
	ids := make([]string, len(found))
	for i, t := range found {
		ids[i] = t.id
	}
	long := uniqueLength(ids)
	var which []string
	for _, t := range found[:min(shown, len(found))] {
		which = append(which, strings.TrimSpace(cut(t.id, long+1)+" "+cut(line(t.about), 40)))
	}
	if len(found) > shown {
		which = append(which, fmt.Sprintf("%d more", len(found)-shown))
	}
	return usage("%s begins the id of more than one %s: %s; write more of it", arg, noun, strings.Join(which, ", "))
}

// uniqueLength is how many characters tell ids apart, at least those that a table shows.
func uniqueLength(ids []string) int {
	for n := shownPrefix; n < idLength; n++ {
		seen := make(map[string]string, len(ids))
		unique := true
		for _, id := range ids {
			short := id[:min(n, len(id))]
			if had, ok := seen[short]; ok && had != id {
				unique = false
				break
			}
			seen[short] = id
		}
		if unique {
			return n
		}
	}
	return idLength
}

// latest is the newest message that was received.
func (s *session) latest() (string, error) {
	list, err := s.c.Inbox(s.ctx, client.InboxQuery{Direction: "inbound", Page: client.Page{Limit: 1}})
	if err != nil {
		return "", err
	}
	if len(list.Emails) == 0 {
		return "", nothing("the mailbox is empty")
	}
	return list.Emails[0].ID, nil
}

// messageID finds the message that an argument names: an id, its beginning, or "latest".
func (s *session) messageID(arg string) (string, error) { return s.id(messages, arg) }

// onePage is what is looked at for things of which there are few.
var onePage = client.Page{Limit: 100}

// The kinds of ids.
var (
	messages = idKind{"message", "inbox", newestMessages, messagesOfPrefix}
	threads  = idKind{"conversation", "threads", func(s *session) ([]thing, error) {
		list, err := s.c.Threads(s.ctx, onePage)
		return things(list, err, func(l *api.Threads) []api.Thread { return l.Threads },
			func(t api.Thread) thing { return thing{t.ThreadID, t.Subject} })
	}, nil}
	drafts = idKind{"draft", "draft", func(s *session) ([]thing, error) {
		list, err := s.c.Drafts(s.ctx, onePage)
		return things(list, err, func(l *api.Drafts) []api.DraftSummary { return l.Drafts },
			func(d api.DraftSummary) thing { return thing{d.ID, d.Subject} })
	}, nil}
	reviews = idKind{"message that was held", "review list", func(s *session) ([]thing, error) {
		list, err := s.c.Reviews(s.ctx, "", onePage)
		return things(list, err, func(l *api.Reviews) []api.ReviewSummary { return l.Reviews },
			func(r api.ReviewSummary) thing { return thing{r.ID, r.Email.Subject} })
	}, nil}
	quarantined = idKind{"message in quarantine", "quarantine list", func(s *session) ([]thing, error) {
		list, err := s.c.Quarantine(s.ctx, onePage)
		return things(list, err, func(l *api.Quarantine) []api.Quarantined { return l.Emails },
			func(q api.Quarantined) thing { return thing{q.ID, q.Subject} })
	}, nil}
	queued = idKind{"delivery in the queue", "queue list", func(s *session) ([]thing, error) {
		list, err := s.c.Queue(s.ctx, client.QueueQuery{Page: onePage})
		return things(list, err, func(l *api.Queue) []api.QueuedDelivery { return l.Deliveries },
			func(d api.QueuedDelivery) thing { return thing{d.ID, d.Recipient} })
	}, nil}
	hookDeliveries = idKind{"posted event", "webhook log", func(s *session) ([]thing, error) {
		list, err := s.c.WebhookDeliveries(s.ctx, client.WebhookDeliveriesQuery{Page: onePage})
		return things(list, err, func(l *api.WebhookDeliveries) []api.WebhookDelivery { return l.Deliveries },
			func(d api.WebhookDelivery) thing { return thing{d.ID, d.Event + " " + d.Status} })
	}, nil}
	keys = idKind{"key", "key list MAILBOX", func(s *session) ([]thing, error) {
		if s.box == "" {
			return nil, usage("write the whole id of the key, or name its mailbox with --mailbox")
		}
		list, err := s.c.Moderate(s.box).Keys(s.ctx)
		return things(list, err, func(l *api.Keys) []api.Key { return l.Keys },
			func(k api.Key) thing { return thing{k.ID, cmp.Or(k.Name, k.Prefix)} })
	}, nil}
	attachments = idKind{"attachment", "read", func(s *session) ([]thing, error) {
		id, err := s.latest()
		if err != nil {
			return nil, err
		}
		return s.attachmentsOf(id)
	}, func(s *session, prefix string) ([]thing, error) {
		of, err := messagesOfPrefix(s, prefix)
		if err != nil {
			return nil, err
		}
		var all []thing
		for _, m := range startingWith(of, prefix) {
			some, err := s.attachmentsOf(m.id)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	}}
)

// things are the entries of a list, unless it could not be had.
func things[L, T any](list *L, err error, entries func(*L) []T, one func(T) thing) ([]thing, error) {
	if err != nil {
		return nil, err
	}
	var out []thing
	for _, e := range entries(list) {
		out = append(out, one(e))
	}
	return out, nil
}

func newestMessages(s *session) ([]thing, error) {
	list, err := s.c.Inbox(s.ctx, client.InboxQuery{Page: onePage})
	return things(list, err, func(l *api.Inbox) []api.Message { return l.Emails }, aMessage)
}

func aMessage(m api.Message) thing {
	return thing{m.ID, strings.TrimSpace(m.Subject + " (" + m.FromAddress + ")")}
}

// messagesOfPrefix finds the messages that a shortened id can mean. An id begins with the time at which it was made, so
// that only those of that time are asked for. A message that was received at another time, because it was released from
// quarantine, is looked for among the newest.
func messagesOfPrefix(s *session, prefix string) ([]thing, error) {
	from, until := timesOf(prefix)
	var found []thing
	scanned := 0
	for m, err := range s.c.InboxAll(s.ctx, client.InboxQuery{Since: from, Until: until, Page: onePage}) {
		if err != nil {
			return nil, err
		}
		if scanned++; scanned > mostScanned {
			return nil, usage("%s begins the ids of too many messages: write more of it", prefix)
		}
		found = append(found, aMessage(m))
	}
	if len(startingWith(found, prefix)) == 0 {
		return newestMessages(s)
	}
	return found, nil
}

// timesOf is when messages were received whose ids begin so. Between the id of a message that is sent and its time are
// the moments in which it was uploaded.
func timesOf(prefix string) (from, until time.Time) {
	const digits, uploads = 12, 2 * time.Minute // of the milliseconds
	hex := strings.ReplaceAll(prefix, "-", "")
	hex = hex[:min(len(hex), digits)]
	ms, _ := strconv.ParseInt(cmp.Or(hex, "0"), 16, 64) // at most 12 digits, which isPrefix has checked
	missing := 4 * (digits - len(hex))
	return time.UnixMilli(ms << missing).Add(-time.Second), time.UnixMilli((ms + 1) << missing).Add(uploads)
}

func (s *session) attachmentsOf(id string) ([]thing, error) {
	m, err := s.c.Email(s.ctx, id, client.EmailOptions{})
	return things(m, err, func(m *api.Email) []api.Attachment { return m.Attachments },
		func(a api.Attachment) thing { return thing{a.ID, a.Filename} })
}
