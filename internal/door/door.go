// Package door is what the doors share. A door serves the interface of another service, so that programs written for
// that one run here unchanged. It is a translation: a table of routes, and handlers that turn foreign JSON into a verb
// of the service and its result into foreign JSON. No rule lives in a door, and every error takes its foreign shape.
package door

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Gate says who calls, and whether they may do this to that mailbox. The service does.
type Gate interface {
	Authenticate(ctx context.Context, token mailbox.Secret) (mailbox.Caller, error)
	WrongKey(client netip.Addr) error
	Enter(ctx context.Context, who mailbox.Caller, act service.Act) (service.Access, error)
}

// Support is how far a route does here what it does there.
type Support string

const (
	Yes    Support = "yes"
	Partly Support = "partly"
	No     Support = "no"
)

// Route is a line of a door's table, from which its page in docs/ is made too.
type Route struct {
	Method  string // GET answers HEAD as well
	Path    string // under the door's prefix, with {names}
	Support Support
	Note    string             // for its page: what differs, or why it is not there
	Open    bool               // it needs no key
	Need    mailbox.Capability // of the key
	Box     string             // the {name} in the path that is the mailbox's address; empty: the key's own
	Handle  func(*Call) error  // nil: it is answered as if there were no such route
}

// Door is the interface of another service.
type Door struct {
	Name   string // of the service, as it is called in settings and metrics
	Prefix string // of every path in the table
	Routes []Route
	Gate   Gate

	Options bool   // it answers the browsers' OPTIONS itself, and so says which origins may call
	Local   *Local // who may ask a door that has no keys; nil: it has. It answers OPTIONS, so that Options is set too

	// Owns tells which requests are the door's; nil: those whose path begins with Prefix.
	Owns func(*http.Request) bool
	// Token reads the key of a request; nil: the header Authorization has it.
	Token func(*http.Request) mailbox.Secret
	// Fail tells an error in the shape that programs of the other service read. It is given errors of package mailbox
	// and *Refusal.
	Fail func(*Call, error)
}

