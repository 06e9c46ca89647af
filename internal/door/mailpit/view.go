package mailpit

import (
	"net/http"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// viewPolicy is for the HTML of a mail: no scripts, no forms, and nothing loaded but its own pictures. A link leads to
// an ordinary page.
const viewPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
	"sandbox allow-popups allow-popups-to-escape-sandbox"

func (e *edge) viewHTML(c *door.Call, in service.Access) error {
	m, _, text, err := e.read(c, in)
	if err != nil {
		return viewError(err)
	}
	if text == "" {
		return door.Refuse(http.StatusNotFound, "no_html", "This message does not contain a HTML part")
	}
	text = linkPictures(text, m)
	if c.URL.Query().Get("embed") == "1" {
		text = openElsewhere(text)
	}
	h := c.W.Header()
	h.Set("Content-Security-Policy", viewPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	return c.Bytes(http.StatusOK, "text/html; charset=utf-8", []byte(text))
}

func (e *edge) viewText(c *door.Call, in service.Access) error {
	_, text, _, err := e.read(c, in)
	if err != nil {
		return viewError(err)
	}
	c.W.Header().Set("Content-Security-Policy", strangerPolicy)
	return c.Text(http.StatusOK, text)
}

// view leads to the HTML of a message, or its text where it has none.
func (e *edge) view(c *door.Call, in service.Access) error {
	id, err := e.idOf(c, in)
	if err != nil {
		return viewError(err)
	}
	whole, err := e.svc.WholeMessage(c.Context(), in, id, service.MessageOptions{})
	if err != nil {
		return viewError(err)
	}
	defer done(whole)
	form := ".txt"
	if whole.Detail.HTML != "" || whole.WriteHTML != nil {
		form = ".html"
	}
	http.Redirect(c.W, c.Request, "/view/"+id.String()+form, http.StatusFound)
	return nil
}

// viewError says that there is no such message, where that is so.
func viewError(err error) error {
	if mailbox.KindOf(err) == mailbox.NotFound {
		return errNoMessage
	}
	return err
}

var pictureLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)cid:[^"'\s<>)]+`)
})

// linkPictures has pictures that are in the message loaded from here.
func linkPictures(text string, m *service.FullMessage) string {
	where := make(map[string]string)
	for _, p := range m.Detail.Parts {
		if p.ContentID != "" {
			where[strings.ToLower(p.ContentID)] = "/api/v1/message/" + m.ID.String() + "/part/" + itoa(p.Index)
		}
	}
	if len(where) == 0 {
		return text
	}
	return pictureLink().ReplaceAllStringFunc(text, func(s string) string {
		if to, ok := where[strings.ToLower(html.UnescapeString(s[len("cid:"):]))]; ok {
			return to
		}
		return s
	})
}

// openElsewhere makes every link open a page of its own, which learns nothing of this one.
func openElsewhere(text string) string {
	z := html.NewTokenizer(strings.NewReader(text))
	var b strings.Builder
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		raw := string(z.Raw()) // before Token, which changes it
		if kind != html.StartTagToken {
			b.WriteString(raw)
			continue
		}
		t := z.Token()
		if t.Data != "a" {
			b.WriteString(raw)
			continue
		}
		kept := t.Attr[:0]
		for _, a := range t.Attr {
			if a.Key != "target" && a.Key != "rel" {
				kept = append(kept, a)
			}
		}
		t.Attr = append(kept, html.Attribute{Key: "target", Val: "_blank"},
			html.Attribute{Key: "rel", Val: "noreferrer noopener"})
		b.WriteString(t.String())
	}
}
