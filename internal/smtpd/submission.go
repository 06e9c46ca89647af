package smtpd

import (
	"context"
	"io"
	"net/netip"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Submitter decides about mail that is handed in to be sent (RFC 6409): who may, in whose name, and to whom. Its errors
// are as those of a Backend.
type Submitter interface {
	// Login finds whose key this is. The user is an address of its mailbox. An error of kind Limited means that too
	// many log-ins of this client have failed.
	Login(ctx context.Context, client netip.Addr, user string, key mailbox.Secret) (mailbox.Caller, error)

	// Sender tells whether who may send from an address now, which is empty for the null sender.
	Sender(ctx context.Context, who mailbox.Caller, from string) error

	// Addressee returns a recipient in the one spelling that all its spellings have, if who may send to it, else why
	// not.
	Addressee(ctx context.Context, who mailbox.Caller, address string) (string, error)

	// Submit reads message to its end and returns when it is durable for all of env.Recipients. An error means that it
	// is sent to nobody. It may return an error before it has read everything.
	Submit(ctx context.Context, who mailbox.Caller, env mailbox.Envelope, message io.Reader) (mailbox.Receipt, error)
}

// NewSubmission makes a server that takes mail to be sent, from those who have logged in. It starts nothing: Serve
// does.
func NewSubmission(cfg Config, b Submitter) *Server {
	if cfg.MaxRecipients == 0 {
		cfg.MaxRecipients = mailbox.DefaultLimits().Recipients
	}
	most := cfg.MaxRecipients // RFC 5321's least number of recipients is for servers that relay
	cfg.LMTP = false
	s := New(cfg, nil)
	s.cfg.MaxRecipients = most
	s.submitter = b
	return s
}

// submits tells whether this is the door for mail to be sent.
func (s *session) submits() bool { return s.srv.submitter != nil }

// mayLogin tells whether a key may be sent over this connection as it is.
func (s *session) mayLogin() bool {
	return s.secure || s.srv.cfg.AnyLogin || s.srv.cfg.PlainAuthLoopback && s.addr.IsLoopback()
}

// mustLogin tells whether the client has to log in before it can send, and the reply that says so.
func (s *session) mustLogin() (no reply, must bool) {
	switch {
	case !s.submits() || s.who != nil:
		return reply{}, false
	case !s.mayLogin():
		return replyTLSFirst, true
	}
	return replyLoginFirst, true
}

// refuseSender asks whether the client may send in this name. The reply counts where it may not.
func (s *session) refuseSender(ctx context.Context, tx *transaction) (no reply, refused bool) {
	if !s.submits() {
		return reply{}, false
	}
	err := s.srv.submitter.Sender(ctx, *s.who, tx.from)
	if err == nil {
		return reply{}, false
	}
	s.logError("MAIL", err)
	no = s.replyFor(err, stageMail, tx.utf8)
	s.traceRefused(stageMail, tx.from, "", no)
	return no, true
}

// addAddressee is addRecipient for mail that is sent: each recipient counts once, however it is written.
func (s *session) addAddressee(ctx context.Context, address string) error {
	tx := s.tx
	key, err := s.srv.submitter.Addressee(ctx, *s.who, address)
	if err != nil {
		return s.refuseRecipient(address, err)
	}
	if _, known := tx.known[key]; known {
		return s.say(replyRecipient)
	}
	if len(tx.rcpts) >= s.srv.cfg.MaxRecipients {
		s.reject(stageRcpt, address, replyTooManyRcpts)
		return s.say(replyTooManyRcpts)
	}
	tx.add(key, mailbox.Recipient{Address: address})
	return s.say(replyRecipient)
}

// receiver is what becomes of the message that is coming, bound to what the session knows now: it may run alongside it.
func (s *session) receiver() func(context.Context, io.Reader) ([]mailbox.Receipt, error) {
	env := s.envelope()
	if !s.submits() {
		return func(ctx context.Context, message io.Reader) ([]mailbox.Receipt, error) {
			return s.srv.backend.Receive(ctx, env, message)
		}
	}
	who := *s.who
	return func(ctx context.Context, message io.Reader) ([]mailbox.Receipt, error) {
		receipt, err := s.srv.submitter.Submit(ctx, who, env, message)
		if err != nil {
			return nil, err
		}
		return slices.Repeat([]mailbox.Receipt{receipt}, len(env.Recipients)), nil
	}
}
