package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewOperator returns a named operator who has so many sessions.
func NewOperator(k mailbox.Key, sessions int) api.Operator {
	r := k.Restriction()
	return api.Operator{ID: k.ID.String(), Name: r.Name, Role: string(r.Role), Email: r.Email, Subject: r.Subject,
		Prefix: k.Hint, CreatedAt: at(k.CreatedAt), ExpiresAt: at(k.ExpiresAt), LastUsedAt: at(k.LastUsedAt),
		Sessions: sessions}
}

// NewCreatedOperator returns a new operator with the key.
func NewCreatedOperator(k mailbox.Key, key mailbox.Secret) api.CreatedOperator {
	return api.CreatedOperator{APIKey: string(key), Operator: NewOperator(k, 0)}
}

// NewSession returns a session of an operator, to the caller with a credential.
func NewSession(k, of mailbox.Key, own mailbox.ID) api.Session {
	r, by := k.Restriction(), of.Restriction()
	return api.Session{ID: k.ID.String(), OperatorID: of.ID.String(), Name: r.Name, Role: string(r.Role),
		Email: by.Email, Subject: by.Subject, Client: r.Client, CreatedAt: at(k.CreatedAt), ExpiresAt: at(k.ExpiresAt),
		LastUsedAt: at(k.LastUsedAt), Current: k.ID == own}
}

// NewOwnOperator returns the operator who asks; nil: it is none.
func NewOwnOperator(role mailbox.Role, k mailbox.Key) *api.OwnOperator {
	if role == "" {
		return nil
	}
	own := &api.OwnOperator{Name: k.Restriction().Name, Role: string(role), Session: k.Restriction().Session}
	if !k.ID.IsZero() {
		own.ID = k.ID.String()
	}
	return own
}
