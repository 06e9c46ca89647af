package agentmail

import (
	"net/http"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) threadRoutes() (list []door.Route) {
	for _, at := range []struct{ path, box string }{{"/v0/inboxes/{inbox}/threads", "inbox"}, {"/v0/threads", ""}} {
		searched := door.Route{Method: "GET", Path: at.path + "/search", Support: door.Partly, Need: mailbox.ReadMail,
			Box: at.box, Handle: e.searchThreads, Note: "The threads of the messages that are found."}
		if at.box == "" {
			searched.Note = "Inbox by inbox, of the newest 1,000 of the key."
		}
		list = append(list,
			door.Route{Method: "GET", Path: at.path, Support: door.Yes, Need: mailbox.ReadMail, Box: at.box,
				Handle: e.threads, Note: "`ascending` begins with the oldest of the newest 1,000 of each inbox."},
			searched,
			door.Route{Method: "GET", Path: at.path + "/{thread}", Support: door.Yes, Need: mailbox.ReadMail,
				Box: at.box, Handle: e.thread},
			door.Route{Method: "PATCH", Path: at.path + "/{thread}", Support: door.Yes, Need: mailbox.ChangeMail,
				Box: at.box, Handle: e.changeThread},
			door.Route{Method: "DELETE", Path: at.path + "/{thread}", Support: door.Yes, Need: mailbox.ChangeMail,
				Box: at.box, Handle: e.deleteThread, Note: "With its messages, for good."},
			door.Route{Method: "GET", Path: at.path + "/{thread}/attachments/{attachment}", Support: door.Yes,
				Need: mailbox.ReadAttachment, Box: at.box, Handle: e.threadAttachment})
	}
	return list
}

// threadItem is the JSON of a thread in a list.
type threadItem struct {
	InboxID     string     `json:"inbox_id"`
	ThreadID    string     `json:"thread_id"`
	Labels      []string   `json:"labels"`
	Timestamp   time.Time  `json:"timestamp"`
	ReceivedAt  *time.Time `json:"received_timestamp,omitempty"`
	SentAt      *time.Time `json:"sent_timestamp,omitempty"`
	Senders     []string   `json:"senders"`
	Recipients  []string   `json:"recipients"`
	Subject     string     `json:"subject,omitempty"`
	Preview     string     `json:"preview,omitempty"`
	Attachments []file     `json:"attachments,omitempty"`
	LastMessage string     `json:"last_message_id"`
	Count       int        `json:"message_count"`
	Size        int64      `json:"size"`
	UpdatedAt   time.Time  `json:"updated_at"`
	CreatedAt   time.Time  `json:"created_at"`
}

// newThread describes a thread by its messages, oldest first, of which there is one at least.
func newThread(address string, id mailbox.ID, count int, rows []mailbox.Message) threadItem {
	first, last := rows[0], rows[len(rows)-1]
	out := threadItem{InboxID: address, ThreadID: id.String(), Timestamp: last.ReceivedAt, Subject: first.Subject,
		Preview: last.Snippet, LastMessage: named(last), Count: max(count, len(rows)), UpdatedAt: last.ReceivedAt,
		CreatedAt: first.ReceivedAt, Labels: []string{}, Senders: []string{}, Recipients: []string{}}
	add := func(to *[]string, values ...string) {
		for _, v := range values {
			if v != "" && !slices.Contains(*to, v) {
				*to = append(*to, v)
			}
		}
	}
	for _, m := range rows {
		at := m.ReceivedAt
		if m.Direction == mailbox.Inbound {
			out.ReceivedAt = &at
		} else {
			out.SentAt = &at
		}
		add(&out.Labels, labelsOf(m)...)
		add(&out.Senders, person(m.From))
		add(&out.Recipients, m.To)
		out.Size += m.Size
	}
	return out
}

func (e *edge) threads(c *door.Call) error {
	q, err := selection(c, "senders", "recipients")
	if err != nil {
		return err
	}
	found, err := e.svc.SelectThreads(c.Context(), c.In, q)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Threads []threadItem `json:"threads"`
	}{newPaged(c, found, q.Page), each(found.Items, func(t service.SelectedThread) threadItem {
		return newThread(t.Address, t.ID, t.Count, t.Messages)
	})})
}

// threadHit is the JSON of a thread that was found.
type threadHit struct {
	threadItem
	Highlights map[string][]string `json:"highlights,omitempty"`
}

func (e *edge) searchThreads(c *door.Call) error {
	rows := []threadHit{}
	out, err := e.walk(c, func(p service.Page) (int, string, error) {
		found, err := e.found(c, p)
		if err != nil {
			return 0, "", err
		}
		more, err := e.threadHits(c, found.Items)
		rows = append(rows, more...)
		return len(more), found.Next, err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Threads []threadHit `json:"threads"`
	}{out, rows})
}

