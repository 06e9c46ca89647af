package sender

import "strings"

// Feedback is what was found of one mail, for the DMARC report to the owner of its author's domain.
type Feedback struct {
	Domain     string // that has the policy
	From       string // the author's
	Envelope   string // domain of the envelope sender; empty: it is null
	SPFDomain  string
	SPFHelo    bool // SPF was asked of HELO
	SPFAligned bool // it passed, for a domain that is aligned with the author's
	// DKIMAligned: one of the signatures did
	DKIMAligned bool
	Signatures  []SignatureResult
}

// SignatureResult is a DKIM signature with its verdict.
type SignatureResult struct{ Domain, Selector, Verdict string }

// feedback gathers it. A policy without an address for reports has none, and neither have mails of which something
// could not be found out: the next one will do.
func feedback(m Mail, d discovery, spf spfResult, message *message, aligned alignment) *Feedback {
	if d.domain == "" || d.failed || !d.applies || !d.record.rua {
		return nil
	}
	f := &Feedback{Domain: d.at, From: d.domain, SPFDomain: spf.domain, SPFHelo: m.EnvelopeFrom == "",
		SPFAligned: resultFit(spf.verdict, aligned.spf) == fits}
	if _, domain, ok := strings.Cut(m.EnvelopeFrom, "@"); ok {
		f.Envelope = strings.ToLower(domain)
	}
	if resultFit(spf.verdict, aligned.spf) == fitUnknown || message.unreadable {
		return nil
	}
	for _, s := range message.signatures {
		switch resultFit(s.verdict, aligned.dkim[s.domain]) {
		case fits:
			f.DKIMAligned = true
		case fitUnknown:
			return nil
		}
		if s.domain != "" {
			f.Signatures = append(f.Signatures, SignatureResult{s.domain, s.selector, s.verdict})
		}
	}
	return f
}

// ReportPolicy is what a DMARC record says about reports, and what reports say about it.
type ReportPolicy struct {
	P, SP, ADKIM, ASPF string
	Suffix             bool // it is that of a public suffix
	URIs               string
}

// ParseReportPolicy finds the DMARC record among the texts of a name. Several are as good as none.
func ParseReportPolicy(texts []string) (p ReportPolicy, ok bool) {
	for _, text := range texts {
		r, is := parseDMARC(text)
		if !is {
			continue
		}
		if ok {
			return ReportPolicy{}, false
		}
		ok = true
		tags, _ := parseTags(text)
		for i := range tags {
			tags[i].name = strings.ToLower(tags[i].name)
		}
		p = ReportPolicy{P: r.p, SP: r.sp, ADKIM: "r", ASPF: "r", Suffix: r.psd == "y"}
		if r.broken { // it counts as one that only asks for reports
			p.P, p.SP = "none", "none"
		}
		if r.strictDKIM {
			p.ADKIM = "s"
		}
		if r.strictSPF {
			p.ASPF = "s"
		}
		p.URIs, _ = tagValue(tags, "rua")
	}
	return p, ok
}
