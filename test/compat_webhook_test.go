package test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// What is posted, and what is said about it afterwards.
func TestCompatWebhooks(t *testing.T) {
	t.Parallel()
	eachClient(t, []string{"MAILKIN_WEBHOOK_ALLOW_PRIVATE=true"}, func(t *testing.T, c existing) {
		hook := newReceiver(t, http.StatusNoContent)
		c.call(t, "PATCH", "/mailbox", fmt.Sprintf(`{"webhook_url":%q}`, hook.URL), 200, mailboxForm)
		c.call(t, "POST", "/webhook/test", "", 200, "ok:true url:text "+attemptForm)
		c.srv.deliver(t, orderMail(c.address), c.address)
		c.call(t, "POST", "/send", fmt.Sprintf(`{"from":%q,"to":"bounced@simulator.%s","subject":"out","text":"x"}`,
			c.address, domain), 200, sendingForm)

		seen := map[string]bool{}
		for _, post := range hook.await(t, 3)[1:] { // the first is the test
			kind := post.header.Get("X-Webhook-Event")
			form, known := map[string]string{"message.received": eventForm, "message.bounced": bouncedForm}[kind]
			if !known {
				t.Errorf("a post of %q", kind)
			}
			// which webhooks do not have
			said := answer{body: []byte(post.body)}.has(t, strings.Replace(form, "code:str?", "", 1))
			if said["event"] != kind || said["mailbox"] != c.address ||
				post.header.Get("X-Webhook-Id") != said["email_id"] {
				t.Errorf("%v says %s", post.header, post.body)
			}
			for _, name := range []string{"X-Webhook-Signature", "X-Webhook-Timestamp", "Webhook-Id",
				"Webhook-Timestamp", "Webhook-Signature"} {
				if post.header.Get(name) == "" {
					t.Errorf("no %s: %v", name, post.header)
				}
			}
			seen[kind] = true
		}
		if len(seen) != 2 {
			t.Errorf("posted are %v", seen)
		}
		id := ""
		eventually(t, func() error { // it is posted before that is noted
			list := c.call(t, "GET", "/webhook/deliveries?event=message.received", "", 200, "deliveries:[{"+postingForm+
				"}] next_cursor:str?")["deliveries"].([]any)
			if len(list) != 1 || list[0].(map[string]any)["status"] != "delivered" {
				return fmt.Errorf("deliveries %v", list)
			}
			id = list[0].(map[string]any)["id"].(string)
			return nil
		})
		c.call(t, "GET", "/webhook/deliveries?status=failed", "", 200, "deliveries:[any] next_cursor:str?")
		c.call(t, "POST", "/webhook/deliveries/"+id+"/replay", "", 200, "ok:true url:text "+attemptForm)
		c.call(t, "POST", "/webhook/reset", "", 200, "ok:true reset:[text]")
		c.call(t, "GET", "/mailbox", "", 200, mailboxForm+" webhook_url:text webhook:{status:active "+
			"consecutive_failures:0 last_attempt_at:time last_error:str}")
	})
}

// The lists of what did not go well: addresses that bounced, mail that was refused, records that are not published.
func TestCompatTroubles(t *testing.T) {
	z := newZone(t, "127.0.0.1")
	eachClient(t, []string{"MAILKIN_DNS=" + z.addr}, func(t *testing.T, c existing) {
		address := "bounced@simulator." + domain
		sent := c.call(t, "POST", "/send", fmt.Sprintf(`{"from":%q,"to":%q,"subject":"out","text":"x"}`, c.address,
			address), 200, sendingForm)
		eventually(t, func() error {
			if e := c.call(t, "GET", "/email?id="+sent["id"].(string), "", 200, detailForm); e["status"] != "bounced" {
				return fmt.Errorf("it is %v", e["status"])
			}
			return nil
		})
		c.call(t, "GET", "/email?id="+sent["id"].(string), "", 200, "status:bounced deliveries:[{"+deliveryForm+
			" status:bounced last_text:text}]")
		list := c.call(t, "GET", "/suppressions", "", 200, "suppressions:[{address:addr reason:text "+
			"created_at:time}] next_cursor:str?")
		if len(list["suppressions"].([]any)) != 1 {
			t.Errorf("suppressed are %v", list)
		}
		refused := c.call(t, "POST", "/send", fmt.Sprintf(`{"from":%q,"to":%q,"subject":"again","text":"x"}`, c.address,
			address), 400, "error:text code:recipient_suppressed")
		if !strings.Contains(refused["error"].(string), address) {
			t.Errorf("it does not name %s: %v", address, refused)
		}
		c.call(t, "DELETE", "/suppressions?address="+address, "", 200, "ok:true")
		c.call(t, "POST", "/send", fmt.Sprintf(`{"from":%q,"to":"kim@example.com","subject":"dry","text":"x","dry_run":true}`, c.address), 200, dryForm)

		c.srv.do(t, request{method: "PATCH", path: "/v1/mailboxes/" + c.address + "/pause", key: c.srv.token}, 200, nil)
		s := open(t, c.srv.smtp)
		s.mustAsk(t, "MAIL FROM:<kim@example.com>", 250)
		s.mustAsk(t, "RCPT TO:<"+c.address+">", 450)
		c.srv.do(t, request{method: "PATCH", path: "/v1/mailboxes/" + c.address + "/resume", key: c.srv.token}, 200,
			nil)
		eventually(t, func() error {
			found := c.call(t, "GET", "/rejects", "", 200, "rejects:[{at:time stage:text from:str to:addr remote:str "+
				"reply:text}] next_cursor:str?")
			if len(found["rejects"].([]any)) == 0 {
				return fmt.Errorf("nothing was refused")
			}
			return nil
		})

		name := "v-" + c.address[:len(c.address)-len("@"+domain)] + ".example"
		made := c.call(t, "POST", "/domains", fmt.Sprintf(`{"domain":%q}`, name), 201, recordForm)
		c.call(t, "POST", "/domains/"+made["id"].(string)+"/verify", "", 200,
			"id:uuid domain:text status:pending "+marksForm+" message:text records:[{type:text host:text value:text "+
				"purpose:text found:[str]}]")
		raw := c.srv.do(t, request{path: c.at("/email/raw?id=" + sent["id"].(string)), key: c.key}, 200, nil)
		if raw.header.Get("Content-Type") != "message/rfc822" || !strings.Contains(string(raw.body),
			"\r\nSubject: out\r\n") {
			t.Errorf("the original is %v %s", raw.header, raw.body)
		}
	})
}
