package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/client"
)

func (p *program) domainReportsCommand() *cobra.Command {
	var f client.ReportFilter
	var days int
	var all bool
	var cmd *cobra.Command
	cmd = p.withDomain(&cobra.Command{
		Use:   "reports DOMAIN",
		Short: "Print what other mail systems reported about a domain: DMARC and TLS",
		Long: `Print what other mail systems reported about a domain: who sent mail in its name (DMARC), and whether TLS worked.
In a pipe each sum is a line with tabs: source address, result, count. With --all each report is a line with tabs: kind,
reporter, "authenticated" or "unauthenticated", begin, end, passed, failed.`,
	}, func(s *session, id string) error {
		switch flags := cmd.Flags(); {
		case flags.Changed("limit") && (f.Limit < 1 || f.Limit > 100):
			return usage("--limit is 1 to 100")
		case flags.Changed("days") && days < 1:
			return usage("--days is 1 or more")
		case days > 0:
			f.From = time.Now().AddDate(0, 0, -days)
		}
		r, err := s.c.DomainReports(s.ctx, id, f)
		if err != nil {
			return err
		}
		s.empty(len(r.Reports), "There are none; \"mailkin dns\" shows the records that ask for them.")
		return s.show(r, func() error {
			if !all {
				t := newTable(0, "source", "result", "count")
				for _, row := range r.Totals.Sources {
					t.add(row.Source, row.Result, number(int(row.Count)))
				}
				return s.out.table(t)
			}
			t := newTable(1, "kind", "reporter", "", "begin", "end", "passed", "failed")
			for _, one := range r.Reports {
				sure := "authenticated"
				if !one.Authenticated {
					sure = "unauthenticated"
				}
				t.add(one.Kind, one.Reporter, sure, one.Begin.Format(time.DateOnly),
					one.End.Format(time.DateOnly), number(int(one.Passed)), number(int(one.Failed)))
			}
			return s.out.table(t)
		})
	})
	flags := cmd.Flags()
	flags.StringVar(&f.Kind, "kind", "", "only these: dmarc or tls")
	flags.StringVar(&f.Reporter, "reporter", "", "only those of this domain")
	flags.IntVar(&days, "days", 0, "only about the last days")
	flags.IntVar(&f.Limit, "limit", 0, "how many reports")
	flags.BoolVar(&all, "all", false, "print each report instead of the sums")
	return cmd
}
