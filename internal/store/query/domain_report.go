package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	insertDomainReport = `INSERT INTO domain_reports (` + rows.DomainReportColumns +
		`) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING`
)

func (q Queries[R]) CountDomainReports(_ context.Context, domain mailbox.ID, authentic bool) (int64, error) {
	return one(q, rows.Int, `SELECT count(*) FROM domain_reports WHERE domain = ?1 AND authentic = ?2`, domain,
		authentic)
}

func (q Queries[R]) InsertDomainReport(_ context.Context, r mailbox.DomainReport) error {
	return q.run(insertDomainReport, r.Domain, string(r.Kind), r.Reporter, r.Authentic, r.Organization, r.ID, r.About,
		r.Begin, r.End, r.ReceivedAt, r.Passed, r.Failed, mailbox.EncodeRows(r.Rows))
}
