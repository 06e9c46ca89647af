package smtpd

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// transaction is the envelope of the message that is coming.
type transaction struct {
	from string
	utf8 bool
	size int64

	// rcpts has each address once; known finds it again, and order says for each accepted RCPT which one it was,
	// because LMTP answers every RCPT and not every address (RFC 2033 4.2).
	rcpts []mailbox.Recipient
	known map[string]int
	order []int
}

// The stages of mailbox.Reject.
const (
	stageRcpt = "rcpt"
	stageData = "data"

	// Stages of submission, at which nothing is refused that was sent to anyone yet.
	stageAuth = "auth"
	stageMail = "mail"
)

func (s *session) mail(ctx context.Context, args string) error {
	login, must := s.mustLogin()
	switch {
	case s.helo == "":
		return s.protest(replyHelloFirst)
	case must:
		return s.protest(login)
	case s.chunks != nil:
		return s.protest(replyInChunks)
	case s.tx != nil:
		return s.protest(replyMailAlready)
	case s.srv.cfg.MaxMessages > 0 && s.messages >= s.srv.cfg.MaxMessages:
		return s.end(replyTooManyMails)
	}
	rest, ok := cutFold(args, "FROM:")
	from, params, valid := parsePath(rest)
	if !ok || !valid {
		return s.protest(replySenderForm)
	}
	tx := &transaction{from: from}
	switch no, ok := tx.mailParams(params, s.srv.cfg.MaxSize, s.takesLogin()); {
	case !ok && no.code == kindReplies[mailbox.TooLarge].code:
		return s.say(no)
	case !ok:
		return s.protest(no)
	case !tx.utf8 && !isASCII(from):
		return s.protest(replyNeedUTF8)
	}
	if no, refused := s.refuseSender(ctx, tx); refused {
		return s.protest(no)
	}
	if no, fails := s.fault(mailbox.ChaosSender); fails {
		return s.say(no)
	}
	s.tx = tx
	return s.say(replySender)
}

func (s *session) rcpt(ctx context.Context, args string) error {
	switch {
	case s.tx == nil:
		return s.protest(replyMailFirst)
	case s.chunks != nil:
		return s.protest(replyInChunks)
	}
	rest, ok := cutFold(args, "TO:")
	address, params, valid := parsePath(rest)
	switch {
	case !ok || !valid || !recipientForm(address):
		return s.protest(replyRecipientForm)
	case strings.TrimSpace(params) != "":
		return s.protest(replyParamUnknown)
	case !s.tx.utf8 && !isASCII(address):
		return s.protest(replyNeedUTF8)
	}
	if no, fails := s.fault(mailbox.ChaosRecipient); fails {
		s.reject(stageRcpt, address, no)
		return s.say(no)
	}
	if s.submits() {
		return s.addAddressee(ctx, address)
	}
	return s.addRecipient(ctx, address)
}

// recipientForm tells whether the address says where: only postmaster needs no domain (RFC 5321 4.5.1).
func recipientForm(address string) bool {
	local, _, hasDomain := splitAddress(address)
	return hasDomain || strings.EqualFold(local, "postmaster")
}

func (s *session) addRecipient(ctx context.Context, address string) error {
	tx := s.tx
	key := recipientKey(address)
	i, known := tx.known[key]
	if len(tx.order) >= s.srv.cfg.MaxRecipients {
		s.reject(stageRcpt, address, replyTooManyRcpts)
		return s.say(replyTooManyRcpts)
	}
	if !known {
		rcpt, err := s.srv.backend.Recipient(ctx, address)
		if err == nil {
			err = s.welcome(ctx, address)
		}
		if err != nil {
			return s.refuseRecipient(address, err)
		}
		if !s.srv.cfg.LMTP && tx.parts(rcpt) {
			return s.say(replyApart)
		}
		tx.add(key, rcpt)
		return s.say(replyRecipient)
	}
	tx.order = append(tx.order, i)
	return s.say(replyRecipient)
}

// welcome refuses a client whose mail is not taken. It is asked once a session. The postmaster can be reached by
// everybody (RFC 5321 4.5.1), also to ask why.
func (s *session) welcome(ctx context.Context, address string) error {
	if local, _, _ := splitAddress(address); s.srv.cfg.Welcome == nil || strings.EqualFold(local, "postmaster") {
		return nil
	}
	if !s.asked {
		s.unwelcome, s.asked = s.srv.cfg.Welcome(ctx, s.remote()), true
	}
	return s.unwelcome
}

// parts tells whether a recipient has to get a message of its own: one that is refused for one mailbox and stored for
// another cannot be answered with one reply. Whoever is put off so sends it apart (RFC 5321 4.5.3.1.10).
func (tx *transaction) parts(rcpt mailbox.Recipient) bool {
	return slices.ContainsFunc(tx.rcpts, func(r mailbox.Recipient) bool {
		return (r.Alone || rcpt.Alone) && r.Mailbox.Num != rcpt.Mailbox.Num
	})
}

// add puts in a recipient that was not there yet.
func (tx *transaction) add(key string, rcpt mailbox.Recipient) {
	if tx.known == nil {
		tx.known = map[string]int{}
	}
	tx.known[key] = len(tx.rcpts)
	tx.order = append(tx.order, len(tx.rcpts))
	tx.rcpts = append(tx.rcpts, rcpt)
}

// recipientKey is equal for addresses that are the same whatever the local part's rules are (RFC 5321 2.4).
func recipientKey(address string) string {
	local, domain, _ := splitAddress(address)
	return local + "@" + strings.ToLower(domain)
}

// refuseRecipient answers with the Backend's reason. Someone who tries out names is stopped at some point.
func (s *session) refuseRecipient(address string, err error) error {
	s.logError("RCPT", err)
	r := s.replyFor(err, stageRcpt, s.tx.utf8)
	s.reject(stageRcpt, address, r)
	if r.class() == 5 {
		s.refused++
	}
	if s.refused > 5*s.srv.cfg.MaxErrors {
		return s.end(replyTooManyErrors)
	}
	return s.say(r)
}

// reject reports and counts a refused recipient. Whoever sends mail is told directly, and nobody else.
func (s *session) reject(stage, address string, r reply) {
	if r.class() == 4 {
		s.srv.count.rejected4.Add(1)
	} else {
		s.srv.count.rejected5.Add(1)
	}
	s.rejected++
	s.traceRefused(stage, s.tx.from, address, r)
	if s.submits() {
		return
	}
	s.srv.backend.Rejected(mailbox.Reject{
		At: time.Now(), Stage: stage, Sender: s.tx.from, Recipient: address, Remote: s.remote(), Reply: r.String(),
	})
}

func (s *session) envelope() mailbox.Envelope {
	env := mailbox.Envelope{
		Trace: mailbox.Trace{From: s.tx.from, Remote: s.remote(), Helo: s.helo, Proto: s.proto(),
			TLS: s.wire.security()},
		Recipients: s.tx.rcpts,
		Size:       s.tx.size,
	}
	if s.user != nil {
		env.Captured = &mailbox.Capture{User: *s.user}
	}
	return env
}

// cutFold takes prefix, in any case, from the front of s.
func cutFold(s, prefix string) (string, bool) {
	s = strings.TrimLeft(s, " ")
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}
