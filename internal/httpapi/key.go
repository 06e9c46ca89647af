package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// keys holds the verbs about keys.
type keys interface {
	CreateKey(ctx context.Context, in service.Access, n service.NewKey) (service.CreatedKey, error)
	Keys(ctx context.Context, in service.Access) ([]service.ListedKey, error)
	RevokeKey(ctx context.Context, in service.Access, id mailbox.ID) error
	RotateKey(ctx context.Context, in service.Access) (service.CreatedKey, error)
}

func (a *API) createKey(c *call) error {
	n, err := c.fields.newKey()
	if err != nil {
		return err
	}
	key, err := a.svc.CreateKey(c.Context(), c.in, n)
	return a.createdKey(c, key, c.in.Box.Address, err)
}

// keyMembers are what can be said about a key that is to be made.
var keyMembers = []string{"name", "capabilities", "recipients", "networks", "expires_at", "mailboxes",
	"create_mailboxes"}

// newKey reads what a key is bound to.
func (f fields) newKey() (n service.NewKey, err error) {
	for member := range f { // a key that was meant to be bound must not come out unbound
		if !slices.Contains(keyMembers, member) {
			return n, mailbox.InvalidField(mailbox.Clip(member, 50), "A key has no member %q; it has %s.",
				mailbox.Clip(member, 50), strings.Join(keyMembers, ", "))
		}
		if f.null(member) {
			return n, mailbox.InvalidField(member, "The member %q is null; leave it out, or give it a value.", member)
		}
	}
	if n.Name, err = f.word("name"); err != nil {
		return n, err
	}
	for name, into := range map[string]*[]string{"capabilities": &n.Capabilities, "recipients": &n.Recipients,
		"networks": &n.Networks, "mailboxes": &n.Mailboxes} {
		if *into, err = f.texts(name); err != nil {
			return n, err
		}
		// else a list that was filtered away would bind to nothing
		if f[name] != nil && len(*into) == 0 {
			return n, mailbox.InvalidField(name, "The list %s is empty; leave it out, or name something.", name)
		}
	}
	if n.ExpiresAt, err = f.moment("expires_at"); err != nil {
		return n, err
	}
	create, err := f.flag("create_mailboxes")
	n.CreateMailboxes = create != nil && *create
	return n, err
}

func (a *API) rotateKey(c *call) error {
	key, err := a.svc.RotateKey(c.Context(), c.in)
	return a.createdKey(c, key, c.in.Caller.Mailbox.Address, err) // the key's own, whatever mailbox is named
}

func (a *API) createdKey(c *call, key service.CreatedKey, address string, err error) error {
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusCreated, wire.NewCreatedKey(key.Key, key.Secret, address))
}

func (a *API) keys(c *call) error {
	list, err := a.svc.Keys(c.Context(), c.in)
	if err != nil {
		return err
	}
	keys := make([]api.Key, len(list))
	for i, k := range list {
		keys[i] = wire.NewKey(k.Key, k.Mailboxes)
	}
	return a.answer(c, http.StatusOK, api.Keys{Keys: keys})
}

func (a *API) revokeKey(c *call) error {
	id, err := parseID("Key", c.value)
	if err != nil {
		return err
	}
	if err := a.svc.RevokeKey(c.Context(), c.in, id); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: id.String()})
}
