package service

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/aggregate"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/zone"
)

// Other mail systems send reports about a domain by mail: in whose name mail came to them (DMARC), and whether TLS
// worked (TLSRPT). A report is mail like any other, in the mailbox that it came to. Where that mailbox owns the domain
// that the report is about, what the report says is kept beside it, in sums.
//
// Anybody can write a report. One whose author is not shown by SPF or DKIM is kept and marked so, fewer of them are
// kept, and it never takes the place of one that is authentic.

const (
	domainReportsKept = 90 * 24 * time.Hour
	maxDomainReports  = 10_000 // about a domain
	maxUnknownReports = 1_000  // of these, by reporters that are not authentic
	maxReportParts    = 4      // of one message that are tried
	reportTotalsRead  = 2_000  // reports that are added up
	reportRowsAdded   = 10_000 // rows of sums before those with the lowest counts are put together
	maxReportSources  = 100
	reportMarks       = 3 // "!" in the name of a DMARC report (RFC 7489 7.2.1.1)
	tlsReportType     = "application/tlsrpt+"
)

// reportLocals are the local parts that reports come to on every domain (see zone.Plan.Sheet).
var reportLocals = []string{zone.ReportsDMARC, zone.ReportsTLS}

func isReportAddress(address string) bool {
	local, _ := split(untag(canonical(address)))
	return slices.Contains(reportLocals, local)
}

// reportBox is the mailbox that reports about a domain go to where no mailbox has the address: that of its owner.
func (s *Service) reportBox(ctx context.Context, r store.Reader, address string) (mailbox.Mailbox, error) {
	if isReportAddress(address) {
		_, domain := split(canonical(address))
		if s.ours(domain) {
			return r.MailboxAt(ctx, s.opt.Configured)
		}
		if d, ok := s.served.find(domain); ok && d.lapsed.IsZero() {
			return r.Mailbox(ctx, d.owner)
		}
	}
	return mailbox.Mailbox{}, store.ErrNotFound
}

// reportPart tells whether a part of a message may be a report.
func reportPart(p rfc822.Part) bool {
	return strings.HasPrefix(p.ContentType, tlsReportType) || strings.Count(p.Filename, "!") >= reportMarks
}

// reportsIn reads the reports that a message on its way in has; nil: none.
func (s *Service) reportsIn(ctx context.Context, env mailbox.Envelope, in *intake, c content, copies []*mailCopy,
	checked sender.Result) (list []mailbox.DomainReport) {
	if env.Proto == protoInside {
		return nil
	}
	asked := slices.ContainsFunc(env.Recipients, func(r mailbox.Recipient) bool { return isReportAddress(r.Address) })
	var parts []rfc822.Part
	for _, p := range in.parsed.Parts {
		if (asked || reportPart(p)) && len(parts) < maxReportParts && !strings.HasPrefix(p.ContentType, "text/plain") {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	raw, done, err := s.placed(ctx, in, c, copies)
	if err != nil {
		s.log.Warn("open a report about a domain", "error", err)
		return nil
	}
	defer done()
	by := reporter(env, in, checked)
	from, _ := in.author(env)
	_, domain := split(canonical(from.Address))
	for _, p := range parts {
		found, err := aggregate.Read(p.Decode(io.NewSectionReader(raw, p.Offset, p.Length)))
		if err != nil {
			continue // it is mail all the same
		}
		for _, r := range found {
			r.Reporter, r.Authentic, r.ReceivedAt = domain, by != "", s.now()
			list = append(list, r)
		}
	}
	s.haveReported(ctx, list)
	return list
}

// haveReported makes the records of the deployment's own domains that reports are about: they are made at their first
// use, and a report is kept beside one.
func (s *Service) haveReported(ctx context.Context, list []mailbox.DomainReport) {
	for _, own := range s.opt.Domains {
		if !slices.ContainsFunc(list, func(r mailbox.DomainReport) bool {
			return r.About == own || strings.HasSuffix(r.About, "."+own)
		}) {
			continue
		}
		if _, err := s.ownDomain(ctx, own); err != nil {
			s.log.Warn("make the record of a domain that a report is about", "domain", own, "error", err)
		}
	}
}

// keepReports stores what a message reports about domains of the mailbox that it came to.
func (s *Service) keepReports(ctx context.Context, tx store.Tx, box mailbox.Mailbox,
	list []mailbox.DomainReport) error {
	for _, r := range list {
		d, err := s.reported(ctx, tx, box, r.About)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		n, err := tx.CountDomainReports(ctx, d.ID, r.Authentic)
		if err != nil {
			return err
		}
		if n >= maxDomainReports || !r.Authentic && n >= maxUnknownReports {
			continue
		}
		r.Domain = d.ID
		if err := tx.InsertDomainReport(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// reported finds the domain of a mailbox that a report is about: of that name, or the next one above it.
func (s *Service) reported(ctx context.Context, r store.Reader, box mailbox.Mailbox, about string) (mailbox.Domain,
	error) {
	for name := about; strings.Contains(name, "."); _, name, _ = strings.Cut(name, ".") {
		d, err := r.DomainNamed(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err == nil && d.Mailbox != box.Num && (d.Mailbox != 0 || box.Address != s.opt.Configured) {
			err = store.ErrNotFound
		}
		return d, err
	}
	return mailbox.Domain{}, store.ErrNotFound
}

// ReportQuery says which reports of a domain are wanted; what is empty does not matter.
type ReportQuery struct {
	Domain   mailbox.ID
	Kind     string
	Reporter string
	From, To time.Time
	Page     Page
}

// DomainReports is a page of the reports about a domain, and what all of them say.
type DomainReports struct {
	List[mailbox.DomainReport]
	Passed, Failed int64
	Sources        []mailbox.ReportRow // by address and result, without details; the highest counts first
}

// DomainReports lists what other mail systems reported about a domain, newest first.
func (s *Service) DomainReports(ctx context.Context, in Access, q ReportQuery) (out DomainReports, err error) {
	switch mailbox.ReportKind(q.Kind) {
	case "", mailbox.ReportDMARC, mailbox.ReportTLS:
	default:
		return out, mailbox.InvalidField("kind", "The kind of a report is dmarc or tls.")
	}
	f := store.DomainReportFilter{Domain: q.Domain, Kind: mailbox.ReportKind(q.Kind),
		Reporter: strings.ToLower(q.Reporter), From: q.From, To: q.To, Limit: reportTotalsRead}
	before, err := decodeCursor(cursorReport, q.Page.Cursor)
	if err != nil {
		return out, err
	}
	var all []mailbox.DomainReport
	err = s.view(ctx, func(r store.Reader) (err error) {
		if _, err = s.domain(ctx, r, in, q.Domain); err == nil {
			all, err = r.DomainReports(ctx, f)
		}
		return err
	})
	var rows []mailbox.ReportRow
	var shown []mailbox.DomainReport
	for _, r := range all {
		out.Passed, out.Failed = out.Passed+r.Passed, out.Failed+r.Failed
		for _, row := range r.Rows {
			rows = append(rows, mailbox.ReportRow{Source: row.Source, Result: row.Result, Count: row.Count})
		}
		if len(rows) > 2*reportRowsAdded {
			rows = mailbox.SumRows(rows, reportRowsAdded)
		}
		if before == 0 || r.Number < before {
			shown = append(shown, r)
		}
	}
	out.Sources = mailbox.SumRows(rows, maxReportSources)
	shown = shown[min(len(shown), q.Page.Offset):]
	out.List = list(shown, q.Page.Limit, cursorReport, func(r mailbox.DomainReport) int64 { return r.Number })
	return out, err
}
