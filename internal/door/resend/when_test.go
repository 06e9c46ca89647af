package resend

import (
	"testing"
	"time"
)

func TestWhen(t *testing.T) {
	now := time.Date(2026, 3, 4, 10, 30, 15, 0, time.UTC) // a Wednesday
	for _, tt := range []struct{ text, want string }{
		{"2026-03-05T11:00:00Z", "2026-03-05T11:00:00Z"},
		{"2026-03-05T11:00:00.123+02:00", "2026-03-05T09:00:00.123Z"},
		{"2026-03-05 11:00:00.674981+00", "2026-03-05T11:00:00.674981Z"},
		{"in 1 hour", "2026-03-04T11:30:15Z"},
		{"in 1 min", "2026-03-04T10:31:15Z"},
		{"In an hour", "2026-03-04T11:30:15Z"},
		{"in 1.5 hours", "2026-03-04T12:00:15Z"},
		{"in 0.5 days.", "2026-03-04T22:30:15Z"},
		{"in 1.5 months", ""},
		{"tomorrow at 9 a.m. ET", "2026-03-05T14:00:00Z"},
		{"in 2 days", "2026-03-06T10:30:15Z"},
		{"in three weeks", "2026-03-25T10:30:15Z"},
		{"2 hours from now", "2026-03-04T12:30:15Z"},
		{"tomorrow at 9am", "2026-03-05T09:00:00Z"},
		{"Tomorrow at 9:15 p.m.", "2026-03-05T21:15:00Z"},
		{"tomorrow", "2026-03-05T10:30:00Z"},
		{"today at 12pm", "2026-03-04T12:00:00Z"},
		{"at 9am", "2026-03-05T09:00:00Z"},
		{"15:00", "2026-03-04T15:00:00Z"},
		{"Friday at 3pm ET", "2026-03-06T20:00:00Z"},
		{"next wednesday at noon", "2026-03-11T12:00:00Z"},
		{"wednesday at 9am", "2026-03-11T09:00:00Z"},
		{"tonight", "2026-03-04T20:00:00Z"},
		{"tomorrow at 9am PT", "2026-03-05T17:00:00Z"},  // winter there
		{"tomorrow at 9am PST", "2026-03-05T17:00:00Z"}, // the same
		{"tomorrow at 9am PDT", "2026-03-05T16:00:00Z"}, // as it says, whatever the season
		{"9am PDT", "2026-03-04T16:00:00Z"},
		{"9am tomorrow", "2026-03-05T09:00:00Z"},
		{"3pm ET on Friday", "2026-03-06T20:00:00Z"},
		{"fri 9:30", "2026-03-06T09:30:00Z"},
		{"tomorrow morning", "2026-03-05T09:00:00Z"},
		{"tomorrow in the evening", "2026-03-05T20:00:00Z"},
		{"this afternoon", "2026-03-04T15:00:00Z"},
		{"day after tomorrow at noon", "2026-03-06T12:00:00Z"},
		{"in half an hour", "2026-03-04T11:00:15Z"},
		{"in 1 hour and 30 minutes", "2026-03-04T12:00:15Z"},
		{"in 2 days at 3pm", "2026-03-06T15:00:00Z"},
		{"next week", "2026-03-11T10:30:00Z"},
		{"next month at 9am", "2026-04-04T09:00:00Z"},
		{"August 5 at 11:52 am", "2026-08-05T11:52:00Z"},
		{"5th of March 2026, 8pm UTC", "2026-03-05T20:00:00Z"},
		{"Jan 2", "2027-01-02T10:30:00Z"},
		{"9 o'clock", "2026-03-05T09:00:00Z"},
		{"feb 30", ""}, {"sund", ""}, {"mayday 5", ""}, {"in half an apple", ""},
		{"now", "2026-03-04T10:30:15Z"},
		{"", ""}, {"soon", ""}, {"in 1 fortnight", ""}, {"tomorrow at 25:00", ""}, {"tomorrow at 13pm", ""},
		{"tomorrow at 9am xy", ""}, {"2026-13-01", ""},
	} {
		at, ok := when(tt.text, now)
		got := ""
		if ok {
			got = at.UTC().Format(time.RFC3339Nano)
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}
