package aggregate

import (
	"encoding/xml"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The elements of a DMARC report (RFC 7489 appendix C). Those of RFC 9990 have a namespace, and some of them more.

type metadata struct {
	Organization string `xml:"org_name"`
	Email        string `xml:"email"`
	ID           string `xml:"report_id"`
	Begin        int64  `xml:"date_range>begin"`
	End          int64  `xml:"date_range>end"`
}

type published struct {
	Domain  string `xml:"domain"`
	ADKIM   string `xml:"adkim,omitempty"`
	ASPF    string `xml:"aspf,omitempty"`
	P       string `xml:"p"`
	SP      string `xml:"sp"`
	Percent int    `xml:"pct"`
}

type record struct {
	Row         row          `xml:"row"`
	Identifiers identifiers  `xml:"identifiers"`
	Auth        *authResults `xml:"auth_results,omitempty"`
}

type row struct {
	Source    string    `xml:"source_ip"`
	Count     int64     `xml:"count"`
	Evaluated evaluated `xml:"policy_evaluated"`
}

type evaluated struct {
	Disposition string   `xml:"disposition"`
	DKIM        string   `xml:"dkim"`
	SPF         string   `xml:"spf"`
	Reasons     []reason `xml:"reason,omitempty"`
}

type reason struct {
	Type    string `xml:"type"`
	Comment string `xml:"comment,omitempty"`
}

type identifiers struct {
	EnvelopeFrom string `xml:"envelope_from,omitempty"`
	HeaderFrom   string `xml:"header_from"`
}

type authResults struct {
	DKIM []dkimResult `xml:"dkim,omitempty"`
	SPF  []spfResult  `xml:"spf"`
}

type dkimResult struct {
	Domain   string `xml:"domain"`
	Selector string `xml:"selector,omitempty"`
	Result   string `xml:"result"`
}

type spfResult struct {
	Domain string `xml:"domain"`
	Scope  string `xml:"scope,omitempty"`
	Result string `xml:"result"`
}

// maxNodes bounds the elements of a report.
const maxNodes = 40 * maxRecords

// readDMARC reads element by element, so that what is skipped costs no memory. Entities other than those of XML itself
// are errors to the decoder, and declarations of others are not read.
func readDMARC(in io.Reader) ([]mailbox.DomainReport, error) {
	d := xml.NewDecoder(in)
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "us-ascii", "ascii", "utf8":
			return r, nil
		}
		return nil, broken("the charset %s", clean(charset))
	}
	out := mailbox.DomainReport{Kind: mailbox.ReportDMARC}
	var meta metadata
	var policy published
	for depth, nodes := 0, 0; ; nodes++ {
		token, err := d.Token()
		if err == io.EOF && depth == 0 && nodes > 0 {
			break
		}
		if err != nil {
			return nil, readError(err)
		}
		if nodes > maxNodes {
			return nil, ErrTooLarge
		}
		switch t := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			if depth == 0 {
				if t.Name.Local != "feedback" {
					return nil, broken("the element %s", clean(t.Name.Local))
				}
				depth++
				continue
			}
			switch t.Name.Local {
			case "report_metadata":
				err = d.DecodeElement(&meta, &t)
			case "policy_published":
				err = d.DecodeElement(&policy, &t)
			case "record":
				var r record
				if err = d.DecodeElement(&r, &t); err == nil {
					out.Rows = append(out.Rows, r.kept())
				}
			default:
				err = d.Skip()
			}
			if err != nil {
				return nil, readError(err)
			}
			if len(out.Rows) > maxRecords {
				return nil, ErrTooLarge
			}
		}
	}
	out.Organization, out.ID, out.About = clean(meta.Organization), clean(meta.ID), domainName(policy.Domain)
	out.Begin, out.End = time.Unix(meta.Begin, 0).UTC(), time.Unix(meta.End, 0).UTC()
	if err := span(out.Begin, out.End); err != nil {
		return nil, err
	}
	out, err := finish(out)
	return []mailbox.DomainReport{out}, err
}

// domainName is a domain as it is compared.
func domainName(s string) string { return strings.ToLower(strings.TrimSuffix(clean(s), ".")) }

// kept is what is kept of a record.
func (r record) kept() mailbox.ReportRow {
	out := mailbox.ReportRow{Result: "fail", Count: r.Row.Count}
	if a, err := netip.ParseAddr(strings.TrimSpace(r.Row.Source)); err == nil {
		out.Source = a.Unmap().WithZone("").String()
	}
	e := r.Row.Evaluated
	if word(e.DKIM) == "pass" || word(e.SPF) == "pass" {
		out.Result = "pass"
	}
	out.Detail = "dkim=" + word(e.DKIM) + " spf=" + word(e.SPF) + " disposition=" + word(e.Disposition)
	if from := domainName(r.Identifiers.HeaderFrom); from != "" {
		out.Detail += " from=" + from
	}
	return out
}

// word is a keyword of a report.
func word(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	for i := range len(s) {
		if c := s[i]; i > 30 || (c < 'a' || c > 'z') && c != '-' && c != '_' && (c < '0' || c > '9') {
			return "other"
		}
	}
	if s == "" {
		return "none"
	}
	return s
}
