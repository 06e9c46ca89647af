package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewDomainReports returns a page of reports, with what all of them say.
func NewDomainReports(list []mailbox.DomainReport, next string, totals api.ReportTotals) api.DomainReports {
	return api.DomainReports{Reports: each(list, newDomainReport), Totals: totals, Next: api.NullString(next)}
}

// NewReportTotals returns what reports say together.
func NewReportTotals(passed, failed int64, sources []mailbox.ReportRow) api.ReportTotals {
	return api.ReportTotals{Passed: passed, Failed: failed, Sources: each(sources, newReportRow)}
}

func newDomainReport(r mailbox.DomainReport) api.DomainReport {
	return api.DomainReport{Kind: string(r.Kind), Reporter: r.Reporter, Authenticated: r.Authentic,
		Organization: r.Organization, ReportID: r.ID, Domain: r.About, Begin: at(r.Begin), End: at(r.End),
		ReceivedAt: at(r.ReceivedAt), Passed: r.Passed, Failed: r.Failed, Rows: each(r.Rows, newReportRow)}
}

func newReportRow(r mailbox.ReportRow) api.ReportRow {
	return api.ReportRow{Source: r.Source, Result: r.Result, Detail: r.Detail, Count: r.Count}
}
