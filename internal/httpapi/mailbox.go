package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// mailboxes holds the verbs about mailboxes, for their owners and for operators.
type mailboxes interface {
	Me(ctx context.Context, in service.Access) (service.Me, error)
	MailboxRecord(ctx context.Context, in service.Access) (service.MailboxRecord, error)
	ChangeMailbox(ctx context.Context, in service.Access, c service.MailboxChange) (service.MailboxRecord, error)
	PauseMailbox(ctx context.Context, in service.Access, reason string) (mailbox.Mailbox, error)
	ResumeMailbox(ctx context.Context, in service.Access) (mailbox.Mailbox, error)
	ResumeSending(ctx context.Context, in service.Access) (service.MailboxRecord, error)
	TestMail(ctx context.Context, in service.Access) (service.Knocked, error)
	DeleteMailbox(ctx context.Context, in service.Access) (service.Deleted, error)
	CreateMailbox(ctx context.Context, in service.Access, n service.NewMailbox) (service.CreatedMailbox, error)
	Mailboxes(ctx context.Context, in service.Access, q service.MailboxQuery) (service.List[service.ListedMailbox],
		error)
}

func (a *API) me(c *call) error {
	me, err := a.svc.Me(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Me{
		Worker: "mailkin", Version: me.Version, Mailbox: me.Address, Scope: string(me.Scope),
		ExpiresAt: api.Time{Time: me.ExpiresAt}, Send: me.CanSend, Capabilities: me.Capabilities,
		Limits: wire.NewLimits(me.Limits, me.Allowance), Usage: wire.NewUsage(me.Use, me.SendsToday),
		Key:           wire.NewOwnKey(me.Key, me.Bound.Mailboxes),
		SendingPaused: wire.NewSendingPause(me.Paused), EventID: eventID(me.Event),
		Operator: wire.NewOwnOperator(me.Role, me.Named),
	})
}

func (a *API) mailbox(c *call) error {
	record, err := a.svc.MailboxRecord(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, newRecord(record))
}

func newRecord(r service.MailboxRecord) api.MailboxRecord {
	return api.MailboxRecord{Mailbox: wire.NewMailbox(r.Mailbox), DailySendLimit: int(r.Allowance.DailySends),
		SendsToday: r.SendsToday, UndoSeconds: r.Control().UndoSeconds, Brakes: r.Brakes,
		SendPolicy: string(r.Control().SendPolicy.Effective()), ReceiveAction: string(r.ReceiveAction),
		Reviewers: append([]string{}, r.Control().Reviewers...),
		Limits:    wire.NewMailboxLimits(r.Allowance), Usage: wire.NewUsage(r.Use, r.SendsToday)}
}

func (a *API) changeMailbox(c *call) error {
	url, err := c.fields.text("webhook_url")
	if err != nil {
		return err
	}
	if c.fields.null("webhook_url") { // clears it, as an empty string does (API 4)
		url = new(string)
	}
	change := service.MailboxChange{WebhookURL: url}
	if change.UndoSeconds, err = c.fields.number("undo_seconds"); err != nil {
		return err
	}
	if c.fields.null("undo_seconds") { // as if nobody had decided, like null for the others
		change.UndoSeconds = new(int)
	}
	if change.Brakes, err = c.fields.choice("brakes"); err != nil {
		return err
	}
	policy, err := c.fields.text("send_policy")
	if err != nil {
		return err
	}
	change.SendPolicy = (*mailbox.SendPolicy)(policy)
	if c.fields.null("send_policy") {
		open := mailbox.SendOpen
		change.SendPolicy = &open
	}
	action, err := c.fields.text("receive_action")
	if err != nil {
		return err
	}
	if c.fields.null("receive_action") { // what the deployment does
		action = new(string)
	}
	change.ReceiveAction = (*mailbox.ReceiveAction)(action)
	if change.Limits, err = c.fields.limits("limits"); err != nil {
		return err
	}
	if c.fields["reviewers"] != nil {
		list, err := c.fields.texts("reviewers")
		if err != nil {
			return err
		}
		change.Reviewers = &list
	}
	if change.ProfileChange, err = c.fields.profile(); err != nil {
		return err
	}
	record, err := a.svc.ChangeMailbox(c.Context(), c.in, change)
	if err != nil {
		return err
	}
	answer := newRecord(record)
	if change.Empty() {
		answer.Note = "Nothing was changed: the fields that can be set are webhook_url, display_name, metadata, " +
			"undo_seconds, brakes, send_policy, receive_action, limits and reviewers."
	}
	return a.answer(c, http.StatusOK, answer)
}

func (a *API) pauseMailbox(c *call) error {
	return answerTo(a, c, c.fields.wordNamed("reason"), a.svc.PauseMailbox, wire.NewPaused)
}

func (a *API) resumeMailbox(c *call) error {
	box, err := a.svc.ResumeMailbox(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.ResumedMailbox{Mailbox: box.Address, Status: string(box.Status)})
}

func (a *API) resumeSending(c *call) error {
	record, err := a.svc.ResumeSending(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, newRecord(record))
}

func (a *API) testMail(c *call) error {
	k, err := a.svc.TestMail(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.TestMail{OK: k.Taken, Reply: k.Reply})
}

func (a *API) deleteMailbox(c *call) error {
	gone, err := a.svc.DeleteMailbox(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.DeletedMailbox{
		OK: true, Deleted: gone.Address, BlobsDeleted: gone.Blobs, R2BlobsDeleted: gone.Blobs,
	})
}

func (a *API) createMailbox(c *call) error {
	name, err := c.fields.word("name")
	if err != nil {
		return err
	}
	address, err := c.fields.word("address")
	if err != nil {
		return err
	}
	n := service.NewMailbox{Name: name, Address: address}
	about, err := c.fields.profile()
	if err != nil {
		return err
	}
	if about.DisplayName != nil {
		n.DisplayName = *about.DisplayName
	}
	if about.Metadata != nil {
		n.Metadata = *about.Metadata
	}
	if n.ClientID, err = c.fields.word("client_id"); err != nil {
		return err
	}
	made, err := a.svc.CreateMailbox(c.Context(), c.in, n)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if made.Replayed {
		status = http.StatusOK
	}
	return a.answer(c, status, wire.NewCreatedMailbox(made.Mailbox, made.Key, made.Replayed))
}

// profile is what is said about a mailbox; null takes it away.
func (f fields) profile() (c service.ProfileChange, err error) {
	if c.DisplayName, err = f.text("display_name"); err != nil {
		return c, err
	}
	if f.null("display_name") {
		c.DisplayName = new(string)
	}
	if f["metadata"] != nil {
		c.Metadata = new(map[string]any)
		err = f.read("metadata", c.Metadata, "an object")
	}
	return c, err
}

func (a *API) mailboxes(c *call) error {
	var q service.MailboxQuery
	err := c.params.texts(named{"status", &q.Status}, named{"query", &q.Query})
	if err != nil {
		return err
	}
	if q.Page, err = c.params.page(); err != nil {
		return err
	}
	list, err := a.svc.Mailboxes(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	rows := make([]api.Mailbox, len(list.Items))
	for i, m := range list.Items {
		rows[i] = wire.NewListedMailbox(m.Mailbox, m.Holding)
	}
	return a.answer(c, http.StatusOK, wire.NewMailboxes(rows, list.Next))
}
