package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Secrets(context.Context) ([]mailbox.KnownSecret, error) {
	q.conn.Advise("secrets", nil)
	return all(q, rows.Secret, `SELECT `+rows.SecretColumns+` FROM secrets ORDER BY name, made_at, digest`)
}

func (q Queries[R]) PutSecret(_ context.Context, k mailbox.KnownSecret) error {
	return q.run(`INSERT INTO secrets (`+rows.SecretColumns+`) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (name, digest) DO UPDATE SET made_at = excluded.made_at, ends_at = excluded.ends_at, sealed = excluded.sealed`, Word(k.Name), k.Digest[:],
		k.MadeAt, k.EndsAt, k.Sealed)
}
