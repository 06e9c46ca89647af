package sender

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// maxSignatures is how many signatures of a mail are checked. Those that may be the author's come first.
const maxSignatures = 8

// message is a mail whose signatures are checked: keys first, then the header, then the body.
type message struct {
	raw        io.ReaderAt
	size       int64
	head       head
	unreadable bool
	signatures []*signature
}

func readMessage(raw io.ReaderAt, size int64, now time.Time) *message {
	m := &message{raw: raw, size: size}
	if raw == nil || size <= 0 {
		return m
	}
	var err error
	if m.head, err = readHead(raw, size); err != nil {
		m.unreadable = true
		return m
	}
	for i, f := range m.head.fields {
		if f.name != "dkim-signature" {
			continue
		}
		if m.head.broken {
			m.signatures = []*signature{{verdict: permerror}}
			break
		}
		m.signatures = append(m.signatures, parseSignature(f.raw, i, now))
	}
	return m
}

// findKeys looks up the keys of the signatures that will be checked.
func (m *message) findKeys(ctx context.Context, resolver *dns.Resolver, author string) {
	slices.SortStableFunc(m.signatures, func(a, b *signature) int { return a.rank(author) - b.rank(author) })
	m.signatures = m.signatures[:min(len(m.signatures), maxSignatures)]
	var open []*signature
	var qs []dns.Question
	for _, s := range m.signatures {
		if s.verdict == "" {
			open = append(open, s)
			qs = append(qs, dns.Question{Name: s.selector + "._domainkey." + s.domain, Type: dns.TXT})
		}
	}
	if len(qs) == 0 {
		return
	}
	for i, a := range resolver.LookupAll(ctx, qs...) {
		open[i].record = a
	}
}

// rank puts the author's own signatures before those of others, and both before those that are not valid.
func (s *signature) rank(author string) int {
	switch {
	case s.verdict != "":
		return 2
	case author != "" && (isWithin(s.domain, author) || isWithin(author, s.domain)):
		return 0
	}
	return 1
}

// verifyHeader checks the signatures against their keys and the header. Those that hold still have no verdict.
func (m *message) verifyHeader() {
	for _, s := range m.signatures {
		if s.verdict == "" {
			s.key, s.verdict = keyOf(s.record, s)
		}
		if s.verdict != "" {
			continue
		}
		h := sha256.New()
		m.head.hashFields(h, s.names, s.field, s.relaxedHead)
		h.Write(canonField(nil, s.bare, s.relaxedHead))
		if !s.key.verifies(h.Sum(nil), s.value) {
			s.settle(fail)
		}
	}
}

// settle sets the verdict. In the test of a key, failures are as if there were no signature (RFC 6376 3.6.1).
func (s *signature) settle(verdict string) {
	if verdict == fail && s.key.testing {
		verdict = none
	}
	s.verdict = verdict
}

// verifyBody checks what is left against the body.
func (m *message) verifyBody(ctx context.Context) {
	var simple, relaxed bool
	for _, s := range m.signatures {
		simple = simple || s.verdict == "" && !s.relaxedBody
		relaxed = relaxed || s.verdict == "" && s.relaxedBody
	}
	if !simple && !relaxed {
		return
	}
	size := m.size - m.head.size
	sums, err := hashBody(ctx, io.NewSectionReader(m.raw, m.head.size, size), m.head, size, simple, relaxed)
	for _, s := range m.signatures {
		switch {
		case s.verdict != "":
		case err != nil:
			s.verdict = temperror
		case s.relaxedBody:
			s.settle(s.ofBody(sums[1]))
		default:
			s.settle(s.ofBody(sums[0]))
		}
	}
}

// ofBody is the verdict on a body. With l= anybody could have added to it (RFC 6376 8.2): where something follows what
// was signed, the signature says nothing about what is read.
func (s *signature) ofBody(sum bodySum) string {
	switch {
	case s.length > sum.length:
		return permerror
	case s.length >= 0 && s.length < sum.length:
		return neutral
	case subtle.ConstantTimeCompare(sum.hash, s.bodyHash) == 1:
		return pass
	}
	return fail
}

// verdict is that of the best signature; one whose key could not be had might have been it.
func (m *message) verdict() string {
	if m.unreadable {
		return temperror
	}
	for _, v := range []string{pass, temperror, fail, neutral, permerror} {
		if slices.ContainsFunc(m.signatures, func(s *signature) bool { return s.verdict == v }) {
			return v
		}
	}
	return none
}

// domains are those that may turn out to have signed, in the order of their signatures.
func (m *message) domains() []string {
	var out []string
	for _, s := range m.signatures {
		if (s.verdict == "" || s.verdict == temperror) && !slices.Contains(out, s.domain) {
			out = append(out, s.domain)
		}
	}
	return out
}

// passed are the domains that signed.
func (m *message) passed() []string {
	var out []string
	for _, s := range m.signatures {
		if s.verdict == pass && !slices.Contains(out, s.domain) {
			out = append(out, s.domain)
		}
	}
	return out
}
