package transport

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// extensions are what a server can do (RFC 5321 4.1.1.1).
type extensions struct {
	startTLS, pipelining, eightBit, utf8, sizes bool
	size                                        int64 // the largest message; 0 for not known
	auth                                        []string
}

// add takes a line of the reply to EHLO.
func (e *extensions) add(line string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	switch word := strings.ToUpper(words[0]); word {
	case "STARTTLS":
		e.startTLS = true
	case "PIPELINING":
		e.pipelining = true
	case "8BITMIME":
		e.eightBit = true
	case "SMTPUTF8":
		e.utf8 = true
	case "SIZE":
		e.sizes = true
		if len(words) > 1 {
			e.size, _ = strconv.ParseInt(words[1], 10, 64)
		}
	case "AUTH":
		for _, w := range words[1:] {
			e.auth = append(e.auth, strings.ToUpper(w))
		}
	default:
		if first, ok := strings.CutPrefix(word, "AUTH="); ok { // QUIRK: servers that some old clients need it for
			e.auth = append(e.auth, first)
		}
	}
}

func (e *extensions) hasAuth(mechanism string) bool { return slices.Contains(e.auth, mechanism) }

// envelope are the words of MAIL and RCPT.
type envelope struct{ mail, rcpt []string }

// envelope writes the envelope for this server. The result is why there can be none.
//
// A mail with 8-bit bytes is sent as it is where the server does not have 8BITMIME: RFC 6152 would have it turned into
// 7-bit, which breaks signatures, and the servers without the extension that still cut off the eighth bit are gone.
func (s *session) envelope(m Mail) (envelope, *Result) {
	from, fromOK := path(m.From)
	to, toOK := path(m.To)
	refuse := func(enhanced, text string) (envelope, *Result) {
		return envelope{}, &s.failed(permanent(enhanced, "%s", text)).Result
	}
	needsUTF8 := m.UTF8 || !isASCII(from) || !isASCII(to)
	switch {
	case !toOK || to == "":
		return refuse("5.1.3", "the recipient's address is not an address")
	case !fromOK:
		return refuse("5.1.7", "the sender's address is not an address")
	case needsUTF8 && !s.ext.utf8:
		return refuse("5.6.7", s.host+" cannot take addresses or header fields with other letters than ASCII (SMTPUTF8)")
	case s.ext.size > 0 && m.Size > s.ext.size:
		return refuse("5.3.4", s.host+" takes messages of at most "+strconv.FormatInt(s.ext.size, 10)+" bytes")
	}
	e := envelope{mail: []string{"MAIL FROM:<", from, ">"}, rcpt: []string{"RCPT TO:<", to, ">"}}
	if s.ext.sizes && m.Size > 0 {
		e.mail = append(e.mail, " SIZE=", strconv.FormatInt(m.Size, 10))
	}
	if s.ext.eightBit && m.EightBit {
		e.mail = append(e.mail, " BODY=8BITMIME")
	}
	if needsUTF8 {
		e.mail = append(e.mail, " SMTPUTF8")
	}
	return e, nil
}

// path is an address as MAIL and RCPT carry it, with the domain in A-labels where the rest does not need UTF-8 either.
// It is not ok where the address could be taken for something else than one address.
func path(address string) (string, bool) {
	if address == "" {
		return "", true
	}
	at := strings.LastIndexByte(address, '@')
	if at < 1 || at == len(address)-1 || !utf8.ValidString(address) || len(address) > 512 {
		return "", false
	}
	local, domain := address[:at], address[at+1:]
	if strings.ContainsFunc(address, func(c rune) bool { return c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 }) ||
		strings.ContainsAny(domain, " <>\"") || local[0] != '"' && strings.ContainsAny(local, " <>\"") ||
		!isQuoted(local) {
		return "", false
	}
	if isASCII(local) && !isASCII(domain) {
		ascii, ok := dns.Domain(domain)
		return local + "@" + ascii, ok
	}
	return address, true
}

// isQuoted says whether a local part that begins with a quote ends with the one that belongs to it (RFC 5321 4.1.2).
func isQuoted(local string) bool {
	return local[0] != '"' || mailbox.QuotedLength(local) == len(local)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
