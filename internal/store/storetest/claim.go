package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var claimTests = []test{
	{"is found whole by both its digests", func(k kit) {
		full := sampleClaim(k.box("a@x.org").Num)
		full.DoneAt = noon.Add(time.Minute)
		bare := mailbox.Claim{Session: random32(), Link: random32(), CreatedAt: noon}
		for name, c := range map[string]mailbox.Claim{"full": full, "bare": bare} {
			k.insertClaim(c)
			k.same(name+" by session", k.claimAt(c.Session), c)
			k.same(name+" by link", k.claimAt(c.Link), c)
		}
	}},
	{"unknown ones are not found", func(k kit) {
		c := k.claim(0)
		wrong := c.Session
		wrong[31] ^= 1
		for name, digest := range map[string][32]byte{"another": wrong, "empty": {}} {
			_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Claim, error) {
				return r.Claim(ctx,
					digest)
			})
			k.is(name, err, store.ErrNotFound)
			_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Bootstrap,
				error) {
				return r.Bootstrap(ctx, digest)
			})
			k.is(name+" bootstrap", err, store.ErrNotFound)
		}
	}},
	{"is changed alone, and in part", func(k kit) {
		box := k.box("a@x.org")
		c, other := k.claim(0), k.claim(0)
		want := c
		want.DoneAt, want.Address, want.Mailbox = noon.Add(time.Minute), "other@x.org", box.Num
		want.ExpiresAt = noon.Add(time.Second)
		changed := want
		// these do not change
		changed.Link, changed.Salt, changed.Name, changed.Client = random32(), [16]byte{}, "x", "x"
		changed.CreatedAt = time.Time{}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateClaim(ctx, changed) })
		k.same("changed", k.claimAt(c.Session), want)
		k.same("changed, by link", k.claimAt(c.Link), want)
		k.same("other", k.claimAt(other.Session), other)
		k.remove(box.Num) // it belongs to the mailbox from then on
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Claim, error) {
			return r.Claim(ctx,
				c.Session)
		})
		k.is("after its mailbox", err, store.ErrNotFound)
	}},
	{"is trimmed by when it was made", func(k kit) {
		var all []mailbox.Claim
		for _, at := range []time.Duration{-time.Hour, -time.Millisecond, 0, time.Hour} {
			c := sampleClaim(0)
			c.CreatedAt, c.ExpiresAt = after(at), after(at+time.Hour)
			all = append(all, k.insertClaim(c))
		}
		for range 2 {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.TrimClaims(ctx, noon, 0) })
			for i, c := range all {
				_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Claim, error) {
					return r.Claim(ctx,
						c.Link)
				})
				if i < 2 {
					k.is(fmt.Sprint("claim ", i), err, store.ErrNotFound)
				} else if err != nil {
					k.Errorf("claim %d: %v", i, err)
				}
			}
		}
	}},
	{"those that wait are listed, newest first", func(k kit) {
		var all []mailbox.Claim
		for _, at := range []time.Duration{-mailbox.ClaimTime, -time.Minute, -time.Second, 0} {
			c := sampleClaim(0)
			c.CreatedAt, c.ExpiresAt = after(at), after(at+mailbox.ClaimTime)
			all = append(all, k.insertClaim(c))
		}
		list := func(limit int) []mailbox.Claim {
			return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Claim, error) {
				return r.PendingClaims(ctx, noon, limit)
			})
		}
		k.same("all", list(10), []mailbox.Claim{all[3], all[2], all[1]})
		k.same("two", list(2), []mailbox.Claim{all[3], all[2]})
		all[3].DoneAt, all[2].ExpiresAt = noon, noon
		for _, c := range all[2:] {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateClaim(ctx, c) })
		}
		k.same("not confirmed, not over", list(10), []mailbox.Claim{all[1]})
	}},
	{"a bootstrap is found while its mailbox is there", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		b, of := k.bootstrap(box.Num), k.bootstrap(other.Num)
		k.same("bootstrap", k.bootstrapAt(b.Digest), b)
		k.remove(box.Num)
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Bootstrap, error) {
			return r.Bootstrap(ctx, b.Digest)
		})
		k.is("after its mailbox", err, store.ErrNotFound)
		k.same("the other's", k.bootstrapAt(of.Digest), of)
	}},
	{"a bootstrap takes the place of an older one", func(k kit) {
		old, again := k.box("a@x.org"), k.box("b@x.org")
		b := k.bootstrap(old.Num)
		b.Mailbox, b.Salt = again.Num, [16]byte{1}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertBootstrap(ctx, b) })
		k.same("bootstrap", k.bootstrapAt(b.Digest), b)
		k.remove(old.Num)
		k.same("after the older mailbox", k.bootstrapAt(b.Digest), b)
	}},
	{"quotas are by day and client", quotas},
}

