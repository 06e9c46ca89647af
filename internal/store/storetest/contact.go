package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var contactTests = []test{{"Contacts", contacts}}

func (k kit) contact(num mailbox.Num, address string) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertContact(ctx, num, address, false) })
}

func (k kit) knows(num mailbox.Num, address string) bool {
	k.Helper()
	return k.contactOf(num, address).Known
}

func (k kit) contactOf(num mailbox.Num, address string) store.Contact {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (store.Contact, error) {
		return r.Contact(ctx, num, address)
	})
}

func (k kit) domains(num mailbox.Num, limit int) []string {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]string, error) {
		return r.ContactDomains(ctx, num,
			limit)
	})
}

func contacts(k kit) {
	one, other := k.box("one@x.org"), k.box("other@x.org")
	k.same("domains at first", k.domains(one.Num, 10), []string(nil))
	for _, a := range []string{"ada@b.example", "bo@b.example", "ada@b.example", "cy@a.example", "odd"} {
		k.contact(one.Num, a)
	}
	k.same("known", []bool{k.knows(one.Num, "ada@b.example"), k.knows(one.Num, "odd"), k.knows(one.Num, "b.example"),
		k.knows(other.Num, "ada@b.example")},
		[]bool{true, true, false, false})
	k.update(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.InsertContact(ctx, one.Num, "bo@b.example", true),
			tx.InsertContact(ctx, one.Num, "dee@a.example", true))
	})
	k.contact(one.Num, "bo@b.example") // it stays a correspondent
	k.same("correspondents", []store.Contact{k.contactOf(one.Num, "ada@b.example"),
		k.contactOf(one.Num, "bo@b.example"), k.contactOf(one.Num, "dee@a.example"),
		k.contactOf(one.Num, "nobody@a.example")}, []store.Contact{{Known: true}, {Known: true, Correspondent: true},
		{Known: true, Correspondent: true}, {}})
	k.same("domains", k.domains(one.Num, 10), []string{"a.example", "b.example", "odd"})
	k.same("two domains", k.domains(one.Num, 2), []string{"a.example", "b.example"})
	k.same("domains of another", k.domains(other.Num, 10), []string(nil))

	for i := range 25 {
		k.contact(one.Num, fmt.Sprintf("n%d@c.example", i))
	}
	k.contact(other.Num, "ada@b.example")
	k.remove(one.Num)
	k.purge(one.Num, 10)
	k.same("after removal", k.domains(one.Num, 10), []string(nil))
	k.same("another's after removal", k.knows(other.Num, "ada@b.example"), true)
}
