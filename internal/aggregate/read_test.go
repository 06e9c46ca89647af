package aggregate

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const aRecord = `<record><row><source_ip>192.0.2.1</source_ip><count>2</count><policy_evaluated>` +
	`<disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>` +
	`<identifiers><header_from>Example.com</header_from></identifiers></record>`

// dmarc is a report with records.
func dmarc(records string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><feedback><version>1.0</version><report_metadata>` +
		`<org_name>There</org_name><email>x@there.example</email><report_id>r-1</report_id>` +
		`<date_range><begin>1700000000</begin><end>1700086399</end></date_range></report_metadata>` +
		`<policy_published><domain>Example.com.</domain><p>none</p><sp>none</sp><pct>100</pct></policy_published>` +
		records + `</feedback>`
}

// tls is a report with policies.
func tls(policies string) string {
	return `{"organization-name":"There","date-range":{"start-datetime":"2026-01-01T00:00:00Z",` +
		`"end-datetime":"2026-01-01T23:59:59Z"},"contact-info":"x@there.example","report-id":"t-1","policies":[` +
		policies + `]}`
}

const aPolicy = `{"policy":{"policy-type":"sts","policy-string":["version: STSv1"],"policy-domain":"example.com",` +
	`"mx-host":"*.example.com"},"summary":{"total-successful-session-count":5,"total-failure-session-count":3},` +
	`"failure-details":[{"result-type":"certificate-expired","sending-mta-ip":"2001:db8::1",` +
	`"receiving-mx-hostname":"mx.example.com","failed-session-count":2}]}`

func zipped(name, text string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.Create(name)
	_, _ = w.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

func gzipped(text string) string {
	packed, _ := pack([]byte(text))
	return string(packed)
}

func TestRead(t *testing.T) {
	pass := "192.0.2.1 pass dkim=pass spf=fail disposition=none from=example.com 2"
	for _, tt := range []struct {
		name, text string
		want       []string // rows
	}{
		{"DMARC, plain", dmarc(aRecord), []string{pass}},
		{"DMARC, gzip", gzipped(dmarc(aRecord)), []string{pass}},
		{"DMARC, zip", zipped("there!example.com!1!2.xml", dmarc(aRecord)), []string{pass}},
		{"DMARC of RFC 9990", strings.Replace(dmarc(aRecord), "<feedback>",
			`<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">`, 1), []string{pass}},
		{"with a prefix", strings.NewReplacer("<feedback>", `<d:feedback xmlns:d="urn:x">`, "</feedback>",
			"</d:feedback>").Replace(dmarc(aRecord)), []string{pass}},
		{"a mark of byte order", "\xef\xbb\xbf" + dmarc(aRecord), []string{pass}},
		{"the same twice", dmarc(aRecord + aRecord), []string{strings.Replace(pass, " 2", " 4", 1)}},
		{"an address that is none", dmarc(strings.Replace(aRecord, "192.0.2.1", "<b>x</b>", 1)),
			[]string{strings.TrimPrefix(pass, "192.0.2.1")}},
		{"words of their own", dmarc(strings.Replace(aRecord, "<dkim>pass", "<dkim>a b\tc", 1)),
			[]string{"192.0.2.1 fail dkim=other spf=fail disposition=none from=example.com 2"}},
		{"TLS", tls(aPolicy), []string{" success policy=sts 5",
			"2001:db8::1 certificate-expired policy=sts mx=mx.example.com 2", " unspecified policy=sts 1"}},
		{"TLS, gzip", gzipped(tls(strings.Replace(aPolicy, `"*.example.com"`, `["a","b"]`, 1))),
			[]string{" success policy=sts 5", "2001:db8::1 certificate-expired policy=sts mx=mx.example.com 2",
				" unspecified policy=sts 1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tt.text))
			if err != nil || len(got) != 1 || got[0].About != "example.com" || got[0].Organization != "There" {
				t.Fatalf("%+v, %v", got, err)
			}
			var rows []string
			for _, r := range got[0].Rows {
				rows = append(rows, fmt.Sprintf("%s %s %s %d", r.Source, r.Result, r.Detail, r.Count))
			}
			if strings.Join(rows, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got %q, want %q", rows, tt.want)
			}
		})
	}
}

