package sender

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// signature is one DKIM-Signature field (RFC 6376 3.5).
type signature struct {
	verdict string // empty until it is known

	field            int // in the header
	bare             []byte
	algorithm        string // of the key: rsa or ed25519
	value, bodyHash  []byte
	domain, selector string
	identity         string   // the domain of i=
	names            []string // of the signed fields, in lower case
	relaxedHead      bool
	relaxedBody      bool
	length           int64      // of the body that is signed, -1 for all of it
	record           dns.Answer // where the key is
	key              dkimKey
}

const (
	maxSignature = 16 << 10 // bytes of the field
	maxSigned    = 500      // names of signed fields
)

// parseSignature reads a field. A signature that must not be believed whatever its key says has the verdict permerror.
func parseSignature(raw []byte, field int, now time.Time) *signature {
	s := &signature{verdict: permerror, field: field, length: -1}
	if len(raw) > maxSignature {
		return s
	}
	text := strings.TrimSuffix(string(raw), "\r\n")
	colon := strings.IndexByte(text, ':') + 1
	tags, ok := parseTags(text[colon:])
	if !ok || !s.identify(tags) {
		return s
	}
	if !s.method(tags) || !s.content(tags) || !isInTime(tags, now) {
		return s
	}
	for _, t := range tags {
		if t.name == "b" { // 3.7: the value and the blanks around it are not signed
			s.bare = []byte(text[:colon+t.start] + text[colon+t.end:])
		}
	}
	s.verdict = ""
	return s
}

// identify reads who signed.
func (s *signature) identify(tags []tag) bool {
	if v, _ := tagValue(tags, "v"); v != "1" {
		return false
	}
	d, _ := tagValue(tags, "d")
	domain, ok := dns.Domain(withoutFold(d))
	if !ok {
		return false
	}
	s.domain, s.identity = domain, domain
	sel, _ := tagValue(tags, "s")
	// RFC 6376 3.1 has letters, digits and hyphens; the wild has underscores.
	if s.selector, ok = dns.Domain(withoutFold(sel) + ".x"); !ok {
		return false
	}
	s.selector = strings.TrimSuffix(s.selector, ".x")
	if i, has := tagValue(tags, "i"); has {
		s.identity, ok = domainOf(withoutFold(i))
		return ok && isWithin(s.identity, s.domain)
	}
	return true
}

// method reads how it was signed. RFC 8301 3.1 ended SHA-1.
func (s *signature) method(tags []tag) bool {
	a, _ := tagValue(tags, "a")
	key, hash, _ := strings.Cut(strings.ToLower(withoutFold(a)), "-")
	if s.algorithm = key; key != "rsa" && key != "ed25519" || hash != "sha256" {
		return false
	}
	if c, has := tagValue(tags, "c"); has {
		header, body, _ := strings.Cut(strings.ToLower(withoutFold(c)), "/")
		if !isCanon(header) || body != "" && !isCanon(body) {
			return false
		}
		s.relaxedHead, s.relaxedBody = header == "relaxed", body == "relaxed"
	}
	if q, has := tagValue(tags, "q"); has {
		for _, method := range splitList(q) {
			if method == "dns/txt" {
				return true
			}
		}
		return false
	}
	return true
}

func isCanon(s string) bool { return s == "simple" || s == "relaxed" }

// content reads what was signed. A signature that leaves out From says nothing about the author (6.1.1).
func (s *signature) content(tags []tag) bool {
	var ok, okHash bool
	b, _ := tagValue(tags, "b")
	bh, _ := tagValue(tags, "bh")
	s.value, ok = decode64(b)
	s.bodyHash, okHash = decode64(bh)
	if !ok || !okHash {
		return false
	}
	if l, has := tagValue(tags, "l"); has {
		n, err := strconv.ParseInt(withoutFold(l), 10, 64)
		if err != nil || n < 0 {
			return false
		}
		s.length = n
	}
	h, _ := tagValue(tags, "h")
	if strings.Count(h, ":") >= maxSigned {
		return false
	}
	s.names = splitList(h)
	for _, name := range s.names {
		if name == "from" {
			return true
		}
	}
	return false
}

// isInTime checks t= and x=: a signature may end, and must not end before it begins.
func isInTime(tags []tag, now time.Time) bool {
	x, has := tagValue(tags, "x")
	if !has {
		return true
	}
	end, err := strconv.ParseInt(withoutFold(x), 10, 64)
	if err != nil || end < now.Unix() {
		return false
	}
	t, has := tagValue(tags, "t")
	if !has {
		return true
	}
	begin, err := strconv.ParseInt(withoutFold(t), 10, 64)
	return err == nil && begin <= end
}

// decode64 reads base64 that may be folded. Nothing is not ok.
func decode64(s string) ([]byte, bool) {
	b, err := base64.StdEncoding.DecodeString(withoutFold(s))
	return b, err == nil && len(b) > 0
}
