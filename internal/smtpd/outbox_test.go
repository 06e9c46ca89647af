package smtpd

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// outbox is a Submitter that keeps what it gets. Its user is robin@mx.test, also known as wren@mx.test, with the
// key "right".
type outbox struct {
	mu     sync.Mutex
	stored []letter
	logins []string
	submit func(ctx context.Context, message io.Reader) error
}

// outbox's refusals by the local part of the recipient, or of the name at login.
var outboxRefusals = map[string]error{
	"suppressed": mailbox.Errorf(mailbox.NoSuchRecipient, "recipient_suppressed",
		"This address is on the suppression list."),
	"malformed": mailbox.Errorf(mailbox.Invalid, "invalid_to", "This is not an address."),
	"broken":    errors.New("disk on fire"),
	"paused":    mailbox.Errorf(mailbox.Paused, "paused", "Mailbox is paused"),
	"often":     mailbox.Errorf(mailbox.Limited, "auth_rate_limited", "Too many wrong keys came from this address."),
	"limited":   mailbox.Errorf(mailbox.Limited, "daily_send_limit", "Daily send limit reached (1/1)"),
}

func (d *outbox) Login(_ context.Context, _ netip.Addr, user string, key mailbox.Secret) (mailbox.Caller, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.logins = append(d.logins, user)
	local, _, _ := strings.Cut(user, "@")
	switch {
	case outboxRefusals[local] != nil:
		return mailbox.Caller{}, outboxRefusals[local]
	case !strings.EqualFold(user, "robin@mx.test") || string(key) != "right":
		return mailbox.Caller{}, mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "Unauthorized")
	}
	return mailbox.Caller{Scope: mailbox.Permanent, Mailbox: mailbox.Mailbox{Address: "robin@mx.test",
		Aliases: []string{"wren@mx.test"}}}, nil
}

func (d *outbox) Sender(_ context.Context, who mailbox.Caller, from string) error {
	local, _, _ := strings.Cut(from, "@")
	switch {
	case outboxRefusals[local] != nil:
		return outboxRefusals[local]
	case !who.Mailbox.Owns(strings.ToLower(from)):
		return mailbox.Errorf(mailbox.Forbidden, "foreign_sender", "This is not one of your addresses.")
	}
	return nil
}

func (d *outbox) Addressee(_ context.Context, _ mailbox.Caller, address string) (string, error) {
	local, _, _ := strings.Cut(address, "@")
	return strings.ToLower(address), outboxRefusals[local]
}

func (d *outbox) Submit(ctx context.Context, who mailbox.Caller, env mailbox.Envelope, message io.Reader) (
	mailbox.Receipt, error) {
	if d.submit != nil {
		if err := d.submit(ctx, message); err != nil {
			return mailbox.Receipt{}, err
		}
	}
	body, err := io.ReadAll(message)
	if err != nil {
		return mailbox.Receipt{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stored = append(d.stored, letter{env, who.Mailbox.Address + " " + string(body)})
	return mailbox.Receipt{ID: testID(len(d.stored) - 1), Held: strings.Contains(string(body), "Subject: held")}, nil
}
