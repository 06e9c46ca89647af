package mailpit

import (
	"encoding/base64"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// person is somebody in a message that is handed in.
type person struct{ Email, Name string }

type outgoing struct {
	From        person
	To          []person
	Cc          []person
	Bcc         []string
	ReplyTo     []person
	Subject     string
	Text        string
	HTML        string
	Headers     map[string]string
	Tags        []string
	Attachments []struct{ Filename, Content, ContentType, ContentID string }
}

// sendMost is how large the body of a message may be that is handed in.
const sendMost = 50 << 20

// send captures a message that is described in JSON.
func (e *edge) send(c *door.Call, in service.Access) error {
	var body outgoing
	if err := c.Read(&body, sendMost); err != nil {
		return err
	}
	d := service.CapturedDraft{From: mailbox.Address{Name: body.From.Name, Address: body.From.Email},
		To: people(body.To), Cc: people(body.Cc), ReplyTo: people(body.ReplyTo), Subject: body.Subject,
		Text: body.Text, HTML: body.HTML, Tags: body.Tags}
	for _, a := range body.Bcc {
		d.Bcc = append(d.Bcc, mailbox.Address{Address: a})
	}
	for _, name := range slices.Sorted(maps.Keys(body.Headers)) {
		d.Headers = append(d.Headers, mailbox.Field{Name: name, Value: body.Headers[name]})
	}
	for _, a := range body.Attachments {
		content := a.Content[strings.LastIndexByte(a.Content, ',')+1:] // of a data: URL, too
		data, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return bad("The attachment %q is not base64.", mailbox.Clip(a.Filename, 100))
		}
		d.Files = append(d.Files, service.CapturedFile{Name: a.Filename, ContentType: a.ContentType,
			ContentID: a.ContentID, Data: data})
	}
	d.User, _, _ = c.BasicAuth()
	id, size, err := e.svc.SendCaptured(c.Context(), in, d)
	if err != nil {
		return err
	}
	e.sent.Add(1)
	e.sentBytes.Add(size)
	return c.JSON(http.StatusOK, struct{ ID string }{id.String()})
}

func people(list []person) (out []mailbox.Address) {
	for _, p := range list {
		out = append(out, mailbox.Address{Name: p.Name, Address: p.Email})
	}
	return out
}

// release would hand a message on to a relay. There is none: nothing leaves the machine.
func (e *edge) release(c *door.Call, in service.Access) error {
	_, raw, err := e.openRaw(c, in)
	if err != nil {
		return err
	}
	_ = raw.Close() // only whether it is there
	var body struct{ To []string }
	if err := readObject(c, &body); err != nil {
		return err
	}
	if len(body.To) == 0 {
		return bad("No valid addresses found")
	}
	return bad("No relay is configured: what is captured stays on this machine.")
}
