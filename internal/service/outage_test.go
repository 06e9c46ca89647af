package service_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// What our own storage does says nothing about a delivery.
func TestOutage(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		wait time.Duration // 0: it is none
	}{
		{"no error", nil, 0},
		{"database away", mailbox.Errorf(mailbox.Unavailable, "unavailable", "away"), time.Second},
		{"bucket away", &mailbox.Error{Kind: mailbox.Unavailable, Err: fmt.Errorf("read: %w", blob.ErrUnavailable)},
			30 * time.Second},
		{"disk full", mailbox.Errorf(mailbox.DiskFull, "storage_unavailable", "full"), 30 * time.Second},
		{"deleted", mailbox.Errorf(mailbox.Conflict, "gone", "gone"), 0},
		{"anything else", errors.New("the key does not open"), 0},
	} {
		if wait, yes := service.Outage(tt.err); wait != tt.wait || yes != (tt.wait > 0) {
			t.Errorf("%s: %v, %v", tt.name, wait, yes)
		}
	}
}
