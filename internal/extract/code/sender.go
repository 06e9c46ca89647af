package code

import (
	"strings"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// sender is who a mail is from, in lower case, as far as it was asked for.
type sender struct {
	address, name string
	known         bool
	worth         float64 // -1: not asked for
}

func newSender(m *Mail) sender {
	return sender{address: clip(m.From), name: clip(m.FromName), worth: -1}
}

func clip(s string) string { return s[:min(len(s), maxHeader)] }

func (s *sender) lower() {
	if !s.known {
		s.address, s.name, s.known = strings.ToLower(s.address), strings.ToLower(s.name), true
	}
}

// points is what the sender's name and address add: such mail comes from accounts made for it.
func (s *sender) points() float64 {
	if s.worth >= 0 {
		return s.worth
	}
	s.lower()
	s.worth = 0
	for _, w := range [...]string{
		"account", "auth", "do-not-reply", "donotreply", "login", "no-reply", "noreply", "otp", "security", "signin",
		"sso", "verif",
	} {
		if strings.Contains(s.address, w) || strings.Contains(s.name, w) {
			s.worth = 0.25
			break
		}
	}
	return s.worth
}

// is says whether a token is but the sender's name: N26, AUTH0.
func (s *sender) is(t *token) bool {
	if t.shape != shapeMixed && t.shape != shapeLetters {
		return false
	}
	s.lower()
	var low [16]byte // no token of these shapes is longer
	n := copy(low[:], t.code)
	for i := range n {
		low[i] = lexicon.Lowered[low[i]]
	}
	code := string(low[:n])
	return strings.Contains(s.name, code) || strings.Contains(s.address, code)
}

// has says whether a word is in the sender's name or address.
func (s *sender) has(word []byte) bool {
	s.lower()
	low := strings.ToLower(string(word))
	return strings.Contains(s.name, low) || strings.Contains(s.address, low)
}
