package service_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// reportMail is a mail with a DMARC report about a domain.
func reportMail(about, id string) string {
	xml := fmt.Sprintf(`<feedback><report_metadata><org_name>There</org_name><report_id>%s</report_id><date_range>`+
		`<begin>1767225600</begin><end>1767311999</end></date_range></report_metadata><policy_published><domain>%s`+
		`</domain></policy_published><record><row><source_ip>192.0.2.1</source_ip><count>3</count><policy_evaluated>`+
		`<disposition>none</disposition><dkim>pass</dkim><spf>pass</spf></policy_evaluated></row></record>`+
		`</feedback>`, id, about)
	return "From: reports@there.example\r\nTo: x@example.test\r\nSubject: Report Domain: " + about + "\r\n" +
		"Message-ID: <" + id + about + "@there.example>\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: application/xml; name=\"there.example!" + about + "!1767225600!1767311999.xml\"\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(xml)) + "\r\n"
}

func TestDomainReports(t *testing.T) {
	check := &oracle{says: passed}
	w := newDNSKit(t, func(o *service.Options) { o.Senders = check })
	w.svc.FakeKeys()
	owner, other := w.permanent("owner"), w.permanent("other")
	d, ada := w.verified(owner, "own.example")
	reports := func(q service.ReportQuery) service.DomainReports {
		t.Helper()
		q.Domain, q.Page.Limit = d.ID, 10
		list, err := w.svc.DomainReports(t.Context(), owner.in(mailbox.ManageMailbox), q)
		w.works("DomainReports", err)
		return list
	}
	w.receive(reportMail("own.example", "r1"), "dmarc-reports@own.example")
	w.receive(reportMail("own.example", "r1"), owner.Address) // once is enough
	w.receive(reportMail("sub.own.example", "r2"), "dmarc-reports+x@own.example")
	w.receive(reportMail("own.example", "r3"), other.Address, ada.Address) // not the owner's mailboxes
	w.receive(reportMail("other.example", "r4"), "dmarc-reports@own.example")
	got := reports(service.ReportQuery{})
	if len(got.Items) != 2 || got.Passed != 6 || got.Failed != 0 || !got.Items[0].Authentic ||
		got.Items[0].About != "sub.own.example" || got.Items[1].Reporter != "there.example" {
		t.Errorf("%+v", got)
	}
	w.same("sources", got.Sources, []mailbox.ReportRow{{Source: "192.0.2.1", Result: "pass", Count: 6}})
	check.says = failed
	w.receive(strings.Replace(reportMail("own.example", "r1"), "r1own", "again", 1), "tls-reports@own.example")
	if got := reports(service.ReportQuery{}); len(got.Items) != 3 || got.Items[0].Authentic {
		t.Errorf("a forged one: %+v", got)
	}
	for name, q := range map[string]service.ReportQuery{"kind": {Kind: "tls"}, "reporter": {Reporter: "x.example"},
		"from": {From: w.clock.Now().AddDate(1, 0, 0)}} {
		if got := reports(q); len(got.Items) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	_, err := w.svc.DomainReports(t.Context(), owner.in(mailbox.ManageMailbox),
		service.ReportQuery{Domain: d.ID, Kind: "x"})
	w.kind("kind", err, mailbox.Invalid, "invalid_kind")
	_, err = w.svc.DomainReports(t.Context(), other.in(mailbox.ManageMailbox), service.ReportQuery{Domain: d.ID})
	w.kind("of another mailbox", err, mailbox.NotFound, "not_found")
	w.takes("dmarc-reports@elsewhere.example", mailbox.NoSuchRecipient)
	w.takes("dmarc-reports@example.test", 0) // the configured mailbox has it

	w.clock.advance(91 * 24 * time.Hour)
	w.works("Trim", w.svc.Trim(t.Context()))
	if got := reports(service.ReportQuery{}); len(got.Items) != 0 {
		t.Errorf("after their time: %+v", got)
	}
}

// A report about the deployment's own domain counts on a new server, too, before anybody has listed domains.
func TestFirstReportAboutOwnDomain(t *testing.T) {
	w := newDNSKit(t, func(o *service.Options) { o.Senders = &oracle{says: passed} })
	w.svc.FakeKeys()
	operator := w.operator(mailbox.ManageMailbox, "")
	w.receive(reportMail("example.test", "r1"), "dmarc-reports@example.test")
	own, err := w.svc.Domains(t.Context(), operator)
	w.works("Domains", err)
	list, err := w.svc.DomainReports(t.Context(), operator, service.ReportQuery{Domain: own[0].ID,
		Page: service.Page{Limit: 10}})
	if w.works("DomainReports", err); len(list.Items) != 1 || list.Passed != 3 {
		t.Errorf("%+v", list)
	}
}

// Where the DNS is not asked, the sheet says so.
func TestDomainSheetWithoutDNS(t *testing.T) {
	k := newService(t)
	k.svc.FakeKeys()
	operator := k.operator(mailbox.ManageMailbox, "")
	own, err := k.svc.Domains(t.Context(), operator)
	k.works("Domains", err)
	sheet, err := k.svc.DomainSheet(t.Context(), operator, own[0].ID)
	k.works("DomainSheet", err)
	for _, f := range sheet.Findings {
		if f.Err != nil && !strings.Contains(f.Problem, "does not ask the DNS") {
			t.Errorf("%s: %q", f.Record.Kind, f.Problem)
		}
	}
}
