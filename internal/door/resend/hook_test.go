package resend_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

const everyEvent = `{"endpoint":"https://hooks.test/x","events":["email.sent","email.scheduled","email.delivered",
	"email.delivery_delayed","email.bounced","email.failed","email.suppressed","email.complained"]}`

// direct is a service that sends to other servers; the test says what these answer.
func direct(o *service.Options) { o.Way, o.Lease = service.WayDirect, time.Minute }

// lease takes what is due.
func (k *kit) lease() []service.Job {
	k.Helper()
	jobs, _, err := k.svc.LeaseDeliveries(k.Context(), service.LeaseQuery{Limit: 10,
		Room: func(string, bool) int { return 10 }, Take: func(mailbox.Delivery, bool) bool { return true }})
	if err != nil {
		k.Fatal(err)
	}
	return jobs
}

func (k *kit) finish(job service.Job, o mailbox.Outcome) {
	k.Helper()
	if err := k.svc.FinishDelivery(k.Context(), job.Delivery, mailbox.Attempt{Outcome: o, Text: "later"}); err != nil {
		k.Fatal(err)
	}
}

// told lists what was posted to a webhook, oldest first, and checks that the log says so.
func (k *kit) told(hook string) (types []string, data []object) {
	k.Helper()
	list := k.gives("GET", "/webhooks/"+hook+"/events?limit=100", "")
	for i, id := range rows(list, "id") {
		payload := k.gives("GET", "/webhooks/"+hook+"/events/"+id, "")["payload"].(object)
		k.same("the type in the list", rows(list, "type")[i], payload["type"])
		types, data = append(types, payload["type"].(string)), append(data, payload["data"].(object))
	}
	slices.Reverse(types)
	slices.Reverse(data)
	return types, data
}

// A message that is scheduled is told of when it is accepted, when it leaves, when it is put off, and when it arrives;
// all of that with its tags.
func TestEventsOfScheduled(t *testing.T) {
	k := newKit(t, direct)
	hook := k.gives("POST", "/webhooks", everyEvent)["id"].(string)
	at := k.base.Clock.Now().Add(time.Hour).Format(time.RFC3339)
	k.gives("POST", "/emails", k.mail(`,"cc":"bo@far.test","scheduled_at":"`+at+`","tags":[{"name":"a","value":"b"}]`))
	types, _ := k.told(hook)
	k.same("accepted", types, []string{"email.scheduled"})
	k.base.Clock.Advance(2 * time.Hour)
	jobs := k.lease()
	if len(jobs) != 2 {
		t.Fatalf("%d are due", len(jobs))
	}
	for range 2 { // a second delay is none that is told
		k.finish(jobs[0], mailbox.Deferred)
		k.base.Clock.Advance(24 * time.Hour)
		again := k.lease()
		jobs[0] = again[slices.IndexFunc(again, func(j service.Job) bool { return j.N == jobs[0].N })]
	}
	k.finish(jobs[0], mailbox.Accepted)
	types, data := k.told(hook)
	k.same("told", types, []string{"email.scheduled", "email.sent", "email.delivery_delayed", "email.delivered"})
	for i, d := range data {
		k.same("the tags of "+types[i], d["tags"], object{"a": "b"})
		k.same("the subject of "+types[i], d["subject"], "s")
	}
}

// A message that a person has to approve is accepted like any other, and its events begin when it is approved.
func TestHeld(t *testing.T) {
	k := newKit(t, direct)
	enter := func(need mailbox.Capability) service.Access {
		return servicetest.Enter(t, k.svc, servicetest.OperatorToken, service.Act{Need: need, Mailbox: k.own.Address})
	}
	policy := mailbox.ReviewAll
	_, err := k.svc.ChangeMailbox(t.Context(), enter(mailbox.ControlMailbox), service.MailboxChange{
		ControlChange: service.ControlChange{SendPolicy: &policy}})
	if err != nil {
		t.Fatal(err)
	}
	hook := k.gives("POST", "/webhooks", everyEvent)["id"].(string)
	for _, approved := range []bool{true, false} {
		sent := k.gives("POST", "/emails", k.mail(`,"cc":"bo@far.test","tags":[{"name":"a","value":"b"}]`))["id"].(string)
		k.same("held", k.gives("GET", "/emails/"+sent, "")["last_event"], "queued")
		id, _ := mailbox.ParseID(sent)
		ref, end := service.ReviewRef{ID: id}, "queued"
		if approved {
			_, err = k.svc.Approve(t.Context(), enter(mailbox.ReviewMail), ref)
		} else {
			_, err = k.svc.Reject(t.Context(), enter(mailbox.ReviewMail), service.Rejection{ReviewRef: ref})
			end = "canceled"
		}
		if err != nil {
			t.Fatal(err)
		}
		k.same("decided", k.gives("GET", "/emails/"+sent, "")["last_event"], end)
	}
	for _, job := range k.lease() {
		k.finish(job, mailbox.Accepted)
	}
	types, data := k.told(hook)
	k.same("told", types, []string{"email.sent", "email.delivered", "email.delivered"})
	for _, d := range data {
		k.same("the tags", d["tags"], object{"a": "b"})
	}
}

// A message that comes in is told of with the sizes of its attachments, though small ones are not decoded on the way
// in.
func TestReceivedSizes(t *testing.T) {
	k := newKit(t)
	hook := k.gives("POST", "/webhooks", `{"endpoint":"https://hooks.test/x","events":["email.received"]}`)["id"].(string)
	servicetest.Receive(t, k.svc, "From: a@b.test\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf; name=a.pdf\r\n"+
		"Content-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\n",
		k.own.Address)
	_, data := k.told(hook)
	k.same("size", data[0]["attachments"].([]any)[0].(object)["size"], 3.0)
}
