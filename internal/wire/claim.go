package wire

import (
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewStartedClaim returns a claim, the session with which it is polled, and the page on which it is confirmed.
func NewStartedClaim(c mailbox.Claim, session, url string) api.StartedClaim {
	name, _, _ := strings.Cut(c.Address, "@")
	return api.StartedClaim{
		SessionID: session, Name: name, Mailbox: c.Address, URL: url,
		ExpiresIn: int(mailbox.ClaimTime.Seconds()),
	}
}

// NewPendingClaim returns a claim that waits: temporary is the address of the mailbox that is to be kept, empty for
// none.
func NewPendingClaim(c mailbox.Claim, temporary string, retired time.Time, barred bool) api.PendingClaim {
	return api.PendingClaim{ID: c.ID().String(), Mailbox: c.Address, Temporary: null(temporary), Client: c.Client,
		CreatedAt: at(c.CreatedAt), ExpiresAt: at(c.ExpiresAt), RetiredAt: at(retired), Barred: barred}
}
