package storetest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var messageTests = []test{
	{"are found by their Message-ID, oldest first", func(k kit) {
		box, other := k.box("a@x.org"), k.box("b@x.org")
		var want []mailbox.Message
		for _, num := range []mailbox.Num{box.Num, other.Num, box.Num} {
			m := sample(num, "same")
			m.ID, m.MessageID = mailbox.NewID(noon), "same@x.test"
			m = k.mail(m)
			if num == box.Num {
				want = append(want, m)
			}
		}
		k.mail(sample(box.Num, "another"))
		find := func(id string, limit int) []mailbox.Message {
			return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
				return r.WithMessageID(ctx, box.Num, id, limit)
			})
		}
		k.same("both", find("same@x.test", 10), want)
		k.same("one", find("same@x.test", 1), want[:1])
		if none := find("none@x.test", 10); len(none) > 0 {
			k.Errorf("found %v", none)
		}
	}},
	{"is found whole", func(k kit) {
		box := k.box("a@x.org")
		full := k.mail(fullMessage(box.Num))
		if full.Seq == 0 || full.Thread != full.ID {
			k.Errorf("place %d, thread %v of %v", full.Seq, full.Thread, full.ID)
		}
		k.same("message", k.message(box.Num, full.ID), full)
	}},
	{"bare is found whole", func(k kit) {
		box := k.box("a@x.org")
		bare := k.mail(mailbox.Message{ID: mailbox.NewID(noon), Mailbox: box.Num, Direction: mailbox.Inbound,
			ReceivedAt: noon})
		k.same("message", k.message(box.Num, bare.ID), bare)
	}},
	{"an id is looked up where it may be", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		m := k.mail(sample(box.Num, "one"))
		k.same("own", k.message(box.Num, m.ID), m)
		k.same("any", k.message(0, m.ID), m)
		for _, c := range []struct {
			name string
			num  mailbox.Num
			id   mailbox.ID
		}{{"other", other.Num, m.ID}, {"none", 99, m.ID}, {"unknown", box.Num, mailbox.NewID(noon)},
			{"unknown anywhere", 0, m.ID.Part(1)}} {
			_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
				return r.Message(ctx,
					c.num, c.id)
			})
			k.is(c.name, err, store.ErrNotFound)
		}
	}},
	{"places grow by one inside a mailbox", func(k kit) {
		a, b := k.box("a@x.org"), k.box("b@x.org")
		for i := range 3 {
			for _, num := range []mailbox.Num{a.Num, b.Num} {
				if m := k.mail(sample(num, fmt.Sprint(i))); m.Seq != int64(i+1) {
					k.Errorf("place %d, want %d", m.Seq, i+1)
				}
			}
		}
		last := k.mail(sample(a.Num, "last"))
		k.deleteMail(last)
		if m := k.mail(sample(a.Num, "new")); m.Seq != last.Seq+1 {
			k.Errorf("place %d after %d was deleted", m.Seq, last.Seq)
		}
	}},
	{"into no mailbox is not found", func(k kit) {
		m := sample(7, "one")
		k.is("InsertMessage", k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.InsertMessage(k.Context(), &m, store.Content{})
		}), store.ErrNotFound)
	}},
	{"content comes back to the byte", contentRoundTrip},
	{"a blob is in use while a message names it", func(k kit) {
		box := k.box("a@x.org")
		m := sample(box.Num, "one")
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.InsertMessage(ctx, &m, store.Content{Packed: []byte("x"), Blob: "1/abc"})
		})
		k.mail(sample(box.Num, "without"))
		used := func(keys ...string) []string {
			return append([]string{}, must(k, func(ctx context.Context, r store.Reader) ([]string,
				error) {
				return r.BlobsInUse(ctx, keys)
			})...)
		}
		k.same("in use", used("1/ab", "1/abc", "1/abcd", "", "%"), []string{"1/abc"})
		k.same("of none", used(), []string{})
		k.deleteMail(m)
		k.same("deleted", used("1/abc"), []string{})
	}},
	{"a duplicate has Message-ID and digest in common", duplicates},
	{"is changed", func(k kit) {
		box := k.box("a@x.org")
		m, other := k.mail(sample(box.Num, "one")), k.mail(sample(box.Num, "other"))
		want := m
		want.Seen, want.Labels, want.Status, want.Code, want.Taken = true, []string{"code", "mine"}, "delivered",
			"123456", true
		want.Snippet = "The text, read again"
		changed := want
		changed.Subject, changed.Size, changed.MessageID = "another", 1, "another@x" // these do not change
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMessage(ctx, changed) })
		k.same("changed", k.message(box.Num, m.ID), want)
		k.same("other", k.message(box.Num, other.ID), other)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMessage(ctx, m) })
		k.same("changed back", k.message(box.Num, m.ID), m)
	}},
	{"one that is gone is neither changed nor deleted", func(k kit) {
		box := k.box("a@x.org")
		m := k.mail(sample(box.Num, "one"))
		k.deleteMail(m)
		k.is("UpdateMessage", k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.UpdateMessage(k.Context(),
				m)
		}), store.ErrNotFound)
		k.is("DeleteMessage", k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.DeleteMessage(k.Context(), m,
				nil)
		}), store.ErrNotFound)
		_, err := ask(k, func(ctx context.Context, r store.Reader) (store.Content, error) { return r.Content(ctx, m) })
		k.is("Content", err, store.ErrNotFound)
	}},
	{"labels it had are known", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		m := sample(box.Num, "one")
		m.Labels = append(mailbox.AutomaticLabels(), "zebra", "alpha")
		m = k.mail(m)
		k.same("labels", k.labels(box.Num), []string{"alpha", "zebra"})
		m.Labels = []string{"middle"}
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMessage(ctx, m) })
		k.same("labels", k.labels(box.Num), []string{"alpha", "middle", "zebra"})
		k.same("other", k.labels(other.Num), []string{})
	}},
}

