package browser

import (
	"testing"
	"time"
)

// waitFor asks until something is true.
func waitFor(t testing.TB, ok func() bool) {
	t.Helper()
	for limit := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("it never became true")
		}
	}
}
