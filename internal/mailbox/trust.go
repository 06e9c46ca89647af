package mailbox

import "strings"

// TrustLevel is how far the sender of a message can be believed.
type TrustLevel string

const (
	Verified   TrustLevel = "verified"
	Unverified TrustLevel = "unverified"
	Suspicious TrustLevel = "suspicious"
)

// Trust is how far the sender of a message can be believed, and why.
type Trust struct {
	Level   TrustLevel
	Reasons []string // sentences for people
}

// Auth is what sender authentication found: for each method "pass", "fail", "softfail", "neutral", "none", "temperror"
// or "permerror".
type Auth struct {
	SPF, DKIM, DMARC, ARC string
	FromAligned           bool // what passed is for the domain of the From header
	Checked               bool
}

// Verdict is what was found out about a message and its sender when it came in.
type Verdict struct {
	Auth  Auth
	Trust Trust
	Scan  Scan
}

// Encode returns a verdict as one text, for a store: the methods on the first line, then the level, then the reasons,
// then the scan where there is one. The zero verdict is empty.
func (v Verdict) Encode() string {
	if v.Trust.Level == "" && !v.Auth.Checked && v.Scan.IsZero() {
		return ""
	}
	a := v.Auth
	words := []string{a.SPF, a.DKIM, a.DMARC, a.ARC}
	if a.FromAligned {
		words = append(words, "aligned")
	}
	head := ""
	if a.Checked {
		head = strings.Join(words, " ")
	}
	lines := append([]string{head, string(v.Trust.Level)}, v.Trust.Reasons...)
	if !v.Scan.IsZero() {
		lines = append(lines, v.Scan.encode())
	}
	return strings.Join(lines, "\n")
}

// DecodeVerdict reads what Encode wrote.
func DecodeVerdict(s string) (v Verdict) {
	if s == "" {
		return v
	}
	lines := strings.Split(s, "\n")
	if scan, ok := strings.CutPrefix(lines[len(lines)-1], scanMark); ok {
		v.Scan, lines = decodeScan(scan), lines[:len(lines)-1]
	}
	if words := strings.Split(lines[0], " "); len(words) >= 4 {
		v.Auth = Auth{SPF: words[0], DKIM: words[1], DMARC: words[2], ARC: words[3], FromAligned: len(words) > 4,
			Checked: true}
	}
	if len(lines) > 1 {
		v.Trust.Level = TrustLevel(lines[1])
		v.Trust.Reasons = lines[2:]
	}
	return v
}
