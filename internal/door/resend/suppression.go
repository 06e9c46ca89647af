package resend

import (
	"context"
	"encoding/binary"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// suppressions holds the verbs about addresses that nothing is sent to.
type suppressions interface {
	Suppressions(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Suppression], error)
	AddSuppressions(ctx context.Context, in service.Access, n service.NewSuppressions) (service.AddedSuppressions,
		error)
	DeleteSuppression(ctx context.Context, in service.Access, address string) error
}

type suppression struct {
	Object    string  `json:"object,omitempty"`
	ID        string  `json:"id"`
	Email     string  `json:"email"`
	Origin    string  `json:"origin"`
	SourceID  *string `json:"source_id"`
	CreatedAt *string `json:"created_at"`
}

// suppressionID is the number of an entry in the form of a UUID.
func suppressionID(s mailbox.Suppression) (id mailbox.ID) {
	binary.BigEndian.PutUint64(id[8:], uint64(s.Number))
	id[6], id[8] = 0x80, id[8]|0x80
	return id
}

func suppressionOf(s mailbox.Suppression) suppression {
	out := suppression{ID: suppressionID(s).String(), Email: s.Address, Origin: s.Reason, CreatedAt: moment(s.At)}
	if s.Reason != "bounce" && s.Reason != "complaint" {
		out.Origin = "manual"
	}
	if !s.Message.IsZero() {
		id := s.Message.String()
		out.SourceID = &id
	}
	return out
}

// each goes through the list, newest first, until fn says that it is enough.
func (e *edge) eachSuppression(c *door.Call, fn func(mailbox.Suppression) (done bool)) error {
	p := service.Page{Limit: 500}
	for {
		list, err := e.svc.Suppressions(c.Context(), c.In, p)
		if err != nil {
			return err
		}
		for _, s := range list.Items {
			if fn(s) {
				return nil
			}
		}
		if p.Cursor = list.Next; p.Cursor == "" {
			return nil
		}
	}
}

// named finds an entry by its id or its address.
func (e *edge) named(c *door.Call, name string) (found mailbox.Suppression, err error) {
	id, isID := mailbox.ParseID(name)
	err = e.eachSuppression(c, func(s mailbox.Suppression) bool {
		if isID && suppressionID(s) == id || !isID && strings.EqualFold(s.Address, strings.TrimSpace(name)) {
			found = s
		}
		return found.Address != ""
	})
	if err == nil && found.Address == "" {
		err = mailbox.Errorf(mailbox.NotFound, "not_found", "Suppression not found")
	}
	return found, err
}

func (e *edge) suppress(c *door.Call) error {
	var in struct {
		Email string `json:"email"`
	}
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	if in.Email == "" {
		return missing("email")
	}
	list, err := e.suppressAll(c, []string{in.Email})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, list[0])
}

// suppressAll puts addresses on the list and returns their entries.
func (e *edge) suppressAll(c *door.Call, emails []string) (list []identified, err error) {
	if _, err := e.svc.AddSuppressions(c.Context(), c.In, service.NewSuppressions{Addresses: emails}); err != nil {
		return nil, err
	}
	for _, address := range emails {
		s, err := e.named(c, address)
		if err != nil {
			return nil, err
		}
		list = append(list, identified{Object: "suppression", ID: suppressionID(s).String()})
	}
	return list, nil
}

func (e *edge) listSuppressions(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	var all []mailbox.Suppression
	origin := c.URL.Query().Get("origin")
	err = e.eachSuppression(c, func(s mailbox.Suppression) bool {
		if origin == "" || suppressionOf(s).Origin == origin {
			all = append(all, s)
		}
		return p.after.IsZero() && p.before.IsZero() && len(all) > p.limit
	})
	if err != nil {
		return err
	}
	rows, more, err := cut(all, p, suppressionID)
	if err != nil {
		return err
	}
	var out []suppression
	for _, s := range rows {
		out = append(out, suppressionOf(s))
	}
	return c.JSON(http.StatusOK, listOf(out, more))
}

func (e *edge) oneSuppression(c *door.Call) error {
	s, err := e.named(c, c.Value("id"))
	if err != nil {
		return err
	}
	out := suppressionOf(s)
	out.Object = "suppression"
	return c.JSON(http.StatusOK, out)
}

// releaseOne takes an entry off the list.
func (e *edge) releaseOne(c *door.Call, name string) (identified, error) {
	s, err := e.named(c, name)
	if err == nil {
		err = e.svc.DeleteSuppression(c.Context(), c.In, s.Address)
	}
	return identified{Object: "suppression", ID: suppressionID(s).String(), Deleted: true}, err
}

func (e *edge) release(c *door.Call) error {
	done, err := e.releaseOne(c, c.Value("id"))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, done)
}

// several is the body of a batch.
type several struct {
	Emails []string `json:"emails"`
	IDs    []string `json:"ids"`
}

func (s several) names() ([]string, error) {
	names := append(s.Emails, s.IDs...)
	if len(names) == 0 || len(names) > maxBatch {
		return nil, door.Refuse(422, "validation_error", "A batch has 1 to %d entries.", maxBatch)
	}
	return names, nil
}

type batchDone struct {
	Data []identified `json:"data"`
}

func (e *edge) suppressBatch(c *door.Call) error {
	var in several
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	names, err := several{Emails: in.Emails}.names()
	if err != nil {
		return err
	}
	list, err := e.suppressAll(c, names)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, batchDone{list})
}

func (e *edge) releaseBatch(c *door.Call) error {
	var in several
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	names, err := in.names()
	if err != nil {
		return err
	}
	out := batchDone{Data: []identified{}}
	for _, name := range names {
		done, err := e.releaseOne(c, name)
		if mailbox.KindOf(err) == mailbox.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		out.Data = append(out.Data, done)
	}
	return c.JSON(http.StatusOK, out)
}
