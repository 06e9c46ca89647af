package service_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/aggregate"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
)

// reported is a mail with a report, in short: who gets it, about which domain, how much passed and failed.
func (k *kit) reported() (list []string) {
	k.Helper()
	for _, from := range []string{"noreply-dmarc@example.test", "noreply-tls@example.test"} {
		in, err := k.svc.Enter(k.Context(), k.login(operatorToken), service.Act{Need: mailbox.ReadMail, Mailbox: from})
		if err != nil {
			continue // none was ever sent
		}
		for _, m := range k.inbox(in, service.InboxQuery{Direction: mailbox.Outbound}).Items {
			d := k.message(in, m.ID).Detail
			a, err := k.svc.Attachment(k.Context(), in, m.ID.Part(d.Parts[0].Index))
			k.works("Attachment", err)
			raw, err := io.ReadAll(a)
			k.works("read", err)
			r, err := aggregate.Read(bytes.NewReader(raw))
			k.works(d.Parts[0].Filename, err)
			if d.Header("Auto-Submitted") != "auto-generated" || !strings.HasPrefix(m.Subject, "Report Domain: "+
				r[0].About+" Submitter: mx.example.test Report-ID: <"+r[0].ID+">") ||
				!strings.HasPrefix(d.Parts[0].Filename, fmt.Sprintf("mx.example.test!%s!%d!", r[0].About,
					r[0].Begin.Unix())) {
				k.Errorf("%s, %s", m.Subject, d.Parts[0].Filename)
			}
			list = append(list, fmt.Sprintf("%s %s %s %d/%d", r[0].Kind, d.To[0].Address, r[0].About, r[0].Passed,
				r[0].Failed))
		}
	}
	slices.Sort(list)
	return list
}

// What was seen in a day is reported once on the next, to those who ask for it and may.
func TestSendReports(t *testing.T) {
	check := &oracle{}
	w := newDNSKit(t, func(o *service.Options) { o.Senders, o.SendReports = check, true })
	w.zone.Text("_dmarc.a.example", "v=DMARC1; p=reject; rua=mailto:d@a.example,https://a.example/r,"+
		"mailto:far@there.example!10m,mailto:liar@elsewhere.example,mailto:tiny@a.example!1,mailto:%64@A.example")
	w.zone.Text("a.example._report._dmarc.there.example", "v=DMARC1; rua=mailto:other@there.example")
	w.zone.Text("_smtp._tls.a.example", "v=TLSRPTv1;rua=mailto:t@other.example")
	w.zone.Text("_dmarc.later.example", "v=DMARC1; p=none; rua=mailto:d@later.example")
	w.zone.Add(t, "_smtp._tls.later.example FAIL")
	ada := w.permanent("ada")
	says := func(domain, dmarc string) {
		check.says = sender.Result{SPF: "pass", DKIM: "none", DMARC: dmarc, ARC: "none", Checked: true,
			Policy: "reject", Feedback: &sender.Feedback{Domain: domain, From: domain, Envelope: domain,
				SPFDomain: domain, SPFAligned: dmarc == "pass"}}
	}
	n := 0
	mail := func(to string) {
		n++
		env := w.envelope(to)
		env.Remote, env.From = "1.2.3.4", "ann@a.example"
		_, err := w.svc.Receive(t.Context(), env, strings.NewReader(strings.ReplaceAll(letter("one"), "Message-ID: <",
			fmt.Sprintf("Message-ID: <%d.", n))))
		w.works("Receive", err)
	}
	for range 3 {
		says("a.example", "pass")
		mail(ada.Address)
	}
	says("a.example", "fail")
	mail(ada.Address)
	mail("dmarc-reports@example.test") // reports are not reported
	says("quiet.example", "pass")
	mail(ada.Address)
	seen := aggregate.TLS{Policy: "sts", Result: "certificate-expired", MX: "mx.a.example",
		Addr: netip.MustParseAddr("1.2.3.4")}
	w.svc.SawTLS("a.example", seen)
	w.svc.SawTLS("a.example", aggregate.TLS{Policy: "sts"})
	w.svc.SawTLS("later.example", aggregate.TLS{Policy: "sts"})

	w.works("on the same day", w.svc.SendReports(t.Context()))
	w.clock.set(w.clock.Now().Truncate(24 * time.Hour).Add(24*time.Hour + time.Minute))
	w.works("at midnight", w.svc.SendReports(t.Context()))
	w.same("too early", len(w.reported()), 0)
	w.clock.advance(4 * time.Hour)
	err := w.svc.SendReports(t.Context())
	if err == nil || !strings.Contains(err.Error(), "later.example") {
		t.Errorf("a DNS that does not answer: %v", err)
	}
	want := []string{"dmarc d@a.example a.example 3/1", "dmarc other@there.example a.example 3/1",
		"tls t@other.example a.example 1/1"}
	w.same("reports", w.reported(), want)
	says("a.example", "fail") // of the next day
	mail(ada.Address)
	w.works("writing it", w.svc.FlushObserved(t.Context()))
	_ = w.svc.SendReports(t.Context())
	w.same("reports once more", w.reported(), want)
	if n := w.svc.ReportsSent(); n != 3 {
		t.Errorf("%d reports were counted", n)
	}
	for _, j := range w.lease() {
		own, lax := w.svc.OwnReport(t.Context(), j.Delivery)
		if tls := j.Recipient == "t@other.example"; !own || lax != tls {
			t.Errorf("the report to %s: %t, %t", j.Recipient, own, lax)
		}
	}

	w.svc.Reload(service.Live{})
	mail(ada.Address)
	w.clock.advance(5 * 24 * time.Hour)
	w.works("Trim", w.svc.Trim(t.Context()))
	w.svc.Reload(service.Live{SendReports: true})
	w.works("after that", w.svc.SendReports(t.Context()))
	w.same("what was too old", len(w.reported()), 3)
}

