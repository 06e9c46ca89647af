package wire

import (
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewStats returns the counts of the mailbox of that address, which has these numbers of suppressed addresses and of
// routes. A received message is parsed before it is stored, so none is ever pending.
func NewStats(c mailbox.Counters, suppressions, routes int64, address string) api.Stats {
	return api.Stats{
		Mailbox: address, TotalEmails: c.Inbound + c.Outbound, Inbound: c.Inbound, Outbound: c.Outbound,
		EmailsThisMonth: c.ThisMonth, Unseen: c.Unseen, StorageBytes: c.Bytes,
		SuppressionCount: suppressions, WebhookRoutes: routes, Ingest: api.IngestStats{Parsed: c.Inbound},
	}
}

// NewDay returns what a mailbox has of the day that begins then.
func NewDay(day time.Time, received, sent, bytes int64, outcomes map[string]int64) api.DayStats {
	if outcomes == nil {
		outcomes = map[string]int64{}
	}
	return api.DayStats{Day: day.Format(time.DateOnly), Received: received, Sent: sent, Bytes: bytes,
		Outcomes: outcomes}
}

// NewSpan returns what is stored of the time that begins then.
func NewSpan(begin time.Time, received, sent, bytes int64, outcomes map[string]int64) api.OverviewSpan {
	d := NewDay(begin, received, sent, bytes, outcomes)
	return api.OverviewSpan{At: at(begin), Received: d.Received, Sent: d.Sent, Bytes: d.Bytes, Outcomes: d.Outcomes}
}
