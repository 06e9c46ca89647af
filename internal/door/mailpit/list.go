package mailpit

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// address is a person.
type address struct{ Name, Address string }

// addresses converts people; nil stays nil only where there are none.
func addresses(list []mailbox.Address) []address {
	out := make([]address, len(list))
	for i, a := range list {
		out[i] = address(a)
	}
	return out
}

// orNull is the same with null for none.
func orNull(list []mailbox.Address) []address {
	if len(list) == 0 {
		return nil
	}
	return addresses(list)
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// row is a message in a list.
type row struct {
	ID          string
	MessageID   string
	Read        bool
	From        address
	To          []address // null where there is none; so are Cc and Bcc
	Cc          []address
	Bcc         []address
	ReplyTo     []address
	Subject     string
	Created     time.Time
	Username    string
	Tags        []string
	Size        int64
	Attachments int
	Snippet     string
}

func rowOf(e *service.CapturedEntry) row {
	return row{ID: e.ID.String(), MessageID: e.MessageID, Read: e.Seen, From: address(e.Card.From),
		To: orNull(e.Card.To), Cc: orNull(e.Card.Cc), Bcc: orNull(e.Card.Bcc), ReplyTo: addresses(e.Card.ReplyTo),
		Subject: e.Subject, Created: e.ReceivedAt, Username: e.Card.Username, Tags: orEmpty(mailbox.Tags(e.Labels)),
		Size: e.Size, Attachments: e.Card.Attachments, Snippet: e.Card.Snippet}
}

// head is what stands before the messages of a list.
type head struct {
	Total          int      `json:"total"`
	Unread         int      `json:"unread"`
	Count          int      `json:"count"`
	MessagesCount  int      `json:"messages_count"`
	MessagesUnread int      `json:"messages_unread"`
	Start          int      `json:"start"`
	Tags           []string `json:"tags"`
}

// list lists all messages. A limit of 0 is none.
func (e *edge) list(c *door.Call, in service.Access) error {
	p := pageOf(c.Request)
	start := p.start
	if p.limit == 0 {
		p.start, p.limit = 0, -1
	}
	found, err := e.svc.ListCaptured(c.Context(), in, service.CapturedQuery{Until: p.until}, p.start, p.limit)
	if err != nil {
		return err
	}
	found.Matching, found.MatchingUnread = found.Total, found.Unread // those of the mailbox, whatever the page
	return writeList(c, start, found)
}

// search lists what matches.
func (e *edge) search(c *door.Call, in service.Access) error {
	q, err := queryOf(c)
	if err != nil {
		return err
	}
	p := pageOf(c.Request)
	q.Until = p.until
	found, err := e.svc.ListCaptured(c.Context(), in, q, p.start, p.limit)
	if err != nil {
		return err
	}
	return writeList(c, p.start, found)
}

func queryOf(c *door.Call) (service.CapturedQuery, error) {
	s := strings.TrimSpace(c.URL.Query().Get("query"))
	if s == "" {
		return service.CapturedQuery{}, bad("Error: no search query")
	}
	return parseQuery(s, zoneOf(c.Request)), nil
}

// listPiece is how many bytes of a list are in memory as JSON.
const listPiece = 256 << 10

// rowBytes is about how long a row is.
const rowBytes = 700

// writeList writes a list. A long one is written in pieces.
func writeList(c *door.Call, start int, p service.CapturedPage) error {
	first, err := json.Marshal(head{Total: p.Total, Unread: p.Unread, Count: len(p.Entries),
		MessagesCount: p.Matching, MessagesUnread: p.MatchingUnread, Start: start,
		Tags: orEmpty(slices.Sorted(maps.Keys(p.Tags)))})
	if err != nil {
		return err
	}
	out := pieces{c: c}
	out.Grow(min(len(p.Entries), 100)*rowBytes + len(first))
	out.Write(first[:len(first)-1])
	out.WriteString(`,"messages":[`)
	for i, e := range p.Entries {
		if i > 0 {
			out.WriteByte(',')
		}
		row, err := e.Shown(encodeRow)
		if err != nil {
			return err
		}
		out.Write(row)
		if err := out.flush(listPiece); err != nil {
			return err
		}
	}
	out.WriteString("]}\n")
	return out.end()
}

func encodeRow(e *service.CapturedEntry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(rowOf(e))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// pieces writes JSON of any length with little of it in memory.
type pieces struct {
	bytes.Buffer
	c     *door.Call
	begun bool
}

// flush sends what there is, if it is so much.
func (p *pieces) flush(most int) error {
	if p.Len() < most {
		return nil
	}
	if !p.begun {
		if err := p.c.Origin.Hold(2 * listPiece); err != nil {
			return err
		}
		h := p.c.W.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		p.c.W.WriteHeader(http.StatusOK)
		p.begun = true
	}
	if p.c.Method != http.MethodHead {
		_, _ = p.c.W.Write(p.Bytes()) // a client that has gone needs no answer
	}
	p.Reset()
	return nil
}

// end sends the rest.
func (p *pieces) end() error {
	if !p.begun {
		return p.c.Bytes(http.StatusOK, "application/json", p.Bytes())
	}
	return p.flush(1)
}

// mark sets whether messages were read: some by id, those that a search finds, or all.
func (e *edge) mark(c *door.Call, in service.Access) error {
	var body struct {
		Read   bool
		IDs    []string
		Search string
	}
	if err := readObject(c, &body); err != nil {
		return err
	}
	if len(body.IDs) > 0 && body.Search != "" {
		return bad("Give IDs or a Search, not both.")
	}
	which := service.CapturedChoice{IDs: ids(body.IDs)}
	switch {
	case body.Search != "":
		which.Query = parseQuery(body.Search, zoneOf(c.Request))
	case len(body.IDs) > 0 && len(which.IDs) == 0:
		return ok(c) // no message has such an id
	}
	if err := e.svc.MarkCaptured(c.Context(), in, which, body.Read); err != nil {
		return err
	}
	return ok(c)
}

// readObject reads a body that must be there.
func readObject(c *door.Call, into any) error {
	b, err := c.Body(bodyMost)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return bad("The body is not the JSON that is wanted here: %s", err)
	}
	return nil
}

// ids reads ids; what is none is left out.
func ids(list []string) (out []mailbox.ID) {
	for _, s := range list {
		if id, ok := mailbox.ParseID(s); ok {
			out = append(out, id)
		}
	}
	return out
}

// remove deletes some messages by id, or all: also where there is no body, or one that cannot be read.
func (e *edge) remove(c *door.Call, in service.Access) error {
	var body struct{ IDs []string }
	b, err := c.Body(bodyMost)
	if err != nil {
		return err
	}
	which := service.CapturedChoice{}
	if json.Unmarshal(b, &body) == nil && len(body.IDs) > 0 {
		if which.IDs = ids(body.IDs); len(which.IDs) == 0 {
			return ok(c)
		}
	}
	return e.delete(c, in, which)
}

// removeFound deletes what a search finds.
func (e *edge) removeFound(c *door.Call, in service.Access) error {
	q, err := queryOf(c)
	if err != nil {
		return err
	}
	return e.delete(c, in, service.CapturedChoice{Query: q})
}

func (e *edge) delete(c *door.Call, in service.Access, which service.CapturedChoice) error {
	if _, err := e.svc.DeleteCaptured(c.Context(), in, which); err != nil {
		return err
	}
	return ok(c)
}

func itoa(n int) string { return strconv.Itoa(n) }