// threadHits are the threads of messages that were found, each once.
func (e *edge) threadHits(c *door.Call, found []item) (rows []threadHit, err error) {
	seen := map[string]bool{}
	for _, m := range found {
		if seen[m.ThreadID] {
			continue
		}
		seen[m.ThreadID] = true
		id, _ := mailbox.ParseID(m.ThreadID)
		whole, err := e.conversation(c, id)
		if err != nil {
			return nil, err
		}
		if len(whole) > 0 {
			rows = append(rows, threadHit{newThread(c.In.Box.Address, id, 0, messagesOf(whole)), m.Highlights})
		}
	}
	return rows, nil
}

func messagesOf(list []service.FullMessage) []mailbox.Message {
	return each(list, func(m service.FullMessage) mailbox.Message { return m.Message })
}

// enterThread finds the thread that the path names, and enters its mailbox where the path does not say which.
func (e *edge) enterThread(c *door.Call) (mailbox.ID, error) {
	id, ok := mailbox.ParseID(c.Value("thread"))
	if !ok {
		return id, notFound("thread")
	}
	if c.Route.Box != "" {
		return id, nil
	}
	address, err := e.svc.ThreadBox(c.Context(), id)
	return id, enterAt(c, address, err, "thread")
}

// enterAt enters the mailbox in which something was found. What is in another's is as if it were not there.
func enterAt(c *door.Call, address string, err error, what string) error {
	if err == nil {
		err = c.Enter(address)
	}
	if kind := mailbox.KindOf(err); err != nil && (kind == mailbox.NotFound || kind == mailbox.Forbidden) {
		return notFound(what)
	}
	return err
}

// threadMost is how many messages of a thread are worked on.
const threadMost = 1000

// conversation reads a thread, oldest message first.
func (e *edge) conversation(c *door.Call, id mailbox.ID) (list []service.FullMessage, err error) {
	for p := (service.Page{Limit: pageMost}); len(list) < threadMost; {
		some, err := e.svc.Thread(c.Context(), c.In, id, p)
		if err != nil {
			return nil, err
		}
		if list = append(list, some.Messages...); some.Next == "" {
			break
		}
		p.Cursor = some.Next
	}
	return list, nil
}

// readThread reads the thread that the path names.
func (e *edge) readThread(c *door.Call) ([]service.FullMessage, error) {
	id, err := e.enterThread(c)
	if err != nil {
		return nil, err
	}
	return e.conversation(c, id)
}

func (e *edge) thread(c *door.Call) error {
	list, err := e.readThread(c)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return notFound("thread")
	}
	out := struct {
		threadItem
		paged
		Messages []message `json:"messages"`
	}{threadItem: newThread(c.In.Box.Address, list[0].Thread, 0, messagesOf(list)), paged: paged{Count: len(list)},
		Messages: each(list, newMessage)}
	for _, m := range out.Messages {
		out.Attachments = append(out.Attachments, m.Attachments...)
	}
	return c.JSON(http.StatusOK, out)
}

func (e *edge) changeThread(c *door.Call) error {
	id, err := e.enterThread(c)
	if err != nil {
		return err
	}
	change, err := readChange(c)
	if err != nil {
		return err
	}
	list, err := e.conversation(c, id)
	if err != nil {
		return err
	}
	labels := []string{}
	for _, m := range list {
		changed, err := e.svc.ChangeMessage(c.Context(), c.In, m.ID, change)
		if mailbox.KindOf(err) == mailbox.NotFound && err != nil {
			continue
		}
		if err != nil {
			return err
		}
		for _, l := range labelsOf(changed.Message) {
			if !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
	}
	return c.JSON(http.StatusOK, struct {
		ThreadID string   `json:"thread_id"`
		Labels   []string `json:"labels"`
	}{id.String(), labels})
}

func (e *edge) deleteThread(c *door.Call) error {
	list, err := e.readThread(c)
	if err != nil {
		return err
	}
	for _, m := range list {
		err := e.svc.DeleteMessage(c.Context(), c.In, m.ID)
		if err != nil && mailbox.KindOf(err) != mailbox.NotFound {
			return err
		}
	}
	return done(c)
}

func (e *edge) threadAttachment(c *door.Call) error {
	id, err := e.enterThread(c)
	if err != nil {
		return err
	}
	part, ok := mailbox.ParseID(c.Value("attachment"))
	if !ok {
		return notFound("attachment")
	}
	whole, _ := part.Whole()
	m, err := e.svc.Message(c.Context(), c.In, whole, service.MessageOptions{})
	if err != nil {
		return err
	}
	if m.Thread != id {
		return notFound("attachment")
	}
	return e.linkTo(c, part)
}
