package sender

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// signingKeys are made once: RSA takes a while.
var signingKeys = sync.OnceValue(func() map[string]*Key {
	keys := map[string]*Key{}
	for _, kind := range []string{RSA, Ed25519} {
		text, err := NewKey(kind)
		if err != nil {
			panic(err)
		}
		if keys[kind], err = ParseKey(text); err != nil {
			panic(err)
		}
	}
	return keys
})

// testSigner signs for example.com with both kinds, the selectors of which have their names.
func testSigner(t testing.TB, kinds ...string) *Signer {
	t.Helper()
	if kinds == nil {
		kinds = []string{Ed25519, RSA}
	}
	var keys []SigningKey
	for _, kind := range kinds {
		keys = append(keys, SigningKey{"s-" + kind, signingKeys()[kind]})
	}
	s, err := NewSigner("example.com", keys...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// signZone has the records of the keys that a signer has.
func signZone(t testing.TB, s *Signer) *zone {
	t.Helper()
	z := newZone(t)
	for _, k := range s.keys {
		z.text(k.Selector+"._domainkey."+s.domain, Record(k.Key))
	}
	return z
}

var signTime = time.Date(2026, 11, 3, 10, 11, 12, 0, time.UTC)

// mustSign puts the signatures before a mail.
func (s *Signer) mustSign(t testing.TB, mail string) string {
	t.Helper()
	fields, err := s.Sign(strings.NewReader(mail), int64(len(mail)), signTime)
	if err != nil {
		t.Fatalf("%v for %q", err, mail)
	}
	return string(fields) + mail
}

// ownVerdicts are those of this package's verifier, a signature each.
func ownVerdicts(t testing.TB, c *Checker, raw string) []string {
	t.Helper()
	m := readMessage(strings.NewReader(raw), int64(len(raw)), signTime)
	m.findKeys(t.Context(), c.dns, "example.com")
	m.verifyHeader()
	m.verifyBody(t.Context())
	var out []string
	for _, s := range m.signatures {
		out = append(out, s.verdict)
	}
	return out
}

// otherVerdicts are those of another library.
func otherVerdicts(t testing.TB, s *Signer, raw string) []string {
	t.Helper()
	records := map[string][]string{}
	for _, k := range s.keys {
		records[k.Selector+"._domainkey."+s.domain] = []string{Record(k.Key)}
	}
	found, err := dkim.VerifyWithOptions(strings.NewReader(raw), &dkim.VerifyOptions{
		LookupTXT: func(name string) ([]string, error) { return records[name], nil },
	})
	if err != nil {
		t.Fatalf("%v for %q", err, raw)
	}
	var out []string
	for _, v := range found {
		if v.Err != nil {
			out = append(out, fail)
		} else {
			out = append(out, pass)
		}
	}
	return out
}

// mailMaker makes up mails with whatever canonical forms differ in.
type mailMaker struct{ *rand.Rand }

func (m mailMaker) pick(from ...string) string { return from[m.IntN(len(from))] }

// words are some with blanks between and around them.
func (m mailMaker) words(ends ...string) string {
	var b strings.Builder
	for range m.IntN(6) {
		b.WriteString(m.pick("a", "Hello", "=20", "", ".", "x:y;z", "grüße", "\xa0", "\xff\xfe", "\u2003", "\u0085",
			"\x00", "\x0b\x0c", "b=1;"))
		b.WriteString(m.pick(append(ends, "", " ", "  ", "\t", " \t ")...))
	}
	return b.String()
}

func (m mailMaker) mail() string {
	var b strings.Builder
	b.WriteString(m.pick("From", "from", "FROM", "From ") + ": " + m.words() + "<ann@example.com>" + m.words("\r\n ",
		"\r\n\t") + "\r\n")
	for range m.IntN(12) {
		name := m.pick("To", "CC", "Subject", "subject", "Date", "Message-Id", "Reply-To", "In-Reply-To", "References",
			"MIME-Version",
			"Content-Type", "Content-Transfer-Encoding", "List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted",
			"X-Other", "Received", "From")
		b.WriteString(name + m.pick(":", ": ", " :", ":\t", ":\r\n ") + m.words("\r\n ", "\r\n\t ", " \r\n ") +
			m.pick("", " ", "x") + "\r\n")
	}
	b.WriteString("\r\n")
	for range m.IntN(8) {
		b.WriteString(m.words() + m.pick("\r\n", "\r\n", "\r\n\r\n", "\r\n \r\n", " \r\n", "\t\r\n\r\n\r\n",
			strings.Repeat("long ", 900)+"\r\n"))
	}
	if m.IntN(4) == 0 {
		b.WriteString(m.words())
	}
	return b.String()
}
