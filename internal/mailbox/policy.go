package mailbox

import "time"

// Policy is the MTA-STS policy of a domain that mail is sent to (RFC 8461).
type Policy struct {
	Domain    string
	ID        string    // that the domain announced for it
	Text      string    // as the domain publishes it
	ExpiresAt time.Time // it counts until then, also where it cannot be fetched again
	RefreshAt time.Time // it is fetched again from then on
}
