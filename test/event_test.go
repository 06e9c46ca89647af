package test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Events of before a restart are replayed after it, from wherever the reader says, and new ones follow with higher
// numbers.
func TestResumeAfterRestart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(*server, *testing.T)
	}{
		{"stopped", func(s *server, t *testing.T) { s.stop(t) }},
		{"killed", func(s *server, t *testing.T) { s.kill(t) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := start(t)
			b, other := srv.mailbox(t, "resume"), srv.mailbox(t, "other")
			for i := range 6 {
				srv.deliver(t, mail(fmt.Sprintf("number %d", i)), b.address)
				srv.deliver(t, mail("theirs"), other.address)
			}
			before := b.stream(t, "", nil).until(t, "number 5")
			gone := &before[3]
			if a := b.ask(t, "DELETE", "/email?id="+gone.EmailID, ""); a.status != 200 {
				t.Fatalf("delete: %d %s", a.status, a.body)
			}
			gone.Subject, gone.MessageID, gone.Deleted = "", "", true
			tt.end(srv, t)
			srv.start(t)
			checkResume(t, b, before)
		})
	}
}

// checkResume opens streams from every place and compares what each shows up to a new message.
func checkResume(t *testing.T, b box, before []event) {
	t.Helper()
	if len(before) != 6 {
		t.Fatalf("%d events before the restart, want 6: %+v", len(before), before)
	}
	number := func(i int) string { return strconv.FormatInt(before[i].Number, 10) }
	moment := before[2].ReceivedAt
	since := "since=" + url.QueryEscape(moment.In(time.FixedZone("", 5400)).Format(time.RFC3339Nano))
	from := slices.IndexFunc(before, func(e event) bool { return !e.ReceivedAt.Before(moment) })
	header := func(value string) http.Header { return http.Header{"Last-Event-ID": {value}} }
	rows := []struct {
		name, params string
		header       http.Header
		want         []event
	}{
		{"the last 60 seconds", "", nil, before},
		{"header", "", header(number(1)), before[2:]},
		{"parameter", "last_event_id=" + number(1), nil, before[2:]},
		{"header before parameter", "last_event_id=" + number(4), header(number(1)), before[2:]},
		{"id before time", since, header(number(4)), before[5:]},
		{"time", since, nil, before[from:]},
		{"the newest", "", header(number(5)), nil},
		{"before the oldest", "", header("1"), before},
		{"no number", "", header("abc"), before},
		{"above the newest", "", header(strconv.FormatInt(before[5].Number+1000, 10)), before},
		{"beyond numbers", "", header("99999999999999999999"), before},
		{"time to come", "since=2100-01-01T00:00:00Z", nil, nil},
		{"kinds", "types=message.received&last_event_id=" + number(3), nil, before[4:]},
		{"other kinds", "types=message.sent,message.received", header(number(3)), before[4:]},
	}
	streams := make([]*call, len(rows))
	for i, row := range rows {
		streams[i] = b.stream(t, row.params, row.header)
	}
	b.srv.deliver(t, mail("after the restart"), b.address)
	for i, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := streams[i].until(t, "after the restart")
			last := len(got) - 1
			if !slices.EqualFunc(got[:last], row.want,
				func(a, b event) bool { return sameEvent(a, b) && a.Deleted == b.Deleted }) {
				t.Errorf("replayed %+v, want %+v", got[:last], row.want)
			}
			if newest := before[len(before)-1]; got[last].Number <= newest.Number {
				t.Errorf("event %d is newer than event %d", got[last].Number, newest.Number)
			}
		})
	}
}
