// Package agentmail is the door for programs that were written for AgentMail: its routes, its JSON and its errors,
// under /agentmail. docs/agentmail.md says what is there.
package agentmail

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Service is what the door asks of the service.
type Service interface {
	door.Gate
	inboxes
	messages
	sending
	threads
	drafts
	lists
	door.Domains
	keys
	webhooks
	Stats(ctx context.Context, in service.Access, days int) (service.Stats, error)
	Stream(ctx context.Context, in *service.Access, q service.StreamQuery) (service.Stream, error)
}

type inboxes interface {
	CreateMailbox(ctx context.Context, in service.Access, n service.NewMailbox) (service.CreatedMailbox, error)
	OpenMailboxes(ctx context.Context, in service.Access, q service.OpenQuery) (service.List[mailbox.Mailbox], error)
	MailboxRecord(ctx context.Context, in service.Access) (service.MailboxRecord, error)
	ChangeMailbox(ctx context.Context, in service.Access, c service.MailboxChange) (service.MailboxRecord, error)
	DeleteMailbox(ctx context.Context, in service.Access) (service.Deleted, error)
}

type messages interface {
	Select(ctx context.Context, in service.Access, q service.SelectQuery) (service.List[mailbox.Message], error)
	Details(ctx context.Context, in service.Access, rows []mailbox.Message) ([]service.FullMessage, error)
	Search(ctx context.Context, in service.Access, q service.InboxQuery) (service.SearchResult, error)
	FindMessage(ctx context.Context, in service.Access, name string) (mailbox.ID, error)
	Ambiguous(ctx context.Context, rows []mailbox.Message) (map[mailbox.ID]bool, error)
	Message(ctx context.Context, in service.Access, id mailbox.ID,
		o service.MessageOptions) (service.FullMessage, error)
	ChangeMessage(ctx context.Context, in service.Access, id mailbox.ID,
		c service.MessageChange) (service.FullMessage, error)
	DeleteMessage(ctx context.Context, in service.Access, id mailbox.ID) error
	DownloadToken(in service.Access, box mailbox.Num, id mailbox.ID, until time.Time) (string, error)
	Download(ctx context.Context, token string) (service.Download, error)
}

type sending interface {
	Send(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	SentBefore(ctx context.Context, in service.Access, d mailbox.Draft) (*service.Sending, error)
	Reply(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	Forward(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	FetchFile(ctx context.Context, in service.Access, url string, limit int64) ([]byte, string, error)
}

type threads interface {
	SelectThreads(ctx context.Context, in service.Access,
		q service.SelectQuery) (service.List[service.SelectedThread], error)
	Thread(ctx context.Context, in service.Access, id mailbox.ID, p service.Page) (service.Conversation, error)
	ThreadBox(ctx context.Context, id mailbox.ID) (string, error)
}

type drafts interface {
	CreateDraft(ctx context.Context, in service.Access, e mailbox.DraftEdit) (service.FullDraft, error)
	Drafts(ctx context.Context, in service.Access, q service.DraftsQuery) (service.List[service.FullDraft], error)
	Draft(ctx context.Context, in service.Access, id mailbox.ID) (service.FullDraft, error)
	DraftBox(ctx context.Context, id mailbox.ID) (string, error)
	EditDraft(ctx context.Context, in service.Access, id mailbox.ID, e mailbox.DraftEdit) (service.FullDraft, error)
	AttachToDraft(ctx context.Context, in service.Access, ref mailbox.DraftRef,
		list []mailbox.Attachment) (service.FullDraft, error)
	DetachFromDraft(ctx context.Context, in service.Access, ref mailbox.DraftRef, n int) (service.FullDraft, error)
	DeleteDraft(ctx context.Context, in service.Access, ref mailbox.DraftRef) error
	Cancel(ctx context.Context, in service.Access, id mailbox.ID, recipient string) (service.Cancellation, error)
	SendDraft(ctx context.Context, in service.Access, q service.DraftSend) (service.Sending, error)
}

type lists interface {
	List(ctx context.Context, in service.Access, l service.ListOf, p service.Page) (service.List[mailbox.Listed], error)
	PutListed(ctx context.Context, in service.Access, n service.NewListed) (mailbox.Listed, error)
	DeleteListed(ctx context.Context, in service.Access, l service.ListOf, value string) (string, error)
}

type webhooks interface {
	Routes(ctx context.Context, in service.Access) ([]service.RouteSet, error)
	PutRoute(ctx context.Context, in service.Access, n service.NewRoute) (service.RouteSet, error)
	DeleteRoute(ctx context.Context, in service.Access, label string, id mailbox.ID) (string, error)
}

type keys interface {
	CreateKey(ctx context.Context, in service.Access, n service.NewKey) (service.CreatedKey, error)
	Keys(ctx context.Context, in service.Access) ([]service.ListedKey, error)
	UpdateKey(ctx context.Context, in service.Access, id mailbox.ID, c service.KeyChange) (service.ListedKey, error)
	RevokeKey(ctx context.Context, in service.Access, id mailbox.ID) error
}

// edge answers the routes.
type edge struct {
	svc     naming
	sockets sockets
}

// New makes the door.
func New(svc Service) *door.Door {
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
