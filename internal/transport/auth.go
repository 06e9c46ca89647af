package transport

import (
	"encoding/base64"
	"strings"
)

// authenticate is AUTH (RFC 4954). What goes wrong is a matter of settings and not of the mail, so it is temporary.
func (s *session) authenticate(t target) *problem {
	if s.tls == "" && !s.addr.IsLoopback() {
		return s.failed(temporary("4.7.11", "the password is not sent to %s without TLS", t.host))
	}
	var r reply
	var err error
	switch {
	case s.ext.hasAuth("PLAIN"):
		r, err = s.ask(s.times.mail, nil, "AUTH PLAIN ", plain(t))
	case s.ext.hasAuth("LOGIN"):
		r, err = s.login(t)
	default:
		return s.failed(temporary("4.7.0", "%s offers no way to log in that is known here (PLAIN, LOGIN)", t.host))
	}
	switch {
	case err != nil:
		return s.broken(err)
	case r.class() != 2:
		p := s.refused(r)
		p.Text = oneLine(t.host + " refused the user name and password: " + withoutSecret(p.Text, t))
		return p
	}
	return nil
}

// withoutSecret is what a server said, unless it repeats what it was told: some do so with what they refuse.
func withoutSecret(text string, t target) string {
	const part = 12 // of a text that may be cut off
	for _, secret := range []string{plain(t), coded(t.password), t.password} {
		if strings.Contains(text, secret[:min(len(secret), part)]) {
			return "(it repeats the password)"
		}
	}
	return text
}

// plain is the response of PLAIN (RFC 4616).
func plain(t target) string { return coded("\x00" + t.user + "\x00" + t.password) }

// login is what servers have that never learned PLAIN.
func (s *session) login(t target) (reply, error) {
	r, err := s.ask(s.times.mail, nil, "AUTH LOGIN")
	for _, answer := range []string{t.user, t.password} {
		if err != nil || r.class() != 3 {
			break
		}
		r, err = s.ask(s.times.mail, nil, coded(answer))
	}
	return r, err
}

func coded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
