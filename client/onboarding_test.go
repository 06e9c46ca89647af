package client

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/api"
)

func TestAwaitClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, says(200, `{"status":"pending"}`), says(200, `{"status":"pending"}`),
			says(200, `{"status":"expired"}`), says(200, `{"status":"pending"}`))
		if claim, err := c.AwaitClaim(t.Context(), "x"); err != nil || claim.Status != api.ClaimExpired ||
			len(s.asked) != 3 {
			t.Errorf("%+v, %v", claim, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.AwaitClaim(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
