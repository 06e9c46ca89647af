package agentmail

import (
	"net/http"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) keyRoutes() (list []door.Route) {
	for _, at := range []struct{ path, box, note string }{
		{"/v0/inboxes/{inbox}/api-keys", "inbox", "The operator's. `permissions` are not taken: use `/v1`."},
		{"/v0/api-keys", "", "The operator's. Such a key makes inboxes, and opens those."},
	} {
		list = append(list,
			door.Route{Method: "POST", Path: at.path, Support: door.Partly, Need: mailbox.Moderate, Box: at.box,
				Handle: e.createKey, Note: at.note},
			door.Route{Method: "GET", Path: at.path, Support: door.Yes, Need: mailbox.Moderate, Box: at.box,
				Handle: e.keys, Note: "The operator's."},
			door.Route{Method: "GET", Path: at.path + "/{key}", Support: door.Yes, Need: mailbox.Moderate, Box: at.box,
				Handle: e.key, Note: "The operator's."},
			door.Route{Method: "PATCH", Path: at.path + "/{key}", Support: door.No, Note: "A key stays as it is."},
			door.Route{Method: "DELETE", Path: at.path + "/{key}", Support: door.Yes, Need: mailbox.Moderate,
				Box: at.box, Handle: e.deleteKey, Note: "The operator's."})
	}
	return list
}

type keyJSON struct {
	Type      string     `json:"type,omitempty"`
	ID        string     `json:"api_key_id"`
	Key       string     `json:"api_key,omitempty"`
	Prefix    string     `json:"prefix"`
	Name      string     `json:"name"`
	InboxID   string     `json:"inbox_id,omitempty"`
	UsedAt    *time.Time `json:"used_at,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
}

func newKey(k mailbox.Key, address string) keyJSON {
	out := keyJSON{Type: "bearer", ID: k.ID.String(), Prefix: k.Hint, Name: k.Restriction().Name,
		CreatedAt: k.CreatedAt, UpdatedAt: k.CreatedAt}
	if !k.Restriction().Several {
		out.InboxID = address
	}
	if at := k.LastUsedAt; !at.IsZero() {
		out.UsedAt = &at
	}
	if at := k.ExpiresAt; !at.IsZero() {
		out.ExpiresAt = &at
	}
	return out
}

func (e *edge) createKey(c *door.Call) error {
	var body struct {
		Name        string          `json:"name"`
		Permissions map[string]bool `json:"permissions"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	if len(body.Permissions) > 0 {
		return invalid("permissions", "Permissions are other ones here: make the key with "+
			"POST /v1/mailboxes/{address}/keys.")
	}
	made, err := e.svc.CreateKey(c.Context(), c.In, service.NewKey{Name: body.Name,
		CreateMailboxes: c.Route.Box == ""})
	if err != nil {
		return err
	}
	out := newKey(made.Key, c.In.Box.Address)
	out.Type, out.Key = "", string(made.Secret)
	return c.JSON(http.StatusOK, out)
}

func (e *edge) keys(c *door.Call) error {
	found, err := e.svc.Keys(c.Context(), c.In)
	if err != nil {
		return err
	}
	rows, p, err := onePage(c, each(found, func(k service.ListedKey) keyJSON {
		return newKey(k.Key, c.In.Box.Address)
	}), func(k keyJSON) string { return k.ID })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Keys []keyJSON `json:"api_keys"`
	}{p, rows})
}

// own finds the key that the path names among those of the mailbox.
func (e *edge) own(c *door.Call) (mailbox.Key, error) {
	found, err := e.svc.Keys(c.Context(), c.In)
	if err != nil {
		return mailbox.Key{}, err
	}
	for _, k := range found {
		if k.ID.String() == c.Value("key") {
			return k.Key, nil
		}
	}
	return mailbox.Key{}, notFound("key")
}

func (e *edge) key(c *door.Call) error {
	k, err := e.own(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newKey(k, c.In.Box.Address))
}

func (e *edge) deleteKey(c *door.Call) error {
	k, err := e.own(c)
	if err == nil {
		err = e.svc.RevokeKey(c.Context(), c.In, k.ID)
	}
	if err != nil {
		return err
	}
	return done(c)
}
