package smtpd

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// maxLogins is how many wrong keys a connection may send.
const maxLogins = 3

// mechanisms are the ways to log in (RFC 4954). Each gets the client's first response, if that came with the command,
// and returns the name and key that were sent.
var mechanisms = map[string]func(s *session, first *string) (user, key string, err error){
	"PLAIN": (*session).byPlain,
	"LOGIN": (*session).byLogin,
}

// exchangeError ends an exchange in which no name and key came, with what the client is told.
type exchangeError struct{ reply reply }

func (e exchangeError) Error() string { return e.reply.String() }

// auth is RFC 4954. Neither name nor key is ever logged.
func (s *session) auth(ctx context.Context, args string) error {
	words := strings.Fields(args)
	switch {
	case !s.takesLogin():
		return s.protest(replyNotImplemented)
	case s.helo == "":
		return s.protest(replyHelloFirst)
	case s.loggedIn():
		return s.protest(replyLoginAlready)
	case s.tx != nil:
		return s.protest(replyLoginLate)
	case !s.mayLogin():
		return s.protest(replyLoginPlain)
	case len(words) == 0 || len(words) > 2:
		return s.protest(replyLoginForm)
	}
	mechanism, known := mechanisms[strings.ToUpper(words[0])]
	if !known {
		return s.protest(replyLoginUnknown)
	}
	var first *string
	if len(words) == 2 {
		first = &words[1]
	}
	user, key, err := mechanism(s, first)
	var bad exchangeError
	switch {
	case errors.As(err, &bad):
		return s.protest(bad.reply)
	case err != nil:
		return err
	}
	if s.srv.cfg.AnyLogin {
		return s.logInAnyone(user)
	}
	return s.logIn(ctx, user, mailbox.Secret(key))
}

// logInAnyone lets the client in, unless it is to fail.
func (s *session) logInAnyone(user string) error {
	if no, fails := s.fault(mailbox.ChaosAuthentication); fails {
		return s.protest(no)
	}
	s.user = &user
	return s.say(replyLoggedIn)
}

// takesLogin tells whether there is anything to log in to.
func (s *session) takesLogin() bool { return s.submits() || s.srv.cfg.AnyLogin }

func (s *session) loggedIn() bool { return s.who != nil || s.user != nil }

// logIn lets the client in, or not. A connection on which too many keys were wrong is closed, and so is one from where
// too many came.
func (s *session) logIn(ctx context.Context, user string, key mailbox.Secret) error {
	who, err := s.srv.submitter.Login(ctx, s.addr, user, key)
	if err == nil {
		s.who = &who
		return s.say(replyLoggedIn)
	}
	s.logError("AUTH", err)
	no := s.replyFor(err, stageAuth, false)
	s.wire.say(no)
	limited := mailbox.KindOf(err) == mailbox.Limited // a wrong key all the same: a right one is let in
	if limited || no.class() == 5 {
		s.logins++
	}
	if limited {
		s.linger = true
		return errEnded
	}
	if s.logins >= maxLogins {
		return s.end(replyTooManyLogins)
	}
	return nil
}

// byPlain is RFC 4616: whom to act as, name and key with NUL between them. One can only act as oneself.
func (s *session) byPlain(first *string) (user, key string, err error) {
	text, err := s.response(first, "")
	if err != nil {
		return "", "", err
	}
	parts := strings.Split(text, "\x00")
	switch {
	case len(parts) != 3:
		return "", "", exchangeError{replyLoginCoding}
	case parts[0] != "" && !strings.EqualFold(parts[0], parts[1]):
		return "", "", nil // nobody has an empty name
	}
	return parts[1], parts[2], nil
}

// byLogin is the way before PLAIN, which was never a standard and is all that some programs know: the name, then the
// key.
func (s *session) byLogin(first *string) (user, key string, err error) {
	if user, err = s.response(first, "VXNlcm5hbWU6"); err != nil { // Username:
		return "", "", err
	}
	key, err = s.response(nil, "UGFzc3dvcmQ6") // Password:
	return user, key, err
}

// response returns what the client answers to a challenge, decoded; first is an answer that came with the command.
func (s *session) response(first *string, challenge string) (string, error) {
	var coded string
	if first != nil {
		coded = *first
		if coded == "=" { // RFC 4954 4: an empty one
			return "", nil
		}
	} else {
		s.wire.say(reply{334, "", challenge})
		line, err := s.wire.line(false)
		switch {
		case errors.Is(err, errLineLong):
			return "", exchangeError{replyLoginLong}
		case errors.Is(err, errLineBare), errors.Is(err, errLineBytes):
			return "", exchangeError{replyLoginCoding}
		case errors.Is(err, errLineEndless):
			return "", s.end(replyEndless)
		case err != nil:
			return "", err
		case line == "*":
			return "", exchangeError{replyLoginCancelled}
		}
		coded = line
	}
	text, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return "", exchangeError{replyLoginCoding}
	}
	return string(text), nil
}
