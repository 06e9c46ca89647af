package httpapi

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestQueue(t *testing.T) {
	id := fakeID.String()
	match := mailbox.QueueMatch{Destination: "x.example", State: mailbox.QueueOnHold, Before: fakeTime, Error: "4xx"}
	for _, tt := range []scenario{
		{name: "list", key: keyOperator, status: 200, path: "/v1/queue?limit=5&destination=x.example&state=on_hold&" +
			"error=4xx&mailbox=robin@x.example&queued_before=" + fakeTime.Format("2006-01-02T15:04:05.000Z"),
			check: asked(service.QueueQuery{QueueMatch: match, Mailbox: "robin@x.example",
				Page: service.Page{Limit: 5}}),
			contains: []string{`"id":"` + fakeID.Part(2).String() + `","email_id":"` + id, `"state":"on_hold"`,
				`"next_cursor":"next"`, `"last_code":451`}},
		{name: "one", path: "/v1/queue/" + fakeID.Part(2).String(), key: keyOperator, status: 200,
			check: asked(fakeID.Part(2)), contains: []string{`"destination":"x.example"`}},
		{name: "one that is no id", path: "/v1/queue/x", key: keyOperator, status: 404},
		{name: "destinations", path: "/v1/queue/destinations", key: keyOperator, status: 200,
			contains: []string{`{"destinations":[{"destination":"x.example","deliveries":2,"on_hold":1,`}},
		{name: "retry some", method: post, path: "/v1/queue/retry", key: keyOperator, body: `{"ids":["` + id + `"]}`,
			status: 200, check: asked(service.QueueChange{Action: mailbox.QueueRetry, IDs: []mailbox.ID{fakeID}}),
			exact: `{"changed":2,"unchanged":1,"next_cursor":null}`},
		{name: "hold what matches", method: post, path: "/v1/queue/hold", key: keyOperator, status: 200,
			body: `{"destination":"x.example","mailbox":"robin@x.example","error":"4xx","cursor":"abc"}`,
			check: asked(service.QueueChange{Action: mailbox.QueueHold, Match: service.QueueQuery{
				Mailbox: "robin@x.example", Page: service.Page{Cursor: "abc"},
				QueueMatch: mailbox.QueueMatch{Destination: "x.example", Error: "4xx"}}})},
		{name: "release all", method: post, path: "/v1/queue/release", key: keyOperator, body: `{"all":true}`,
			status: 200, check: asked(service.QueueChange{Action: mailbox.QueueRelease, All: true})},
		{name: "a filter that is misspelt", method: post, path: "/v1/queue/cancel", key: keyOperator,
			body: `{"all":true,"destinations":"x.example"}`, status: 400, contains: []string{"invalid_destinations"}},
		{name: "what is no id", method: post, path: "/v1/queue/cancel", key: keyOperator, body: `{"ids":["x"]}`,
			status: 400, contains: []string{"invalid_ids"}},
	} {
		t.Run(tt.name, tt.run)
	}
}
