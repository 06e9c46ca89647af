package wire

import (
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Stats is a mailbox's counts (SPEC 2.3, API 5).
type Stats struct {
	Mailbox          string `json:"mailbox"`
	TotalEmails      int64  `json:"total_emails"`
	Inbound          int64  `json:"inbound"`
	Outbound         int64  `json:"outbound"`
	EmailsThisMonth  int64  `json:"emails_this_month"`
	Unseen           int64  `json:"unseen"`
	StorageBytes     int64  `json:"storage_bytes"`
	SuppressionCount int64  `json:"suppression_count"`
	WebhookRoutes    int64  `json:"webhook_routes"`
	Ingest           Ingest `json:"ingest"`
	Index            Index  `json:"index"`
	Daily            []Day  `json:"daily,omitempty"`
	DailyComplete    *bool  `json:"daily_complete,omitempty"`
}

// Day is what a mailbox has of a day.
type Day struct {
	Day      string           `json:"day"` // in UTC
	Received int64            `json:"received"`
	Sent     int64            `json:"sent"`
	Bytes    int64            `json:"bytes"`
	Outcomes map[string]int64 `json:"outcomes"`
}

// Ingest is how far received messages have come.
type Ingest struct {
	Pending int64 `json:"pending"`
	Parsed  int64 `json:"parsed"`
	Failed  int64 `json:"failed"`
}

// Index is how much the search index is behind.
type Index struct {
	Pending        int64 `json:"pending"`
	VectorsPending int64 `json:"vectors_pending"`
}

// NewStats gives the counts of the mailbox of that address, which does not send to so many others and has so many
// routes. A received message is parsed before it is stored, so none is ever pending.
func NewStats(c mailbox.Counters, suppressions, routes int64, address string) Stats {
	return Stats{
		Mailbox: address, TotalEmails: c.Inbound + c.Outbound, Inbound: c.Inbound, Outbound: c.Outbound,
		EmailsThisMonth: c.ThisMonth, Unseen: c.Unseen, StorageBytes: c.Bytes,
		SuppressionCount: suppressions, WebhookRoutes: routes, Ingest: Ingest{Parsed: c.Inbound},
	}
}

// NewDay gives what a mailbox has of the day that begins then.
func NewDay(day time.Time, received, sent, bytes int64, outcomes map[string]int64) Day {
	if outcomes == nil {
		outcomes = map[string]int64{}
	}
	return Day{Day: day.Format(time.DateOnly), Received: received, Sent: sent, Bytes: bytes, Outcomes: outcomes}
}
