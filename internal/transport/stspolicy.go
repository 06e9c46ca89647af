package transport

import (
	"strconv"
	"strings"
	"time"
)

// stsMode is how much a policy means (RFC 8461 5).
type stsMode uint8

const (
	stsNone stsMode = iota
	stsTesting
	stsEnforce
)

// Bounds of a policy.
const (
	maxPolicy     = 64 << 10
	maxPatterns   = 100
	maxPolicyTime = 31557600 * time.Second // 3.2: about a year
)

// stsPolicy is what a domain demands of its servers (RFC 8461 3.2).
type stsPolicy struct {
	mode   stsMode
	hosts  []string // names, lower-case; *. stands for one label
	maxAge time.Duration
}

// String is the policy as a domain would publish it.
func (p stsPolicy) String() string {
	var b strings.Builder
	b.WriteString("version: STSv1\nmode: " + []string{"none", "testing", "enforce"}[p.mode] + "\n")
	for _, host := range p.hosts {
		b.WriteString("mx: " + host + "\n")
	}
	b.WriteString("max_age: " + strconv.FormatInt(int64(p.maxAge/time.Second), 10) + "\n")
	return b.String()
}

// parsePolicy reads a policy.
func parsePolicy(text string) (p stsPolicy, ok bool) {
	seen := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		key, value, colon := strings.Cut(line, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !colon || key != "mx" && seen[key] { // of fields that are there twice, the first counts: 3.2
			continue
		}
		switch key {
		case "version":
			ok = value == "STSv1"
		case "mode":
			if p.mode, ok = stsModes(value); !ok {
				return stsPolicy{}, false
			}
		case "max_age":
			if p.maxAge, ok = seconds(value); !ok {
				return stsPolicy{}, false
			}
		case "mx":
			if host := strings.ToLower(value); host != "" && len(p.hosts) < maxPatterns && len(host) <= 255 {
				p.hosts = append(p.hosts, strings.TrimSuffix(host, "."))
			}
			continue
		default:
			continue // one that was thought of later: it may be there, and is not kept
		}
		if seen[key] = true; !ok {
			return stsPolicy{}, false
		}
	}
	if !seen["version"] || !seen["mode"] || !seen["max_age"] || len(p.hosts) == 0 && p.mode != stsNone {
		return stsPolicy{}, false
	}
	return p, true
}

func stsModes(s string) (stsMode, bool) {
	switch s {
	case "enforce":
		return stsEnforce, true
	case "testing":
		return stsTesting, true
	}
	return stsNone, s == "none"
}

func seconds(s string) (time.Duration, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	return time.Duration(min(n, uint64(maxPolicyTime/time.Second))) * time.Second, err == nil
}

// allows says whether a policy has a server (4.1).
func (p stsPolicy) allows(host string) bool {
	for _, pattern := range p.hosts {
		if pattern == host {
			return true
		}
		if suffix, wild := strings.CutPrefix(pattern, "*"); wild && strings.HasPrefix(suffix, ".") {
			if label, rest, ok := strings.Cut(host, "."); ok && label != "" && "."+rest == suffix {
				return true
			}
		}
	}
	return false
}

// stsID is the id of the policy that a domain's TXT records announce (3.1). Several records are as good as none.
func stsID(texts []string) (id string, ok bool) {
	n := 0
	for _, txt := range texts {
		rest, is := strings.CutPrefix(txt, "v=STSv1")
		if trimmed := strings.TrimLeft(rest, " \t"); !is || !strings.HasPrefix(trimmed, ";") {
			continue
		}
		n++
		id = ""
		for field := range strings.SplitSeq(rest, ";") {
			if key, value, _ := strings.Cut(field, "="); strings.TrimSpace(key) == "id" && id == "" {
				id = strings.TrimSpace(value)
			}
		}
	}
	return id, n == 1 && isID(id)
}

func isID(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; !isDigit(s[i]) && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= 32
}
