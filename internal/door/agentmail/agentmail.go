// Package agentmail is the door for programs that were written for AgentMail: its routes, its JSON and its errors,
// under /agentmail. docs/agentmail.md says what is there.
package agentmail

import (
	"context"
	"slices"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Service is what the door asks of the service.
type Service interface {
	door.Gate
	inboxes
}

type inboxes interface {
	CreateMailbox(ctx context.Context, in service.Access, n service.NewMailbox) (service.CreatedMailbox, error)
	OpenMailboxes(ctx context.Context, in service.Access, q service.OpenQuery) (service.List[mailbox.Mailbox], error)
	MailboxRecord(ctx context.Context, in service.Access) (service.MailboxRecord, error)
	ChangeMailbox(ctx context.Context, in service.Access, c service.MailboxChange) (service.MailboxRecord, error)
	DeleteMailbox(ctx context.Context, in service.Access) (service.Deleted, error)
}

// edge answers the routes.
type edge struct{ svc Service }

// New makes the door.
func New(svc Service) *door.Door {
	e := &edge{svc}
	return &door.Door{Name: "agentmail", Prefix: "/agentmail", Gate: svc, Fail: fail, Routes: e.routes()}
}

// routes lists everything. What an account has, its one pod has, too.
func (e *edge) routes() []door.Route {
	account := slices.Concat(e.inboxRoutes())
	list := slices.Concat(account, e.identityRoutes())
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