func fullMessage(num mailbox.Num) mailbox.Message {
	return mailbox.Message{
		ID: mailbox.NewID(noon), Mailbox: num, Direction: mailbox.Outbound, Status: "queued",
		From: mailbox.Address{Name: "Ada L.", Address: "ada@example.org"}, To: "bo@example.com", Subject: "Hello",
		Snippet: "Hello, how are you", Code: "482913", Taken: true, MessageID: "one@example.org", ReceivedAt: noon,
		Size:        1<<40 + 1,
		Attachments: 3, Seen: true, Labels: []string{"code", "mine"}, Recipient: "Bo+tag@Example.com",
		Digest: digest("one"),
		Verdict: mailbox.Verdict{
			Auth: mailbox.Auth{SPF: "pass", DKIM: "fail", DMARC: "pass", ARC: "none", FromAligned: true,
				Checked: true},
			Trust: mailbox.Trust{Level: mailbox.Suspicious, Reasons: []string{"This.", "That."}},
		},
	}
}

func (k kit) message(num mailbox.Num, id mailbox.ID) mailbox.Message {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
		return r.Message(ctx, num,
			id)
	})
}

func (k kit) deleteMail(m mailbox.Message, answers ...string) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteMessage(ctx, m, answers) })
}

func (k kit) labels(num mailbox.Num) []string {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]string, error) { return r.Labels(ctx, num) })
}

func contentRoundTrip(k kit) {
	box := k.box("a@x.org")
	large := make([]byte, 20<<20)
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(large)
	for _, c := range []struct {
		name    string
		content store.Content
	}{
		{"nothing", store.Content{}},
		{"empty", store.Content{Packed: []byte{}, Blob: "1/a"}},
		{"small", store.Content{Packed: []byte("hello")}},
		{"zero bytes", store.Content{Packed: []byte("\x00a\x00\x00b\x00")}},
		{"one zero byte", store.Content{Packed: []byte{0}}},
		{"every byte", store.Content{Packed: everyByte()}},
		{"beside a blob", store.Content{Packed: []byte("detail"), Blob: "1/abc"}},
		{"64 KB", store.Content{Packed: large[:64<<10]}},
		{"20 MB", store.Content{Packed: large}},
	} {
		m := sample(box.Num, c.name)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertMessage(ctx, &m, c.content) })
		got := must(k, func(ctx context.Context, r store.Reader) (store.Content, error) { return r.Content(ctx, m) })
		if !bytes.Equal(got.Packed, c.content.Packed) || got.Blob != c.content.Blob {
			k.Errorf("%s: %d bytes and blob %q, want %d and %q", c.name, len(got.Packed), got.Blob,
				len(c.content.Packed), c.content.Blob)
		}
	}
}

func everyByte() []byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return all
}

func duplicates(k kit) {
	box, other := k.box("a@x.org"), k.box("o@x.org")
	m := k.mail(sample(box.Num, "one"))
	changed := sample(box.Num, "one")
	changed.Digest = digest("changed")
	changed = k.mail(changed)
	out := sample(box.Num, "out")
	out.Direction = mailbox.Outbound
	k.mail(out)
	answer := k.mail(sample(box.Num, "answer"))
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Answers(ctx, answer, []string{"asked@x"}) })

	for _, c := range []struct {
		name      string
		num       mailbox.Num
		messageID string
		digest    mailbox.Digest
		want      mailbox.ID
	}{
		{"the same", box.Num, m.MessageID, m.Digest, m.ID},
		{"the same Message-ID, the other's digest", box.Num, m.MessageID, changed.Digest, changed.ID},
		{"another digest", box.Num, m.MessageID, mailbox.Digest{}, mailbox.ID{}},
		{"another Message-ID", box.Num, "x" + m.MessageID, m.Digest, mailbox.ID{}},
		{"another mailbox", other.Num, m.MessageID, m.Digest, mailbox.ID{}},
		{"one we sent ourselves", box.Num, out.MessageID, out.Digest, mailbox.ID{}},
		{"a Message-ID that was only answered", box.Num, "asked@x", answer.Digest, mailbox.ID{}},
	} {
		found, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
			return r.Duplicate(ctx, c.num, c.messageID, c.digest)
		})
		if c.want.IsZero() {
			k.is(c.name, err, store.ErrNotFound)
		} else if err != nil || found.ID != c.want {
			k.Errorf("%s: %v, %v", c.name, found.Subject, err)
		}
	}
	k.deleteMail(m)
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
		return r.Duplicate(ctx, box.Num, m.MessageID, m.Digest)
	})
	k.is("deleted", err, store.ErrNotFound)
}

// after returns a time of the suite's day.
func after(d time.Duration) time.Time { return noon.Add(d) }
