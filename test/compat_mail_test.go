package test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// existing is a program that was written for this interface before us: a base address, a prefix, a key, and perhaps the
// habit to name the mailbox in every call.
type existing struct {
	box
	names string // the parameter with which it names its mailbox; empty: it does not
}

// at is a path as the client writes it.
func (c existing) at(path string) string {
	if c.names == "" {
		return c.prefix + path
	}
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	return c.prefix + path + sign + c.names + "=" + url.QueryEscape(c.address)
}

// call asks and wants a status and a shape; an empty shape is not looked at.
func (c existing) call(t *testing.T, method, path, body string, status int, want string) map[string]any {
	t.Helper()
	a := c.srv.do(t, request{method: method, path: c.at(path), key: c.key, body: body}, status, nil)
	if want == "" {
		return nil
	}
	return a.has(t, c.form(want))
}

// eachClient runs a test for every kind of client that there is.
func eachClient(t *testing.T, settings []string, do func(t *testing.T, c existing)) {
	srv := start(t, settings...)
	for i, kind := range []struct {
		name, prefix, names string
		operator            bool
	}{
		{"hosted client with a mailbox's key", "/v1", "", false},
		{"hosted client that names its mailbox", "/v1", "mailbox", false},
		{"self-hosted client with a mailbox's key", "/api", "", false},
		{"self-hosted client with the token", "/api", "to", true},
		{"tool with the token", "/v1", "mailbox", true},
	} {
		b := srv.mailbox(t, fmt.Sprintf("client%d", i))
		b.prefix = kind.prefix
		if kind.operator {
			b.key = srv.token
		}
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel() // much of it is waiting
			do(t, existing{b, kind.names})
		})
	}
}

// orderMail has a code, a link, an attachment and an order.
func orderMail(n string) string {
	return crlf(fmt.Sprintf(`From: Shop <orders@shop.example>
To: someone@mailkin.localhost
Cc: Ann <ann@example.com>
Reply-To: help@shop.example
Subject: Your order A-1042
Message-ID: <order-%s@shop.example>
Date: Mon, 02 Mar 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8

<p>Your verification code is 482915. <a href="https://shop.example/verify?token=1">Confirm your address</a></p>
<script type="application/ld+json">{"@context":"http://schema.org","@type":"Order","orderNumber":"A-1042","priceCurrency":"EUR","price":"42.50",
"merchant":{"@type":"Organization","name":"Shop"},"acceptedOffer":{"@type":"Offer","itemOffered":{"@type":"Product","name":"Kettle"},"price":"42.50","priceCurrency":"EUR"}}</script>
--b
Content-Type: text/plain; name=invoice.txt
Content-Disposition: attachment; filename=invoice.txt

Total 42.50
--b--
`, n))
}

