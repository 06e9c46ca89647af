package mailpit

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

// linkMost is how many links of a message are looked at.
const linkMost = 100

type linkCheck struct {
	Errors int
	Links  []checkedLink
}

type checkedLink struct {
	URL        string
	StatusCode int
	Status     string
}

// linkCheck lists the links of a message. None is followed, because nothing leaves the machine: one that cannot be
// right is an error, and of the others it is not known, so that they have no status.
func (e *edge) linkCheck(c *door.Call, in service.Access) error {
	_, text, markup, err := e.read(c, in)
	if err != nil {
		return err
	}
	out := linkCheck{Links: []checkedLink{}}
	for _, l := range linksIn(text, markup) {
		checked := checkedLink{URL: l, Status: "not followed: nothing leaves this machine"}
		if u, err := url.Parse(l); err != nil || u.Hostname() == "" {
			checked.Status = "this is not a URL"
			out.Errors++
		}
		out.Links = append(out.Links, checked)
	}
	return c.JSON(http.StatusOK, out)
}

var webLink = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"']+`)

// linksIn lists links, pictures and style sheets of the HTML, and links in the text, each once.
func linksIn(text, markup string) (list []string) {
	seen := make(map[string]bool)
	add := func(l string) {
		if len(list) < linkMost && !seen[l] {
			seen[l] = true
			list = append(list, l)
		}
	}
	z := html.NewTokenizer(strings.NewReader(markup))
	for len(list) < linkMost {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		t := z.Token()
		name := map[string]string{"a": "href", "link": "href", "img": "src"}[t.Data]
		for _, a := range t.Attr {
			if v := strings.TrimSpace(a.Val); a.Key == name && webLink.MatchString(v) {
				add(v)
			}
		}
	}
	for _, l := range webLink.FindAllString(text, 3*linkMost) {
		add(strings.TrimRight(l, ".,;:!?)]}"))
	}
	return list
}
