package service_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// A label that mail does not get by itself and that no message has may be misspelt: the route is set, with a warning.
func TestHookRouteWarning(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	k.receive(letter("one"), b.Address)
	in := b.in(mailbox.ManageMailbox)
	warned := func(label string) bool {
		t.Helper()
		r, err := k.svc.PutRoute(t.Context(), in, service.NewRoute{Label: label, URL: ref("https://hook.test/")})
		k.works("PutRoute", err)
		return strings.Contains(r.Warning, label)
	}
	k.same("automatic", warned("newsletter"), false)
	k.same("unknown", warned("invoice"), true)
	list, err := k.svc.Inbox(t.Context(), b.read(), service.InboxQuery{Page: service.Page{Limit: 1}})
	k.works("Inbox", err)
	_, err = k.svc.ChangeMessage(t.Context(), b.in(mailbox.ChangeMail), list.Items[0].ID,
		service.MessageChange{Add: []string{"invoice"}})
	k.works("ChangeMessage", err)
	k.same("of a message", warned("invoice"), false)

	warned("invoices")
	var listed []string
	routes, err := k.svc.Routes(t.Context(), in)
	k.works("Routes", err)
	for _, r := range routes {
		if r.Warning != "" {
			listed = append(listed, r.Label)
		}
	}
	k.same("warned of in the list", listed, []string{"invoices"})
}

func TestHookRoutes(t *testing.T) {
	const other, both = "https://other.test/", "https://both.test/"
	answer := func(url string, _ int) (int, time.Duration) {
		if url == other {
			return 500, 0
		}
		return 200, 0
	}
	hookBubble(t, answer, func(h *hookKit) {
		b := h.permanent("robin")
		in := b.in(mailbox.ManageMailbox)
		put := func(label, url string) {
			t.Helper()
			_, err := h.svc.PutRoute(h.Context(), in, service.NewRoute{Label: label, URL: ref(url)})
			h.works("PutRoute", err)
		}
		put("Personal ", both)
		put("newsletter", other)
		h.mail(b, 1) // personal
		h.pass(time.Second)
		h.same("without a webhook of its own", []int{h.world.count(both), h.world.count(other)}, []int{1, 0})
		h.set(b, both)
		put("code", both)
		h.mail(b, 1)
		h.receive(letter("news", "List-Unsubscribe: <mailto:x@sender.test>", "List-Id: <x.sender.test>",
			"Precedence: bulk"), b.Address)
		h.pass(time.Minute)
		h.same("each URL once", []int{h.world.count(both), h.world.count(other)}, []int{3, 4})
		routes, err := h.svc.Routes(h.Context(), in)
		h.works("Routes", err)
		var said []string
		for _, r := range routes {
			said = append(said, fmt.Sprintf("%s %s %d", r.Label, r.Webhook.Status(), r.Webhook.ConsecutiveFailures))
		}
		h.same("routes", said, []string{"code active 0", "newsletter active 1", "personal active 0"})
		if stats, err := h.svc.Stats(h.Context(), b.read(), 0); err != nil || stats.Routes != 3 {
			t.Errorf("stats %+v, %v", stats, err)
		}
		put("newsletter", other)
		if routes, _ := h.svc.Routes(h.Context(), in); routes[1].Webhook.ConsecutiveFailures != 0 {
			t.Errorf("set again: %+v", routes[1])
		}
		label, err := h.svc.DeleteRoute(h.Context(), in, "NEWSLETTER", mailbox.ID{})
		if err != nil || label != "newsletter" {
			t.Errorf("deleted %q, %v", label, err)
		}
		_, err = h.svc.DeleteRoute(h.Context(), in, "newsletter", mailbox.ID{})
		wantCode(t, err, "not_found")
		_, err = h.svc.DeleteRoute(h.Context(), in, " ", mailbox.ID{})
		wantCode(t, err, "invalid_label")
		_, err = h.svc.PutRoute(h.Context(), in, service.NewRoute{Label: "no label", URL: ref(both)})
		wantCode(t, err, "invalid_label")
		_, err = h.svc.PutRoute(h.Context(), in, service.NewRoute{Label: "x", URL: ref("")})
		wantCode(t, err, "invalid_webhook_url")
		for i := range 98 {
			put(fmt.Sprint("l", i), both)
		}
		_, err = h.svc.PutRoute(h.Context(), in, service.NewRoute{Label: "one-more", URL: ref(both)})
		wantCode(t, err, "too_many_routes")
	})
}

