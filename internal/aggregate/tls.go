package aggregate

import (
	"encoding/json"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The members of a TLS report (RFC 8460 4.4).

type tlsReport struct {
	Organization string      `json:"organization-name"`
	Range        tlsRange    `json:"date-range"`
	Contact      string      `json:"contact-info"`
	ID           string      `json:"report-id"`
	Policies     []tlsPolicy `json:"policies"`
}

type tlsRange struct {
	Begin time.Time `json:"start-datetime"`
	End   time.Time `json:"end-datetime"`
}

type tlsPolicy struct {
	Policy   tlsPublished `json:"policy"`
	Summary  tlsSummary   `json:"summary"`
	Failures []tlsFailure `json:"failure-details,omitempty"`
}

type tlsPublished struct {
	Type   string   `json:"policy-type"`
	Text   []string `json:"policy-string,omitempty"`
	Domain string   `json:"policy-domain"`
	MX     mxHosts  `json:"mx-host,omitempty"`
}

type tlsSummary struct {
	Success int64 `json:"total-successful-session-count"`
	Failure int64 `json:"total-failure-session-count"`
}

type tlsFailure struct {
	Type   string `json:"result-type"`
	Sender string `json:"sending-mta-ip,omitempty"`
	MX     string `json:"receiving-mx-hostname,omitempty"`
	IP     string `json:"receiving-ip,omitempty"`
	Count  int64  `json:"failed-session-count"`
	Reason string `json:"failure-reason-code,omitempty"`
}

// mxHosts is a list. QUIRK: a single string, which the RFC's own example has.
type mxHosts []string

// UnmarshalJSON reads both forms.
func (m *mxHosts) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var one string
		err := json.Unmarshal(b, &one)
		*m = mxHosts{one}
		return err
	}
	return json.Unmarshal(b, (*[]string)(m))
}

// readTLS reads a report. The decoder bounds how deep it is.
func readTLS(in io.Reader) ([]mailbox.DomainReport, error) {
	var t tlsReport
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return nil, readError(err)
	}
	if err := span(t.Range.Begin, t.Range.End); err != nil {
		return nil, err
	}
	var order []string
	rows := map[string][]mailbox.ReportRow{}
	count := 0
	for _, p := range t.Policies {
		domain := domainName(p.Policy.Domain)
		if _, known := rows[domain]; !known {
			order = append(order, domain)
		}
		rows[domain] = append(rows[domain], p.kept()...)
		if count += 1 + len(p.Failures); count > maxRecords {
			return nil, ErrTooLarge
		}
	}
	if len(order) == 0 {
		return nil, broken("it is about no domain")
	}
	var out []mailbox.DomainReport
	for _, domain := range order {
		r, err := finish(mailbox.DomainReport{Kind: mailbox.ReportTLS, Organization: clean(t.Organization),
			ID: clean(t.ID), About: domain, Begin: t.Range.Begin.UTC(), End: t.Range.End.UTC(), Rows: rows[domain]})
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// kept is what is kept of a policy: its successes, its failures, and those of which there are no details.
func (p tlsPolicy) kept() (rows []mailbox.ReportRow) {
	policy := "policy=" + word(p.Policy.Type)
	if p.Summary.Success != 0 {
		rows = append(rows, mailbox.ReportRow{Result: "success", Detail: policy, Count: p.Summary.Success})
	}
	left := p.Summary.Failure
	for _, f := range p.Failures {
		r := mailbox.ReportRow{Result: word(f.Type), Detail: policy, Count: f.Count}
		if !r.Failed() {
			r.Result = "other"
		}
		if a, err := netip.ParseAddr(strings.TrimSpace(f.Sender)); err == nil {
			r.Source = a.Unmap().WithZone("").String()
		}
		if mx := domainName(f.MX); mx != "" {
			r.Detail += " mx=" + mx
		}
		if why := clean(f.Reason); why != "" {
			r.Detail += " reason=" + why
		}
		rows = append(rows, r)
		left -= f.Count
	}
	if left > 0 || p.Summary.Failure < 0 {
		rows = append(rows, mailbox.ReportRow{Result: "unspecified", Detail: policy, Count: left})
	}
	return rows
}
