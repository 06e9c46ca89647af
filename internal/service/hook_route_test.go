package service_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Routes with an id to the same URL have a secret, events and a state each, and the mailbox's own webhook is apart.
func TestOwnRoutes(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.Way, o.AllowPrivate = service.WayCapture, nil
		o.HookBody = func(f mailbox.HookForm, e mailbox.Event, _ string) (string, []byte) {
			return string(f) + string(e.Kind), []byte(f.Name() + " " + string(e.Kind))
		}
	})
	own, other := k.permanent("own"), k.permanent("other")
	in := own.in(mailbox.ManageMailbox)
	put := func(n service.NewRoute) service.RouteSet {
		t.Helper()
		r, err := k.svc.PutRoute(t.Context(), in, n)
		k.works("PutRoute", err)
		return r
	}
	url := "https://hook.test/a#x"
	sent := put(service.NewRoute{Own: true, URL: &url, Events: &[]string{"message.sent"}})
	all := put(service.NewRoute{Own: true, URL: &url})
	foreign := put(service.NewRoute{Own: true, URL: &url, Form: ref(mailbox.FormResend), ClientID: "one",
		Events: &[]string{"resendmessage.received"}})
	again := put(service.NewRoute{Own: true, URL: &url, Form: ref(mailbox.FormResend), ClientID: "one"})
	k.same("made again", again.ID, foreign.ID)
	if sent.Secret == all.Secret || !strings.HasPrefix(string(sent.Secret), "whsec_") {
		t.Error("two routes have the same secret")
	}
	k.receive(mixed("in"), "own@example.test")
	_, err := k.svc.Send(t.Context(), own.in(mailbox.SendMail), mailbox.Draft{To: []string{"x@else.test"},
		Subject: "out", Text: "hello", HasText: true})
	k.works("Send", err)
	posted := func() (list []string) {
		t.Helper()
		work, err := k.svc.WorkHooks(t.Context(), nil, service.HookQuery{Limit: 10,
			Room: func(mailbox.HookTarget, int) int { return 10 }})
		k.works("WorkHooks", err)
		for _, job := range work.Jobs {
			for name, r := range map[string]service.RouteSet{"sent": sent, "all": all, "foreign": foreign} {
				if base64.StdEncoding.EncodeToString(job.MailboxSecret) == string(r.Secret)[len("whsec_"):] {
					list = append(list, name+": "+string(job.Body))
				}
			}
		}
		slices.Sort(list)
		return list
	}
	k.same("posted", posted(), []string{"all: v1 message.received", "foreign: resend message.received",
		"sent: v1 message.sent"})
	rotated := put(service.NewRoute{ID: all.ID, Rotate: true, Disabled: ref(true)})
	if rotated.Secret == all.Secret || mailbox.PostedTo(rotated.Webhook.URL) != "https://hook.test/a" {
		t.Errorf("after rotation: %+v", rotated)
	}
	k.receive(mixed("more"), "own@example.test")
	k.same("disabled", posted(), []string{"foreign: resend message.received"})
	log, err := k.svc.Hooks(t.Context(), in, service.HooksQuery{Route: sent.ID, Page: service.Page{Limit: 10}})
	k.works("Hooks", err)
	k.same("of one route", len(log.Items), 1)
	_, err = k.svc.Route(t.Context(), other.in(mailbox.ManageMailbox), sent.ID)
	k.kind("of another mailbox", err, mailbox.NotFound, "not_found")
	_, err = k.svc.PutRoute(t.Context(), other.in(mailbox.ManageMailbox), service.NewRoute{ID: sent.ID, Rotate: true})
	k.kind("of another mailbox", err, mailbox.NotFound, "not_found")
	_, err = k.svc.PutRoute(t.Context(), in, service.NewRoute{Own: true, URL: &url, Events: &[]string{"x"}})
	k.kind("no event", err, mailbox.Invalid, "invalid_events")
	_, err = k.svc.PutRoute(t.Context(), in, service.NewRoute{ID: sent.ID,
		Headers: &[]mailbox.Field{{Name: "Svix-Id", Value: "x"}}})
	k.kind("a header of ours", err, mailbox.Invalid, "invalid_headers")
	_, err = k.svc.DeleteRoute(t.Context(), in, "", sent.ID)
	k.works("DeleteRoute", err)
	_, err = k.svc.DeleteRoute(t.Context(), in, "", sent.ID)
	k.kind("deleted", err, mailbox.NotFound, "not_found")
}
