package httpapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// waits holds the verbs that wait for a mail.
type waits interface {
	Code(ctx context.Context, in *service.Access, q service.CodeQuery) (*service.FullMessage, error)
	Wait(ctx context.Context, in *service.Access, q service.WaitQuery) (*service.FullMessage, error)
}

// Seconds that a call may wait (API 6).
const (
	defaultTimeout = 30
	maxTimeout     = 55
)

// statusGone is noted for a client that hung up before its answer. Nobody sees it but the metrics and the log.
const statusGone = 499

// Waits tells whether a request is for a route that waits.
func (a *API) Waits(r *http.Request) bool {
	res, _ := a.router.find(r.URL)
	if res == nil || a.forDoor(r) != nil {
		return false
	}
	e := res.at(r.Method)
	return e != nil && e.body == drained
}

// code waits for a verification code. A HEAD neither waits nor takes it.
func (a *API) code(c *call) error {
	var q service.CodeQuery
	var err error
	if q.Timeout, err = c.params.timeout(); err != nil {
		return err
	}
	if q.Since, err = c.params.moment("since"); err != nil {
		return err
	}
	if q.After, err = c.params.event("after"); err != nil {
		return err
	}
	if q.From, err = c.params.text("from"); err != nil {
		return err
	}
	if q.Consume, err = c.params.set("consume"); err != nil {
		return err
	}
	if c.Method == http.MethodHead {
		c.head()
		return nil
	}
	m, err := a.svc.Code(c.Context(), &c.in, q)
	switch {
	case err != nil:
		return c.unlessGone(err)
	case m == nil:
		c.send(http.StatusOK, []byte(wire.NoCode))
		return nil
	}
	return a.answerCode(c, m)
}

// What a waiting call needs only at its end is in functions of its own: each waits on a stack that holds what its
// functions will ever need.

func (a *API) answerCode(c *call, m *service.FullMessage) error {
	answer := wire.NewCode(m.Message, m.Detail)
	answer.EventID = eventID(m.Event)
	return a.answer(c, http.StatusOK, answer)
}

func (a *API) answerWait(c *call, m *service.FullMessage) error {
	var answer api.Waited
	if m != nil {
		email := c.newEmail(*m)
		answer.Email, answer.EventID = &email, eventID(m.Event)
	}
	return a.answer(c, http.StatusOK, answer)
}

// wait waits for any message. A HEAD does not wait.
func (a *API) wait(c *call) error {
	q, err := waitQuery(c.params)
	if err != nil {
		return err
	}
	if c.Method == http.MethodHead {
		c.head()
		return nil
	}
	m, err := a.svc.Wait(c.Context(), &c.in, q)
	if err != nil {
		return c.unlessGone(err)
	}
	return a.answerWait(c, m)
}

func waitQuery(p params) (q service.WaitQuery, err error) {
	if q.Timeout, err = p.timeout(); err != nil {
		return q, err
	}
	if q.Since, err = p.moment("since"); err != nil {
		return q, err
	}
	if q.After, err = p.event("after"); err != nil {
		return q, err
	}
	err = p.texts(named{"from", &q.From}, named{"subject", &q.Subject}, named{"label", &q.Label},
		named{"thread_id", &q.Thread})
	if err != nil {
		return q, err
	}
	q.Query = p.words("query")
	q.Has, err = pick(p, "has", []string{"code", "link", "attachment"})
	return q, err
}

// timeout is how long to wait: whole seconds.
func (p params) timeout() (time.Duration, error) {
	seconds := defaultTimeout
	if value := p.first("timeout"); value != "" {
		n, err := strconv.Atoi(value)
		if err != nil && !errors.Is(err, strconv.ErrRange) || n < 1 {
			return 0, mailbox.InvalidField("timeout", "The timeout is whole seconds from 1; more than %d is "+
				"taken as %d.", maxTimeout, maxTimeout)
		}
		seconds = min(n, maxTimeout)
	}
	return time.Duration(seconds) * time.Second, nil
}

// event is the number of an event; 0: none is given.
func (p params) event(name string) (int64, error) {
	value := p.first(name)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 1 {
		return 0, mailbox.InvalidField(name, "%q is the id of an event: a number.", name)
	}
	return n, nil
}

// eventID is the id of an event as clients have it; empty: there is none.
func eventID(number int64) string {
	if number == 0 {
		return ""
	}
	return strconv.FormatInt(number, 10)
}

// pick reads a parameter of several values, apart by commas or given several times, of which each is one of those
// known.
func pick[T ~string](p params, name string, known []T) ([]T, error) {
	var picked []T
	for _, values := range p[name] {
		for value := range strings.SplitSeq(values, ",") {
			switch v := T(strings.TrimSpace(value)); {
			case v == "" || slices.Contains(picked, v):
			case checkText(name, value) != nil:
				return nil, checkText(name, value)
			case !slices.Contains(known, v):
				return nil, mailbox.InvalidField(name, "There is no %q; the values of %q are %s.", v, name,
					joined(known))
			default:
				picked = append(picked, v)
			}
		}
	}
	return picked, nil
}

func joined[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// head answers a HEAD that must not do what its GET does.
func (c *call) head() {
	h := c.out.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	c.out.WriteHeader(http.StatusOK)
}

// unlessGone gives the error on, but if the client has hung up it ends the request here, with nothing written.
func (c *call) unlessGone(err error) error {
	if c.Context().Err() == nil {
		return err
	}
	c.out.status = statusGone
	panic(http.ErrAbortHandler)
}
