package service_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestAddSuppressions(t *testing.T) {
	k := newService(t)
	b, other := k.permanent("a"), k.permanent("b")
	add := func(reason string, addresses ...string) (service.AddedSuppressions, error) {
		return k.svc.AddSuppressions(t.Context(), b.in(mailbox.ManageMailbox),
			service.NewSuppressions{Addresses: addresses, Reason: reason})
	}
	list := func() (all []string) {
		found, err := k.svc.Suppressions(t.Context(), b.in(mailbox.ManageMailbox),
			service.SuppressionsQuery{Page: service.Page{Limit: 10}})
		k.works("list", err)
		for _, s := range found.Items {
			all = append(all, s.Address+" "+s.Reason+" "+s.Detail)
			if !s.Message.IsZero() {
				t.Errorf("%s was caused by %s", s.Address, s.Message)
			}
		}
		slices.Sort(all)
		return all
	}
	done, err := add("asked us", "Kim@Example.test", "kim@example.test", "lee@bücher.test")
	k.works("add", err)
	k.same("added", []int{done.Added, done.Present, len(done.Entries)}, []int{2, 0, 3})
	k.same("twice the same", done.Entries[0], done.Entries[1])
	done, err = add("again", "kim@example.test", "new@example.test")
	k.works("add again", err)
	k.same("added", []int{done.Added, done.Present, len(done.Entries)}, []int{1, 1, 2})
	for _, e := range done.Entries {
		found, err := k.svc.Suppression(t.Context(), b.in(mailbox.ManageMailbox), e.Number, "")
		k.works("by its number", err)
		k.same("by its number", found, e)
		_, err = k.svc.Suppression(t.Context(), other.in(mailbox.ManageMailbox), e.Number, "")
		wantCode(t, err, "not_found")
	}
	want := []string{"kim@example.test manual asked us", "lee@xn--bcher-kva.test manual asked us",
		"new@example.test manual again"}
	k.same("the list", list(), want)
	for name, wrong := range map[string][]string{"nobody": nil, "no address": {"x@example.test", "nobody"},
		"too many": slices.Repeat([]string{"x@example.test"}, 1001)} {
		_, err := add("", wrong...)
		k.kind(name, err, mailbox.Invalid, "invalid_addresses")
	}
	if _, err = add("", "nobody"); strings.Count(err.Error(), "is not an address") != 1 {
		t.Errorf("it says %v", err)
	}
	_, err = add(strings.Repeat("x", 501), "x@example.test")
	k.kind("a long reason", err, mailbox.Invalid, "invalid_reason")
	k.same("the list after refusals", list(), want)
	_, err = k.svc.Send(t.Context(), b.in(mailbox.SendMail), draftTo("KIM@example.test"))
	wantCode(t, err, "recipient_suppressed")
	other.send(draftTo("kim@example.test"))
}
