package mailpit

import (
	"bytes"
	"io"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

// MailHog's interface, which old test suites ask: the part of it that does not contradict Mailpit's.

type hogList struct {
	Total int       `json:"total"`
	Count int       `json:"count"`
	Start int       `json:"start"`
	Items []hogItem `json:"items"`
}

type hogItem struct {
	ID      string
	From    hogPath
	To      []hogPath
	Content hogContent
	Created time.Time
	MIME    *struct{} // MailHog's own reading of the parts, which few use
	Raw     hogRaw
}

type hogPath struct {
	Relays  []string
	Mailbox string
	Domain  string
	Params  string
}

type hogContent struct {
	Headers map[string][]string
	Body    string
	Size    int
	MIME    *struct{}
}

type hogRaw struct {
	From string
	To   []string
	Data string
	Helo string
}

const (
	hogMost  = 250     // messages of a page
	hogBytes = 1 << 20 // of one of them
	hogAll   = 8 << 20 // of all of them: a page ends before
)

// hogMessages lists all messages.
func (e *edge) hogMessages(c *door.Call, in service.Access) error {
	return e.hogPage(c, in, service.CapturedQuery{})
}

// hogSearch lists what is from or to somebody, or has something in it.
func (e *edge) hogSearch(c *door.Call, in service.Access) error {
	values := c.URL.Query()
	kinds := map[string]catalogue.Field{"from": catalogue.From, "to": catalogue.To, "containing": catalogue.Text}
	field, known := kinds[values.Get("kind")]
	word := catalogue.Fold(values.Get("query"))
	if !known || word == "" {
		return bad("kind is from, to or containing, and query says what is looked for.")
	}
	return e.hogPage(c, in, service.CapturedQuery{Terms: []service.CapturedTerm{{Field: field, Value: word}}})
}

func (e *edge) hogPage(c *door.Call, in service.Access, q service.CapturedQuery) error {
	p := pageOf(c.Request)
	if p.limit == 0 || p.limit > hogMost {
		p.limit = hogMost
	}
	found, err := e.svc.ListCaptured(c.Context(), in, q, p.start, p.limit)
	if err != nil {
		return err
	}
	out := hogList{Total: found.Matching, Start: p.start, Items: []hogItem{}}
	room := hogAll
	for _, entry := range found.Entries {
		item, err := e.hogItem(c, in, entry)
		if err != nil {
			return err
		}
		if room -= len(item.Raw.Data) + len(item.Content.Body); room < 0 && len(out.Items) > 0 {
			break
		}
		out.Items = append(out.Items, item)
	}
	out.Count = len(out.Items)
	return c.JSON(http.StatusOK, out)
}

func (e *edge) hogItem(c *door.Call, in service.Access, entry *service.CapturedEntry) (hogItem, error) {
	item := hogItem{ID: entry.ID.String(), From: hogPathOf(entry.Card.ReturnPath), To: []hogPath{},
		Created: entry.ReceivedAt, Content: hogContent{Headers: map[string][]string{}},
		Raw: hogRaw{From: entry.Card.ReturnPath, To: []string{}}}
	for _, list := range [][]address{addresses(entry.Card.To), addresses(entry.Card.Cc), addresses(entry.Card.Bcc)} {
		for _, a := range list {
			item.To = append(item.To, hogPathOf(a.Address))
			item.Raw.To = append(item.Raw.To, a.Address)
		}
	}
	raw, err := e.svc.Raw(c.Context(), in, entry.ID)
	if err != nil {
		return item, err
	}
	defer func() { _ = raw.Close() }() // only read from
	data, err := io.ReadAll(io.LimitReader(raw, hogBytes))
	if err != nil {
		return item, err
	}
	item.Raw.Data, item.Content.Size, item.Content.Body = string(data), len(data), string(data)
	if parsed, err := mail.ReadMessage(bytes.NewReader(data)); err == nil {
		item.Content.Headers = parsed.Header
		body, _ := io.ReadAll(parsed.Body) // of what is in memory
		item.Content.Body = string(body)
	}
	return item, nil
}

func hogPathOf(address string) hogPath {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return hogPath{Mailbox: address}
	}
	return hogPath{Mailbox: address[:at], Domain: address[at+1:]}
}
