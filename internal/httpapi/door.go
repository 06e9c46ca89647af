package httpapi

import (
	"net/http"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// doorway is the interface of another service, with its place in the metrics.
type doorway struct {
	*door.Door
	at *endpoint
}

func newDoorways(doors []*door.Door, m *metrics) []doorway {
	var ways []doorway
	for _, d := range doors {
		name := "/" + d.Name
		ways = append(ways, doorway{d, &endpoint{route: route{path: name}, meter: m.meter("any", name)}})
	}
	return ways
}

// forDoor returns the door that a request is for, nil if it is for none.
func (a *API) forDoor(r *http.Request) *doorway {
	for i := range a.doors {
		if a.doors[i].Serves(r) {
			return &a.doors[i]
		}
	}
	return nil
}

// serveDoor hands a request to a door. Its body is read as one of ours: it may be as large as a message, and take as
// long as it moves.
func (a *API) serveDoor(c *call, way *doorway) error {
	c.at = way.at
	limit := a.limits.WireBytes
	c.body = &body{from: http.MaxBytesReader(c.out.ResponseWriter, c.Body, limit), out: c.out, limit: limit,
		until: time.Now().Add(largeTime), moves: true}
	c.Request.Body = c.body
	way.Serve(c.out, c.Request, door.Origin{
		Client: a.client(c.Request), Base: a.address(c.Request, ""), RequestID: c.id,
		Admit: func(token mailbox.Secret) error { return a.meterAs(c, token) },
		Hold:  c.holdUpTo(),
		Note:  func(status int, err error) { a.note(c, status, err) },
		BodyFailure: func(error) error {
			if refused, ok := c.failure().(*refusal); ok {
				return door.Refuse(refused.status, refused.code, "%s", refused.message)
			}
			return door.Refuse(http.StatusBadRequest, "invalid_body", "The body ended early.")
		},
	})
	return nil
}

// holdUpTo returns a function that holds room for so many bytes in all, however often it is asked: a message that was
// read for an answer is in that answer.
func (c *call) holdUpTo() func(int) error {
	held := 0
	return func(n int) error {
		err := c.hold(n - held)
		if err == nil {
			held = max(held, n)
		}
		return err
	}
}

// Close is for a body that is handed on.
func (b *body) Close() error { return nil }
