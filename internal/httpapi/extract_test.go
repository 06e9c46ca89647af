package httpapi

import (
	"testing"

	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestExtract(t *testing.T) {
	x := service.Extraction{ID: fakeID, Code: "482915", Detail: &mailbox.Detail{
		Links: []mailbox.Link{{URL: "https://x.example/", Text: "x", Kind: "other"}},
		CodeCandidates: []mailbox.CodeCandidate{{Code: "482915", Score: 0.98, Why: []string{"in the subject"}},
			{Code: "10119", Score: 0.2, Why: []string{"no evidence"}}}}, Found: record.Found{
		Orders: []record.Order{{OrderID: "A-1", Total: "12.50", Currency: "EUR", Merchant: "Shop", Date: "2026-03-14",
			Items: []record.Item{{Name: "Tea", Quantity: "2", Price: "6.25"}, {Name: "Bag"}}, Confidence: 0.9,
			Source: record.FromJSONLD, Spans: []record.Span{{Field: "total", From: 3, To: 10, Text: "12,50 €"}}}},
	}}
	const (
		path  = "/v1/extract"
		order = `{"type":"order","order_id":"A-1","total":12.50,"currency":"EUR","merchant":"Shop","date":"2026-03-14","items":[` +
			`{"name":"Tea","quantity":2,"price":6.25},{"name":"Bag","quantity":null,"price":null}],"confidence":0.9,"source":"jsonld",` +
			`"spans":[{"field":"total","in":"body_text","span":[3,10],"text":"12,50 €"}]}`
		code = `{"type":"code","code":"482915","links":[{"url":"https://x.example/","text":"x","kind":"other"}],"confidence":0.98,"source":"text",` +
			`"candidates":[{"code":"482915","score":0.98,"reason":"in the subject","confidence":0.98,"why":["in the subject"]},` +
			`{"code":"10119","score":0.2,"reason":"no evidence","confidence":0.2,"why":["no evidence"]}]}`
	)
	id := `{"email_id":"` + fakeID.String() + `"`
	answer := func(extraction string) string { return id + `,"extraction":` + extraction + `}` }
	svc := fake{extraction: x}
	runAll(t, []scenario{
		{name: "one kind", method: "POST", path: path, body: id + `,"type":"order"}`, svc: svc, status: 200,
			exact: answer(order)},
		{name: "none of the kind", method: "POST", path: path, body: id + `,"type":"shipping"}`, svc: svc, status: 200,
			exact: answer(`{"type":"shipping","tracking_number":null,"carrier":null,"eta":null,"status":null,"url":null,"confidence":0,"source":null,"spans":[]}`)},
		{name: "code", method: "POST", path: path, body: id + `,"type":"code"}`, svc: svc, status: 200,
			exact: answer(code)},
		{name: "all", method: "POST", path: path, body: id + `,"type":"all"}`, svc: svc, status: 200,
			exact: answer(`[` + order + `,` + code + `]`)},
		{name: "all if not said", method: "POST", path: path, body: id + `}`, svc: svc, status: 200,
			exact: answer(`[` + order + `,` + code + `]`)},
		{name: "by a temporary mailbox", method: "POST", path: path, key: keyProvisional, body: id + `,"type":"order"}`,
			svc: svc, status: 200, exact: answer(order)},
		{name: "unknown kind", method: "POST", path: path, body: id + `,"type":"poem"}`, status: 400,
			contains: []string{`"field":"type"`}},
		{name: "no message", method: "POST", path: path, body: `{"type":"order"}`, status: 400,
			contains: []string{`"field":"email_id"`}},
		{name: "not an id", method: "POST", path: path, body: `{"type":"order","email_id":"x"}`, status: 404,
			contains: []string{"Email not found"}},
	})
}
