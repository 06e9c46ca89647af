package httpapi

import (
	"context"
	"io"
	"net/netip"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Service is what the interface asks of the service.
type Service interface {
	gate
	onboarding
	messages
	waiting
	sending
	threads
	mailboxes
	webhooks
	hookLog
	domains
	moderation
	keys
	logs
	probes
}

// gate says who calls and whether they may do this to that mailbox.
type gate interface {
	Authenticate(ctx context.Context, token mailbox.Secret) (mailbox.Caller, error)
	WrongKey(client netip.Addr) error
	Enter(ctx context.Context, who mailbox.Caller, act service.Act) (service.Access, error)
}

// onboarding is how an agent without a key comes to one.
type onboarding interface {
	Bootstrap(ctx context.Context, r service.BootstrapRequest) (service.Bootstrapped, error)
	StartClaim(ctx context.Context, r service.ClaimRequest) (service.StartedClaim, error)
	ShowClaim(ctx context.Context, session string) (service.ShownClaim, error)
	ConfirmClaim(ctx context.Context, session string, by mailbox.Secret) (service.ConfirmedClaim, error)
	PollClaim(ctx context.Context, session string, by mailbox.Secret) (service.PolledClaim, error)
}

// waiting holds the verbs that take their time.
type waiting interface {
	Stream(ctx context.Context, in *service.Access, q service.StreamQuery) (service.Stream, error)
	Code(ctx context.Context, in *service.Access, q service.CodeQuery) (*service.FullMessage, error)
	Wait(ctx context.Context, in *service.Access, q service.WaitQuery) (*service.FullMessage, error)
}

type messages interface {
	Inbox(ctx context.Context, in service.Access, q service.InboxQuery) (service.List[mailbox.Message], error)
	Search(ctx context.Context, in service.Access, q service.InboxQuery) (service.SearchResult, error)
	Message(ctx context.Context, in service.Access, id mailbox.ID, o service.MessageOptions) (service.FullMessage, error)
	WholeMessage(ctx context.Context, in service.Access, id mailbox.ID, o service.MessageOptions) (*service.WholeMessage, error)
	ChangeMessage(ctx context.Context, in service.Access, id mailbox.ID, c service.MessageChange) (service.FullMessage, error)
	DeleteMessage(ctx context.Context, in service.Access, id mailbox.ID) error
	Raw(ctx context.Context, in service.Access, id mailbox.ID) (*service.Raw, error)
	Attachment(ctx context.Context, in service.Access, id mailbox.ID) (*service.Attachment, error)
	Extract(ctx context.Context, in service.Access, id mailbox.ID) (service.Extraction, error)
	Ingest(ctx context.Context, in service.Access, message io.Reader) (mailbox.Receipt, error)
}

// sending holds the verbs that mail goes out by, and what is heard of it after that.
type sending interface {
	Upload(in service.Access, size int64) (*service.Upload, error)
	Send(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	Reply(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	Forward(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	HearProvider(ctx context.Context, p service.ProviderWord) error
	Suppressions(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Suppression], error)
	DeleteSuppression(ctx context.Context, in service.Access, address string) error
}

type threads interface {
	Threads(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Thread], error)
	Thread(ctx context.Context, in service.Access, id mailbox.ID, p service.Page) (service.Conversation, error)
}

type mailboxes interface {
	Me(ctx context.Context, in service.Access) (service.Me, error)
	Stats(ctx context.Context, in service.Access, days int) (service.Stats, error)
	MailboxRecord(ctx context.Context, in service.Access) (service.MailboxRecord, error)
	ChangeMailbox(ctx context.Context, in service.Access, c service.MailboxChange) (service.MailboxRecord, error)
	PauseMailbox(ctx context.Context, in service.Access, reason string) (mailbox.Mailbox, error)
	ResumeMailbox(ctx context.Context, in service.Access) (mailbox.Mailbox, error)
	DeleteMailbox(ctx context.Context, in service.Access) (service.Deleted, error)
}

// webhooks holds the verbs about where events are posted.
type webhooks interface {
	Routes(ctx context.Context, in service.Access) ([]service.RouteSet, error)
	PutRoute(ctx context.Context, in service.Access, label, url string) (service.RouteSet, error)
	DeleteRoute(ctx context.Context, in service.Access, label string) (string, error)
	TestWebhook(ctx context.Context, in service.Access, url string) (service.Trial, error)
	ResetWebhook(ctx context.Context, in service.Access, url string) ([]string, error)
	WebhookSecret(ctx context.Context, in service.Access) (mailbox.Secret, error)
}

// hookLog holds those about what became of that.
type hookLog interface {
	Hooks(ctx context.Context, in service.Access, q service.HooksQuery) (service.List[mailbox.Hook], error)
	Hook(ctx context.Context, in service.Access, id mailbox.ID) (service.PostedHook, error)
	ReplayHook(ctx context.Context, in service.Access, id mailbox.ID) (service.Trial, mailbox.Hook, error)
}

type domains interface {
	Domains(ctx context.Context, in service.Access) ([]mailbox.Domain, error)
	AddDomain(ctx context.Context, in service.Access, name string) (service.DomainRecord, error)
	Domain(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainRecord, error)
	VerifyDomain(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainCheck, error)
	RenewDomainKeys(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainRecord, error)
	DeleteDomain(ctx context.Context, in service.Access, id mailbox.ID) error
}

type moderation interface {
	CreateMailbox(ctx context.Context, in service.Access, n service.NewMailbox) (service.CreatedMailbox, error)
	Mailboxes(ctx context.Context, in service.Access, q service.MailboxQuery) (service.List[service.ListedMailbox], error)
}

type keys interface {
	CreateKey(ctx context.Context, in service.Access) (service.CreatedKey, error)
	Keys(ctx context.Context, in service.Access) ([]mailbox.Key, error)
	RevokeKey(ctx context.Context, in service.Access, id mailbox.ID) error
	RotateKey(ctx context.Context, in service.Access) (service.CreatedKey, error)
}

type logs interface {
	Rejects(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Reject], error)
	Activity(ctx context.Context, in service.Access, limit int) ([]mailbox.Happening, error)
	Audits(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Audit], error)
	Problems(ctx context.Context, in service.Access) ([]service.Problem, error)
	Reindex(ctx context.Context, in service.Access) error
	ReindexProgress(ctx context.Context, in service.Access) (service.Reindexing, error)
}

type probes interface {
	Health(ctx context.Context) error
	Ready(ctx context.Context) error
}