func TestReadHostile(t *testing.T) {
	entity := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>`
	for _, tt := range []struct {
		name, text string
		want       error
	}{
		{"nothing", "", ErrBroken},
		{"text", "hello", ErrBroken},
		{"HTML", "<html></html>", ErrBroken},
		{"cut", dmarc(aRecord)[:300], ErrBroken},
		{"cut gzip", gzipped(dmarc(aRecord))[:60], ErrBroken},
		{"gzip in gzip", gzipped(gzipped(dmarc(aRecord))), ErrBroken},
		{"gzip of too much", gzipped(dmarc(aRecord + strings.Repeat(" ", maxBytes))), ErrTooLarge},
		{"zip of too much", zipped("x.xml", dmarc(aRecord+strings.Repeat(" ", maxBytes))), ErrTooLarge},
		{"zip without a report", zipped("x.exe", dmarc(aRecord)), ErrBroken},
		{"packed too large", strings.Repeat("x", maxPacked+1), ErrTooLarge},
		{"too many records", gzipped(dmarc(strings.Repeat(aRecord, maxRecords+1))), ErrTooLarge},
		{"too many elements", gzipped(dmarc(strings.Repeat("<a/>", maxNodes+1))), ErrTooLarge},
		{"entities", strings.Replace(dmarc(strings.Replace(aRecord, "Example.com", "&b;", 1)), "<feedback>",
			entity+"<feedback>", 1), ErrBroken},
		{"a file of ours", strings.Replace(dmarc(strings.Replace(aRecord, "Example.com", "&f;", 1)), "<feedback>",
			`<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><feedback>`, 1), ErrBroken},
		{"deep", gzipped("<feedback>" + strings.Repeat("<record>", 20_000)), ErrBroken},
		{"deep JSON", gzipped(strings.Repeat(`{"policies":[`, 20_000)), ErrBroken},
		{"a charset", strings.Replace(dmarc(aRecord), "UTF-8", "UTF-7", 1), ErrBroken},
		{"a negative count", dmarc(strings.Replace(aRecord, "<count>2", "<count>-2", 1)), ErrBroken},
		{"a count beyond all", dmarc(strings.Replace(aRecord, "<count>2", "<count>99999999999999999999", 1)),
			ErrBroken},
		{"no id", strings.Replace(dmarc(aRecord), "r-1", "", 1), ErrBroken},
		{"no domain", strings.Replace(dmarc(aRecord), "Example.com.", "", 1), ErrBroken},
		{"a span of years", strings.Replace(dmarc(aRecord), "1700086399", "1900086399", 1), ErrBroken},
		{"backwards", strings.Replace(dmarc(aRecord), "1700086399", "1600086399", 1), ErrBroken},
		{"TLS about nothing", tls(""), ErrBroken},
		{"TLS with a negative count", tls(strings.Replace(aPolicy, ":5", ":-5", 1)), ErrBroken},
		{"TLS with fewer than none", tls(strings.Replace(aPolicy, ":3", ":-3", 1)), ErrBroken},
		{"TLS with too many", gzipped(tls(strings.Repeat(aPolicy+",", maxRecords) + aPolicy)), ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Read(strings.NewReader(tt.text)); !errors.Is(err, tt.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// What a report says is kept as printable lines of bounded length, whatever it says.
func FuzzRead(f *testing.F) {
	for _, text := range []string{dmarc(aRecord), tls(aPolicy), gzipped(dmarc(aRecord)),
		zipped("x.xml", dmarc(aRecord))} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range list {
			if r.Passed < 0 || r.Failed < 0 || len(r.Rows) > maxRows+32 || r.End.Before(r.Begin) || r.About == "" {
				t.Errorf("%+v", r)
			}
			back := mailbox.DecodeRows(mailbox.EncodeRows(r.Rows))
			for i, row := range r.Rows {
				if len(back) != len(r.Rows) || back[i] != row || len(row.Detail) > 3*maxText {
					t.Fatalf("%+v is kept as %+v", r.Rows, back)
				}
			}
		}
	})
}
