package agentmail

import (
	"net/http"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) listRoutes() (all []door.Route) {
	for _, at := range []struct{ path, box, note string }{
		{"/v0/inboxes/{inbox}/lists/{direction}/{type}", "inbox", ""},
		{"/v0/lists/{direction}/{type}", "", "The deployment's with the operator's credential, else the own inbox's."},
	} {
		all = append(all,
			door.Route{Method: "GET", Path: at.path, Support: door.Yes, Need: mailbox.ReadMailbox, Box: at.box,
				Handle: e.entries, Note: at.note},
			door.Route{Method: "POST", Path: at.path, Support: door.Yes, Need: mailbox.ControlMailbox, Box: at.box,
				Handle: e.addEntry, Note: "The operator, or a key with the capability `control`."},
			door.Route{Method: "GET", Path: at.path + "/{entry}", Support: door.Yes, Need: mailbox.ReadMailbox,
				Box: at.box, Handle: e.entry},
			door.Route{Method: "DELETE", Path: at.path + "/{entry}", Support: door.Yes, Need: mailbox.ControlMailbox,
				Box: at.box, Handle: e.deleteEntry})
	}
	return all
}

type entry struct {
	Entry        string    `json:"entry"`
	Organization string    `json:"organization_id"`
	InboxID      string    `json:"inbox_id,omitempty"`
	Reason       string    `json:"reason,omitempty"`
	Direction    string    `json:"direction"`
	Type         string    `json:"list_type"`
	Kind         string    `json:"entry_type"`
	CreatedAt    time.Time `json:"created_at"`
}

func newEntry(l mailbox.Listed) entry {
	direction, kind, _ := strings.Cut(string(l.List), "/")
	out := entry{Entry: string(l.Pattern), Organization: theOrganization, Reason: l.Note, Direction: direction,
		Type: kind, Kind: "domain", CreatedAt: l.CreatedAt}
	if strings.Contains(out.Entry, "@") {
		out.Kind = "email"
	}
	return out
}

// listOf is the list that the path names.
func listOf(c *door.Call) (service.ListOf, error) {
	l, ok := mailbox.ParseList(c.Value("direction"), c.Value("type"))
	if !ok {
		return service.ListOf{}, notFound("list")
	}
	return service.ListOf{List: l, Deployment: c.Route.Box == "" && c.Who().Scope == mailbox.Operator}, nil
}

func (e *edge) entries(c *door.Call) error {
	l, err := listOf(c)
	if err != nil {
		return err
	}
	p, err := page(c)
	if err != nil {
		return err
	}
	found, err := e.svc.List(c.Context(), c.In, l, p)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Entries []entry `json:"entries"`
	}{newPaged(c, found, p), each(found.Items, newEntry)})
}

func (e *edge) addEntry(c *door.Call) error {
	l, err := listOf(c)
	if err != nil {
		return err
	}
	var body struct {
		Entry  string `json:"entry"`
		Reason string `json:"reason"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	put, err := e.svc.PutListed(c.Context(), c.In, service.NewListed{ListOf: l, Value: body.Entry, Note: body.Reason})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newEntry(put))
}

func (e *edge) entry(c *door.Call) error {
	l, err := listOf(c)
	if err != nil {
		return err
	}
	for p := (service.Page{Limit: pageMost}); ; {
		found, err := e.svc.List(c.Context(), c.In, l, p)
		if err != nil {
			return err
		}
		for _, x := range found.Items {
			if string(x.Pattern) == strings.ToLower(c.Value("entry")) {
				return c.JSON(http.StatusOK, newEntry(x))
			}
		}
		if p.Cursor = found.Next; p.Cursor == "" {
			return notFound("entry")
		}
	}
}

func (e *edge) deleteEntry(c *door.Call) error {
	l, err := listOf(c)
	if err == nil {
		_, err = e.svc.DeleteListed(c.Context(), c.In, l, c.Value("entry"))
	}
	if err != nil {
		return err
	}
	return done(c)
}
