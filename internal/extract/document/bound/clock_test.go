package bound

import (
	"testing"
	"time"
)

func TestUntil(t *testing.T) {
	var now time.Duration
	b := New(t.Context(), 100)
	b.Until(func() time.Duration { return now }, 5*time.Second)
	if now = 5*time.Second - 1; !b.Pause() || b.Over() {
		t.Error("over before its end")
	}
	if now = 5 * time.Second; b.Pause() || !b.Over() || b.Step() {
		t.Error("not over at its end")
	}
}
