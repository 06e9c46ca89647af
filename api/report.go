package api

// DomainReports are what other mail systems reported about a domain: a page of them, and what all of them say together.
type DomainReports struct {
	Reports []DomainReport `json:"reports"`
	Totals  ReportTotals   `json:"totals"`
	Next    NullString     `json:"next_cursor"`
}

// DomainReport is one report.
type DomainReport struct {
	Kind          string      `json:"kind"`     // dmarc or tls
	Reporter      string      `json:"reporter"` // the domain that the report came from
	Authenticated bool        `json:"authenticated"`
	Organization  string      `json:"organization"`
	ReportID      string      `json:"report_id"`
	Domain        string      `json:"domain"` // that it is about
	Begin         Time        `json:"begin"`
	End           Time        `json:"end"`
	ReceivedAt    Time        `json:"received_at"`
	Passed        int64       `json:"passed"` // messages, or TLS sessions
	Failed        int64       `json:"failed"`
	Rows          []ReportRow `json:"rows"`
}

// ReportRow is how often something was seen.
type ReportRow struct {
	Source string `json:"source"` // address of the client; empty: not known, or several
	Result string `json:"result"` // pass, fail, success, or the type of a TLS failure
	Detail string `json:"detail,omitempty"`
	Count  int64  `json:"count"`
}

// ReportTotals are what reports say together.
type ReportTotals struct {
	Passed  int64       `json:"passed"`
	Failed  int64       `json:"failed"`
	Sources []ReportRow `json:"sources"` // by address and result, the highest counts first
}
