package test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// From nothing to a permanent mailbox, as the programs that onboard agents do it, at both prefixes.
func TestCompatOnboarding(t *testing.T) {
	t.Parallel()
	const madeForm = `mailbox:addr api_key:key scope:provisional expires_at:time replayed:bool capabilities:[text] upgrade:{command:text url:text}`
	srv := start(t)
	for _, prefix := range []string{"/v1", "/api"} {
		t.Run(prefix, func(t *testing.T) {
			again := http.Header{"Idempotency-Key": {"agent-first-run" + prefix[1:]}}
			first := srv.do(t, request{method: "POST", path: prefix + "/bootstrap", header: again}, 201, nil).has(t,
				madeForm)
			second := srv.do(t, request{method: "POST", path: prefix + "/bootstrap", header: again, body: "{}"}, 200,
				nil).has(t, madeForm)
			if first["api_key"] != second["api_key"] || first["mailbox"] != second["mailbox"] ||
				first["replayed"] != false || second["replayed"] != true {
				t.Errorf("first %v, again %v", first, second)
			}
			c := existing{box{srv: srv, address: first["mailbox"].(string), key: first["api_key"].(string),
				prefix: prefix}, ""}
			srv.deliver(t, orderMail(prefix[1:]), c.address)
			c.call(t, "GET", "/me", "", 200, meForm+" scope:provisional send:false expires_at:time")
			id := c.call(t, "GET", "/code?timeout=5", "", 200, codeForm)["id"].(string)
			e := c.call(t, "GET", "/email?id="+id, "", 200, detailForm)
			if file := e["attachments"].([]any)[0].(map[string]any); file["downloadable"] != false ||
				file["text_content"] != "" {
				t.Errorf("the attachment is %v", file)
			}
			for _, refused := range []request{{method: "POST", path: "/send",
				body: `{"to":"kim@example.com","subject":"x","text":"x"}`}, {path: "/attachment?id=" + id},
				{method: "PATCH", path: "/mailbox", body: `{"webhook_url":null}`}, {path: "/domains"},
				{method: "DELETE", path: "/email?id=" + id}} {
				no := c.call(t, refused.method, refused.path, refused.body, 403,
					"error:text code:provisional_capability_denied upgrade:{command:text url:text}")
				page, err := url.Parse(no["upgrade"].(map[string]any)["url"].(string))
				if err != nil {
					t.Fatal(err)
				}
				shown := srv.do(t, request{path: page.RequestURI()}, 200, nil) // as a person opens it
				if !strings.Contains(string(shown.body), "mailkin claim") ||
					!strings.HasPrefix(shown.header.Get("Content-Type"), "text/html") {
					t.Errorf("%s is %v %s", page, shown.header, shown.body)
				}
			}
			started := c.call(t, "POST", "/claim/start", fmt.Sprintf(`{"name":"kept%s"}`, prefix[1:]), 201,
				"session_id:text name:text mailbox:addr url:text expires_in:600")
			poll := prefix + "/claim/poll?session=" + url.QueryEscape(started["session_id"].(string))
			srv.do(t, request{path: poll}, 200, nil).has(t, "status:pending")
			srv.do(t, request{method: "POST", path: prefix + "/claim/confirm", key: srv.token,
				body: fmt.Sprintf(`{"session_id":%q}`, started["session_id"])}, 200, nil)
			done := srv.do(t, request{path: poll}, 200, nil).has(t, "status:complete mailbox:addr api_key:key")
			c.key = done["api_key"].(string)
			me := c.call(t, "GET", "/me", "", 200, meForm+" scope:mailbox send:true expires_at:null?")
			if me["mailbox"] != started["mailbox"] || me["mailbox"] != "kept"+prefix[1:]+"@"+domain {
				t.Errorf("the mailbox is %v", me["mailbox"])
			}
			c.call(t, "GET", "/email?id="+id, "", 200, detailForm)
			srv.do(t, request{path: prefix + "/claim/poll?session=unknown"}, 404, nil).has(t, errorForm)
			srv.do(t, request{method: "POST", path: prefix + "/claim/auto", key: srv.token,
				body: fmt.Sprintf(`{"name":"auto%s"}`, prefix[1:])}, 201, nil).has(t, "mailbox:addr api_key:key")
			c.call(t, "DELETE", "/mailbox", "", 200, "ok:true deleted:addr blobs_deleted:int r2_blobs_deleted:int")
			c.call(t, "GET", "/me", "", 401, "error:Unauthorized")
		})
	}
}

