package storetest

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var keyTests = []test{
	{"is found whole", func(k kit) {
		box := k.box("a@x.org")
		secret := mailbox.NewSecret()
		full := mailbox.Key{ID: mailbox.NewID(noon), Mailbox: box.Num, Scope: mailbox.Provisional,
			Digest: secret.Digest(),
			Hint:   secret.Hint(), CreatedAt: noon, ExpiresAt: noon.Add(72 * time.Hour),
			LastUsedAt: noon.Add(time.Minute), Bound: &mailbox.Restriction{Name: "ä",
				Capabilities: []string{"read"},
				Recipients:   []mailbox.Pattern{"*.x.org"},
				Networks:     []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
				Domain:       "x.org",
				ExpiresAt:    noon.Add(time.Hour), Several: true, CreateMailboxes: true}}
		k.insertKey(full)
		k.same("by digest", k.keyAt(full.Digest), full)
		k.same("by id", must(k, func(ctx context.Context, r store.Reader) (mailbox.Key,
			error) {
			return r.Key(ctx, full.ID)
		}), full)
	}},
	{"is found with whose it is", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		key := k.key(box.Num)
		bearer := func(digest [32]byte) (store.Bearer, error) {
			return ask(k, func(ctx context.Context, r store.Reader) (store.Bearer, error) {
				return r.Bearer(ctx,
					digest)
			})
		}
		temporary := func(num mailbox.Num) mailbox.Key {
			key := sampleKey(num, noon)
			key.Scope = mailbox.Provisional
			k.insertKey(key)
			return key
		}
		look := func(key mailbox.Key, claimed bool) {
			k.Helper()
			got, err := bearer(key.Digest)
			k.is("bearer", err, nil)
			k.same("bearer", got, store.Bearer{Key: key, Mailbox: box, Claimed: claimed})
		}
		temporary(other.Num)
		k.key(box.Num)
		look(key, false)
		first := temporary(box.Num)
		look(key, true)
		look(first, false)
		_, err := bearer([32]byte{1})
		k.is("unknown", err, store.ErrNotFound)
	}},
	{"opens further mailboxes", func(k kit) {
		box, second, third := k.box("a@x.org"), k.box("b@x.org"), k.box("c@x.org")
		key, other := k.key(box.Num), k.key(box.Num)
		open := func(key mailbox.Key, num mailbox.Num) {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertKeyBox(ctx, key.ID, num) })
		}
		want := func(key mailbox.Key, nums ...mailbox.Num) {
			k.Helper()
			k.same("opens", must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Num, error) {
				return r.KeyBoxes(ctx, key.ID)
			}), nums)
			for _, num := range []mailbox.Num{second.Num, third.Num} {
				k.same("opens it", must(k, func(ctx context.Context, r store.Reader) (bool, error) {
					return r.KeyOpens(ctx, key.ID, num)
				}), slices.Contains(nums, num))
			}
		}
		open(key, third.Num)
		open(key, second.Num)
		open(key, second.Num)
		open(other, third.Num)
		want(key, second.Num, third.Num)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.RemoveMailbox(ctx, third.Num) })
		want(key, second.Num)
		want(other)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteKey(ctx, key.ID) })
		want(key)
	}},
	{"unknown ones are not found", func(k kit) {
		key := k.key(k.box("a@x.org").Num)
		wrong := key.Digest
		wrong[31] ^= 1
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Key, error) {
			return r.KeyByDigest(ctx,
				wrong)
		})
		k.is("digest", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Key, error) {
			return r.KeyByDigest(ctx,
				[32]byte{})
		})
		k.is("empty digest", err, store.ErrNotFound)
		_, err = ask(k, func(ctx context.Context, r store.Reader) (mailbox.Key,
			error) {
			return r.Key(ctx, key.ID.Part(1))
		})
		k.is("id", err, store.ErrNotFound)
	}},
	{"lists those of one mailbox, oldest first", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		var want []mailbox.Key
		for i := range 5 {
			key := sampleKey(box.Num, noon.Add(time.Duration(i)*time.Second))
			k.insertKey(key)
			k.key(other.Num)
			want = append(want, key)
		}
		k.same("keys", k.keys(box.Num), want)
		k.same("none", k.keys(99), []mailbox.Key{})
	}},
	{"has other bounds after a change", func(k kit) {
		box := k.box("a@x.org")
		key, other := k.key(box.Num), k.key(box.Num)
		change := func() {
			k.Helper()
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateKey(ctx, key) })
			k.same("key", k.keyAt(key.Digest), key)
			k.same("other", k.keyAt(other.Digest), other)
		}
		key.Bind(mailbox.Restriction{Name: "ä", Capabilities: []string{"read"},
			Recipients: []mailbox.Pattern{"*.x.org"},
			Networks:   []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, ExpiresAt: noon.Add(time.Hour)})
		key.ExpiresAt = noon.Add(time.Hour)
		change()
		key.Bind(mailbox.Restriction{})
		key.ExpiresAt = time.Time{}
		change()
		gone := sampleKey(box.Num, noon)
		gone.Bind(mailbox.Restriction{Name: "gone"})
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateKey(ctx, gone) })
		k.same("keys", len(k.keys(box.Num)), 2)
	}},
	{"gets an end", func(k kit) {
		box := k.box("a@x.org")
		key, other := k.key(box.Num), k.key(box.Num)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.ExpireKey(ctx, key.ID, noon.Add(time.Hour)) })
		key.ExpiresAt = noon.Add(time.Hour)
		k.same("key", k.keyAt(key.Digest), key)
		k.same("other", k.keyAt(other.Digest), other)
	}},
	{"notes its use", func(k kit) {
		box := k.box("a@x.org")
		key, other := k.key(box.Num), k.key(box.Num)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.TouchKey(ctx, key.ID, noon.Add(time.Hour)) })
		key.LastUsedAt = noon.Add(time.Hour)
		k.same("key", k.keyAt(key.Digest), key)
		k.same("other", k.keyAt(other.Digest), other)
	}},
	{"the use of one that is gone is no error", func(k kit) { // it was noted before the key went
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.TouchKey(ctx, mailbox.NewID(noon), noon) })
	}},
	{"is trimmed after its end", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		var left []mailbox.Key
		for _, end := range []time.Time{{}, after(-time.Hour), after(-time.Millisecond), noon, after(time.Hour)} {
			for _, num := range []mailbox.Num{a.Num, b.Num} {
				key := sampleKey(num, noon.Add(-time.Duration(len(left))*time.Hour))
				key.ExpiresAt = end
				k.insertKey(key)
				if num == a.Num && (end.IsZero() || !end.Before(noon)) {
					left = append([]mailbox.Key{key}, left...) // the oldest first
				}
			}
		}
		given := k.insertKey(sampleKey(b.Num, noon))
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.ExpireKey(ctx, given.ID,
				after(-time.Minute))
		})
		for range 2 {
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.TrimKeys(ctx, noon) })
			k.same("keys", k.keys(a.Num), left)
			k.same("the other's", len(k.keys(b.Num)), 3)
		}
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Key, error) {
			return r.KeyByDigest(ctx, given.Digest)
		})
		k.is("one that was given its end", err, store.ErrNotFound)
	}},
	{"is deleted alone", func(k kit) {
		box := k.box("a@x.org")
		key, other := k.key(box.Num), k.key(box.Num)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteKey(ctx, key.ID) })
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Key, error) {
			return r.KeyByDigest(ctx,
				key.Digest)
		})
		k.is("key", err, store.ErrNotFound)
		k.same("keys", k.keys(box.Num), []mailbox.Key{other})
	}},
}

func sampleKey(num mailbox.Num, at time.Time) mailbox.Key {
	secret := mailbox.NewSecret()
	return mailbox.Key{ID: mailbox.NewID(at), Mailbox: num, Scope: mailbox.Permanent, Digest: secret.Digest(),
		Hint: secret.Hint(), CreatedAt: at}
}

// key stores a key for a mailbox.
func (k kit) key(num mailbox.Num) mailbox.Key {
	k.Helper()
	return k.insertKey(sampleKey(num, noon))
}

func (k kit) insertKey(key mailbox.Key) mailbox.Key {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertKey(ctx, key) })
	return key
}

func (k kit) keyAt(digest [32]byte) mailbox.Key {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Key, error) { return r.KeyByDigest(ctx, digest) })
}

func (k kit) keys(num mailbox.Num) []mailbox.Key {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Key, error) { return r.Keys(ctx, num) })
}