// What is posted: the kinds of SPEC 6.1 and no other, with their fields.
func TestHookKinds(t *testing.T) {
	hookBubble(t, always(200, 0), func(h *hookKit) {
		b := h.hooked("robin", hookURL)
		sent := b.send(draftTo("ann@other.test", "bob@other.test"))
		jobs := h.lease()
		h.finish(jobs[0], taken)
		h.finish(jobs[1], refused)
		err := h.svc.HearLater(h.Context(), jobs[0].Delivery, mailbox.Word{Status: mailbox.Complained, Reason: "abuse"})
		h.works("HearLater", err)
		h.mail(b, 1)
		h.pass(time.Second)
		want := map[string]map[string]string{
			"message.delivered": {"status": "delivered", "recipient": "ann@other.test"},
			"message.bounced": {"status": "bounced", "recipient": "bob@other.test", "bounce_type": "hard",
				"reason": "5.1.1 no such user"},
			"message.complained": {"status": "complained", "recipient": "ann@other.test"},
			"message.received":   {},
		}
		if len(h.world.posts) != len(want) {
			t.Fatalf("%d posts: %+v", len(h.world.posts), h.world.posts)
		}
		for _, p := range h.world.posts {
			var body map[string]any
			if err := json.Unmarshal([]byte(p.body), &body); err != nil {
				t.Fatal(err)
			}
			fields := want[string(p.job.Kind)]
			if fields == nil || body["event"] != string(p.job.Kind) || body["mailbox"] != b.Address ||
				body["email_id"] != p.job.Message.String() {
				t.Errorf("posted %s", p.body)
			}
			for name, value := range fields {
				if body[name] != value {
					t.Errorf("%s is %v in %s", name, body[name], p.body)
				}
			}
			for _, core := range []string{"from", "subject", "received_at"} {
				if body[core] == "" || body[core] == nil {
					t.Errorf("no %s in %s", core, p.body)
				}
			}
			if p.job.Kind != mailbox.MessageReceived && (p.job.Message != sent.ID || body["timestamp"] == nil) {
				t.Errorf("posted %s", p.body)
			}
		}
	})
}

// What the owner does reaches what is under way.
func TestHookChanges(t *testing.T) {
	const elsewhere = "https://elsewhere.test/"
	setup := func(test func(h *hookKit, b box)) func(t *testing.T) {
		return func(t *testing.T) {
			hookBubble(t, always(500, 0), func(h *hookKit) {
				b := h.hooked("robin", hookURL)
				h.mail(b, 1)
				h.pass(2 * time.Second)
				h.same("at first", h.world.count(hookURL), 2)
				test(h, b)
			})
		}
	}
	t.Run("another URL", setup(func(h *hookKit, b box) {
		h.set(b, elsewhere)
		h.pass(time.Minute)
		h.same("old", h.world.count(hookURL), 2)
		h.same("new", h.world.count(elsewhere), 0)
		h.same("states", h.states(b), map[mailbox.HookState]int{mailbox.HookHeld: 1})
		trial, after, err := h.svc.ReplayHook(h.Context(), b.in(mailbox.ManageMailbox),
			h.hooks(b, service.HooksQuery{})[0].ID)
		if err != nil || trial.URL != elsewhere || after.URL != elsewhere || after.State != mailbox.HookHeld {
			h.Errorf("replay %+v, %+v, %v", trial, after, err)
		}
		if w := h.webhook(b); w.ConsecutiveFailures != 0 || !w.LastAttemptAt.IsZero() {
			h.Errorf("a replay counted: %+v", w)
		}
	}))
	t.Run("no URL", setup(func(h *hookKit, b box) {
		h.set(b, "")
		h.pass(time.Minute)
		h.same("attempts", h.world.count(hookURL), 2)
		h.mail(b, 1)
		h.same("states", h.states(b), map[mailbox.HookState]int{mailbox.HookHeld: 1})
		_, _, err := h.svc.ReplayHook(h.Context(), b.in(mailbox.ManageMailbox), h.hooks(b, service.HooksQuery{})[0].ID)
		h.kind("replay", err, mailbox.Conflict, "no_webhook")
	}))
	t.Run("deleted message", setup(func(h *hookKit, b box) {
		h.works("DeleteMessage", h.svc.DeleteMessage(h.Context(), b.change(),
			h.inbox(b.read(), service.InboxQuery{}).Items[0].ID))
		h.pass(time.Minute)
		h.same("attempts", h.world.count(hookURL), 4)
		h.same("id", h.world.posts[3].job.Name(), h.world.posts[0].job.Name())
		if body := h.world.posts[3].body; !strings.Contains(body, `"deleted":true`) ||
			strings.Contains(body, "letter.1") {
			t.Errorf("posted %s", body)
		}
	}))
	t.Run("paused", setup(func(h *hookKit, b box) {
		_, err := h.svc.PauseMailbox(h.Context(), h.operator(mailbox.Moderate, b.Address), "")
		h.works("PauseMailbox", err)
		h.pass(10 * time.Minute)
		h.same("attempts", h.world.count(hookURL), 2)
		_, err = h.svc.ResumeMailbox(h.Context(), h.operator(mailbox.Moderate, b.Address))
		h.works("ResumeMailbox", err)
		h.pass(time.Minute)
		h.same("attempts after that", h.world.count(hookURL), 4)
	}))
	t.Run("deleted mailbox", setup(func(h *hookKit, b box) {
		_, err := h.svc.DeleteMailbox(h.Context(), b.in(mailbox.DeleteMailbox))
		h.works("DeleteMailbox", err)
		h.pass(time.Minute)
		h.same("attempts", h.world.count(hookURL), 2)
		h.view(func(r store.Reader) error {
			list, err := r.Hooks(h.Context(), b.Num, store.HookFilter{Limit: 9})
			h.same("hooks", list, []mailbox.Hook{})
			return err
		})
	}))
	t.Run("too old", setup(func(h *hookKit, b box) {
		h.pass(8 * 24 * time.Hour)
		h.works("Trim", h.svc.Trim(h.Context()))
		h.same("states", h.states(b), map[mailbox.HookState]int{})
	}))
}

