package agentmail

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) keyRoutes() (list []door.Route) {
	for _, at := range []struct{ path, box, note string }{
		{"/v0/inboxes/{inbox}/api-keys", "inbox", "The operator's. Permissions come in groups."},
		{"/v0/api-keys", "", "The operator's. Such a key makes inboxes, and opens those. Permissions come in groups."},
	} {
		list = append(list,
			door.Route{Method: "POST", Path: at.path, Support: door.Partly, Need: mailbox.Administer, Box: at.box,
				Handle: e.createKey, Note: at.note},
			door.Route{Method: "GET", Path: at.path, Support: door.Yes, Need: mailbox.Oversee, Box: at.box,
				Handle: e.keys, Note: "The operator's."},
			door.Route{Method: "GET", Path: at.path + "/{key}", Support: door.Yes, Need: mailbox.Oversee, Box: at.box,
				Handle: e.key, Note: "The operator's."},
			door.Route{Method: "PATCH", Path: at.path + "/{key}", Support: door.Partly, Need: mailbox.Administer,
				Box: at.box, Handle: e.changeKey, Note: "The operator's. Permissions come in groups."},
			door.Route{Method: "DELETE", Path: at.path + "/{key}", Support: door.Yes, Need: mailbox.Administer,
				Box: at.box, Handle: e.deleteKey, Note: "The operator's."})
	}
	return list
}

type keyJSON struct {
	Type      string      `json:"type,omitempty"`
	ID        string      `json:"api_key_id"`
	Key       string      `json:"api_key,omitempty"`
	Prefix    string      `json:"prefix"`
	Name      string      `json:"name"`
	InboxID   string      `json:"inbox_id,omitempty"`
	May       permissions `json:"permissions,omitempty"`
	UsedAt    *time.Time  `json:"used_at,omitempty"`
	ExpiresAt *time.Time  `json:"expires_at,omitempty"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
}

func newKey(k mailbox.Key, address string) keyJSON {
	out := keyJSON{Type: "bearer", ID: k.ID.String(), Prefix: k.Hint, Name: k.Restriction().Name,
		May: permissionsOf(k.Restriction()), CreatedAt: k.CreatedAt, UpdatedAt: k.CreatedAt}
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
		Name        string      `json:"name"`
		Permissions permissions `json:"permissions"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	n := service.NewKey{Name: body.Name, CreateMailboxes: c.Route.Box == ""}
	if body.Permissions != nil {
		var creates bool
		var err error
		if n.Capabilities, creates, err = body.Permissions.capabilities(); err != nil {
			return err
		}
		if creates && !n.CreateMailboxes {
			return invalid("permissions", "The key of an inbox makes no inboxes.")
		}
		n.CreateMailboxes = creates
	}
	made, err := e.svc.CreateKey(c.Context(), c.In, n)
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

func (e *edge) changeKey(c *door.Call) error {
	k, err := e.own(c)
	if err != nil {
		return err
	}
	var body struct {
		Name        *string         `json:"name"`
		Permissions json.RawMessage `json:"permissions"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	change := service.KeyChange{Name: body.Name}
	if body.Permissions != nil {
		list, err := changedPermissions(k, body.Permissions)
		if change.Capabilities = &list; err != nil {
			return err
		}
	}
	changed, err := e.svc.UpdateKey(c.Context(), c.In, k.ID, change)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newKey(changed.Key, c.In.Box.Address))
}

// changedPermissions are the capabilities that a key is to have; null: those of its inbox.
func changedPermissions(k mailbox.Key, text []byte) (list []string, err error) {
	var asked permissions
	if json.Unmarshal(text, &asked) != nil {
		return nil, invalid("permissions", "permissions are names, each true or false.")
	}
	if asked == nil {
		return nil, nil
	}
	list, creates, err := asked.capabilities()
	if err == nil && creates != k.Restriction().CreateMailboxes {
		err = invalid("permissions", "Whether a key makes inboxes stays as it is: leave inbox_create as it was.")
	}
	return list, err
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
