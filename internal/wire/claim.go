package wire

import (
	"strings"

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
