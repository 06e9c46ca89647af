package agentmail

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) inboxRoutes() []door.Route {
	return []door.Route{
		{Method: "POST", Path: "/v0/inboxes", Support: door.Yes, Need: mailbox.CreateMailbox, Handle: e.createInbox,
			Note: "With a key that may make mailboxes. Without `username` the name is `inbox-` and random digits."},
		{Method: "GET", Path: "/v0/inboxes", Support: door.Yes, Need: mailbox.KnowSelf, Handle: e.inboxes,
			Note: "Those that the key opens."},
		{Method: "GET", Path: "/v0/inboxes/search", Support: door.Partly, Need: mailbox.KnowSelf, Handle: e.inboxes,
			Note: "`q` is a part of the address."},
		{Method: "GET", Path: "/v0/inboxes/{inbox}", Support: door.Yes, Need: mailbox.ReadMailbox, Box: "inbox",
			Handle: e.inbox},
		{Method: "PATCH", Path: "/v0/inboxes/{inbox}", Support: door.Yes, Need: mailbox.ChangeSettings, Box: "inbox",
			Handle: e.changeInbox},
		{Method: "DELETE", Path: "/v0/inboxes/{inbox}", Support: door.Yes, Need: mailbox.DeleteMailbox, Box: "inbox",
			Handle: e.deleteInbox, Note: "With all its mail, at once."},
	}
}

// inbox is the JSON of a mailbox.
type inbox struct {
	PodID       string         `json:"pod_id"`
	InboxID     string         `json:"inbox_id"`
	Email       string         `json:"email"`
	DisplayName string         `json:"display_name,omitempty"`
	ClientID    string         `json:"client_id,omitempty"`
	Metadata    map[string]any `json:"metadata,omitempty"`
	UpdatedAt   time.Time      `json:"updated_at"`
	CreatedAt   time.Time      `json:"created_at"`
}

func newInbox(m mailbox.Mailbox) inbox {
	about := m.Profile()
	out := inbox{PodID: thePod, InboxID: m.Address, Email: m.Address, DisplayName: about.DisplayName,
		ClientID: about.ClientID, Metadata: about.Metadata, UpdatedAt: m.CreatedAt, CreatedAt: m.CreatedAt}
	if about.UpdatedAt.After(m.CreatedAt) {
		out.UpdatedAt = about.UpdatedAt
	}
	return out
}

// paged is what every list has.
type paged struct {
	Count int    `json:"count"`
	Limit int    `json:"limit,omitempty"`
	Next  string `json:"next_page_token,omitempty"`
}

func newPaged[T any](c *door.Call, l service.List[T], p service.Page) paged {
	return paged{Count: len(l.Items), Limit: p.Limit, Next: seal(c, l.Next)}
}

// each turns rows into JSON; none are an empty list.
func each[A, B any](rows []A, turn func(A) B) []B {
	out := make([]B, len(rows))
	for i, r := range rows {
		out[i] = turn(r)
	}
	return out
}

