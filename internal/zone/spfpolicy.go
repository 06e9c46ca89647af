package zone

import (
	"net/netip"
	"strconv"
	"strings"
)

// policy is an SPF record (RFC 7208).
type policy struct {
	terms    []term
	redirect string
}

// term is a mechanism with its qualifier.
type term struct {
	kind    string // in lower case
	passes  bool   // whoever it matches may send
	spec    string // domain, empty for that of the policy
	network netip.Prefix
}

const spfVersion = "v=spf1"

// isSPF is RFC 7208 4.5.
func isSPF(text string) bool {
	n := len(spfVersion)
	return len(text) >= n && strings.EqualFold(text[:n], spfVersion) && (len(text) == n || text[n] == ' ')
}

// policiesOf are the SPF records among the texts of a name.
func policiesOf(texts []string) []string {
	var out []string
	for _, text := range texts {
		if isSPF(text) {
			out = append(out, text)
		}
	}
	return out
}

// parsePolicy reads a record; bad is the first word that is none of SPF. One makes all of it void for receivers (4.6).
func parsePolicy(text string) (p policy, bad string) {
	modifiers := map[string]bool{}
	for word := range strings.SplitSeq(text[len(spfVersion):], " ") {
		if word == "" {
			continue
		}
		if name, value, ok := cutModifier(word); ok {
			if name == "redirect" || name == "exp" {
				if modifiers[name] || !isSpec(value) {
					return p, word
				}
				modifiers[name] = true
			}
			if name == "redirect" {
				p.redirect = value
			}
			continue
		}
		t, ok := parseTerm(word)
		if !ok {
			return p, word
		}
		p.terms = append(p.terms, t)
	}
	return p, ""
}

// cutModifier splits name=value (4.6.1).
func cutModifier(word string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(word, "=")
	for i := range len(name) {
		if c := name[i]; !isAlpha(c) && (i == 0 || !isAlnum(c) && c != '-' && c != '_' && c != '.') {
			return "", "", false
		}
	}
	return strings.ToLower(name), value, ok && name != ""
}

// parseTerm reads a directive (4.6.1, 5).
func parseTerm(word string) (t term, ok bool) {
	t.passes = true
	if strings.IndexByte("+-~?", word[0]) >= 0 {
		t.passes = word[0] == '+'
		word = word[1:]
	}
	end := strings.IndexAny(word, ":/")
	if end < 0 {
		end = len(word)
	}
	t.kind = strings.ToLower(word[:end])
	value, hasValue := strings.CutPrefix(word[end:], ":")
	switch t.kind {
	case "all":
		return t, end == len(word)
	case "include", "exists":
		t.spec = value
		return t, hasValue && isSpec(value)
	case "ptr":
		t.spec = value
		return t, end == len(word) || hasValue && isSpec(value)
	case "ip4", "ip6":
		t.network, ok = parseNetwork(value, t.kind == "ip4")
		return t, ok && hasValue
	case "a", "mx":
		return t, t.takeHost(value, hasValue)
	}
	return t, false
}

// takeHost reads the domain and the lengths of networks after a and mx: a name of ours matches whatever the lengths are. A domain
// with macros may have slashes of its own, and is never a name of ours.
func (t *term) takeHost(s string, hasSpec bool) bool {
	if strings.Contains(s, "%") {
		t.spec = s
		return hasSpec && isSpec(s)
	}
	host, lengths, _ := cutBefore(s, "/")
	t.spec = host
	if hasSpec && !isSpec(host) || !hasSpec && host != "" {
		return false
	}
	four, six, hasSix := cutBefore(lengths, "//")
	return (four == "" || isLength(four[1:], 32)) && (!hasSix || isLength(six[2:], 128))
}

// cutBefore splits s before sep.
func cutBefore(s, sep string) (before, after string, found bool) {
	i := strings.Index(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i:], true
}

// isLength says whether s is a number up to highest, without zeros before it.
func isLength(s string, highest int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n <= highest && isDigits(s) && (s[0] != '0' || s == "0")
}

func parseNetwork(s string, four bool) (netip.Prefix, bool) {
	address, length, hasLength := strings.Cut(s, "/")
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Is4() != four || ip.Zone() != "" || hasLength && !isLength(length, ip.BitLen()) {
		return netip.Prefix{}, false
	}
	bits := ip.BitLen()
	if hasLength {
		bits, _ = strconv.Atoi(length)
	}
	return netip.PrefixFrom(ip, bits), true
}

// isSpec says whether s can name a domain, perhaps with macros.
func isSpec(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return len(s) <= 4*maxName && strings.ContainsAny(s, ".%") && strings.Trim(s, ".") != ""
}