// Reading, as every client does it: list, open, wait for the code, search, follow the thread, take the attachment.
func TestCompatReading(t *testing.T) {
	t.Parallel()
	eachClient(t, nil, func(t *testing.T, c existing) {
		c.call(t, "GET", "/code?timeout=1", "", 200, "code:null?")
		c.srv.deliver(t, orderMail(c.address), c.address)

		c.call(t, "GET", "/me", "", 200, meForm)
		list := c.call(t, "GET", "/inbox?limit=20&offset=0", "", 200, inboxForm)
		first := list["emails"].([]any)[0].(map[string]any)
		if len(list["emails"].([]any)) != 1 || first["mailbox"] != c.address || first["code"] != "482915" ||
			first["direction"] != "inbound" ||
			first["status"] != "received" || first["has_attachments"] != true || first["from_name"] != "Shop" ||
			list["search_mode"] != "keyword" {
			t.Errorf("the inbox has %v", list)
		}
		id, thread := first["id"].(string), first["thread_id"].(string)
		for _, path := range []string{"/inbox?direction=inbound&limit=5", "/inbox?direction=outbound",
			"/inbox?label=code", "/inbox?query=order&mode=keyword",
			"/inbox?query=order&mode=semantic", "/inbox?since=2026-01-01T00:00:00Z", "/inbox?seen=false&thread_id=" +
				thread} {
			c.call(t, "GET", path, "", 200, inboxForm)
		}
		for _, path := range []string{"/search?q=order", "/search?query=order&mode=keyword&limit=1",
			"/search?q=order&direction=inbound"} {
			c.call(t, "GET", path, "", 200, searchForm)
		}
		e := c.call(t, "GET", "/email?id="+id, "", 200, detailForm)
		if !strings.Contains(e["body_text"].(string), "482915") ||
			e["reply_to"].([]any)[0].(map[string]any)["address"] != "help@shop.example" {
			t.Errorf("the message is %v", e)
		}
		file := e["attachments"].([]any)[0].(map[string]any)
		if file["filename"] != "invoice.txt" || file["downloadable"] != true || file["email_id"] != id {
			t.Errorf("the attachment is %v", file)
		}
		got := c.srv.do(t, request{path: c.at("/attachment?id=" + file["id"].(string)), key: c.key}, 200, nil)
		if strings.TrimSpace(string(got.body)) != "Total 42.50" ||
			!strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment; filename=") ||
			!strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") ||
			got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("ETag") == "" {
			t.Errorf("the attachment is %v %q", got.header, got.body)
		}
		code := c.call(t, "GET", "/code?timeout=5&from=shop.example", "", 200, codeForm)
		if code["code"] != "482915" || code["id"] != id {
			t.Errorf("the code is %v", code)
		}
		c.call(t, "GET", "/code?timeout=1&since="+url.QueryEscape("2099-01-01T00:00:00+00:00"), "", 200, "code:null?")
		c.call(t, "GET", "/wait?timeout=5&has=attachment", "", 200, "email:{"+detailForm+"}")
		c.call(t, "GET", "/wait?timeout=1&subject=never", "", 200, "email:null?")
		c.call(t, "GET", "/threads", "", 200, threadsForm)
		c.call(t, "GET", "/thread?id="+thread, "", 200, threadForm)
		for kind, form := range extractionForms {
			c.call(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":%q}`, id, kind), 200,
				"email_id:uuid extraction:{"+form+"}")
		}
		c.call(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":"all"}`, id), 200,
			"email_id:uuid extraction:[{type:text confidence:num source:str?}]")
		c.call(t, "GET", "/stats", "", 200, statsForm)
		c.call(t, "PATCH", "/email?id="+id, `{"seen":true,"add_labels":["done"]}`, 200, detailForm)
		c.call(t, "DELETE", "/email?id="+id, "", 200, "deleted:true")
		c.call(t, "GET", "/email?id="+id, "", 404, "error:text code:not_found")
		if a := c.srv.ask(t, request{path: c.at("/email?id=" + id), key: c.key}); !strings.HasPrefix(string(a.body),
			`{"error":"Email not found",`) {
			t.Errorf("a message that is gone: %s", a.body)
		}
	})
}

// The few members whose types differ between the prefixes, with values in them (docs/compatibility.md).
func TestCompatTypes(t *testing.T) {
	t.Parallel()
	eachClient(t, nil, func(t *testing.T, c existing) {
		answer := strings.Replace(orderMail(c.address), "Subject:", "In-Reply-To: <b@x.example>\r\nReferences: "+
			"<a@x.example> <b@x.example>\r\nSubject:", 1)
		answer = strings.Replace(answer, "filename=invoice.txt", `filename="invoice one.txt"`, 1)
		c.srv.deliver(t, answer, c.address)
		c.srv.deliver(t, crlf("From: Kim <kim@x.example>\nTo: x@x.example\nSubject: Planning\nMessage-ID: <plan-"+
			c.address+">\n\n"+
			"Event: Quarterly plan\nDate: April 5, 2026\nTime: 2:00 PM\nLocation: Room 301\n"), c.address)
		c.srv.deliver(t, crlf("From: Shop <shop@x.example>\nTo: x@x.example\nSubject: Thanks\nMessage-ID: <mugs-"+
			c.address+">\n\n"+
			"Order #ABC-12345\nItems: Blue mug, Spoon\nTotal: $59.99\n"), c.address)
		list := c.call(t, "GET", "/inbox", "", 200, inboxForm)["emails"].([]any)
		id := func(i int) string { return list[i].(map[string]any)["id"].(string) }
		mugs, plan, order := id(0), id(1), id(2)

		want := map[string]any{"in_reply_to": "<b@x.example>", "references": []any{"<a@x.example>", "<b@x.example>"},
			"attachment_names": []any{"invoice one.txt"}}
		none := map[string]any{"in_reply_to": "", "references": []any{}, "attachment_names": []any{}}
		sum, date, clock, goods := any(json.Number("42.50")), any(nil), any(nil), []any{}
		if c.prefix == "/api" {
			want = map[string]any{"in_reply_to": "<b@x.example>", "references": "<a@x.example> <b@x.example>",
				"attachment_names": "invoice one.txt"}
			none = map[string]any{"in_reply_to": nil, "references": nil, "attachment_names": ""}
			sum, date, clock, goods = "42.50", "April 5, 2026", "2:00 PM", []any{"Blue mug", "Spoon"}
		}
		for id, want := range map[string]map[string]any{order: want, plan: none} {
			e := c.call(t, "GET", "/email?id="+id, "", 200, detailForm)
			for name, value := range want {
				if !reflect.DeepEqual(e[name], value) {
					t.Errorf("%s is %#v, want %#v", name, e[name], value)
				}
			}
		}
		extract := func(id, kind string) map[string]any {
			o := c.call(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":%q}`, id, kind), 200,
				"email_id:uuid extraction:{"+extractionForms[kind]+"}")
			return o["extraction"].(map[string]any)
		}
		if o := extract(order, "order"); o["total"] != sum {
			t.Errorf("the order is %v", o)
		}
		if o := extract(mugs, "order"); !reflect.DeepEqual(o["items"], goods) {
			t.Errorf("the goods are %v, want %v", o["items"], goods)
		}
		if o := extract(plan, "calendar"); o["date"] != date || o["time"] != clock {
			t.Errorf("the appointment is %v", o)
		}
	})
}

