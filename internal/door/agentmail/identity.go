package agentmail

import (
	"net/http"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	thePod          = "default"
	theOrganization = "mailkin"
)

func (e *edge) identityRoutes() []door.Route {
	return []door.Route{
		{Method: "GET", Path: "/v0/auth/me", Support: door.Yes, Need: mailbox.KnowSelf, Handle: e.identity},
		{Method: "GET", Path: "/v0/organizations", Support: door.Partly, Need: mailbox.KnowSelf, Handle: e.organization,
			Note: "Inboxes are counted up to 1,000, domains are not counted."},
		{Method: "GET", Path: "/v0/pods", Support: door.Yes, Need: mailbox.KnowSelf, Handle: e.pods,
			Note: "There is one, `default`."},
		{Method: "GET", Path: "/v0/pods/{pod}", Support: door.Yes, Need: mailbox.KnowSelf, Handle: e.pod},
	}
}

// inPod is the route of an account as the pod has it.
func inPod(r door.Route) (door.Route, bool) {
	rest, ok := strings.CutPrefix(r.Path, "/v0/")
	if !ok || r.Handle == nil || strings.Count(rest, "/") > 1 && strings.HasPrefix(rest, "inboxes/") {
		return r, false
	}
	handle := r.Handle
	r.Path = "/v0/pods/{pod}/" + rest
	r.Handle = func(c *door.Call) error {
		if c.Value("pod") != thePod {
			return notFound("pod")
		}
		return handle(c)
	}
	r.Note = ""
	return r, true
}

func (e *edge) identity(c *door.Call) error {
	who := c.Who()
	out := struct {
		ScopeType      string `json:"scope_type"`
		ScopeID        string `json:"scope_id"`
		OrganizationID string `json:"organization_id"`
		PodID          string `json:"pod_id,omitempty"`
		InboxID        string `json:"inbox_id,omitempty"`
		APIKeyID       string `json:"api_key_id,omitempty"`
	}{ScopeType: "organization", ScopeID: theOrganization, OrganizationID: theOrganization}
	if who.Scope != mailbox.Operator {
		out.APIKeyID = who.Key.ID.String()
		if !who.Key.Restriction().Several {
			out.ScopeType, out.ScopeID, out.InboxID, out.PodID = "inbox", c.In.Box.Address, c.In.Box.Address, thePod
		}
	}
	return c.JSON(http.StatusOK, out)
}

// countMost is up to how many inboxes are counted.
const countMost = 1000

func (e *edge) organization(c *door.Call) error {
	found, err := e.svc.OpenMailboxes(c.Context(), c.In, service.OpenQuery{Page: service.Page{Limit: countMost}})
	if err != nil {
		return err
	}
	made := c.Who().Mailbox.CreatedAt
	return c.JSON(http.StatusOK, struct {
		ID        string    `json:"organization_id"`
		Inboxes   int       `json:"inbox_count"`
		Domains   int       `json:"domain_count"`
		UpdatedAt time.Time `json:"updated_at"`
		CreatedAt time.Time `json:"created_at"`
	}{ID: theOrganization, Inboxes: len(found.Items), UpdatedAt: made, CreatedAt: made})
}

type pod struct {
	ID        string    `json:"pod_id"`
	Name      string    `json:"name"`
	UpdatedAt time.Time `json:"updated_at"`
	CreatedAt time.Time `json:"created_at"`
}

func newPod(c *door.Call) pod {
	made := c.Who().Mailbox.CreatedAt
	return pod{ID: thePod, Name: thePod, UpdatedAt: made, CreatedAt: made}
}

func (e *edge) pods(c *door.Call) error {
	rows, p, err := onePage(c, []pod{newPod(c)}, func(p pod) string { return p.ID })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Pods []pod `json:"pods"`
	}{p, rows})
}

func (e *edge) pod(c *door.Call) error {
	if c.Value("pod") != thePod {
		return notFound("pod")
	}
	return c.JSON(http.StatusOK, newPod(c))
}
