package index_test

import (
	"fmt"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
	"github.com/mailkin/mailkin/internal/store"
)

// The index is tested through the service's verbs, and step by step (export_test.go).

const operatorToken = servicetest.OperatorToken

// kit is a service on a real store and real blobs. A step that fails ends the test.
type kit struct {
	*testing.T
	servicetest.Base
	svc *service.Service
}

func newService(t *testing.T, change ...func(*service.Options)) *kit {
	t.Helper()
	svc, b := servicetest.New(t, change...)
	return &kit{t, b, svc}
}

func (k *kit) operator(c mailbox.Capability) service.Access {
	k.Helper()
	return servicetest.Enter(k.T, k.svc, operatorToken, service.Act{Need: c, Verb: c.String()})
}

// box is a mailbox of the test with its key.
type box struct {
	service.CreatedMailbox
	k *kit
}

func (k *kit) permanent(name string) box { return box{servicetest.Permanent(k.T, k.svc, name), k} }

func (k *kit) provisional(name string) box { return box{servicetest.Provisional(k.T, k.Base, name), k} }

// in enters the mailbox with its own key.
func (b box) in(c mailbox.Capability) service.Access {
	b.k.Helper()
	return servicetest.Enter(b.k.T, b.k.svc, b.Key, service.Act{Need: c, Verb: c.String()})
}

func (b box) read() service.Access   { b.k.Helper(); return b.in(mailbox.ReadMail) }
func (b box) change() service.Access { b.k.Helper(); return b.in(mailbox.ChangeMail) }

func (b box) message(id mailbox.ID) service.FullMessage {
	b.k.Helper()
	return servicetest.Message(b.k.T, b.k.svc, b.read(), id)
}

// numbered receives messages with a number and a common text.
func (b box) numbered(n int) (ids []mailbox.ID) {
	b.k.Helper()
	for i := range n {
		ids = append(ids, b.k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)[0].ID)
	}
	return ids
}

func (k *kit) receive(raw string, to ...string) []mailbox.Receipt {
	k.Helper()
	return servicetest.Receive(k.T, k.svc, raw, to...)
}

func (k *kit) same(what string, got, want any) {
	k.Helper()
	servicetest.Same(k.T, what, got, want)
}

// works is an error that must be none.
func (k *kit) works(what string, err error) {
	k.Helper()
	if err != nil {
		k.Fatalf("%s: %v", what, err)
	}
}

func (k *kit) update(fn func(store.Tx) error) {
	k.Helper()
	k.works("update", k.DB.Update(k.Context(), fn))
}

func (k *kit) view(fn func(store.Reader) error) {
	k.Helper()
	k.works("view", k.DB.View(k.Context(), fn))
}
