package storetest

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var policyTests = []test{
	{"is kept as it was, and replaced", func(k kit) {
		p := k.policy("a.example", 10)
		k.same("policy", k.policyOf("a.example"), p)
		p.ID, p.Text, p.ExpiresAt = "2", "other", noon.Add(20*time.Hour)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.PutPolicy(ctx, p) })
		k.same("policy", k.policyOf("a.example"), p)
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Policy, error) {
			return r.Policy(ctx,
				"b.example")
		})
		k.is("of another domain", err, store.ErrNotFound)
	}},
	{"is due from its time on, the longest due first", func(k kit) {
		late, early := k.policy("late.example", 4), k.policy("early.example", 2)
		k.policy("later.example", 20)
		for _, inUpdate := range []bool{false, true} {
			k.same("due", k.duePolicies(inUpdate, 2, 10), []mailbox.Policy{early, late})
			k.same("the first", k.duePolicies(inUpdate, 2, 1), []mailbox.Policy{early})
			k.same("too early", len(k.duePolicies(inUpdate, 0, 10)), 0)
		}
	}},
	{"is over, or ends first where there are too many", func(k kit) {
		for i, domain := range []string{"a.example", "b.example", "c.example", "d.example"} {
			k.policy(domain, 4-i)
		}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.TrimPolicies(ctx, noon.Add(2*time.Hour), 2) })
		for domain, there := range map[string]bool{"a.example": true, "b.example": true, "c.example": false,
			"d.example": false} {
			_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Policy, error) {
				return r.Policy(ctx,
					domain)
			})
			if (err == nil) != there || err != nil && !errors.Is(err, store.ErrNotFound) {
				k.Errorf("%s: %v", domain, err)
			}
		}
	}},
}

// policy stores a policy that ends a given number of hours after noon, and is due at half of that.
func (k kit) policy(domain string, hours int) mailbox.Policy {
	k.Helper()
	life := time.Duration(hours) * time.Hour
	p := mailbox.Policy{Domain: domain, ID: "1", Text: "version: STSv1\n", ExpiresAt: noon.Add(life),
		RefreshAt: noon.Add(life / 2)}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.PutPolicy(ctx, p) })
	return p
}

func (k kit) policyOf(domain string) mailbox.Policy {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Policy, error) { return r.Policy(ctx, domain) })
}

func (k kit) duePolicies(inUpdate bool, hours, limit int) (list []mailbox.Policy) {
	k.Helper()
	at := noon.Add(time.Duration(hours) * time.Hour)
	if !inUpdate {
		return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Policy, error) {
			return r.DuePolicies(ctx, at, limit)
		})
	}
	k.update(func(ctx context.Context, tx store.Tx) (err error) {
		list, err = tx.DuePolicies(ctx, at, limit)
		return err
	})
	return list
}
