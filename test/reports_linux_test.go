package test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// daysPass makes what a server that is down has seen of other domains that of two days before.
func (s *server) daysPass(t testing.TB) {
	t.Helper()
	c, err := sqlite.OpenConn(filepath.Join(s.dir, "mailkin.db"), sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, table := range []string{"topics", "observations"} {
		if err := sqlitex.ExecuteTransient(c, "UPDATE "+table+" SET day = day - 2", nil); err != nil {
			t.Fatal(err)
		}
	}
}

// domainReport is a report as the interface shows it.
type domainReport struct {
	Kind          string
	Reporter      string
	Authenticated bool
	Organization  string
	ReportID      string `json:"report_id"`
	Passed        int64
	Failed        int64
	Rows          []struct{ Source, Result, Detail string }
}

// reports are those about a domain of the deployment.
func (s *server) reports(t testing.TB, domain string) (list []domainReport) {
	t.Helper()
	var all struct{ Domains []domainRecord }
	s.get(t, s.token, "/v1/domains", &all)
	for _, d := range all.Domains {
		if d.Domain == domain {
			var page struct{ Reports []domainReport }
			s.get(t, s.token, "/v1/domains/"+d.ID+"/reports", &page)
			list = page.Reports
		}
	}
	return list
}

// A server reports what it saw of another's mail, once each, though it is killed after it has written the reports and
// before anybody took them; the other one reads them.
func TestReportsToOthers(t *testing.T) {
	t.Parallel()
	const one, other = "198.20.0.10", "198.20.0.20"
	if !ownNetwork(t, one, other) {
		return
	}
	z := newZone(t, "127.0.0.1",
		"one.example. 60 IN MX 10 mx.one.example.", "mx.one.example. 60 IN A "+one,
		text("one.example", "v=spf1 a:mx.one.example -all"),
		text("_dmarc.one.example", "v=DMARC1; p=reject; rua=mailto:dmarc-reports@one.example"),
		"other.example. 60 IN MX 10 mx.other.example.", "mx.other.example. 60 IN A "+other,
		text("other.example", "v=spf1 a:mx.other.example -all"),
		text("_dmarc.other.example", "v=DMARC1; p=reject; rua=mailto:dmarc-reports@other.example"),
		text("_smtp._tls.other.example", "v=TLSRPTv1; rua=mailto:tls-reports@other.example"))
	settings := func(name, addr string) []string {
		return append([]string{shortStreams, "MAILKIN_DOMAIN=" + name, "MAILKIN_HOSTNAME=mx." + name,
			"MAILKIN_SMTP_ADDR=" + addr + ":25", "MAILKIN_DNS=" + z.addr, "MAILKIN_SEND_REPORTS=on",
			"MAILKIN_OUTBOUND=direct"}, unbounded...)
	}
	a, b := newNode(t, settings("one.example", one)...), newNode(t, settings("other.example", other)...)
	a.start(t)
	b.start(t)
	a.publish(t, z, "one.example")
	b.publish(t, z, "other.example")
	robin, marian := a.mailbox(t, "robin"), b.mailbox(t, "marian")
	marian.delivery(t, marian.send(t, note("to be counted", robin.address)).ID, "delivered")
	robin.delivery(t, robin.send(t, note("TLS to be counted", marian.address)).ID, "delivered")
	b.stop(t)
	a.stop(t)
	a.daysPass(t)

	sentOf := func(kind string) (list []outgoing) { // the reports that were stored, to be sent
		var page struct{ Emails []outgoing }
		r := a.ask(t, request{path: "/v1/inbox?direction=outbound&mailbox=noreply-" + kind + "@one.example",
			key: a.token})
		if r.status == http.StatusOK {
			r.into(t, &page)
		}
		return page.Emails
	}
	a.start(t) // nobody takes them
	eventually(t, func() error {
		if len(sentOf("dmarc")) == 0 || len(sentOf("tls")) == 0 {
			return fmt.Errorf("no reports: %v, %v", sentOf("dmarc"), sentOf("tls"))
		}
		return nil
	})
	a.kill(t)
	b.start(t)
	a.start(t)
	box{srv: a, address: "noreply-dmarc@one.example"}.hasten(t)
	box{srv: a, address: "noreply-tls@one.example"}.hasten(t)
	eventually(t, func() error {
		if list := b.reports(t, "other.example"); len(list) < 2 {
			return fmt.Errorf("reports: %+v", list)
		}
		return nil
	})
	if d, s := sentOf("dmarc"), sentOf("tls"); len(d) != 1 || len(s) != 1 ||
		!strings.HasPrefix(d[0].Subject, "Report Domain: other.example Submitter: mx.one.example Report-ID: <") {
		t.Errorf("sent %+v, %+v", d, s)
	}
	seen := map[string]bool{}
	for _, r := range b.reports(t, "other.example") {
		if seen[r.Kind] || !r.Authenticated || r.Reporter != "one.example" || r.Organization != "mx.one.example" ||
			r.Passed != 1 || r.Failed != 0 {
			t.Errorf("%+v", r)
		}
		seen[r.Kind] = true
		switch row := r.Rows[0]; {
		case r.Kind == "dmarc" && (row.Source != other ||
			row.Detail != "dkim=pass spf=pass disposition=none from=other.example"),
			r.Kind == "tls" && row.Detail != "policy=no-policy-found":
			t.Errorf("%+v", row)
		}
	}
}
