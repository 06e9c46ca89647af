package resend

import (
	"net/http"
	"slices"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

type key struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	CreatedAt  *string `json:"created_at"`
	LastUsedAt *string `json:"last_used_at"`
}

func (e *edge) createKey(c *door.Call) error {
	var in struct {
		Name       string  `json:"name"`
		Permission string  `json:"permission"`
		DomainID   *string `json:"domain_id"`
	}
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	switch {
	case in.Name == "":
		return missing("name")
	case !slices.Contains([]string{"", "full_access", "sending_access"}, in.Permission):
		return door.Refuse(422, "invalid_access", "`permission` is full_access or sending_access.")
	}
	n := service.OwnKey{Name: in.Name, SendOnly: in.Permission == "sending_access"}
	if in.DomainID != nil && *in.DomainID != "" {
		id, err := parseID("domain_id", *in.DomainID)
		if err != nil {
			return err
		}
		d, err := e.svc.Domain(c.Context(), c.In, id)
		if err != nil {
			return err
		}
		n.Domain = d.Name
	}
	made, err := e.svc.CreateOwnKey(c.Context(), c.In, n)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, struct {
		ID    string `json:"id"`
		Token string `json:"token"`
	}{made.ID.String(), string(made.Secret)})
}

func (e *edge) listKeys(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	list, err := e.svc.Keys(c.Context(), c.In)
	if err != nil {
		return err
	}
	slices.Reverse(list) // the newest first
	rows, more, err := cut(list, p, func(k service.ListedKey) mailbox.ID { return k.ID })
	if err != nil {
		return err
	}
	var out []key
	for _, k := range rows {
		name := k.Restriction().Name
		if name == "" {
			name = k.Hint
		}
		out = append(out, key{k.ID.String(), name, moment(k.CreatedAt), moment(k.LastUsedAt)})
	}
	return c.JSON(http.StatusOK, listOf(out, more))
}

func (e *edge) renameKey(c *door.Call) error {
	id, err := idOf(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		Name string `json:"name"`
	}
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	if in.Name == "" {
		return missing("name")
	}
	if err := e.svc.RenameOwnKey(c.Context(), c.In, id, in.Name); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "api_key", ID: id.String()})
}

func (e *edge) deleteKey(c *door.Call) error {
	id, err := idOf(c, "id")
	if err == nil {
		err = e.svc.RevokeOwnKey(c.Context(), c.In, id)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "api_key", ID: id.String(), Deleted: true})
}
