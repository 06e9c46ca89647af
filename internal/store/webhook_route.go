package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// HookRouteReader finds the webhooks of a mailbox besides its own.
type HookRouteReader interface {
	// HookRoutes lists a mailbox's routes by their keys.
	HookRoutes(ctx context.Context, num mailbox.Num) ([]mailbox.HookRoute, error)
}

// HookRouteWriter changes them.
type HookRouteWriter interface {
	// PutHookRoute stores a route in the place of one with the same key, and notes that the mailbox has routes.
	PutHookRoute(ctx context.Context, r mailbox.HookRoute) error
	// UpdateHookRoutes stores the state of a webhook in all routes of a mailbox with its URL.
	UpdateHookRoutes(ctx context.Context, num mailbox.Num, w mailbox.Webhook) error
	// DeleteHookRoute deletes a route, and notes whether the mailbox has any left. ErrNotFound if there is none.
	DeleteHookRoute(ctx context.Context, num mailbox.Num, key string) error
}
