package postgres

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	domainReports = `SELECT n, ` + rows.DomainReportColumns + ` FROM domain_reports
		WHERE domain = $1 AND ($2::bytea = '' OR kind = $2) AND ($3::bytea = '' OR reporter = $3)
		AND end_at >= $4 AND ($5::bigint = 0 OR begin_at < $5) AND n < $6 ORDER BY n DESC LIMIT $7`
	trimDomainReports = `DELETE FROM domain_reports WHERE n IN
		(SELECT n FROM domain_reports WHERE received_at < $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`
)

func (q *queries) DomainReports(_ context.Context, f store.DomainReportFilter) ([]mailbox.DomainReport, error) {
	return all(q.sql(domainReports).id(f.Domain).text(string(f.Kind)).text(f.Reporter).time(f.From).time(f.To).
		int(rows.Below(f.Before)).int(int64(f.Limit)), rows.DomainReport)
}

func (q *queries) TrimDomainReports(_ context.Context, before time.Time, limit int) (int, bool, error) {
	return q.Trim(trimDomainReports, before, limit)
}
