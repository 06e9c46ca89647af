package aggregate

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

var aHeader = Header{Organization: "mx.here.example", Contact: "noreply@here.example", ID: "r-1", Domain: "example.com",
	Begin: time.Unix(1_700_006_400, 0).UTC(), End: time.Unix(1_700_092_799, 0).UTC()}

// written unpacks a report and reads it back.
func written(t *testing.T, packed []byte, err error) (text string, r mailbox.DomainReport, rows []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Read(bytes.NewReader(packed))
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v in %s", list, err, whole)
	}
	r = list[0]
	if r.ID != "r-1" || r.Organization != "mx.here.example" || r.About != "example.com" ||
		!r.Begin.Equal(aHeader.Begin) || !r.End.Equal(aHeader.End) {
		t.Errorf("%+v", r)
	}
	for _, row := range r.Rows {
		rows = append(rows, fmt.Sprintf("%s %s %s %d", row.Source, row.Result, row.Detail, row.Count))
	}
	return string(whole), r, rows
}

// The reader reads what is written.
func TestWriteDMARC(t *testing.T) {
	good := DMARC{Source: netip.MustParseAddr("192.0.2.1"), Disposition: "none", Policy: "reject", DKIM: true,
		EnvelopeFrom: "bounce.example.com", HeaderFrom: "example.com", SPFDomain: "bounce.example.com",
		SPFResult: "softfail", Signatures: []Signature{{"example.com", "s1", "pass"}, {"esp.example", "k", "fail"}}}
	bad := DMARC{Source: netip.MustParseAddr("::ffff:198.51.100.7"), Disposition: "none", Policy: "reject",
		HeaderFrom: "sub.example.com", SPFDomain: "<&>\x00.example", SPFHelo: true, SPFResult: "none"}
	if again := good; again.Fact() != good.Fact() || good.Fact() == bad.Fact() {
		t.Error("facts are compared by their text")
	}
	packed, err := WriteDMARC(aHeader, Published{P: "reject", ADKIM: "s"}, []mailbox.Observation{
		{Fact: good.Fact(), Count: 5}, {Fact: bad.Fact(), Count: 2}, {Fact: "{}", Count: 9}})
	text, r, rows := written(t, packed, err)
	want := "192.0.2.1 pass dkim=pass spf=fail disposition=none from=example.com 5\n" +
		"198.51.100.7 fail dkim=fail spf=fail disposition=none from=sub.example.com 2"
	if got := strings.Join(rows, "\n"); got != want || r.Kind != mailbox.ReportDMARC || r.Passed != 5 || r.Failed != 2 {
		t.Errorf("%+v\n%s", r, got)
	}
	for _, want := range []string{"<adkim>s</adkim>", "<aspf>r</aspf>", "<p>reject</p>", "<sp>reject</sp>",
		"<type>local_policy</type>", "<scope>helo</scope>", "<selector>k</selector>", "<result>softfail</result>",
		"<email>noreply@here.example</email>"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%s is not there once:\n%s", want, text)
		}
	}
	if name := aHeader.Filename(mailbox.ReportDMARC); name != "mx.here.example!example.com!1700006400!1700092799!r-1.xml.gz" {
		t.Error(name)
	}
}

func TestWriteTLS(t *testing.T) {
	mx := netip.MustParseAddr("192.0.2.25")
	seen := func(policy, result string) string {
		return TLS{Policy: policy, Result: result, MX: "mx.example.com", Addr: mx,
			Sender: netip.MustParseAddr("2001:db8::1")}.Fact()
	}
	if seen("sts", "") != (TLS{Policy: "sts"}).Fact() {
		t.Error("successes are one fact")
	}
	packed, err := WriteTLS(aHeader, "version: STSv1\r\nmode: enforce\r\nmx: *.example.com\r\nmax_age: 86400\r\n",
		[]mailbox.Observation{{Fact: seen("sts", ""), Count: 7}, {Fact: seen("sts", "certificate-expired"), Count: 2},
			{Fact: seen("no-policy-found", "starttls-not-supported"), Count: 1}, {Fact: "<x/>", Count: 9}})
	text, r, rows := written(t, packed, err)
	want := " success policy=sts 7\n2001:db8::1 certificate-expired policy=sts mx=mx.example.com 2\n" +
		"2001:db8::1 starttls-not-supported policy=no-policy-found mx=mx.example.com 1"
	if got := strings.Join(rows, "\n"); got != want || r.Kind != mailbox.ReportTLS || r.Passed != 7 || r.Failed != 3 {
		t.Errorf("%+v\n%s", r, got)
	}
	for _, want := range []string{`"mode: enforce"`, `"*.example.com"`, `"start-datetime": "2023-11-15T00:00:00Z"`, `"total-successful-session-count": 7`} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%s is not there once:\n%s", want, text)
		}
	}
	if name := aHeader.Filename(mailbox.ReportTLS); name != "mx.here.example!example.com!1700006400!1700092799!r-1.json.gz" {
		t.Error(name)
	}
}
