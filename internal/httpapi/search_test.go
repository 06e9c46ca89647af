package httpapi

import (
	"reflect"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestSearch(t *testing.T) {
	asked := func(want service.InboxQuery) func(*testing.T, *fake) {
		return func(t *testing.T, f *fake) {
			t.Helper()
			if got, ok := f.asked.(service.InboxQuery); !ok || !reflect.DeepEqual(got, want) {
				t.Errorf("asked for %+v, want %+v", f.asked, want)
			}
		}
	}
	page := service.Page{Limit: 20}
	runAll(t, []scenario{
		{name: "by q", path: "/v1/search?q=a+b", key: keyMailbox, status: 200,
			check: asked(service.InboxQuery{Query: "a b", Mode: "hybrid", Page: page}),
			exact: `{"emails":[],"search_mode":"hybrid","next_cursor":null}`},
		{name: "by query, with filters", path: "/v1/search?query=x&label=code&direction=inbound&mode=hybrid",
			key: keyProvisional, status: 200,
			check: asked(service.InboxQuery{Query: "x", Label: "code", Direction: mailbox.Inbound, Mode: "hybrid",
				Page: page})},
		{name: "for nothing", path: "/v1/search", key: keyMailbox, status: 400, contains: []string{`"invalid_query"`}},
		{name: "for blanks", path: "/v1/search?q=%20", key: keyMailbox, status: 400},
		{name: "what was found", path: "/v1/search?q=x", key: keyMailbox,
			svc: fake{inbox: []mailbox.Message{{ID: fakeID, Subject: "Köd 1"}}}, status: 200,
			contains: []string{`"score":0.5,"highlights":[{"field":"subject","text":"Köd 1","spans":[[0,3]]}]`,
				`"subject":"Köd 1"`}},
	})
}
