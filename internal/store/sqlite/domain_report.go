package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	domainReports = `SELECT n, ` + rows.DomainReportColumns + ` FROM domain_reports
		WHERE domain = ?1 AND (?2 = '' OR kind = ?2) AND (?3 = '' OR reporter = ?3)
		AND end_at >= ?4 AND (?5 = 0 OR begin_at < ?5) AND n < ?6 ORDER BY n DESC LIMIT ?7`
	insertDomainReport = `INSERT OR IGNORE INTO domain_reports (` + rows.DomainReportColumns +
		`) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`
	trimDomainReports = `DELETE FROM domain_reports WHERE n IN
		(SELECT n FROM domain_reports WHERE received_at < ? ORDER BY received_at LIMIT ?)`
)

func (q *queries) DomainReports(_ context.Context, f store.DomainReportFilter) ([]mailbox.DomainReport, error) {
	return all(q.sql(domainReports).id(f.Domain).text(string(f.Kind)).text(f.Reporter).time(f.From).time(f.To).
		int(rows.Below(f.Before)).int(int64(f.Limit)), rows.DomainReport)
}

func (q *queries) CountDomainReports(_ context.Context, domain mailbox.ID, authentic bool) (int64, error) {
	return one(q.sql(`SELECT count(*) FROM domain_reports WHERE domain = ? AND authentic = ?`).id(domain).bool(authentic),
		rows.Int)
}

func (q *queries) InsertDomainReport(_ context.Context, r mailbox.DomainReport) error {
	return q.sql(insertDomainReport).id(r.Domain).text(string(r.Kind)).text(r.Reporter).bool(r.Authentic).
		text(r.Organization).text(r.ID).text(r.About).time(r.Begin).time(r.End).time(r.ReceivedAt).int(r.Passed).
		int(r.Failed).text(mailbox.EncodeRows(r.Rows)).run()
}

func (q *queries) TrimDomainReports(_ context.Context, before time.Time, limit int) (removed int, more bool,
	err error) {
	err = q.sql(trimDomainReports).time(before).int(int64(limit)).run()
	removed = q.conn.Changes()
	return removed, removed >= limit, err
}