// The links that the older command line shows lead to the page, and a claim that anyone may confirm gives its key at
// once.
func TestCompatClaimLink(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_CLAIM=open")
	started := srv.do(t, request{method: "POST", path: "/v1/claim/start", body: `{"name":"robin"}`}, 201, nil).has(t,
		"session_id:text")
	session := started["session_id"].(string)
	shown := srv.do(t, request{path: "/?session=" + url.QueryEscape(session) + "&claim=robin&source=cli"}, 200, nil)
	if !strings.Contains(string(shown.body), "robin@"+domain) || !strings.Contains(string(shown.body), "<form") {
		t.Errorf("the link leads to %s", shown.body)
	}
	done := srv.do(t, request{method: "POST", path: "/v1/claim/confirm", body: fmt.Sprintf(`{"session_id":%q}`,
		session)}, 200, nil).
		has(t, "status:complete mailbox:addr already_confirmed:false api_key:key")
	srv.do(t, request{path: "/v1/me", key: done["api_key"].(string)}, 200, nil).has(t, meForm+" scope:mailbox")
	console := srv.do(t, request{path: "/", header: http.Header{"Accept": {"text/html"}}}, 200, nil)
	if !strings.HasPrefix(string(console.body), "<!doctype html>") {
		t.Errorf("a browser is led to %s", console.body)
	}
	srv.do(t, request{path: "/"}, 404, nil).has(t, "error:text code:not_found")
}

// What an event says, in the stream and as it is posted.
func TestCompatEvents(t *testing.T) {
	t.Parallel()
	eachClient(t, []string{shortEvents}, func(t *testing.T, c existing) {
		c.srv.deliver(t, orderMail(c.address), c.address)
		c.call(t, "POST", "/send", `{"from":"`+c.address+`","to":"delivered@simulator.`+domain+
			`","subject":"out","text":"x"}`, 200, sendingForm)
		eventually(t, func() error {
			stream := c.srv.do(t, request{path: c.at("/events?since=2026-01-01T00:00:00Z"), key: c.key}, http.StatusOK,
				nil)
			seen := map[string]bool{}
			for block := range strings.SplitSeq(string(stream.body), "\n\n") {
				lines := strings.Split(block, "\n")
				if len(lines) != 3 || !strings.HasPrefix(lines[0], "id: ") {
					continue
				}
				kind := strings.TrimPrefix(lines[1], "event: ")
				form := outcomeForm
				if kind == "message.received" {
					form = eventForm
				}
				data := answer{body: []byte(strings.TrimPrefix(lines[2], "data: "))}.has(t, form)
				if data["event"] != kind || data["mailbox"] != c.address {
					t.Errorf("the event is %v", data)
				}
				seen[kind] = true
			}
			none := c.srv.do(t, request{path: c.at("/events?types=message.eaten&since=2026-01-01T00:00:00Z"),
				key: c.key}, http.StatusOK, nil)
			if text := string(none.body); strings.Contains(text, "event:") || !strings.Contains(text, ": keepalive") {
				t.Errorf("a stream of an unknown kind has %s", text)
			}
			if !seen["message.received"] || !seen["message.sent"] || !seen["message.delivered"] {
				return fmt.Errorf("seen are %v", seen)
			}
			return nil
		})
	})
}
