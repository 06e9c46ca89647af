package smtpd

import (
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// RFC 5321 4.5.3.1 has 64 bytes for the local part, 255 for the domain.
// QUIRK: senders that encode the recipient or a forwarded sender in it (VERP, SRS) write local parts beyond 64.
const (
	localMax  = 255
	domainMax = 255
)

// parsePath reads what follows "MAIL FROM:" or "RCPT TO:" (RFC 5321 4.1.2): the address as it stands between the angle
// brackets, empty for <>, and the parameters after it. A source route is dropped, as 4.1.1.3 asks.
//
// QUIRK: spaces after the colon, and no angle brackets at all, are written by devices and scripts; both are taken.
func parsePath(s string) (address, params string, ok bool) {
	s = strings.TrimLeft(s, " ")
	bracketed := strings.HasPrefix(s, "<")
	end := byte(' ')
	if bracketed {
		s, end = s[1:], '>'
	}
	i := indexUnquoted(s, end)
	switch {
	case i >= 0:
		address, params = s[:i], s[i+1:]
	case bracketed:
		return "", "", false
	default:
		address = s
	}
	if bracketed && params != "" && params[0] != ' ' {
		return "", "", false
	}
	if bracketed && address == "" {
		return "", params, true
	}
	address, ok = dropRoute(address)
	return address, params, ok && validAddress(address)
}

// indexUnquoted finds c outside quoted strings.
func indexUnquoted(s string, c byte) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '\\' && quoted:
			i++
		case s[i] == c && !quoted:
			return i
		}
	}
	return -1
}

// dropRoute takes "@one,@two:" from the front of an address.
func dropRoute(a string) (string, bool) {
	if !strings.HasPrefix(a, "@") {
		return a, true
	}
	literal := false
	for i := range len(a) {
		switch a[i] {
		case '[':
			literal = true
		case ']':
			literal = false
		case ':':
			if !literal {
				return a[i+1:], true
			}
		}
	}
	return "", false
}

// splitAddress cuts at the @ that is not inside quotes. Without one the domain is empty.
func splitAddress(a string) (local, domain string, hasDomain bool) {
	i := indexUnquoted(a, '@')
	if i < 0 {
		return a, "", false
	}
	return a[:i], a[i+1:], true
}

func validAddress(a string) bool {
	local, domain, hasDomain := splitAddress(a)
	return validLocal(local) && (!hasDomain || validDomain(domain))
}

// validLocal takes dots in any place.
// QUIRK: two dots together, or one before the @, are in the addresses of a large Japanese mobile carrier.
func validLocal(s string) bool {
	if s == "" || len(s) > localMax {
		return false
	}
	if s[0] == '"' {
		return mailbox.QuotedLength(s) == len(s) // its only other unescaped quote is its last byte
	}
	return !strings.ContainsAny(s, ` "(),:;<>@[\]`)
}

func validDomain(s string) bool {
	if s == "" || len(s) > domainMax {
		return false
	}
	if s[0] == '[' {
		return len(s) > 2 && strings.IndexByte(s, ']') == len(s)-1 && !strings.ContainsAny(s[1:], ` "<>@[\`)
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(s, "."), ".") {
		if label == "" || strings.ContainsFunc(label, notInLabel) {
			return false
		}
	}
	return true
}

// notInLabel takes underscores.
// QUIRK: Windows machines have them in their names and use those as the domain of a sender.
func notInLabel(c rune) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c >= utf8.RuneSelf:
		return false
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
