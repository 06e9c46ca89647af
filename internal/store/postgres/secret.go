package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Secrets(context.Context) ([]mailbox.KnownSecret, error) {
	q.advise("secrets", nil)
	return all(q.sql(`SELECT `+rows.SecretColumns+` FROM secrets ORDER BY name, made_at, digest`), rows.Secret)
}

func (q *queries) PutSecret(_ context.Context, k mailbox.KnownSecret) error {
	return q.sql(`INSERT INTO secrets (` + rows.SecretColumns + `) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name, digest) DO UPDATE SET
		made_at = excluded.made_at, ends_at = excluded.ends_at, sealed = excluded.sealed`).
		word(string(k.Name)).blob(k.Digest[:]).time(k.MadeAt).time(k.EndsAt).blob(k.Sealed).run()
}
