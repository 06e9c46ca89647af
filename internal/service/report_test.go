package service

import (
	"context"
	"testing"
	"time"
)

// A report that took long is given again for twenty times as long; one that is quick, failed, or goes on is made again.
func TestReports(t *testing.T) {
	clock := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	now := func() time.Time { return clock }
	var r reports[int, int]
	made := 0
	ask := func(q int, took time.Duration, again bool, fails error) int {
		t.Helper()
		answer, err := r.of(t.Context(), now, q, func() (int, bool, error) {
			made++
			clock = clock.Add(took)
			return made, again, fails
		})
		if err != fails {
			t.Fatal(err)
		}
		return answer
	}
	for _, c := range []struct {
		name  string
		pause time.Duration
		q     int
		took  time.Duration
		again bool
		fails error
		want  int
	}{
		{"quick", 0, 7, time.Millisecond, true, nil, 1},
		{"quick again", 0, 7, time.Millisecond, false, nil, 2},
		{"goes on", 0, 7, time.Second, false, nil, 3},
		{"slow", 0, 7, time.Second, true, nil, 4},
		{"given again", 19 * time.Second, 7, time.Second, true, nil, 4},
		{"another question", 0, 8, time.Millisecond, true, nil, 5},
		{"its time is over", time.Second, 7, time.Second, true, nil, 6},
		{"fails", 21 * time.Second, 7, time.Second, true, context.Canceled, 7},
		{"did not fail", 0, 7, time.Second, true, nil, 8},
	} {
		clock = clock.Add(c.pause)
		if got := ask(c.q, c.took, c.again, c.fails); got != c.want {
			t.Errorf("%s: answer %d, want %d", c.name, got, c.want)
		}
	}
}
