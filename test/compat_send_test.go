package test

import (
	"fmt"
	"net/http"
	"testing"
)

// Sending in every form that clients use, and what the message says afterwards.
func TestCompatSending(t *testing.T) {
	t.Parallel()
	eachClient(t, nil, func(t *testing.T, c existing) {
		for name, body := range map[string]string{
			"recipient as a string":  `{"from":%q,"to":"kim@example.com","subject":"one","text":"x"}`,
			"recipients as a list":   `{"from":%q,"to":["kim@example.com","ann@example.com"],"subject":"two","html":"<p>x</p>"}`,
			"names and copies":       `{"from":"Wren <%s>","to":"Kim <kim@example.com>","cc":["ann@example.com"],"bcc":"bo@example.com","subject":"three","text":"x"}`,
			"answers go elsewhere":   `{"from":%q,"to":["kim@example.com"],"reply_to":"help@example.com","subject":"four","text":"x"}`,
			"attachment":             `{"from":%q,"to":["kim@example.com"],"subject":"five","text":"x","attachments":[{"filename":"a.txt","content":"SGVsbG8=","content_type":"text/plain"}]}`,
			"headers":                `{"from":%q,"to":["kim@example.com"],"subject":"six","text":"x","headers":{"X-Order":"A-1042"},"in_reply_to":"<1@example.com>"}`,
			"unknown members":        `{"from":%q,"to":["kim@example.com"],"subject":"seven","text":"x","track":true}`,
			"members that are null":  `{"from":%q,"to":["kim@example.com"],"subject":"eight","text":"x","html":null,"cc":null,"attachments":null}`,
			"camel case of others":   `{"from":%q,"to":["kim@example.com"],"subject":"nine","text":"x","replyTo":"help@example.com"}`,
			"tags":                   `{"from":%q,"to":["kim@example.com"],"subject":"ten","text":"x","tags":["a"]}`,
			"text that is only HTML": `{"from":%q,"to":["kim@example.com"],"subject":"eleven","html":"<b>x</b>","text":""}`,
		} {
			if name == "names and copies" {
				body = fmt.Sprintf(`{"from":"Wren <%s>","to":"Kim <kim@example.com>","cc":["ann@example.com"],"bcc":"bo@example.com","subject":"three","text":"x"}`, c.address)
			} else {
				body = fmt.Sprintf(body, c.address)
			}
			sent := c.call(t, "POST", "/send", body, 200, sendingForm)
			e := c.call(t, "GET", "/email?id="+sent["id"].(string), "", 200, detailForm+` deliveries:[{`+deliveryForm+
				`}]`)
			if e["direction"] != "outbound" || e["message_id"] != sent["message_id"] ||
				e["thread_id"] != sent["thread_id"] || e["from_address"] != c.address {
				t.Errorf("%s: the message is %v", name, e)
			}
		}
		c.srv.deliver(t, mail("a question"), c.address)
		got := c.call(t, "GET", "/inbox?direction=inbound", "", 200, inboxForm)["emails"].([]any)[0].(map[string]any)
		answered := c.call(t, "POST", "/reply", fmt.Sprintf(`{"email_id":%q,"text":"yes"}`, got["id"]), 200,
			sendingForm)
		if answered["thread_id"] != got["thread_id"] {
			t.Errorf("the answer is in thread %v", answered["thread_id"])
		}
		c.call(t, "POST", "/forward", fmt.Sprintf(`{"email_id":%q,"to":"kim@example.com"}`, got["id"]), 200,
			sendingForm)
		c.call(t, "GET", "/suppressions", "", 200, "suppressions:[any] next_cursor:str?")
		c.call(t, "POST", "/send", `{"to":[],"subject":"x","text":"x"}`, 400, errorForm)
		c.call(t, "POST", "/send", `{"to":"kim@example.com","subject":"x"}`, 400, errorForm)
	})
}

// Without the parameter the token finds a message wherever it is, and the sender names the mailbox (API 1).
func TestCompatToken(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin")
	srv.deliver(t, orderMail("token"), b.address)
	id := b.only(t).ID
	tool := existing{box{srv: srv, address: b.address, key: srv.token, prefix: "/api"}, ""}
	e := tool.call(t, "GET", "/email?id="+id, "", 200, detailForm)
	tool.call(t, "GET", "/thread?id="+e["thread_id"].(string), "", 200, threadForm)
	tool.call(t, "GET", "/attachment?id="+e["attachments"].([]any)[0].(map[string]any)["id"].(string), "", 200, "")
	sent := tool.call(t, "POST", "/send", fmt.Sprintf(`{"from":%q,"to":"kim@example.com","subject":"x","text":"x"}`,
		b.address), 200, sendingForm)
	if got := b.email(t, sent["id"].(string)); got.Mailbox != b.address || got.From != b.address {
		t.Errorf("it was sent from %s by %s", got.From, got.Mailbox)
	}
	tool.call(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":"order"}`, id), 200,
		"email_id:uuid extraction:{"+extractionForms["order"]+"}")
}

// The limit of a day is told in the words that clients show.
func TestCompatDailyLimit(t *testing.T) {
	t.Parallel()
	srv := start(t, "DAILY_SEND_LIMIT=1")
	b := srv.mailbox(t, "robin")
	const body = `{"to":"kim@example.com","subject":"x","text":"x"}`
	if a := b.ask(t, "POST", "/send", body); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	a := b.ask(t, "POST", "/send", body)
	o := a.has(t, "error:text code:daily_send_limit limit:1 used:1 resets_at:time")
	if a.status != http.StatusTooManyRequests || o["error"] != "Daily send limit reached (1/1)" ||
		a.header.Get("Retry-After") == "" {
		t.Errorf("%d %s %v", a.status, a.body, a.header)
	}
}
