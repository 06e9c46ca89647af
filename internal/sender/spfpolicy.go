package sender

import (
	"net/netip"
	"strconv"
	"strings"
)

// spfPolicy is a parsed record.
type spfPolicy struct {
	terms    []spfTerm
	redirect string // domain-spec
	explain  string // likewise; it is for those who write bounces, and only its form is checked
}

// spfTerm is a mechanism and what it means if it matches.
type spfTerm struct {
	kind         string // in lower case
	result       string
	spec         string       // domain-spec, empty for the domain of the policy
	bits4, bits6 int          // of a and mx
	prefix       netip.Prefix // of ip4 and ip6
}

const spfVersion = "v=spf1"

// isSPF is RFC 7208 4.5.
func isSPF(txt string) bool {
	n := len(spfVersion)
	return len(txt) >= n && strings.EqualFold(txt[:n], spfVersion) && (len(txt) == n || txt[n] == ' ')
}

// parseSPF reads a record. One mistake anywhere makes all of it invalid (4.6).
func parseSPF(txt string) (p spfPolicy, ok bool) {
	txt = txt[len(spfVersion):]
	p.terms = make([]spfTerm, 0, strings.Count(txt, " "))
	for term := range strings.SplitSeq(txt, " ") {
		if term == "" {
			continue
		}
		if name, value, isModifier := cutModifier(term); isModifier {
			if !p.modify(name, value) {
				return p, false
			}
			continue
		}
		t, ok := parseTerm(term)
		if !ok {
			return p, false
		}
		p.terms = append(p.terms, t)
	}
	return p, true
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
func (p *spfPolicy) modify(name, value string) bool {
	to := &p.redirect
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
func parseTerm(term string) (t spfTerm, ok bool) {
	t = spfTerm{result: pass, bits4: 32, bits6: 128}
	if result := qualifier(term[0]); result != "" {
		t.result, term = result, term[1:]
	}
	end := 0
	for end < len(term) && term[end] != ':' && term[end] != '/' {
		end++
	}
	rest := term[end:]
	switch t.kind = strings.ToLower(term[:end]); t.kind {
	case "all":
		return t, rest == ""
	case "ip4", "ip6":
		t.prefix, ok = parseNetwork(t.kind, strings.TrimPrefix(rest, ":"))
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

// qualifier is what a term says if it matches, empty where it begins with its mechanism.
func qualifier(c byte) string {
	switch c {
	case '+':
		return pass
	case '-':
		return fail
	case '~':
		return softfail
	case '?':
		return neutral
	}
	return ""
}

// take reads ":domain-spec".
func (t *spfTerm) take(rest string, needed bool) bool {
	if rest == "" {
		return !needed
	}
	spec, colon := strings.CutPrefix(rest, ":")
	t.spec = spec
	return colon && isDomainSpec(spec)
}

// cutBits takes the lengths of networks off the end: "/24", "//64" or "/24//64" (5.6). A domain-spec may have slashes, too.
func (t *spfTerm) cutBits(s string) (rest string, ok bool) {
	s, bits, ok := cutLength(s, "//", 128)
	if !ok {
		return "", false
	}
	t.bits6 = bits
	s, t.bits4, ok = cutLength(s, "/", 32)
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
