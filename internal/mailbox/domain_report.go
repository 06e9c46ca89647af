package mailbox

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ReportKind is what a report is about.
type ReportKind string

// The kinds.
const (
	ReportDMARC ReportKind = "dmarc" // who sent mail in the domain's name (RFC 7489 7.2, RFC 9990)
	ReportTLS   ReportKind = "tls"   // whether TLS worked for mail to the domain (RFC 8460)
)

// DomainReport is what another mail system tells the owner of a domain about its mail, in sums.
type DomainReport struct {
	Number       int64 // its place in the list
	Domain       ID    // of the domain here
	Kind         ReportKind
	Reporter     string // the domain of the mail's author
	Authentic    bool   // SPF or DKIM show that the mail is from that domain; else anybody may have written it
	Organization string // as the report names it
	ID           string // that the reporter gave it
	About        string // the domain that it is about: the one here, or one below it
	Begin, End   time.Time
	ReceivedAt   time.Time
	Passed       int64 // messages, or sessions
	Failed       int64
	Rows         []ReportRow
}

// ReportRow is how often something was seen.
type ReportRow struct {
	Source string // address of the client; empty: the report does not say
	Result string // pass, fail, success, or the type of the failure (RFC 8460 4.3)
	Detail string // what else the report says
	Count  int64
}

// Failed tells whether the row counts what went wrong.
func (r ReportRow) Failed() bool { return r.Result != "pass" && r.Result != "success" }

// SumRows adds up rows that say the same, puts those with the highest counts first, and of more than limit adds up
// the last by their results alone.
func SumRows(rows []ReportRow, limit int) []ReportRow {
	out := sumEqual(rows)
	if len(out) <= limit {
		return out
	}
	rest := out[limit:]
	for i := range rest {
		rest[i].Source, rest[i].Detail = "", ""
	}
	return append(out[:limit:limit], sumEqual(rest)...)
}

func sumEqual(rows []ReportRow) []ReportRow {
	sums := make(map[ReportRow]int64, len(rows))
	for _, r := range rows {
		n := r.Count
		r.Count = 0
		sums[r] += n
	}
	out := make([]ReportRow, 0, len(sums))
	for r, n := range sums {
		r.Count = n
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b ReportRow) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Result, b.Result),
			cmp.Compare(a.Detail, b.Detail))
	})
	return out
}

// EncodeRows is the form in which rows are kept: a line each, with tabs.
func EncodeRows(rows []ReportRow) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.Source + "\t" + r.Result + "\t" + r.Detail + "\t" + strconv.FormatInt(r.Count, 10) + "\n")
	}
	return b.String()
}

// DecodeRows reads what EncodeRows wrote.
func DecodeRows(text string) (rows []ReportRow) {
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 4 {
			continue
		}
		n, _ := strconv.ParseInt(parts[3], 10, 64)
		rows = append(rows, ReportRow{parts[0], parts[1], parts[2], n})
	}
	return rows
}
