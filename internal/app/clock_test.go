package app

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A node goes by the database's clock where its own is wrong, and by its own where they agree.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		var out strings.Builder
		log := slog.New(slog.NewTextHandler(&out, nil))
		for _, tt := range []struct {
			name           string
			off, took, now time.Duration
			warned         bool
		}{
			{"they agree", 10 * time.Millisecond, 20 * time.Millisecond, 0, false},
			{"ours is behind", time.Minute, 10 * time.Millisecond, time.Minute, true},
			{"as before", time.Minute + 5*time.Millisecond, 10 * time.Millisecond, time.Minute, false},
			{"an answer that takes long says nothing", 0, 3 * time.Second, time.Minute, false},
			{"ours was set", 0, 10 * time.Millisecond, 0, false},
			{"ours is ahead", -26 * time.Second, 10 * time.Millisecond, -26 * time.Second, true},
		} {
			out.Reset()
			err := c.set(t.Context(), func(context.Context) (time.Time, error) {
				time.Sleep(tt.took / 2)
				theirs := time.Now().Add(tt.off)
				time.Sleep(tt.took / 2)
				return theirs, nil
			}, log)
			if err != nil {
				t.Fatal(err)
			}
			if off := time.Until(c.now()); off != tt.now {
				t.Errorf("%s: off by %v, want %v", tt.name, off, tt.now)
			}
			if warned := out.Len() > 0; warned != tt.warned {
				t.Errorf("%s: logged %s", tt.name, out.String())
			}
		}
	})
}
