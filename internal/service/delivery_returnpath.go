package service

import (
	"crypto/subtle"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Every delivery has a return path of its own, bounce+<delivery>.<mac>@<domain>, and every message we make a Message-ID
// that ends in a mac too. Whoever does not know the path cannot bounce the delivery; the Message-ID, which all
// recipients know, only says what a complaint is about (API 7).

const (
	returnPrefix = "bounce+"
	macBytes     = 10 // 80 bits, which can only be tried out on us
)

// sign returns the mac of an id for a purpose, in hexadecimal.
func sign(root mailbox.Secret, purpose string, id mailbox.ID) string {
	sum := derive(root, purpose, string(id[:]))
	return hex.EncodeToString(sum[:macBytes])
}

// token is an id with its mac.
func (s *Service) token(purpose string, id mailbox.ID) string {
	return hex.EncodeToString(id[:]) + "." + sign(s.secrets().root, purpose, id)
}

// readToken returns the id of a token whose mac is right.
func (s *Service) readToken(purpose, token string) (id mailbox.ID, ok bool) {
	name, mac, found := strings.Cut(strings.ToLower(token), ".")
	if !found || len(name) != 2*len(id) {
		return id, false
	}
	if _, err := hex.Decode(id[:], []byte(name)); err != nil {
		return id, false
	}
	for _, root := range s.roots() {
		ok = ok || subtle.ConstantTimeCompare([]byte(mac), []byte(sign(root, purpose, id))) == 1
	}
	return id, ok
}

const (
	forReturn    = "return path"
	forMessageID = "message id"
)

// returnPath is the envelope sender of a delivery of mail from an address.
func (s *Service) returnPath(d mailbox.Delivery, from string) string {
	_, domain := split(from)
	return returnPrefix + s.token(forReturn, d.ID()) + "@" + domain
}

// returned returns the delivery whose return path an address is.
func (s *Service) returned(address string) (mailbox.ID, bool) {
	local, _ := split(address)
	token, ok := strings.CutPrefix(local, returnPrefix)
	if !ok {
		return mailbox.ID{}, false
	}
	return s.readToken(forReturn, token)
}

// newMessageID is the Message-ID, without angle brackets, of a message that is sent from an address.
func (s *Service) newMessageID(id mailbox.ID, from string) string {
	_, domain := split(from)
	return s.token(forMessageID, id) + "@" + domain
}

// ownMessage returns the message that has a Message-ID of our making.
func (s *Service) ownMessage(messageID string) (mailbox.ID, bool) {
	token, _, _ := strings.Cut(messageID, "@")
	return s.readToken(forMessageID, token)
}

var returnPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bbounce\+([0-9a-f]{32}\.[0-9a-f]{20})@`)
})

// returnIn finds a return path of ours inside a text.
func (s *Service) returnIn(text []byte) (mailbox.ID, bool) {
	for _, m := range returnPattern().FindAllSubmatch(text, 10) {
		if id, ok := s.readToken(forReturn, string(m[1])); ok {
			return id, true
		}
	}
	return mailbox.ID{}, false
}
