package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// keys holds the verbs about keys.
type keys interface {
	CreateKey(ctx context.Context, in service.Access, n service.NewKey) (service.CreatedKey, error)
	Keys(ctx context.Context, in service.Access) ([]service.ListedKey, error)
	UpdateKey(ctx context.Context, in service.Access, id mailbox.ID, c service.KeyChange) (service.ListedKey, error)
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
var keyMembers = []string{"name", "capabilities", "recipients", "networks", "domain", "expires_at",
	"mailboxes", "create_mailboxes"}

// newKey reads what a key is bound to.
func (f fields) newKey() (n service.NewKey, err error) {
	if err := f.among(keyMembers, "A key has no member %q; it has %s."); err != nil {
		return n, err
	}
	for member := range f {
		if f.null(member) {
			return n, mailbox.InvalidField(member, "The member %q is null; leave it out, or give it a value.", member)
		}
	}
	if n.Name, err = f.word("name"); err != nil {
		return n, err
	}
	if n.Domain, err = f.word("domain"); err == nil && f["domain"] != nil && n.Domain == "" {
		err = mailbox.InvalidField("domain", "The domain is empty; leave it out, or name one.")
	}
	if err != nil {
		return n, err
	}
	for name, into := range map[string]*[]string{"capabilities": &n.Capabilities, "recipients": &n.Recipients,
		"networks": &n.Networks, "mailboxes": &n.Mailboxes} {
		if *into, err = f.bounds(name); err != nil {
			return n, err
		}
	}
	if n.ExpiresAt, err = f.moment("expires_at"); err != nil {
		return n, err
	}
	create, err := f.flag("create_mailboxes")
	n.CreateMailboxes = create != nil && *create
	return n, err
}

// among fails where there is a member that is not one of these: a key that was meant to be bound must not come out
// unbound. The format has room for it and for those that there are.
func (f fields) among(members []string, format string) error {
	for member := range f {
		if !slices.Contains(members, member) {
			return mailbox.InvalidField(mailbox.Clip(member, 50), format, mailbox.Clip(member, 50),
				strings.Join(members, ", "))
		}
	}
	return nil
}

// bounds is a list that binds a key, nil if it is not given. An empty one, whose entries were filtered away, would bind
// to nothing.
func (f fields) bounds(name string) ([]string, error) {
	list, err := f.texts(name)
	if err == nil && f[name] != nil && !f.null(name) && len(list) == 0 {
		err = mailbox.InvalidField(name, "The list %s is empty; leave it out, or name something.", name)
	}
	return list, err
}

// keyChanges are what can be changed of a key.
var keyChanges = []string{"name", "capabilities", "recipients", "networks", "domain", "expires_at"}

// keyChange reads what is to be different about a key. null takes a bound away.
func (f fields) keyChange() (c service.KeyChange, err error) {
	if err := f.among(keyChanges, "The member %q of a key cannot be changed; %s can."); err != nil {
		return c, err
	}
	for name, into := range map[string]**string{"name": &c.Name, "domain": &c.Domain} {
		if f[name] == nil {
			continue
		}
		text, err := f.word(name)
		if *into = &text; err != nil {
			return c, err
		}
	}
	for name, into := range map[string]**[]string{"capabilities": &c.Capabilities, "recipients": &c.Recipients,
		"networks": &c.Networks} {
		if f[name] == nil {
			continue
		}
		list, err := f.bounds(name)
		if *into = &list; err != nil {
			return c, err
		}
	}
	if f["expires_at"] != nil {
		c.ExpiresAt = new(time.Time)
		*c.ExpiresAt, err = f.moment("expires_at")
	}
	return c, err
}

func (a *API) updateKey(c *call) error {
	id, err := parseID("Key", c.value)
	if err != nil {
		return err
	}
	change, err := c.fields.keyChange()
	if err != nil {
		return err
	}
	key, err := a.svc.UpdateKey(c.Context(), c.in, id, change)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewKey(key.Key, key.Mailboxes))
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
