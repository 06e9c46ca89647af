package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// PolicyReader finds the MTA-STS policies of other domains.
type PolicyReader interface {
	Policy(ctx context.Context, domain string) (mailbox.Policy, error)
	// DuePolicies lists up to limit policies that were to be fetched again at a time, the longest due first. In an
	// Update they are the caller's until it ends: another caller does not get them.
	DuePolicies(ctx context.Context, at time.Time, limit int) ([]mailbox.Policy, error)
}

// PolicyWriter keeps them.
type PolicyWriter interface {
	// PutPolicy stores a policy in place of the domain's last one.
	PutPolicy(ctx context.Context, p mailbox.Policy) error
	// TrimPolicies deletes policies that ended before a time, and of the others those that end first, until a given
	// number are left.
	TrimPolicies(ctx context.Context, before time.Time, keep int) error
}
