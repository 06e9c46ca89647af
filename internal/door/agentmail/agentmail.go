// Package agentmail is the door for programs that were written for AgentMail: its routes, its JSON and its errors,
// under /agentmail. docs/agentmail.md says what is there.
package agentmail

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/door"
)

// Service is what the door asks of the service.
type Service interface {
	door.Gate
}

// edge answers the routes.
type edge struct{ svc Service }

// New makes the door.
func New(svc Service) *door.Door {
	e := &edge{svc}
	return &door.Door{Name: "agentmail", Prefix: "/agentmail", Gate: svc, Fail: fail, Routes: e.routes()}
}

func (e *edge) routes() []door.Route { return nil }

// failure is the JSON of an error.
type failure struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

func fail(c *door.Call, err error) {
	status := door.Status(err)
	c.Origin.Note(status, err)
	c.RetryAfter(err)
	name := "error"
	switch status {
	case http.StatusNotFound:
		name = "not_found"
	case http.StatusUnauthorized:
		name = "unknown_api_key"
	}
	_ = c.JSON(status, failure{name, door.Message(err)}) // there is nothing more to say
}