// The mailbox's own settings.
func TestCompatMailbox(t *testing.T) {
	t.Parallel()
	eachClient(t, []string{"MAILKIN_WEBHOOK_ALLOW_PRIVATE=true"}, func(t *testing.T, c existing) {
		c.call(t, "GET", "/mailbox", "", 200, mailboxForm+" webhook_url:null?")
		c.call(t, "PATCH", "/mailbox", `{"webhook_url":"http://127.0.0.1:9/hook"}`, 200,
			mailboxForm+" webhook_url:text webhook:{status:active}")
		c.call(t, "PATCH", "/mailbox", `{"webhook_url":null}`, 200, mailboxForm+" webhook_url:null? "+
			"webhook:{status:none}")
		c.call(t, "PATCH", "/mailbox", `{"webhook_url":""}`, 200, mailboxForm+" webhook_url:null?")
		c.call(t, "PATCH", "/mailbox", `{"colour":"red"}`, 200, mailboxForm+" note:text")
		c.call(t, "PATCH", "/mailbox", `{"webhook_url":"ftp://example.com/"}`, 400, errorForm)
		c.call(t, "PUT", "/mailbox/routes", `{"label":"code","webhook_url":"http://127.0.0.1:9/codes"}`, 200,
			"mailbox:addr label:code webhook_url:text")
		c.call(t, "GET", "/mailbox/routes", "", 200, "mailbox:addr routes:[{label:code webhook_url:text "+
			"created_at:time status:text consecutive_failures:int}]")
		c.call(t, "DELETE", "/mailbox/routes?label=code", "", 200, "ok:true deleted:code")
		c.call(t, "DELETE", "/mailbox/routes?label=code", "", 404, errorForm)
		c.call(t, "GET", "/webhook/secret", "", 200, "secret:text")
		c.call(t, "GET", "/webhook/deliveries", "", 200, "deliveries:[any] next_cursor:str?")

		name := "d-" + c.address[:len(c.address)-len("@"+domain)] + ".example"
		made := c.call(t, "POST", "/domains", fmt.Sprintf(`{"domain":%q}`, name), 201, recordForm+" status:pending")
		c.call(t, "POST", "/domains", fmt.Sprintf(`{"domain":%q}`, name), 409, errorForm)
		c.call(t, "GET", "/domains", "", 200, "domains:[{"+domainForm+"}]")
		c.call(t, "GET", "/domains/"+made["id"].(string), "", 200, recordForm)
		c.call(t, "DELETE", "/domains/"+made["id"].(string), "", 200, "ok:true")

		c.call(t, "PATCH", "/mailbox/pause", `{"reason":"tired"}`, 200, "mailbox:addr status:paused "+
			"paused_by:owner|operator reason:tired paused_at:time")
		c.call(t, "GET", "/inbox", "", 403, "error:text")
		if a := c.srv.ask(t, request{path: c.at("/inbox"), key: c.key}); string(a.body) != paused {
			t.Errorf("paused: %s", a.body)
		}
		c.call(t, "PATCH", "/mailbox/resume", "", 200, "mailbox:addr status:active")
	})
}

// What an operator's tools read, at both prefixes.
func TestCompatOperator(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, prefix := range []string{"/v1", "/api"} {
		t.Run(prefix, func(t *testing.T) {
			name := "box" + prefix[1:]
			c := existing{box{srv: srv, key: srv.token, prefix: prefix}, ""}
			made := c.call(t, "POST", "/mailboxes", fmt.Sprintf(`{"name":%q}`, name), 201,
				"mailbox:addr api_key:key scope:mailbox created_at:time")
			address := made["mailbox"].(string)
			c.call(t, "POST", "/mailboxes", fmt.Sprintf(`{"address":%q}`, address), 409, errorForm)
			const boxForm = `mailbox:addr aliases:[addr] status:active|paused scope:text created_at:time expires_at:time? webhook_url:text?`
			c.call(t, "GET", "/mailboxes?status=active&query="+name, "", 200,
				"mailboxes:[{"+boxForm+"}] next_cursor:str?")
			at := "/mailboxes/" + url.PathEscape(address)
			c.call(t, "GET", at, "", 200, mailboxForm)
			c.call(t, "PATCH", at, `{"webhook_url":null}`, 200, mailboxForm)
			c.call(t, "PATCH", at+"/pause", "", 200, "mailbox:addr status:paused paused_by:operator reason:str "+
				"paused_at:time")
			c.call(t, "PATCH", at+"/resume", "", 200, "mailbox:addr status:active")
			c.call(t, "POST", at+"/keys", "", 201, "api_key:key id:uuid")
			const keyForm = `id:uuid prefix:text scope:mailbox created_at:time last_used_at:time?`
			keys := c.call(t, "GET", at+"/keys", "", 200, "keys:[{"+keyForm+"}]")["keys"].([]any)
			c.call(t, "DELETE", "/keys/"+keys[0].(map[string]any)["id"].(string), "", 200, "ok:true")
			c.call(t, "GET", "/audit", "", 200, "audit:[{at:time action:text mailbox:str note:str}] next_cursor:str?")
			c.call(t, "GET", "/rejects", "", 200, "rejects:[any] next_cursor:str?")
			srv.do(t, request{method: "POST", path: prefix + "/ingest?mailbox=" + url.QueryEscape(address),
				key: srv.token, body: mail("in " + name), kind: "message/rfc822"}, 201, nil).
				has(t, "id:uuid mailbox:addr duplicate:false")
			c.call(t, "DELETE", at, "", 200, "ok:true deleted:addr blobs_deleted:int r2_blobs_deleted:int")
		})
	}
	owner := srv.mailbox(t, "rotating")
	rotated := owner.ask(t, "POST", "/keys/rotate", "").has(t, "api_key:key")
	if a := owner.ask(t, "GET", "/me", ""); string(a.body) != unauthorized {
		t.Errorf("the old key: %d %s", a.status, a.body)
	}
	owner.key = rotated["api_key"].(string)
	owner.ask(t, "GET", "/me", "").has(t, meForm)
	srv.do(t, request{path: "/health"}, 200, nil).has(t, "ok:true status:ok")
}