func (e *edge) createInbox(c *door.Call) error {
	var body struct {
		Username    string         `json:"username"`
		Domain      string         `json:"domain"`
		DisplayName string         `json:"display_name"`
		ClientID    string         `json:"client_id"`
		Metadata    map[string]any `json:"metadata"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	n := service.NewMailbox{AnyName: true, Domain: body.Domain, Name: body.Username, DisplayName: body.DisplayName,
		ClientID: body.ClientID, Metadata: body.Metadata}
	if body.Username != "" && body.Domain != "" {
		n.Name, n.Address = "", body.Username+"@"+body.Domain
	}
	made, err := e.svc.CreateMailbox(c.Context(), c.In, n)
	if err != nil {
		return err
	}
	e.sockets.made()
	return c.JSON(http.StatusOK, newInbox(made.Mailbox))
}

func (e *edge) inboxes(c *door.Call) (err error) {
	q := service.OpenQuery{Query: c.URL.Query().Get("q")}
	if q.Page, err = page(c); err != nil {
		return err
	}
	if q.Oldest, err = flag(c, "ascending"); err != nil {
		return err
	}
	found, err := e.svc.OpenMailboxes(c.Context(), c.In, q)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Inboxes []inbox `json:"inboxes"`
	}{newPaged(c, found, q.Page), each(found.Items, newInbox)})
}

func (e *edge) inbox(c *door.Call) error {
	record, err := e.svc.MailboxRecord(c.Context(), c.In)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newInbox(record.Mailbox))
}

func (e *edge) changeInbox(c *door.Call) error {
	var body struct {
		DisplayName *string         `json:"display_name"`
		Metadata    json.RawMessage `json:"metadata"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	change := service.MailboxChange{ProfileChange: service.ProfileChange{DisplayName: body.DisplayName}}
	if body.Metadata != nil {
		change.Metadata = new(map[string]any)
		if json.Unmarshal(body.Metadata, change.Metadata) != nil {
			return invalid("metadata", "metadata is an object.")
		}
	}
	if change.Empty() {
		return invalid("display_name", "Give display_name, metadata or both.")
	}
	record, err := e.svc.ChangeMailbox(c.Context(), c.In, change)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newInbox(record.Mailbox))
}

func (e *edge) deleteInbox(c *door.Call) error {
	if _, err := e.svc.DeleteMailbox(c.Context(), c.In); err != nil {
		return err
	}
	return done(c)
}

// walkBoxes is how many inboxes of a key are looked through where the path names none.
const walkBoxes = 1000

// walk fills a page from the mailbox of the path, or from each that the key opens, one after the other. fn adds a part
// of the one that is entered, and returns how many rows that was, and the cursor of what follows there. A cursor of
// several mailboxes names one of them before that, as they are listed, the newest first.
func (e *edge) walk(c *door.Call, fn func(service.Page) (int, string, error)) (out paged, err error) {
	p, err := page(c)
	if out.Limit = p.Limit; err != nil {
		return out, err
	}
	if c.Route.Box != "" || c.Who().Scope != mailbox.Operator && !c.Who().Key.Restriction().Several {
		out.Count, out.Next, err = fn(p)
		out.Next = seal(c, out.Next)
		return out, err
	}
	at, place, _ := strings.Cut(p.Cursor, "\n")
	boxes, err := e.open(c)
	if err != nil {
		return out, err
	}
	from := slices.IndexFunc(boxes, func(address string) bool { return at == "" || address == at })
	if from < 0 && at != "" {
		return out, errToken
	}
	for _, address := range boxes[max(from, 0):] {
		if out.Count >= p.Limit {
			out.Next = seal(c, address+"\n")
			return out, nil
		}
		if err := c.Enter(address); err != nil {
			return out, err
		}
		n, next, err := fn(service.Page{Limit: p.Limit - out.Count, Cursor: place})
		if out.Count, place = out.Count+n, ""; err != nil {
			return out, err
		}
		if next != "" {
			out.Next = seal(c, address+"\n"+next)
			return out, nil
		}
	}
	return out, nil
}

// open lists the addresses of the mailboxes that the key opens and that are not paused.
func (e *edge) open(c *door.Call) (list []string, err error) {
	for q := (service.OpenQuery{Page: service.Page{Limit: pageMost}}); len(list) < walkBoxes; {
		some, err := e.svc.OpenMailboxes(c.Context(), c.In, q)
		if err != nil {
			return nil, err
		}
		for _, m := range some.Items {
			if m.Status == mailbox.Active {
				list = append(list, m.Address)
			}
		}
		if q.Page.Cursor = some.Next; some.Next == "" {
			break
		}
	}
	return list, nil
}

// done answers that something was done, and nothing else.
func done(c *door.Call) error {
	c.W.WriteHeader(http.StatusNoContent)
	return nil
}
