package smtpd

import (
	"context"
	"strconv"
	"strings"
)

// verbMax is the longest verb we know, STARTTLS.
const verbMax = 8

// command is how a verb is obeyed. The handler's error ends the session.
type command struct {
	run  func(s *session, ctx context.Context, args string) error
	mode mode
	bare bool // takes no argument
}

type mode uint8

const (
	always mode = iota
	onlySMTP
	onlyLMTP
)

// commands is every verb that is answered with something else than 500.
var commands = map[string]command{
	"HELO":     {run: (*session).hello, mode: onlySMTP},
	"EHLO":     {run: (*session).extendedHello, mode: onlySMTP},
	"LHLO":     {run: (*session).extendedHello, mode: onlyLMTP},
	"MAIL":     {run: (*session).mail},
	"RCPT":     {run: (*session).rcpt},
	"DATA":     {run: (*session).data, bare: true},
	"BDAT":     {run: (*session).bdat},
	"RSET":     {run: (*session).rset, bare: true},
	"STARTTLS": {run: (*session).startTLS, bare: true},
	"NOOP":     answer(replyOK),
	"HELP":     answer(replyHelp),
	"VRFY":     {run: (*session).verify},
	"QUIT":     {run: (*session).quit, bare: true},
	"EXPN":     refuse(replyNotImplemented),
	"AUTH":     {run: (*session).auth},
}

// extensions is what EHLO and LHLO offer: each line, or nothing.
var extensions = []func(*session) string{
	fixed("PIPELINING"),
	func(s *session) string { return "SIZE " + strconv.FormatInt(s.srv.cfg.MaxSize, 10) },
	func(s *session) string {
		if s.srv.tls == nil || s.secure {
			return ""
		}
		return "STARTTLS"
	},
	fixed("8BITMIME"),
	fixed("SMTPUTF8"),
	fixed("CHUNKING"),
	func(s *session) string {
		if !s.takesLogin() || !s.mayLogin() {
			return ""
		}
		return "AUTH PLAIN LOGIN"
	},
	fixed("ENHANCEDSTATUSCODES"),
}

// httpMethods begin a request that a browser was tricked into sending here; its body may hold SMTP commands.
var httpMethods = map[string]bool{
	"GET": true, "POST": true, "HEAD": true, "PUT": true, "PATCH": true, "DELETE": true, "OPTIONS": true,
	"CONNECT": true, "TRACE": true,
}

func fixed(line string) func(*session) string { return func(*session) string { return line } }

func answer(r reply) command {
	return command{run: func(s *session, _ context.Context, _ string) error { return s.say(r) }}
}

func refuse(r reply) command {
	return command{run: func(s *session, _ context.Context, _ string) error { return s.protest(r) }}
}

// splitVerb takes the verb, in capitals, from the front of a line.
func splitVerb(line string) (verb, args string) {
	verb, args, _ = strings.Cut(strings.TrimRight(line, " "), " ")
	return strings.ToUpper(verb), args
}

// obey runs one command line.
func (s *session) obey(ctx context.Context, line string) error {
	verb, args := splitVerb(line)
	cmd, known := commands[verb]
	switch {
	case httpMethods[verb]:
		return s.end(replyNotHTTP)
	case !known || cmd.mode == onlySMTP && s.srv.cfg.LMTP || cmd.mode == onlyLMTP && !s.srv.cfg.LMTP:
		return s.protest(replyUnknown)
	case cmd.bare && args != "":
		return s.protest(replyNoArgument)
	}
	return cmd.run(s, ctx, args)
}

func (s *session) hello(_ context.Context, args string) error {
	if !s.greet(args) {
		return s.protest(replyNeedArgument)
	}
	s.extended = false
	return s.say(reply{250, "", s.srv.cfg.Hostname})
}

func (s *session) extendedHello(_ context.Context, args string) error {
	if !s.greet(args) {
		return s.protest(replyNeedArgument)
	}
	s.extended = true
	lines := []string{s.srv.cfg.Hostname}
	for _, ext := range extensions {
		if line := ext(s); line != "" {
			lines = append(lines, line)
		}
	}
	s.wire.sayLines(250, lines)
	return nil
}

// greet takes the client's name and resets the session (RFC 5321 4.1.4).
// QUIRK: the name is not checked: machines call themselves anything, and 4.1.4 forbids to refuse mail for it.
func (s *session) greet(args string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(args, " "), " ")
	if name == "" || len(name) > domainMax {
		return false
	}
	s.reset()
	s.helo, s.name = name, name
	return true
}

func (s *session) rset(context.Context, string) error {
	s.reset()
	return s.say(replyOK)
}

// verify tells nothing (RFC 5321 7.3).
func (s *session) verify(_ context.Context, args string) error {
	if args == "" {
		return s.protest(replyNeedArgument)
	}
	return s.say(replyVerify)
}

func (s *session) quit(context.Context, string) error {
	s.wire.say(replyBye)
	return errEnded
}
