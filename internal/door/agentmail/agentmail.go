// Package agentmail is the door for programs that were written for AgentMail: its routes, its JSON and its errors,
// under /agentmail. docs/agentmail.md says what is there.
package agentmail

import (
	"slices"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

// edge answers the routes.
type edge struct {
	svc     naming
	sockets sockets
}

// New makes the door.
func New(svc *service.Service) *door.Door {
	e := &edge{svc: naming{svc}}
	return &door.Door{Name: "agentmail", Prefix: "/agentmail", Gate: svc, Fail: fail, Token: token,
		Routes: e.routes()}
}

// routes lists everything. What an account has, its one pod has, too.
func (e *edge) routes() []door.Route {
	account := slices.Concat(e.inboxRoutes(), e.messageRoutes(), e.sendRoutes(), e.threadRoutes(), e.draftRoutes(),
		e.listRoutes(), e.webhookRoutes(), e.domainRoutes(), e.keyRoutes(), e.metricRoutes())
	list := slices.Concat(account, e.identityRoutes(), e.downloadRoutes(), e.socketRoutes())
	for _, r := range account {
		if r, ok := inPod(r); ok {
			list = append(list, r)
		}
	}
	return append(list, absent()...)
}

const theirs = "It is about the vendor's own service."

// absent are the routes that are not here.
func absent() []door.Route {
	return []door.Route{
		{Method: "POST", Path: "/v0/pods", Support: door.No, Note: "There is one pod."},
		{Method: "DELETE", Path: "/v0/pods/{pod}", Support: door.No, Note: "There is one pod."},
		{Method: "POST", Path: "/v0/agent/sign-up", Support: door.No, Note: "The operator makes keys."},
		{Method: "POST", Path: "/v0/agent/verify", Support: door.No, Note: "The operator makes keys."},
		{Method: "GET", Path: "/v0/accounts", Support: door.No, Note: theirs},
		{Method: "GET", Path: "/v0/accounts/{account}", Support: door.No, Note: theirs},
		{Method: "GET", Path: "/v0/providers", Support: door.No, Note: theirs},
		{Method: "GET", Path: "/v0/providers/search", Support: door.No, Note: theirs},
		{Method: "GET", Path: "/v0/providers/{provider}", Support: door.No, Note: theirs},
		{Method: "GET", Path: "/v0/providers/{provider}/accounts", Support: door.No, Note: theirs},
		{Method: "POST", Path: "/v0/providers/{provider}/connect", Support: door.No, Note: theirs},
		{Method: "POST", Path: "/v0/inboxes/{inbox}/authorize", Support: door.No, Note: theirs},
	}
}
