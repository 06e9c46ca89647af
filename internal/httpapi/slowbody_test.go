package httpapi

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A message may take as long as it moves, and no longer: what comes puts its end off by what that should have taken.
func TestSlowBodies(t *testing.T) {
	began := time.Now()
	b := &body{from: strings.NewReader(strings.Repeat("x", 3*largeRate)), out: newResponse(httptest.NewRecorder()),
		until: began.Add(largeTime), moves: true}
	if _, err := io.ReadAll(b); err != nil {
		t.Fatal(err)
	}
	if got := b.until.Sub(began); got != largeTime+3*time.Second {
		t.Errorf("it must be there within %s", got)
	}
}
