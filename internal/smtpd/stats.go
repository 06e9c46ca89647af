package smtpd

import "sync/atomic"

// Stats are counts since the start, except Open.
type Stats struct {
	Open       int64 // connections now
	Total      int64 // connections that got a session
	TurnedAway int64 // connections that got none: too many, or shutting down
	Accepted   int64 // messages answered with 2xx; in LMTP, to at least one recipient
	Bytes      int64 // of these messages
	Rejected4  int64 // recipients refused with 4xx, at RCPT or at the end of the message
	Rejected5  int64 // the same with 5xx
}

type counters struct {
	open, total, turnedAway, accepted, bytes, rejected4, rejected5 atomic.Int64
}

// Stats reads the counters. Each is exact; they are not read at one instant.
func (s *Server) Stats() Stats {
	return Stats{
		Open: s.count.open.Load(), Total: s.count.total.Load(), TurnedAway: s.count.turnedAway.Load(),
		Accepted: s.count.accepted.Load(), Bytes: s.count.bytes.Load(),
		Rejected4: s.count.rejected4.Load(), Rejected5: s.count.rejected5.Load(),
	}
}