func sampleClaim(num mailbox.Num) mailbox.Claim {
	c := mailbox.Claim{Session: random32(), Link: random32(), Name: "ada", Address: "ada@x.org", Mailbox: num,
		Client:    "2001:db8::1",
		CreatedAt: noon, ExpiresAt: noon.Add(mailbox.ClaimTime)}
	_, _ = rand.Read(c.Salt[:])
	return c
}

func random32() (b [32]byte) {
	_, _ = rand.Read(b[:])
	return b
}

// claim stores a claim for a mailbox, or for a new one.
func (k kit) claim(num mailbox.Num) mailbox.Claim {
	k.Helper()
	return k.insertClaim(sampleClaim(num))
}

func (k kit) insertClaim(c mailbox.Claim) mailbox.Claim {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertClaim(ctx, c) })
	return c
}

func (k kit) claimAt(digest [32]byte) mailbox.Claim {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Claim, error) { return r.Claim(ctx, digest) })
}

// bootstrap notes that a mailbox was made with an Idempotency-Key.
func (k kit) bootstrap(num mailbox.Num) mailbox.Bootstrap {
	k.Helper()
	b := mailbox.Bootstrap{Digest: random32(), Mailbox: num}
	_, _ = rand.Read(b.Salt[:])
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertBootstrap(ctx, b) })
	return b
}

func (k kit) bootstrapAt(digest [32]byte) mailbox.Bootstrap {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Bootstrap, error) {
		return r.Bootstrap(ctx,
			digest)
	})
}

func (k kit) spend(day int64, client string) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Spend(ctx, day, client) })
}

func (k kit) spent(day int64, client string) int64 {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (int64, error) { return r.Spent(ctx, day, client) })
}

func quotas(k kit) {
	check := func(when string, want map[string][3]int64) {
		k.Helper()
		for _, client := range []string{"", "192.0.2.1", "192.0.2.10"} {
			for i, n := range want[client] {
				if got := k.spent(20_000+int64(i), client); got != n {
					k.Errorf("%s: %q has spent %d on day %d, want %d", when, client, got, i, n)
				}
			}
		}
	}
	check("nothing", nil)
	for range 3 {
		k.spend(20_000, "192.0.2.1")
	}
	k.spend(20_000, "")
	k.spend(20_001, "192.0.2.1")
	k.spend(20_002, "192.0.2.10")
	want := map[string][3]int64{"": {1}, "192.0.2.1": {3, 1}, "192.0.2.10": {0, 0, 1}}
	check("spent", want)
	k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
		_ = tx.Spend(k.Context(), 20_000, "192.0.2.1")
		_ = tx.Spend(k.Context(), 20_000, "192.0.2.10")
		return errOwn
	}), errOwn)
	check("undone", want)
	claim := k.claim(0)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.TrimClaims(ctx, time.Time{}, 20_001) })
	check("trimmed", map[string][3]int64{"192.0.2.1": {0, 1}, "192.0.2.10": {0, 0, 1}})
	k.same("the claim", k.claimAt(claim.Session), claim)
}