func TestWebhookVerbs(t *testing.T) {
	hookBubble(t, always(500, 0), func(h *hookKit) {
		b, other := h.permanent("robin"), h.hooked("wren", hookURL)
		in, theirs := b.in(mailbox.ManageMailbox), other.in(mailbox.ManageMailbox)
		_, err := h.svc.TestWebhook(h.Context(), in, "")
		wantCode(t, err, "no_webhook")
		_, err = h.svc.ResetWebhook(h.Context(), in, "")
		wantCode(t, err, "no_webhook")
		h.set(b, hookURL)
		_, err = h.svc.TestWebhook(h.Context(), in, "https://else.test/")
		wantCode(t, err, "not_found")
		_, err = h.svc.ResetWebhook(h.Context(), in, "https://else.test/")
		wantCode(t, err, "not_found")
		trial, err := h.svc.TestWebhook(h.Context(), in, "")
		if err != nil || trial.Attempt.OK() || trial.Attempt.Status != 500 || trial.URL != hookURL ||
			h.webhook(b).ConsecutiveFailures != 0 || len(h.hooks(b, service.HooksQuery{})) != 0 {
			t.Errorf("test: %+v, %v", trial, err)
		}
		sample := h.world.posts[0].job
		if sample.Kind != mailbox.MessageReceived || !strings.Contains(string(sample.Body),
			`"mailbox":"robin@example.test"`) || string(sample.Secret) != "webhook-secret-for-tests" {
			t.Errorf("sample %s", sample.Body)
		}
		one, err := h.svc.WebhookSecret(h.Context(), in)
		h.works("WebhookSecret", err)
		another, err := h.svc.WebhookSecret(h.Context(), theirs)
		if err != nil || one == another || !strings.HasPrefix(string(one.Value), "whsec_") ||
			len(sample.MailboxSecret) != 32 {
			t.Errorf("secrets %q and %q, %v", string(one.Value), string(another.Value), err)
		}
		h.mail(b, 1)
		synctest.Wait()
		pending := h.hooks(b, service.HooksQuery{Status: "pending"})[0]
		_, _, err = h.svc.ReplayHook(h.Context(), in, pending.ID)
		wantCode(t, err, "delivery_pending")
		h.pass(time.Minute)
		_, _, err = h.svc.ReplayHook(h.Context(), theirs, pending.ID)
		wantCode(t, err, "not_found")
		for range 30 {
			_, _, err := h.svc.ReplayHook(h.Context(), in, pending.ID)
			h.works("ReplayHook", err)
		}
		after := h.hooks(b, service.HooksQuery{Event: "message.received", EmailID: pending.Message.String()})[0]
		if after.State != mailbox.HookFailed || after.Attempts != 4 || len(after.Log) != 20 ||
			h.webhook(b).ConsecutiveFailures != 1 {
			t.Errorf("after replays: %+v", after)
		}
		for _, q := range []struct {
			q    service.HooksQuery
			code string
		}{{service.HooksQuery{Status: "lost"}, "invalid_status"}, {service.HooksQuery{Event: "message.sent"},
			"invalid_event"},
			{service.HooksQuery{Page: service.Page{Cursor: "x", Limit: 1}}, "invalid_cursor"}} {
			_, err := h.svc.Hooks(h.Context(), in, q.q)
			wantCode(t, err, q.code)
		}
		if list := h.hooks(b, service.HooksQuery{EmailID: "none of ours"}); len(list) != 0 {
			t.Errorf("%d found", len(list))
		}
		h.mail(b, 2)
		first, err := h.svc.Hooks(h.Context(), in, service.HooksQuery{Page: service.Page{Limit: 2}})
		h.works("Hooks", err)
		rest, err := h.svc.Hooks(h.Context(), in, service.HooksQuery{Page: service.Page{Limit: 2, Cursor: first.Next}})
		if err != nil || len(rest.Items) != 1 || rest.Items[0].ID != pending.ID || slices.ContainsFunc(first.Items,
			func(x mailbox.Hook) bool { return x.ID == pending.ID }) {
			t.Errorf("page %+v, %v", rest, err)
		}
	})
}

