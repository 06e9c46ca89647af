package httpapi

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestReviews(t *testing.T) {
	path := "/v1/reviews/" + fakeID.String()
	ref := service.ReviewRef{ID: fakeID}
	runAll(t, []scenario{
		{name: "list", path: "/v1/reviews?status=held&limit=5", key: keyOperator, status: 200,
			contains: []string{`{"reviews":[{"id":"` + fakeID.String() + `","status":"held","version":2,` +
				`"reasons":["Because."],"reason":"",`, `"mailbox":"` + ownAddress + `","decided_by":"","email":{"id":`,
				`"next_cursor":"next"}`},
			check: asked(service.ReviewQuery{Status: mailbox.ReviewHeld, Page: service.Page{Limit: 5}})},
		{name: "read", path: path, key: keyOperator, status: 200, contains: []string{`"reasons":["Because."]`,
			`"email":{"id":`, `"answers":{"id":`, `"screening":{"verdict":"flagged","findings":[{"rule":"r",`},
			check: asked(fakeID)},
		{name: "no id", path: "/v1/reviews/x", key: keyOperator, status: 404, check: asked(nil)},
		{name: "edit", method: patch, path: path, key: keyOperator, body: `{"version":2,"subject":"b"}`, status: 200,
			contains: []string{`"email":{"id":`}, check: asked(edited{mailbox.DraftRef{ID: fakeID}, mailbox.DraftEdit{
				Draft: mailbox.Draft{Subject: "b"}, Given: []string{"subject"}, Version: 2}, nil})},
		{name: "approve", method: post, path: path + "/approve", key: keyOperator, status: 200,
			contains: []string{`"status":"approved"`, `"decided_by":"operator"`}, check: asked(ref)},
		{name: "approve a version", method: post, path: path + "/approve", key: keyOperator, body: `{"version":3}`,
			status: 200, check: asked(service.ReviewRef{ID: fakeID, Version: 3})},
		{name: "approve what is no version", method: post, path: path + "/approve", key: keyOperator,
			body: `{"version":"3"}`, status: 400, contains: invalid("version"), check: asked(nil)},
		{name: "reject", method: post, path: path + "/reject", key: keyOperator, body: `{"reason":"No."}`, status: 200,
			contains: []string{`"status":"rejected"`, `"reason":"No."`},
			check:    asked(service.Rejection{ReviewRef: ref, Reason: "No."})},
		{name: "reject without a reason", method: post, path: path + "/reject", key: keyOperator, status: 200,
			check: asked(service.Rejection{ReviewRef: ref})},
		{name: "approve several", method: post, path: "/v1/reviews/approve", key: keyOperator,
			body: `{"ids":["` + fakeID.String() + `"]}`, status: 200,
			exact: `{"reviews":[{"id":"` + fakeID.String() + `","status":"approved"},{"id":"` + fakeID.String() +
				`","code":"daily_send_limit","error":"Enough."}]}`, check: asked([]mailbox.ID{fakeID})},
		{name: "approve what is no id", method: post, path: "/v1/reviews/approve", key: keyOperator,
			body: `{"ids":["x"]}`, status: 400, contains: invalid("ids"), check: asked(nil)},
		{name: "with the agent's key", method: post, path: path + "/approve", key: keyMailbox, status: 403,
			contains: []string{`"code":"scope_denied"`}, check: asked(nil)},
	})
}
