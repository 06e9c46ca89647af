package httpapi

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// asked checks what the service was asked.
func asked(want any) func(*testing.T, *fake) {
	return func(t *testing.T, f *fake) {
		t.Helper()
		if diff := cmp.Diff(want, f.asked, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
	}
}

func invalid(field string) []string {
	return []string{`"code":"invalid_` + field + `"`, `"field":"` + field + `"`}
}

func TestPages(t *testing.T) {
	page := func(limit, offset int, cursor string) func(*testing.T, *fake) {
		return asked(service.Page{Limit: limit, Offset: offset, Cursor: cursor})
	}
	runAll(t, []scenario{
		{name: "default", path: "/v1/threads", status: 200, check: page(20, 0, "")},
		{name: "given", path: "/v1/threads?limit=7&offset=9", status: 200, check: page(7, 9, "")},
		{name: "the most", path: "/v1/threads?limit=100", status: 200, check: page(100, 0, "")},
		{name: "too many", path: "/v1/threads?limit=101", status: 200, check: page(100, 0, "")},
		{name: "far too many", path: "/v1/threads?limit=99999999999999999999999", status: 200, check: page(100, 0, "")},
		{name: "first counts", path: "/v1/threads?limit=3&limit=x", status: 200, check: page(3, 0, "")},
		{name: "empty is not given", path: "/v1/threads?limit=&offset=&cursor=", status: 200, check: page(20, 0, "")},
		{name: "cursor", path: "/v1/threads?cursor=abc&limit=2", status: 200, check: page(2, 0, "abc")},
		{name: "unknown parameters", path: "/v1/threads?foo=%00&bar", status: 200, check: page(20, 0, "")},
		{name: "none", path: "/v1/threads?limit=0", status: 400, contains: invalid("limit")},
		{name: "below none", path: "/v1/threads?limit=-1", status: 400, contains: invalid("limit")},
		{name: "far below none", path: "/v1/threads?limit=-99999999999999999999999", status: 400,
			contains: invalid("limit")},
		{name: "no number", path: "/v1/threads?limit=ten", status: 400, contains: invalid("limit")},
		{name: "broken number", path: "/v1/threads?limit=1.5", status: 400, contains: invalid("limit")},
		{name: "offset below 0", path: "/v1/threads?offset=-1", status: 400, contains: invalid("offset")},
		{name: "offset is no number", path: "/v1/threads?offset=x", status: 400, contains: invalid("offset")},
		{name: "offset too large", path: "/v1/threads?offset=99999999999999999999999", status: 400,
			contains: invalid("offset")},
		{name: "offset and cursor", path: "/v1/threads?offset=1&cursor=abc", status: 400, contains: invalid("cursor")},
		{name: "NUL in a cursor", path: "/v1/threads?cursor=%00", status: 400, contains: invalid("cursor")},
		{name: "bad encoding", path: "/v1/threads?x=%zz", status: 400, contains: []string{`"code":"invalid_query"`}},
		{name: "audit", path: "/v1/audit?limit=1&changes=true&query=x", key: keyOperator, status: 200,
			check: asked(service.AuditsQuery{Words: "x", Changes: true, Page: service.Page{Limit: 1}})},
		{name: "rejects", path: "/v1/rejects?limit=1&stage=data", status: 200,
			check: asked(service.RejectsQuery{Stage: "data", Page: service.Page{Limit: 1}})},
		{name: "thread", path: "/v1/thread?limit=1&id=" + fakeID.String(), status: 200, check: page(1, 0, "")},
	})
}

func TestInboxParameters(t *testing.T) {
	yes, no := true, false
	all := service.Page{Limit: 20}
	at := func(s string) time.Time { v, _ := time.Parse(time.RFC3339, s); return v.UTC() }
	runAll(t, []scenario{
		{name: "none", path: "/v1/inbox", status: 200, check: asked(service.InboxQuery{Page: all})},
		{name: "inbound", path: "/v1/inbox?direction=inbound", status: 200,
			check: asked(service.InboxQuery{Direction: mailbox.Inbound, Page: all})},
		{name: "both", path: "/v1/inbox?direction=both", status: 200, check: asked(service.InboxQuery{Page: all})},
		{name: "sideways", path: "/v1/inbox?direction=sideways", status: 400, contains: invalid("direction")},
		{name: "words", path: "/v1/inbox?label=News&mode=hybrid&thread_id=x", status: 200,
			check: asked(service.InboxQuery{Label: "News", Mode: "hybrid", Thread: "x", Page: all})},
		{name: "NUL in a label", path: "/v1/inbox?label=a%00", status: 400, contains: invalid("label")},
		{name: "a query that is not UTF-8", path: "/v1/search?q=kim%ff%00lee&mode=keyword", status: 200,
			check: asked(service.InboxQuery{Query: "kim  lee", Mode: "keyword", Page: all})},
		{name: "seen", path: "/v1/inbox?seen=1", status: 200, check: asked(service.InboxQuery{Seen: &yes, Page: all})},
		{name: "unseen", path: "/v1/inbox?seen=false", status: 200,
			check: asked(service.InboxQuery{Seen: &no, Page: all})},
		{name: "neither", path: "/v1/inbox?seen=yes", status: 400, contains: invalid("seen")},
		{name: "since and until", path: "/v1/inbox?since=2026-01-02T03:04:05Z&until=2026-01-02T03:04:05.678%2B01:00",
			status: 200,
			check: asked(service.InboxQuery{Since: at("2026-01-02T03:04:05Z"),
				Until: at("2026-01-02T03:04:05.678+01:00"), Page: all})},
		{name: "the year 1 is a time", path: "/v1/inbox?since=0001-01-01T00:00:00Z&until=0001-01-01T00:00:00Z",
			status: 200,
			check:  asked(service.InboxQuery{Since: time.Time{}.Add(1), Until: time.Time{}.Add(1), Page: all})},
		{name: "by status", path: "/v1/inbox?status=held,%20scheduled&screening=any&trust=verified", status: 200,
			check: asked(service.InboxQuery{Status: []mailbox.DeliveryStatus{mailbox.Held, mailbox.Scheduled},
				Trust: mailbox.Verified, Screening: "any", Page: all})},
		{name: "since is no time", path: "/v1/inbox?since=yesterday", status: 400, contains: invalid("since")},
		{name: "until is a day", path: "/v1/inbox?until=2026-01-02", status: 400, contains: invalid("until")},
	})
}

func TestParseTime(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
		{"2026-01-02t03:04:05z", "2026-01-02T03:04:05Z"},
		{"2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.123456789Z"},
		{"2026-01-02T03:04:05-08:00", "2026-01-02T11:04:05Z"},
		{"2026-01-02T03:04:05 01:00", "2026-01-02T02:04:05Z"},
		{"2026-01-02T03:04:05.5 01:00", "2026-01-02T02:04:05.5Z"},
		{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"2026-02-29T00:00:00Z", ""},
		{"2026-01-02T03:04:05", ""},
		{"2026-01-02 03:04:05Z", ""},
		{"2026-01-02T3:04:05Z", ""},
		{"2026-01-02T03:04:05,5Z", ""},
		{"2026-01-02T03:04Z", ""},
		{"2026-01-02T24:00:00Z", ""},
		{"1767323045", ""},
		{"", ""},
		{"2026-01-02T03:04:05Z\x00", ""},
	} {
		got, ok := parseTime(tt.in)
		if ok != (tt.want != "") || ok && got.Format(time.RFC3339Nano) != tt.want {
			t.Errorf("%q: got %v %v, want %q", tt.in, got, ok, tt.want)
		}
	}
}

