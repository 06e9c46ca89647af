// Package spf reads SPF records (RFC 7208): their terms, and the macros in the names of these. The caller that asks the
// DNS for the names decides what a record means.
package spf

import (
	"net/netip"
	"strconv"
	"strings"
)

// Policy is a parsed record.
type Policy struct {
	Terms    []Term
	Redirect string // domain-spec
	explain  string // likewise; it is for those who write bounces, and only its form is checked
}

// Term is a mechanism and what it means if it matches.
type Term struct {
	Qualifier    byte         // one of + - ~ ?
	Kind         string       // in lower case
	Spec         string       // domain-spec, empty for the domain of the policy
	Bits4, Bits6 int          // of a and mx
	Prefix       netip.Prefix // of ip4 and ip6
}

const version = "v=spf1"

// Records returns the SPF records among the texts of a name (4.5).
func Records(texts []string) (records []string) {
	for _, text := range texts {
		n := len(version)
		if len(text) >= n && strings.EqualFold(text[:n], version) && (len(text) == n || text[n] == ' ') {
			records = append(records, text)
		}
	}
	return records
}

// Parse reads a record. One mistake anywhere makes all of it invalid (4.6): wrong is the first word that is one, empty
// where there is none.
func Parse(record string) (p Policy, wrong string) {
	words := record[len(version):]
	p.Terms = make([]Term, 0, strings.Count(words, " "))
	for word := range strings.SplitSeq(words, " ") {
		if word == "" {
			continue
		}
		if name, value, isModifier := cutModifier(word); isModifier {
			if !p.modify(name, value) {
				return p, word
			}
			continue
		}
		t, ok := parseTerm(word)
		if !ok {
			return p, word
		}
		p.Terms = append(p.Terms, t)
	}
	return p, ""
}

// cutModifier splits name=value (4.6.1).
func cutModifier(term string) (name, value string, ok bool) {
	for i := range len(term) {
		switch c := term[i]; {
		case c == '=' && i > 0:
			return strings.ToLower(term[:i]), term[i+1:], true
		case isAlpha(c), i > 0 && (isDigit(c) || c == '-' || c == '_' || c == '.'):
		default:
			return "", "", false
		}
	}
	return "", "", false
}

// modify takes a modifier (6).
func (p *Policy) modify(name, value string) bool {
	to := &p.Redirect
	switch name {
	case "redirect":
	case "exp":
		to = &p.explain
	default:
		return isMacroString(value)
	}
	if *to != "" || !isDomainSpec(value) {
		return false
	}
	*to = value
	return true
}

// parseTerm reads a directive: a qualifier and a mechanism.
func parseTerm(term string) (t Term, ok bool) {
	t = Term{Qualifier: '+', Bits4: 32, Bits6: 128}
	if strings.IndexByte("+-~?", term[0]) >= 0 {
		t.Qualifier, term = term[0], term[1:]
	}
	end := 0
	for end < len(term) && term[end] != ':' && term[end] != '/' {
		end++
	}
	rest := term[end:]
	switch t.Kind = strings.ToLower(term[:end]); t.Kind {
	case "all":
		return t, rest == ""
	case "ip4", "ip6":
		t.Prefix, ok = parseNetwork(t.Kind, strings.TrimPrefix(rest, ":"))
		return t, ok && rest[0] == ':'
	case "a", "mx":
		if rest, ok = t.cutBits(rest); !ok {
			return t, false
		}
		return t, t.take(rest, false)
	case "ptr":
		return t, t.take(rest, false)
	case "include", "exists":
		return t, t.take(rest, true)
	}
	return t, false
}

// take reads ":domain-spec".
func (t *Term) take(rest string, needed bool) bool {
	if rest == "" {
		return !needed
	}
	spec, colon := strings.CutPrefix(rest, ":")
	t.Spec = spec
	return colon && isDomainSpec(spec)
}

// cutBits takes the lengths of networks off the end: "/24", "//64" or "/24//64" (5.6). A domain-spec may have slashes,
// too.
func (t *Term) cutBits(s string) (rest string, ok bool) {
	s, bits, ok := cutLength(s, "//", 128)
	if !ok {
		return "", false
	}
	t.Bits6 = bits
	s, t.Bits4, ok = cutLength(s, "/", 32)
	return s, ok
}

// cutLength takes one length off the end; without one it is the highest.
func cutLength(s, sep string, highest int) (rest string, bits int, ok bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 || !isNumber(s[i+1:]) || !strings.HasSuffix(s[:i+1], sep) || sep == "/" && strings.HasSuffix(s[:i], "/") {
		return s, highest, true
	}
	bits, ok = parseLength(s[i+1:], highest)
	return s[:i+1-len(sep)], bits, ok
}

// parseLength reads a number without zeros before it.
func parseLength(s string, highest int) (bits int, ok bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n <= highest && isNumber(s) && (s[0] != '0' || s == "0")
}

// parseNetwork reads the network of ip4 and ip6 (5.6).
func parseNetwork(kind, s string) (netip.Prefix, bool) {
	address, length, hasLength := strings.Cut(s, "/")
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Is4() != (kind == "ip4") || ip.Zone() != "" {
		return netip.Prefix{}, false
	}
	bits := ip.BitLen()
	if hasLength {
		var ok bool
		if bits, ok = parseLength(length, bits); !ok {
			return netip.Prefix{}, false
		}
	}
	return netip.PrefixFrom(ip, bits), true
}

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
