package mailpit

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/htmlcheck"
	"github.com/mailkin/mailkin/internal/service"
)

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
	for _, l := range htmlcheck.Links(text, markup) {
		checked := checkedLink{URL: l.URL, Status: "not followed: nothing leaves this machine"}
		if !l.OK {
			checked.Status = "this is not a URL"
			out.Errors++
		}
		out.Links = append(out.Links, checked)
	}
	return c.JSON(http.StatusOK, out)
}
