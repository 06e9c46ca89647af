package wire

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// StartedClaim is a claim that waits for a person (API 3).
type StartedClaim struct {
	SessionID string `json:"session_id"`
	Name      string `json:"name"`
	Mailbox   string `json:"mailbox"`
	URL       string `json:"url"`
	ExpiresIn int    `json:"expires_in"` // seconds
}

// NewStartedClaim gives a claim, the session with which it is polled, and the page on which it is confirmed.
func NewStartedClaim(c mailbox.Claim, session, url string) StartedClaim {
	name, _, _ := strings.Cut(c.Address, "@")
	return StartedClaim{
		SessionID: session, Name: name, Mailbox: c.Address, URL: url,
		ExpiresIn: int(mailbox.ClaimTime.Seconds()),
	}
}

// ConfirmedClaim is the answer to confirming a claim.
type ConfirmedClaim struct {
	Status  string `json:"status"`
	Mailbox string `json:"mailbox"`
	Already bool   `json:"already_confirmed"`
	APIKey  string `json:"api_key,omitempty"` // where anyone may confirm, to the agent that started the claim
}

// PolledClaim is how far a claim has come; with mailbox and key when it is complete.
type PolledClaim struct {
	Status  string `json:"status"`
	Mailbox string `json:"mailbox,omitempty"`
	APIKey  string `json:"api_key,omitempty"`
}
