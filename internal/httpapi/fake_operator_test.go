package httpapi

import (
	"context"
	"net/netip"
	"net/url"

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

func (f *fake) Sessions(context.Context, service.Access) ([]service.ListedSession, error) {
	return []service.ListedSession{{Key: fakeOperator(true), Operator: fakeOperator(false)}}, f.err
}

func (f *fake) EndSessions(_ context.Context, _ service.Access, operator mailbox.ID) (int, error) {
	return 2, f.did(operator)
}

func (f *fake) SignIn(_ context.Context, id mailbox.Identity, from service.Origin) (service.CreatedKey, error) {
	return service.CreatedKey{Key: fakeOperator(true), Secret: fakeSecret}, f.did(id)
}

func (f *fake) SignInFailed(client netip.Addr, reason string) error {
	f.wrong = append(f.wrong, client)
	return f.limited
}

func (f *fake) EndSession(_ context.Context, _ service.Access, id mailbox.ID) error { return f.did(id) }

func (f *fake) SignOut(_ context.Context, in service.Access) error { return f.did(in.Caller.Named.ID) }

// fakeOpenID is a provider that knows Kim, by the code "kim". Its own page is at id.example.
type fakeOpenID struct{ err error }

func (f fakeOpenID) Begin(context.Context) (address, secret string, err error) {
	return "https://id.example/auth", "of-this-browser", f.err
}

func (f fakeOpenID) Finish(_ context.Context, secret string, answer url.Values) (mailbox.Identity, error) {
	if secret != "of-this-browser" {
		return mailbox.Identity{}, mailbox.Errorf(mailbox.Denied, "signin_state", "Not begun here.")
	}
	return mailbox.Identity{Issuer: "https://id.example", Subject: answer.Get("code")}, f.err
}

func (f fakeOpenID) SignOut(context.Context) string { return "https://id.example/end" }