func TestIDs(t *testing.T) {
	missing := []string{`"code":"invalid_id"`}
	runAll(t, []scenario{
		{name: "email without", path: "/v1/email", status: 400, contains: missing},
		{name: "email unknown", path: "/v1/email?id=019cb7d1-0000-7000-8000-0000000000ff", status: 404,
			exact: `{"error":"Email not found","code":"not_found"}`},
		{name: "email that is no id", path: "/v1/email?id=x", status: 404,
			exact: `{"error":"Email not found","code":"not_found"}`},
		{name: "email with NUL", path: "/v1/email?id=%00", status: 400, contains: missing},
		{name: "changing without", method: "PATCH", path: "/v1/email", body: "{}", status: 400, contains: missing},
		{name: "deleting without", method: "DELETE", path: "/v1/email", status: 400, contains: missing},
		{name: "raw that is no id", path: "/v1/email/raw?id=x", status: 404,
			exact: `{"error":"Email not found","code":"not_found"}`},
		{name: "attachment without", path: "/v1/attachment", status: 400, contains: missing},
		{name: "attachment that is no id", path: "/v1/attachment?id=1", status: 404,
			exact: `{"error":"Attachment not found","code":"not_found"}`},
		{name: "thread without", path: "/v1/thread", status: 400, contains: missing},
		{name: "thread that is no id", path: "/v1/thread?id=1", status: 404,
			exact: `{"error":"Thread not found","code":"not_found"}`},
	})
}