// Refusal is an error that only HTTP knows: a path, a method, a body.
type Refusal struct {
	Status  int
	Code    string
	Message string
	Field   string // the member that it is about, with dots before those inside of others; empty: the whole
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// Refuse makes a Refusal.
func Refuse(status int, code, format string, args ...any) *Refusal {
	return &Refusal{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Origin is what the server knows of a request beside its text, and does for it.
type Origin struct {
	Client    netip.Addr // whose limits count
	Base      string     // how the client reaches this server: scheme and host
	RequestID string     // for the log

	Admit       func(token mailbox.Secret) error // counts the request against the limits of key and client
	Hold        func(bytes int) error            // waits for room for a long answer, in all
	Note        func(status int, err error)      // logs what the caller is not told
	BodyFailure func(error) error                // why a body could not be read, as a *Refusal
}

// Serves tells whether a request is one for this door.
func (d *Door) Serves(r *http.Request) bool {
	if d.Owns != nil {
		return d.Owns(r)
	}
	rest, ok := strings.CutPrefix(r.URL.Path, d.Prefix)
	return ok && (rest == "" || rest[0] == '/')
}

// Serve answers a request.
func (d *Door) Serve(w http.ResponseWriter, r *http.Request, from Origin) {
	c := &Call{Request: r, W: w, Origin: from, door: d}
	if d.Local != nil {
		answered, err := d.Local.admit(w, r)
		if err != nil {
			d.Fail(c, err)
		}
		if answered || err != nil {
			return
		}
	}
	if err := d.answer(c); err != nil {
		d.Fail(c, err)
	}
}

func (d *Door) answer(c *Call) error {
	err := d.find(c)
	token := d.token(c.Request)
	if limited := c.Origin.Admit(token); limited != nil {
		return limited
	}
	// without a key nobody learns what there is, unless there are no keys
	if d.Local == nil && (c.Route == nil || !c.Route.Open) {
		if failed := c.authenticate(token); failed != nil {
			return failed
		}
	}
	if err != nil {
		return err
	}
	if !c.Route.Open {
		if err := c.Enter(c.Value(c.Route.Box)); err != nil {
			return err
		}
	}
	return c.Route.Handle(c)
}

// find looks a request's route up.
func (d *Door) find(c *Call) error {
	segments, ok := segmentsOf(c.URL)
	method := c.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var allow []string
	for i := range d.Routes {
		r := &d.Routes[i]
		values, matches := match(d.Prefix+r.Path, segments)
		if !ok || !matches || r.Handle == nil {
			continue
		}
		if r.Method == method {
			c.Route, c.values = r, values
			return nil
		}
		allow = append(allow, r.Method)
	}
	if len(allow) == 0 {
		return Refuse(http.StatusNotFound, "not_found", "There is nothing at this address.")
	}
	slices.Sort(allow)
	c.W.Header().Set("Allow", strings.Join(allow, ", "))
	return Refuse(http.StatusMethodNotAllowed, "method_not_allowed", "This address takes %s.",
		strings.Join(allow, ", "))
}

// match compares a path with a pattern, and gives the values of its {names}. A name before a dot and more leaves that
// out: {id}.html.
func match(pattern string, segments []string) (values map[string]string, ok bool) {
	want := strings.Split(pattern, "/")
	if len(want) != len(segments) {
		return nil, false
	}
	for i, w := range want {
		name, after, variable := cutName(w)
		value, fits := strings.CutSuffix(segments[i], after)
		switch {
		case !variable && w != segments[i], variable && (!fits || value == ""):
			return nil, false
		case variable:
			if values == nil {
				values = make(map[string]string, 2)
			}
			values[name] = value
		}
	}
	return values, true
}

func cutName(segment string) (name, after string, ok bool) {
	if !strings.HasPrefix(segment, "{") {
		return "", "", false
	}
	name, after, ok = strings.Cut(segment[1:], "}")
	return name, after, ok
}

// segmentsOf splits a path before it decodes the segments, so that an encoded slash stays inside its segment. A slash
// at the end is left out, and so is a doubled one: base URLs are written in every way.
func segmentsOf(u *url.URL) ([]string, bool) {
	segments := strings.Split(strings.TrimRight(u.EscapedPath(), "/"), "/")
	kept := segments[:0]
	for i, s := range segments {
		decoded, err := url.PathUnescape(s)
		if err != nil {
			return nil, false
		}
		if decoded != "" || i == 0 {
			kept = append(kept, decoded)
		}
	}
	return kept, true
}

func (d *Door) token(r *http.Request) mailbox.Secret {
	if d.Token != nil {
		return d.Token(r)
	}
	return Bearer(r)
}

// Bearer reads the key in the header Authorization, empty if there is none.
func Bearer(r *http.Request) mailbox.Secret {
	return mailbox.Bearer(r.Header["Authorization"])
}

// authenticate says whose key the request carries.
func (c *Call) authenticate(token mailbox.Secret) error {
	if token == "" {
		return mailbox.Errorf(mailbox.Unauthorized, "missing_key", "A key is needed.")
	}
	who, err := c.door.Gate.Authenticate(c.Context(), token)
	if err != nil {
		if mailbox.KindOf(err) == mailbox.Unauthorized {
			if limited := c.door.Gate.WrongKey(c.Origin.Client); limited != nil {
				return limited
			}
		}
		return err
	}
	if who.Halted() {
		return mailbox.Errorf(mailbox.Paused, "mailbox_paused", "Mailbox is paused")
	}
	c.who = who
	return nil
}

// Status is the status of an error, as the service's own interface has it.
func Status(err error) int {
	var refused *Refusal
	if errors.As(err, &refused) {
		return refused.Status
	}
	if status, known := statuses[mailbox.KindOf(err)]; known {
		return status
	}
	return http.StatusInternalServerError
}
