package httpapi

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// fakeOperator is the one named operator that the fake knows.
func fakeOperator(session bool) mailbox.Key {
	k := mailbox.Key{ID: fakeID, Scope: mailbox.Operator, Hint: fakeSecret.Hint(), CreatedAt: fakeTime}
	k.Bind(mailbox.Restriction{Name: "Kim", Role: mailbox.Moderator, Email: "kim@example.com", Session: session,
		Client: "192.0.2.1"})
	return k
}

func (f *fake) CreateOperator(_ context.Context, _ service.Access, n service.NewOperator) (service.CreatedKey, error) {
	return service.CreatedKey{Key: fakeOperator(false), Secret: fakeSecret}, f.did(n)
}

func (f *fake) Operators(context.Context, service.Access) ([]service.ListedOperator, error) {
	return []service.ListedOperator{{Key: fakeOperator(false), Sessions: 1}}, f.err
}

func (f *fake) UpdateOperator(_ context.Context, _ service.Access, _ mailbox.ID,
	c service.OperatorChange) (service.ListedOperator, error) {
	return service.ListedOperator{Key: fakeOperator(false)}, f.did(c)
}

func (f *fake) DeleteOperator(_ context.Context, _ service.Access, id mailbox.ID) error {
	return f.did(id)
}

func (f *fake) Sessions(context.Context, service.Access) ([]mailbox.Key, error) {
	return []mailbox.Key{fakeOperator(true)}, f.err
}

func (f *fake) EndSession(_ context.Context, _ service.Access, id mailbox.ID) error { return f.did(id) }

func (f *fake) SignOut(_ context.Context, in service.Access) error { return f.did(in.Caller.Named.ID) }
