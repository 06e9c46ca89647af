package sender

import (
	"net/url"
	"strings"
)

// dmarcRecord is a policy record (RFC 9989 4.7).
type dmarcRecord struct {
	p, sp, np  string // empty where there is none
	broken     bool   // p is missing or not valid, or sp or np is not valid
	rua        bool   // somebody wants reports
	strictDKIM bool
	strictSPF  bool
	psd        string // y, n or u
	testing    bool   // t=y
}

// parseDMARC reads a record. It is not ok for a text that is none. Mistakes after the version are left out: defaults
// take their place (4.8).
func parseDMARC(txt string) (r dmarcRecord, ok bool) {
	if txt == "" || txt[0]|0x20 != 'v' {
		return r, false
	}
	first, _, _ := strings.Cut(txt, ";")
	tags, _ := parseTags(txt)
	for i := range tags {
		tags[i].name = strings.ToLower(tags[i].name)
	}
	if len(tags) == 0 || tags[0].end != len(first) || tags[0].name != "v" || tags[0].value != "DMARC1" {
		return r, false
	}
	value := func(name string) string {
		v, _ := tagValue(tags, name)
		return strings.ToLower(v)
	}
	r = dmarcRecord{p: value("p"), sp: value("sp"), np: value("np"), psd: "u"}
	r.broken = !isPolicy(r.p) || r.sp != "" && !isPolicy(r.sp) || r.np != "" && !isPolicy(r.np)
	r.strictDKIM, r.strictSPF, r.testing = value("adkim") == "s", value("aspf") == "s", value("t") == "y"
	if psd := value("psd"); psd == "y" || psd == "n" {
		r.psd = psd
	}
	rua, _ := tagValue(tags, "rua")
	r.rua = hasURI(rua)
	return r, true
}

func isPolicy(s string) bool { return s == "none" || s == "quarantine" || s == "reject" }

// hasURI says whether a list has an address that reports could be sent to.
func hasURI(list string) bool {
	for item := range strings.SplitSeq(list, ",") {
		item, _, _ = strings.Cut(strings.TrimSpace(item), "!") // an obsolete limit on the size
		if u, err := url.Parse(item); err == nil && u.Scheme != "" && (u.Opaque != "" || u.Host != "") {
			return true
		}
	}
	return false
}

// policy is what applies to a domain: to the record's own domain, or to one under it, that exists or does not (4.10.1).
// It is not ok where the record is so broken that DMARC does not apply.
func (r dmarcRecord) policy(own bool, exists func() bool) (policy string, ok bool) {
	if r.broken {
		return "none", r.rua
	}
	policy = r.p
	switch {
	case own:
	case r.np != "" && r.np != r.sp && !exists():
		policy = r.np
	case r.sp != "":
		policy = r.sp
	}
	if r.testing { // one level below: 4.7
		return map[string]string{"reject": "quarantine", "quarantine": "none", "none": "none"}[policy], true
	}
	return policy, true
}