// receiver takes reports that are posted.
type receiver struct {
	service.HookPoster
	problem string
	posted  []string
}

func (r *receiver) PostReport(_ context.Context, url, mediaType string, report []byte) string {
	list, err := aggregate.Read(bytes.NewReader(report))
	if r.problem != "" || err != nil {
		return cmp.Or(r.problem, fmt.Sprint(err))
	}
	r.posted = append(r.posted, fmt.Sprintf("%s %s %s %d/%d", url, mediaType, list[0].ID, list[0].Passed,
		list[0].Failed))
	return ""
}

// A report on TLS is posted where the domain asks for that. Where it cannot be, and nobody else has it, the next round
// tries again, with the same id.
func TestPostReports(t *testing.T) {
	to := &receiver{problem: "The receiver is busy."}
	w := newDNSKit(t, func(o *service.Options) { o.SendReports, o.Poster = true, to })
	w.zone.Text("_smtp._tls.a.example", "v=TLSRPTv1; rua=https://a.example/tls?v=1,http://a.example/,https://10.0.0.1/x")
	w.zone.Text("_smtp._tls.b.example", "v=TLSRPTv1; rua=https://b.example/,mailto:t@b.example")
	for _, domain := range []string{"a.example", "b.example"} {
		w.svc.SawTLS(domain, aggregate.TLS{Policy: "sts"})
		w.svc.SawTLS(domain, aggregate.TLS{Policy: "sts", Result: "sts-policy-invalid"})
	}
	day := w.clock.Now().Format("20060102")
	w.works("FlushObserved", w.svc.FlushObserved(t.Context()))
	w.clock.set(w.clock.Now().Truncate(24 * time.Hour).Add(29 * time.Hour))
	if err := w.svc.SendReports(t.Context()); err == nil || !strings.Contains(err.Error(), "busy") {
		t.Errorf("while the receiver is busy: %v", err)
	}
	w.same("by mail meanwhile", w.reported(), []string{"tls t@b.example b.example 1/1"})
	to.problem = ""
	for range 2 {
		w.works("SendReports", w.svc.SendReports(t.Context()))
	}
	w.same("posted", to.posted, []string{"https://a.example/tls?v=1 application/tlsrpt+gzip " + day + ".a.example 1/1"})
	if n := w.svc.ReportsSent(); n != 2 {
		t.Errorf("%d reports were counted", n)
	}
}

// Whoever wants reports is written in many ways.
func TestReportTargets(t *testing.T) {
	for uris, want := range map[string]string{
		"mailto:a@b.example":                                               "a@b.example 0",
		" MAILTO:A@B.example!10M ,mailto:c@d.example!5k":                   "A@b.example 10485760,c@d.example 5120",
		"mailto:a%21b@c.example?x!7,mailto:d@e.example?s=1":                "a!b@c.example 7,d@e.example 0",
		"https://a.example, a@b.example, mailto:, mailto:x":                "",
		"mailto:a@b.example!x,mailto:a@b.example!-1":                       "",
		"mailto:Ann <a@b.example>,mailto:a@b.example%0D%0A":                "",
		"mailto:1@a.b,mailto:2@a.b,mailto:3@a.b,mailto:4@a.b,mailto:5@a.b": "1@a.b 0,2@a.b 0,3@a.b 0,4@a.b 0",
	} {
		if got := service.ReportTargets(uris); got != want {
			t.Errorf("%s: %s, want %s", uris, got, want)
		}
	}
}
