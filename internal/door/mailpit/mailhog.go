package mailpit

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
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
	MIME    *hogMIME // null where it is no multipart
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
	MIME    *hogMIME
}

// hogMIME are the parts of a multipart as they came: nothing is decoded.
type hogMIME struct{ Parts []hogContent }

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
		item.MIME = hogParts(parsed.Header.Get("Content-Type"), body, 0)
	}
	return item, nil
}

// hogDepth is how deep parts in parts are looked at.
const hogDepth = 10

// hogParts reads the parts of a multipart; nil: it is none.
func hogParts(mediaType string, body []byte, depth int) *hogMIME {
	name, params, err := mime.ParseMediaType(mediaType)
	if err != nil || !strings.HasPrefix(name, "multipart/") || depth == hogDepth {
		return nil
	}
	out := &hogMIME{Parts: []hogContent{}}
	for parts := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		p, err := parts.NextRawPart()
		if err != nil { // the end, or what cannot be read as a part
			return out
		}
		b, _ := io.ReadAll(p) // what there is of it
		out.Parts = append(out.Parts, hogContent{Headers: p.Header, Body: string(b), Size: len(b),
			MIME: hogParts(p.Header.Get("Content-Type"), b, depth+1)})
	}
}

// hogEntry finds the message of a request.
func (e *edge) hogEntry(c *door.Call, in service.Access) (*service.CapturedEntry, error) {
	id, ok := mailbox.ParseID(c.Value("id"))
	if !ok {
		return nil, errNoMessage
	}
	entry, err := e.svc.CapturedEntry(c.Context(), in, id)
	if err == nil && entry == nil {
		err = errNoMessage
	}
	return entry, err
}

// hogMessage shows one message.
func (e *edge) hogMessage(c *door.Call, in service.Access) error {
	entry, err := e.hogEntry(c, in)
	if err != nil {
		return err
	}
	item, err := e.hogItem(c, in, entry)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, item)
}

// hogDelete deletes one message.
func (e *edge) hogDelete(c *door.Call, in service.Access) error {
	entry, err := e.hogEntry(c, in)
	if err != nil {
		return err
	}
	return e.delete(c, in, service.CapturedChoice{IDs: []mailbox.ID{entry.ID}})
}

// hogDownload hands out one message as it came.
func (e *edge) hogDownload(c *door.Call, in service.Access) error {
	entry, err := e.hogEntry(c, in)
	if err != nil {
		return err
	}
	raw, err := e.svc.Raw(c.Context(), in, entry.ID)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }() // only read from
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+entry.ID.String()+`.eml"`)
	return stream(c, "message/rfc822", raw)
}

func hogPathOf(address string) hogPath {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return hogPath{Mailbox: address}
	}
	return hogPath{Mailbox: address[:at], Domain: address[at+1:]}
}
