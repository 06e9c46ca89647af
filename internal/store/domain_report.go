package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// DomainReportReader finds what other mail systems reported about domains.
type DomainReportReader interface {
	// DomainReports lists reports, newest first.
	DomainReports(ctx context.Context, f DomainReportFilter) ([]mailbox.DomainReport, error)
	// CountDomainReports counts those about a domain whose reporter is known, or is not.
	CountDomainReports(ctx context.Context, domain mailbox.ID, authentic bool) (int64, error)
}

// DomainReportFilter says which reports of a domain are wanted; what is empty does not matter.
type DomainReportFilter struct {
	Domain   mailbox.ID
	Kind     mailbox.ReportKind
	Reporter string
	From, To time.Time // it is about some of this time
	Before   int64     // number; 0: from the newest on
	Limit    int
}

// DomainReportWriter keeps reports.
type DomainReportWriter interface {
	// InsertDomainReport stores a report, unless the same one is there: of that kind and id, by that reporter.
	InsertDomainReport(ctx context.Context, r mailbox.DomainReport) error
	// TrimDomainReports deletes up to limit reports that came before a time. removed and more are as in TrimSends.
	TrimDomainReports(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error)
}
