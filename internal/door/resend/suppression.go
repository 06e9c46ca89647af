package resend

import (
	"encoding/binary"
	"net/http"
	"slices"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

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

// numberOf is the number of the entry that has an id; 0: there is none.
func numberOf(id mailbox.ID) int64 {
	number := int64(binary.BigEndian.Uint64(id[8:]) &^ (1 << 63))
	if suppressionID(mailbox.Suppression{Number: number}) != id {
		return 0
	}
	return number
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

// named finds an entry by its id or its address.
func (e *edge) named(c *door.Call, name string) (mailbox.Suppression, error) {
	id, isID := mailbox.ParseID(name)
	if isID && numberOf(id) == 0 {
		return mailbox.Suppression{}, mailbox.Errorf(mailbox.NotFound, "not_found", "Suppression not found")
	}
	return e.svc.Suppression(c.Context(), c.In, numberOf(id), name)
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
	done, err := e.svc.AddSuppressions(c.Context(), c.In, service.NewSuppressions{Addresses: emails})
	for _, s := range done.Entries {
		list = append(list, identified{Object: "suppression", ID: suppressionID(s).String()})
	}
	return list, err
}

func (e *edge) listSuppressions(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	q := service.SuppressionsQuery{Reason: c.URL.Query().Get("origin"), Page: service.Page{Limit: p.limit}}
	if !slices.Contains([]string{"", "bounce", "complaint", mailbox.SuppressedByHand}, q.Reason) {
		return door.Refuse(422, "validation_error", "`origin` is bounce, complaint or manual.")
	}
	for id, number := range map[mailbox.ID]*int64{p.after: &q.Older, p.before: &q.Newer} {
		if id.IsZero() {
			continue
		}
		// An entry that was deleted since still says where the list goes on.
		if *number = numberOf(id); *number == 0 {
			return errCursor
		}
	}
	found, err := e.svc.Suppressions(c.Context(), c.In, q)
	if err != nil {
		return err
	}
	var out []suppression
	for _, s := range found.Items {
		out = append(out, suppressionOf(s))
	}
	return c.JSON(http.StatusOK, listOf(out, found.Next != ""))
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
