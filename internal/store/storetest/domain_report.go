package storetest

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var domainReportTests = []test{
	{"is kept as it was, once", func(k kit) {
		d := k.sampleDomain("a.example")
		r := k.domainReport(d, "r1", 0)
		k.domainReport(d, "r1", 0)
		k.same("reports", k.domainReports(store.DomainReportFilter{Domain: d}), []mailbox.DomainReport{r})
		forged := r
		forged.Authentic, forged.Number = false, 0
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDomainReport(ctx, forged) })
		for _, authentic := range []bool{true, false} {
			k.same("count", must(k, func(ctx context.Context, r store.Reader) (int64, error) {
				return r.CountDomainReports(ctx, d, authentic)
			}), int64(1))
		}
		k.same("of another domain", len(k.domainReports(store.DomainReportFilter{Domain: mailbox.ID{15: 9}})), 0)
	}},
	{"is found by what it is", func(k kit) {
		d := k.sampleDomain("a.example")
		first, second := k.domainReport(d, "r1", 0), k.domainReport(d, "r2", 24)
		for _, f := range []struct {
			name string
			f    store.DomainReportFilter
			want []mailbox.DomainReport
		}{
			{"all", store.DomainReportFilter{}, []mailbox.DomainReport{second, first}},
			{"kind", store.DomainReportFilter{Kind: mailbox.ReportTLS}, nil},
			{"reporter", store.DomainReportFilter{Reporter: "reporter.example", Limit: 1},
				[]mailbox.DomainReport{second}},
			{"another reporter", store.DomainReportFilter{Reporter: "x.example"}, nil},
			{"from", store.DomainReportFilter{From: noon.Add(40 * time.Hour)}, []mailbox.DomainReport{second}},
			{"to", store.DomainReportFilter{To: noon.Add(20 * time.Hour)}, []mailbox.DomainReport{first}},
			{"before", store.DomainReportFilter{Before: second.Number}, []mailbox.DomainReport{first}},
		} {
			f.f.Domain = d
			k.same(f.name, k.domainReports(f.f), f.want)
		}
	}},
	{"goes with its time, and with its domain", func(k kit) {
		d := k.sampleDomain("a.example")
		k.domainReport(d, "r1", 0)
		second := k.domainReport(d, "r2", 24)
		k.update(func(ctx context.Context, tx store.Tx) error {
			removed, more, err := tx.TrimDomainReports(ctx, noon.Add(30*time.Hour), 10)
			if removed != 1 || more {
				k.Errorf("removed %d, more %t", removed, more)
			}
			return err
		})
		k.same("left", k.domainReports(store.DomainReportFilter{Domain: d}), []mailbox.DomainReport{second})
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDomain(ctx, d) })
		k.same("without its domain", len(k.domainReports(store.DomainReportFilter{Domain: d})), 0)
	}},
}

// sampleDomain stores a domain.
func (k kit) sampleDomain(name string) mailbox.ID {
	k.Helper()
	d := mailbox.Domain{ID: mailbox.NewID(noon), Name: name, CreatedAt: noon}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDomain(ctx, d) })
	return d.ID
}

// domainReport stores a report of a day that begins some hours after noon, and comes with its end.
func (k kit) domainReport(domain mailbox.ID, id string, hours int) mailbox.DomainReport {
	k.Helper()
	begin := noon.Add(time.Duration(hours) * time.Hour)
	r := mailbox.DomainReport{Domain: domain, Kind: mailbox.ReportDMARC, Reporter: "reporter.example", Authentic: true,
		Organization: "Reporter", ID: id, About: "a.example", Begin: begin, End: begin.Add(24 * time.Hour),
		ReceivedAt: begin.Add(24 * time.Hour), Passed: 3, Failed: 1,
		Rows: []mailbox.ReportRow{{Source: "192.0.2.1", Result: "pass", Detail: "dkim=pass", Count: 3},
			{Source: "2001:db8::1", Result: "fail", Count: 1}}}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDomainReport(ctx, r) })
	r.Number = k.domainReports(store.DomainReportFilter{Domain: domain})[0].Number
	return r
}

func (k kit) domainReports(f store.DomainReportFilter) []mailbox.DomainReport {
	k.Helper()
	if f.Limit == 0 {
		f.Limit = 10
	}
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.DomainReport, error) {
		return r.DomainReports(ctx, f)
	})
}
