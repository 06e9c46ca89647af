package storetest

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var secretTests = []test{
	{"is kept as it was, and changed by its name and digest", func(k kit) {
		old := mailbox.KnownSecret{Name: mailbox.SecretToken, Digest: [32]byte{1}, MadeAt: noon}
		next := mailbox.KnownSecret{Name: mailbox.SecretToken, Digest: [32]byte{2}, MadeAt: noon.Add(time.Hour),
			Sealed: []byte("sealed")}
		root := mailbox.KnownSecret{Name: mailbox.SecretRoot, Digest: [32]byte{1}, MadeAt: noon}
		put := func(all ...mailbox.KnownSecret) {
			k.update(func(ctx context.Context, tx store.Tx) error {
				for _, one := range all {
					if err := tx.PutSecret(ctx, one); err != nil {
						return err
					}
				}
				return nil
			})
		}
		list := func() []mailbox.KnownSecret {
			all, err := ask(k, func(ctx context.Context, r store.Reader) ([]mailbox.KnownSecret, error) {
				return r.Secrets(ctx)
			})
			k.is("Secrets", err, nil)
			return all
		}
		k.same("none", len(list()), 0)
		put(next, old, root)
		k.same("three", list(), []mailbox.KnownSecret{root, old, next})
		old.EndsAt, next.Sealed = noon.Add(24*time.Hour), nil
		put(old, next)
		k.same("changed", list(), []mailbox.KnownSecret{root, old, next})
	}},
}
