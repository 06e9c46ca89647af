package client

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
)

const mailboxPath = "/v1/mailbox"

// webhookChange sets the webhook of a mailbox; the empty URL is null, and ends it.
func webhookChange(url string) map[string]api.NullString {
	return map[string]api.NullString{"webhook_url": api.NullString(url)}
}

// Mailbox is the mailbox itself: address, aliases, status, webhook.
func (c *Client) Mailbox(ctx context.Context) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, get(mailboxPath, nil))
}

// SetWebhook has events posted to a URL; the empty one ends that. Setting it, even to the same, revives a webhook that
// failed.
func (c *Client) SetWebhook(ctx context.Context, url string) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath, webhookChange(url)))
}

// SetDisplayName sets the name in From; the empty one takes it away.
func (c *Client) SetDisplayName(ctx context.Context, name string) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath,
		map[string]string{"display_name": name}))
}

// SetMetadata sets these members of the mailbox's metadata, and takes away those that are nil; a nil map takes all
// away.
func (c *Client) SetMetadata(ctx context.Context, members map[string]any) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath,
		map[string]map[string]any{"metadata": members}))
}

// SetUndo has every message wait for up to 300 seconds before it is sent, so that it can be canceled. It needs the
// operator's credential, or a key with the capability control.
func (c *Client) SetUndo(ctx context.Context, seconds int) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath,
		map[string]int{"undo_seconds": seconds}))
}

// SetBrakes switches the brakes of the mailbox on or off; nil has them as the deployment says. It needs the operator's
// credential, or a key with the capability control.
func (c *Client) SetBrakes(ctx context.Context, on *bool) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath, map[string]*bool{"brakes": on}))
}

// TestMail sends the mailbox a mail through the SMTP server of the service, as mail from strangers comes.
func (c *Client) TestMail(ctx context.Context) (*api.TestMail, error) {
	return fetch[api.TestMail](ctx, c, post(mailboxPath+"/test-mail", nil))
}

// ResumeSending lets the mailbox send again that the brakes stopped. It needs what SetBrakes needs.
func (c *Client) ResumeSending(ctx context.Context) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, post(mailboxPath+"/resume-sending", nil))
}

// SetSendPolicy says which messages of the mailbox a person has to approve before they are sent: none ("open"), all
// ("review_all"), and so on. It needs the operator's credential, or a key with the capability control.
func (c *Client) SetSendPolicy(ctx context.Context, policy string) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath, texts{"send_policy": policy}))
}

// SetReceiveAction decides what is done with mail that the receiving lists do not let in: refuse, quarantine, or with
// the empty text what the deployment does. It needs what SetUndo needs.
func (c *Client) SetReceiveAction(ctx context.Context, action string) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath,
		map[string]api.NullString{"receive_action": api.NullString(action)}))
}

// SetLimits changes how much the mailbox may hold and do, and for how long it keeps mail. It needs the operator's
// credential, or a key with the capability control.
func (c *Client) SetLimits(ctx context.Context, limits api.LimitsChange) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath,
		map[string]api.LimitsChange{"limits": limits}))
}

// ResetLimits has the mailbox's limits be the deployment's defaults again. It needs what SetLimits does.
func (c *Client) ResetLimits(ctx context.Context) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath, map[string]any{"limits": nil}))
}

// SetReviewers says who is told by mail of messages that wait for approval, at most ten addresses; none has it be those
// of the deployment. It needs what SetSendPolicy needs.
func (c *Client) SetReviewers(ctx context.Context, addresses ...string) (*api.MailboxRecord, error) {
	if addresses == nil {
		addresses = []string{}
	}
	return fetch[api.MailboxRecord](ctx, c, change(http.MethodPatch, mailboxPath,
		map[string][]string{"reviewers": addresses}))
}

// DeleteMailbox deletes the mailbox, its keys and all its mail, at once and for good. An operator must name it: see
// For.
func (c *Client) DeleteMailbox(ctx context.Context) (*api.DeletedMailbox, error) {
	return fetch[api.DeletedMailbox](ctx, c, change(http.MethodDelete, mailboxPath, nil))
}

// Pause has the mailbox refuse every request but Resume, and puts its mail off. The reason may be empty.
func (c *Client) Pause(ctx context.Context, reason string) (*api.PausedMailbox, error) {
	return fetch[api.PausedMailbox](ctx, c, change(http.MethodPatch, mailboxPath+"/pause", texts{"reason": reason}))
}

// Resume ends a pause. What the operator paused only the operator resumes.
func (c *Client) Resume(ctx context.Context) (*api.ResumedMailbox, error) {
	return fetch[api.ResumedMailbox](ctx, c, change(http.MethodPatch, mailboxPath+"/resume", nil))
}
