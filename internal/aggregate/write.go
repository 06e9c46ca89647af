package aggregate

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Header is what a report says of itself.
type Header struct {
	Organization string // that reports
	Contact      string // address for questions about it
	ID           string
	Domain       string    // that it is about
	Begin        time.Time // of the time that it is about
	End          time.Time // the last second of it
}

// Filename is that of the packed report (RFC 7489 7.2.1.1, RFC 8460 5.1).
func (h Header) Filename(kind mailbox.ReportKind) string {
	ending := "xml.gz"
	if kind == mailbox.ReportTLS {
		ending = "json.gz"
	}
	return fmt.Sprintf("%s!%s!%d!%d!%s.%s", h.Organization, h.Domain, h.Begin.Unix(), h.End.Unix(), h.ID, ending)
}

// DMARC is what was seen of one mail in the name of a domain.
type DMARC struct {
	Source       netip.Addr
	Disposition  string // what was done with it: none, quarantine, reject
	Policy       string // what the domain asks for where a mail fails
	DKIM, SPF    bool   // something aligned passed
	EnvelopeFrom string // domain; empty: the null sender
	HeaderFrom   string // domain
	SPFDomain    string
	SPFHelo      bool // SPF was checked of HELO
	SPFResult    string
	Signatures   []Signature
}

// Signature is a DKIM signature of a mail, with its result.
type Signature struct{ Domain, Selector, Result string }

// maxSigned bounds the signatures of a record.
const maxSigned = 8

// Fact is what was seen as it is counted: equal texts are equal facts.
func (d DMARC) Fact() string {
	r := record{Row: row{Source: d.Source.Unmap().WithZone("").String(), Evaluated: evaluated{
		Disposition: d.Disposition, DKIM: passed(d.DKIM), SPF: passed(d.SPF)}},
		Identifiers: identifiers{EnvelopeFrom: clean(d.EnvelopeFrom), HeaderFrom: clean(d.HeaderFrom)},
		Auth:        &authResults{SPF: []spfResult{{Domain: clean(d.SPFDomain), Scope: "mfrom", Result: d.SPFResult}}}}
	if d.SPFHelo {
		r.Auth.SPF[0].Scope = "helo"
	}
	if !d.DKIM && !d.SPF && d.Policy != d.Disposition {
		r.Row.Evaluated.Reasons = []reason{{Type: "local_policy"}} // RFC 7489 appendix C: the policy was not applied
	}
	for _, s := range d.Signatures[:min(len(d.Signatures), maxSigned)] {
		r.Auth.DKIM = append(r.Auth.DKIM, dkimResult{Domain: clean(s.Domain), Selector: clean(s.Selector),
			Result: s.Result})
	}
	text, err := xml.Marshal(r)
	if err != nil {
		return "" // texts and numbers can be written
	}
	return string(text)
}

func passed(ok bool) string {
	if ok {
		return "pass"
	}
	return "fail"
}

// Published is the policy of a domain, as its record in the DNS has it.
type Published struct{ ADKIM, ASPF, P, SP string }

// feedback is a DMARC report as a whole.
type feedback struct {
	XMLName  xml.Name  `xml:"feedback"`
	Version  string    `xml:"version"`
	Metadata metadata  `xml:"report_metadata"`
	Policy   published `xml:"policy_published"`
	Records  []record  `xml:"record"`
}

// WriteDMARC makes a report (RFC 7489 appendix C), packed with gzip. What is no fact of [DMARC] is left out.
func WriteDMARC(h Header, p Published, list []mailbox.Observation) ([]byte, error) {
	f := feedback{Version: "1.0", Metadata: metadata{Organization: h.Organization, Email: h.Contact, ID: h.ID,
		Begin: h.Begin.Unix(), End: h.End.Unix()},
		Policy: published{Domain: h.Domain, ADKIM: cmp.Or(p.ADKIM, "r"), ASPF: cmp.Or(p.ASPF, "r"),
			P: cmp.Or(p.P, "none"), SP: cmp.Or(p.SP, p.P, "none"), Percent: 100}}
	for _, o := range list {
		var r record
		if xml.Unmarshal([]byte(o.Fact), &r) == nil {
			r.Row.Count = o.Count
			f.Records = append(f.Records, r)
		}
	}
	text, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, err
	}
	return pack(append([]byte(xml.Header), text...))
}

// TLS is what was seen of one session with a mail server of a domain.
type TLS struct {
	Policy string // tlsa, sts or no-policy-found
	Result string // empty: it worked as the policy wants it, or else the type of the failure (RFC 8460 4.3)
	Sender netip.Addr
	MX     string
	Addr   netip.Addr // of the server
}

// tlsFact is a fact: a failure, or a success, which has no type.
type tlsFact struct {
	Policy string `json:"policy"`
	tlsFailure
}

// Fact is what was seen as it is counted: equal texts are equal facts.
func (s TLS) Fact() string {
	f := tlsFact{Policy: s.Policy}
	if f.Type = s.Result; f.Type != "" {
		f.MX, f.Sender, f.IP = clean(s.MX), addrText(s.Sender), addrText(s.Addr)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return ""
	}
	return string(text)
}

func addrText(a netip.Addr) string {
	if !a.IsValid() {
		return ""
	}
	return a.Unmap().WithZone("").String()
}

// WriteTLS makes a report (RFC 8460 4), packed with gzip. sts is the MTA-STS policy of the domain, as far as it is
// known. What is no fact of [TLS] is left out.
func WriteTLS(h Header, sts string, list []mailbox.Observation) ([]byte, error) {
	t := tlsReport{Organization: h.Organization, Contact: h.Contact, ID: h.ID, Policies: []tlsPolicy{},
		Range: tlsRange{Begin: h.Begin.UTC(), End: h.End.UTC()}}
	for _, o := range list {
		var f tlsFact
		if json.Unmarshal([]byte(o.Fact), &f) != nil {
			continue
		}
		i := slices.IndexFunc(t.Policies, func(p tlsPolicy) bool { return p.Policy.Type == f.Policy })
		if i < 0 {
			i = len(t.Policies)
			t.Policies = append(t.Policies, tlsPolicy{Policy: publishedTLS(f.Policy, h.Domain, sts)})
		}
		p := &t.Policies[i]
		if f.Type == "" {
			p.Summary.Success += o.Count
			continue
		}
		f.Count = o.Count
		p.Summary.Failure += o.Count
		p.Failures = append(p.Failures, f.tlsFailure)
	}
	text, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return nil, err
	}
	return pack(text)
}

// publishedTLS is a policy with what is known of it.
func publishedTLS(kind, domain, sts string) tlsPublished {
	p := tlsPublished{Type: kind, Domain: domain}
	if kind != "sts" {
		return p
	}
	for line := range strings.Lines(sts) {
		if line = clean(line); line == "" {
			continue
		}
		p.Text = append(p.Text, line)
		if host, ok := strings.CutPrefix(line, "mx:"); ok {
			p.MX = append(p.MX, strings.TrimSpace(host))
		}
	}
	return p
}
