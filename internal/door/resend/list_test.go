package resend_test

import (
	"fmt"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service/servicetest"
	"github.com/mailkin/mailkin/internal/store"
)

// Every list goes on from an id, both ways, and takes no id that it does not have.
func TestPages(t *testing.T) {
	k := newKit(t)
	other := servicetest.Permanent(t, k.svc, "other")
	var sent []string
	for i := range 5 {
		sent = append([]string{k.gives("POST", "/emails", k.mail(fmt.Sprintf(`,"tags":[{"name":"n","value":"%d"}]`,
			i)))["id"].(string)}, sent...)
		servicetest.Receive(t, k.svc, fmt.Sprintf("From: a@far.test\r\nSubject: %d\r\n\r\nx", i), k.own.Address)
	}
	k.pages("/emails", "id", sent)
	k.pages("/emails/receiving", "subject", []string{"4", "3", "2", "1", "0"})
	foreign := func() string {
		_, out := k.ask(other.Key, "POST", "/emails", `{"from":"`+other.Address+
			`","to":"a@far.test","subject":"s","text":"t"}`)
		return out["id"].(string)
	}()
	for _, path := range []string{"/emails", "/emails/receiving", "/suppressions", "/webhooks", "/domains",
		"/api-keys"} {
		for _, q := range []string{"after=" + foreign, "before=" + foreign, "limit=0", "limit=101", "limit=x",
			"limit=-1", "limit=1.5", "limit=99999999999999999999", "after=" + foreign + "&before=" + foreign} {
			k.fails("GET", path+"?"+q, "", 422, "validation_error")
		}
		k.fails("GET", path+"?after=x", "", 422, "invalid_parameter")
	}
}

// pages goes through a list both ways.
func (k *kit) pages(path, member string, want []string) {
	k.Helper()
	all := k.gives("GET", path, "")
	ids := rows(all, "id")
	k.same(path, rows(all, member), want)
	first := k.gives("GET", path+"?limit=2", "")
	k.same("the first", []any{rows(first, member), first["has_more"]}, []any{want[:2], true})
	next := k.gives("GET", path+"?limit=2&after="+ids[1], "")
	k.same("the next", []any{rows(next, member), next["has_more"]}, []any{want[2:4], true})
	last := k.gives("GET", path+"?limit=2&after="+ids[3], "")
	k.same("the last", []any{rows(last, member), last["has_more"]}, []any{want[4:], false})
	back := k.gives("GET", path+"?limit=2&before="+ids[3], "")
	k.same("back", []any{rows(back, member), back["has_more"]}, []any{want[1:3], true})
	begin := k.gives("GET", path+"?limit=2&before="+ids[2], "")
	k.same("the begin", []any{rows(begin, member), begin["has_more"]}, []any{want[:2], false})
}

func TestSuppressions(t *testing.T) {
	k := newKit(t)
	var want []string
	for i := range 5 {
		want = append([]string{fmt.Sprintf("%d@far.test", i)}, want...)
		k.gives("POST", "/suppressions", fmt.Sprintf(`{"email":"Ann <%d@FAR.test>"}`, i))
	}
	k.pages("/suppressions", "email", want)
	err := k.base.DB.Update(t.Context(), func(tx store.Tx) error {
		return tx.InsertSuppression(t.Context(), mailbox.Suppression{Mailbox: k.own.Num, Address: "b@far.test",
			Reason: "bounce", At: k.base.Clock.Now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	k.same("bounced", rows(k.gives("GET", "/suppressions?origin=bounce", ""), "email"), []string{"b@far.test"})
	k.same("by hand", rows(k.gives("GET", "/suppressions?origin=manual", ""), "email"), want)
	k.fails("GET", "/suppressions?origin=x", "", 422, "validation_error")
	one := k.gives("GET", "/suppressions/3@far.TEST", "")
	k.same("by its id", k.gives("GET", "/suppressions/"+one["id"].(string), ""), one)
	other := servicetest.Permanent(t, k.svc, "other")
	for _, name := range []string{one["id"].(string), "3@far.test"} {
		for _, method := range []string{"GET", "DELETE"} {
			if status, _ := k.ask(other.Key, method, "/suppressions/"+name, ""); status != 404 {
				t.Errorf("%s of another mailbox: %d", method, status)
			}
		}
	}
	k.gives("DELETE", "/suppressions/"+one["id"].(string), "")
	k.fails("GET", "/suppressions/"+one["id"].(string), "", 404, "not_found")
	k.fails("GET", "/suppressions/0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60", "", 404, "not_found")
	k.fails("POST", "/suppressions", `{"email":"nobody"}`, 400, "validation_error")
	batch := k.gives("POST", "/suppressions/batch/add", `{"emails":["x@far.test","4@far.test","x@far.test"]}`)
	ids := rows(batch, "id")
	if len(ids) != 3 || ids[0] != ids[2] || ids[0] == ids[1] {
		t.Errorf("the batch is %v", ids)
	}
}