// What was posted of a message is kept as long as the message: then its id is left, and what is still to be posted says
// so.
func TestHooksOfDeletedMessages(t *testing.T) {
	const gone, other = "https://gone.test/", "https://other.test/"
	answer := func(url string, n int) (int, time.Duration) {
		if url == gone {
			return 500, 0
		}
		return 200, 0
	}
	hookBubble(t, answer, func(h *hookKit) {
		h.world.echoes = true
		b := h.hooked("robin", other)
		_, err := h.svc.PutRoute(h.Context(), b.in(mailbox.ManageMailbox), service.NewRoute{Label: "personal",
			URL: ref(gone)})
		h.works("PutRoute", err)
		first := h.receive(letter("secretword"), b.Address)[0].ID
		h.receive(letter("kept"), b.Address)
		h.pass(time.Minute)
		h.works("DeleteMessage", h.svc.DeleteMessage(h.Context(), b.change(), first))
		bodies := h.bodies(b)
		h.same("hooks", len(bodies), 4)
		h.same("of the deleted", strings.Count(strings.Join(bodies, " "), "secretword"), 0)
		h.same("that say so", strings.Count(strings.Join(bodies, " "), `"deleted":true`), 2)
		for _, text := range bodies {
			if strings.Contains(text, `"deleted":true`) == strings.Contains(text, "kept") ||
				!strings.Contains(text, `"event":"message.received","email_id":"`) {
				t.Errorf("kept: %s", text)
			}
		}

		second := h.receive(letter("secondword"), b.Address)[0].ID
		h.pass(2 * time.Second) // the second attempt has failed, and there are two more
		h.works("DeleteMessage", h.svc.DeleteMessage(h.Context(), b.change(), second))
		posted := h.world.count(gone)
		h.pass(time.Minute)
		if h.world.count(gone) != posted+2 {
			t.Errorf("%d were posted after the deletion, want 2", h.world.count(gone)-posted)
		}
		for _, p := range h.world.posts[len(h.world.posts)-2:] {
			if !strings.Contains(p.body, `"deleted":true`) || strings.Contains(p.body, "secondword") {
				t.Errorf("posted %s", p.body)
			}
		}
		h.same("of the second", strings.Count(strings.Join(h.bodies(b), " "), "secondword"), 0)

		sent := b.send(draftTo("bounced@simulator.example.test"))
		job := h.one()
		h.finish(job, mailbox.Attempt{Outcome: mailbox.Refused, Code: 550, Text: "no such user"})
		h.pass(time.Minute)
		h.works("DeleteMessage", h.svc.DeleteMessage(h.Context(), b.change(), sent.ID))
		if newest := h.bodies(b)[0]; !strings.Contains(newest, `"recipient":"bounced@simulator.example.test"`) ||
			strings.Contains(newest, "Hello") || !strings.Contains(newest, `"deleted":true`) {
			t.Errorf("of what was sent: %s", newest)
		}
	})
}

// An answer that comes when the message was deleted is not kept: it may repeat what was posted.
func TestHookAnswersAfterDeletion(t *testing.T) {
	hookBubble(t, always(200, 5*time.Second), func(h *hookKit) {
		h.world.echoes = true
		b := h.hooked("robin", "https://slow.test/")
		id := h.receive(letter("secretword"), b.Address)[0].ID
		h.pass(time.Second) // it is on its way
		h.works("DeleteMessage", h.svc.DeleteMessage(h.Context(), b.change(), id))
		h.pass(time.Minute)
		all := strings.Join(h.bodies(b), " ")
		if h.world.count("https://slow.test/") != 1 || strings.Contains(all, "secretword") {
			t.Errorf("kept: %s", all)
		}
	})
}
