package storetest

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// oddTexts are what people, programs and attackers put into a mail's header.
var oddTexts = []struct{ name, text string }{
	{"quotes", `it's "quoted" ` + "`so`"},
	{"an injection", `'); DROP TABLE messages; --`},
	{"wildcards", `100% _sure_ \% ?1 :a $1 *`},
	{"emoji", "👩‍👩‍👧 🇫🇷 ✉️"},
	{"other scripts", "Größe Ελλάδα עברית 日本語"},
	{"not normalized", "e\u0301 \u00e9 \uFB01"},
	{"invalid UTF-8", "a\xff\xfe\x80b\xc3"},
	{"a surrogate", "\xed\xa0\x80"},
	{"zero bytes", "a\x00b\x00"},
	{"control characters", "a\tb\r\nc\x1b[31m\x7f"},
	{"spaces around", "  a  "},
	{"only spaces", "   "},
	{"a byte-order mark", "\ufeffa"},
	{"direction marks", "\u202etxt.exe"},
	{"very long", strings.Repeat("ä", 100_000)},
}

var textTests = []test{
	{"of messages", func(k kit) {
		box := k.box("a@x.org")
		for _, c := range oddTexts {
			m := sample(box.Num, c.text)
			m.Snippet, m.Code, m.To, m.Recipient, m.Status = c.text, c.text, c.text, c.text, c.text
			m.From = mailbox.Address{Name: c.text, Address: c.text}
			m.MessageID = c.text
			m.Digest = digest(c.text)
			m = k.mail(m)
			k.same(c.name, k.message(box.Num, m.ID), m)
			found := must(k, func(ctx context.Context, r store.Reader) (mailbox.Message, error) {
				return r.Duplicate(ctx, box.Num, c.text, m.Digest)
			})
			k.same(c.name+": duplicate", found.ID, m.ID)
			k.same(c.name+": related", k.related(box.Num, c.text), []mailbox.ID{m.ID})
			if utf8.ValidString(c.text) && strings.TrimSpace(c.text) != "" {
				k.same(c.name+": sender", k.subjects(box.Num, store.MessageFilter{From: strings.ToLower(c.text)}),
					[]string{c.text})
			}
			k.same(c.name+": event", k.events(box.Num, k.last(box.Num)-1, 1), k.happened(m))
		}
		if got := len(k.subjects(box.Num, store.MessageFilter{})); got != len(oddTexts) {
			k.Errorf("%d of %d messages are there", got, len(oddTexts))
		}
	}},
	{"of mailboxes", func(k kit) {
		for _, c := range oddTexts {
			box := sampleBox(c.text)
			box.PauseReason, box.Webhook.URL, box.Webhook.LastError = c.text, c.text, c.text
			box = k.insertBox(box)
			k.same(c.name, k.at(c.text), box)
		}
		if got := len(k.addresses(store.MailboxFilter{})); got != len(oddTexts) {
			k.Errorf("%d of %d mailboxes are there", got, len(oddTexts))
		}
		for _, c := range oddTexts {
			if strings.TrimSpace(c.text) == "" {
				continue
			}
			k.same(c.name+": query", k.addresses(store.MailboxFilter{Query: c.text}), []string{c.text})
		}
	}},
	{"of claims", func(k kit) {
		for i, c := range oddTexts {
			claim := sampleClaim(0)
			claim.Name, claim.Address, claim.Client = c.text, c.text, c.text
			k.insertClaim(claim)
			k.same(c.name, k.claimAt(claim.Session), claim)
			k.spend(int64(i), c.text)
			k.same(c.name+": spent", k.spent(int64(i), c.text), int64(1))
		}
	}},
	{"of logs", func(k kit) {
		for _, c := range oddTexts {
			r := mailbox.Reject{At: noon, Stage: c.text, Sender: c.text, Recipient: c.text, Address: c.text,
				Remote: c.text, Reply: c.text}
			k.reject(100, r)
			k.same(c.name+": reject", k.rejects(store.LogFilter{Limit: 1})[0].Value, r)
			a := mailbox.Audit{At: noon, Action: c.text, Mailbox: c.text, Note: c.text}
			k.update(func(ctx context.Context, tx store.Tx) error { return tx.AppendAudit(ctx, a) })
			got := must(k, func(ctx context.Context, r store.Reader) ([]store.Entry[mailbox.Audit], error) {
				return r.Audits(ctx, store.LogFilter{Limit: 1, Addresses: []string{c.text}})
			})
			if len(got) != 1 {
				k.Errorf("%s: audit: %d entries", c.name, len(got))
				continue
			}
			in := got[0].Value
			if in.Hash != in.Sum() {
				k.Errorf("%s: audit: another hash than it was stored with", c.name)
			}
			in.Seq, in.Previous, in.Hash = 0, a.Previous, a.Hash
			k.same(c.name+": audit", in, a)
		}
	}},
}

var partTextTests = []test{
	{"are wanted, kept and taken up", keptTexts},
	{"are listed by mailbox", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		for _, num := range []mailbox.Num{b, a} {
			for _, subject := range []string{"one", "two"} {
				k.wantTexts(k.mail(sample(num, subject)))
			}
		}
		all := k.textWork(store.ReadText, 0, 10)
		if len(all) != 4 || all[0].Mailbox != a || all[1].Mailbox != a || all[0].Seq >= all[1].Seq ||
			all[3].Mailbox != b {
			k.Errorf("listed %+v", all)
		}
		k.same("those of the next mailbox", k.textWork(store.ReadText, a, 10), all[2:])
		k.same("two", k.textWork(store.ReadText, 0, 2), all[:2])
	}},
	{"go with their message", func(k kit) {
		m, other := k.mail(sample(k.box("a@x.org").Num, "one")), k.mail(sample(k.box("b@x.org").Num, "two"))
		k.wantTexts(m)
		k.wantTexts(other)
		k.putTexts(m, "secret")
		k.putTexts(other, "theirs")
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteMessage(ctx, m, nil) })
		k.same("text", k.partText(m), "")
		k.same("work", k.textWork(store.IndexText, 0, 10), []store.TextWork{{Mailbox: other.Mailbox, Seq: other.Seq}})
		k.is("PutTexts", k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.PutTexts(k.Context(), m.Mailbox,
				m.Seq, []byte("late"))
		}), store.ErrNotFound)
		k.same("text that came too late", k.partText(m), "")
	}},
	{"go with their mailbox", func(k kit) {
		m, other := k.mail(sample(k.box("a@x.org").Num, "one")), k.mail(sample(k.box("b@x.org").Num, "two"))
		wanted := k.mail(sample(m.Mailbox, "three"))
		k.wantTexts(m)
		k.wantTexts(other)
		k.putTexts(m, "secret")
		k.wantTexts(wanted)
		k.putTexts(other, "theirs")
		k.remove(m.Mailbox)
		k.purge(m.Mailbox, 1)
		k.same("text", k.partText(m), "")
		k.same("theirs", k.partText(other), "theirs")
		k.same("to be read", k.textWork(store.ReadText, 0, 10), []store.TextWork{})
		k.same("to be taken up", k.textWork(store.IndexText, 0, 10),
			[]store.TextWork{{Mailbox: other.Mailbox, Seq: other.Seq}})
		k.is("PutTexts", k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.PutTexts(k.Context(), m.Mailbox,
				m.Seq, []byte("late"))
		}), store.ErrNotFound)
	}},
}

func keptTexts(k kit) {
	m := k.mail(sample(k.box("a@x.org").Num, "one"))
	want := []store.TextWork{{Mailbox: m.Mailbox, Seq: m.Seq}}
	k.same("at first", k.partText(m), "")
	k.wantTexts(m)
	k.wantTexts(m)
	k.same("to be read", k.textWork(store.ReadText, 0, 10), want)
	k.putTexts(m, "text")
	k.same("text", k.partText(m), "text")
	k.same("to be read then", k.textWork(store.ReadText, 0, 10), []store.TextWork{})
	k.same("to be taken up", k.textWork(store.IndexText, 0, 10), want)
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.DoneTexts(ctx, store.IndexText, m.Mailbox, m.Seq)
	})
	k.same("to be taken up then", k.textWork(store.IndexText, 0, 10), []store.TextWork{})
	k.putTexts(m, "another")
	k.same("put again", k.partText(m), "another")
	k.same("which nobody wanted", k.textWork(store.IndexText, 0, 10), []store.TextWork{})
	k.wantTexts(m)
	k.same("to be read once more", k.textWork(store.ReadText, 0, 10), []store.TextWork{})
	k.same("to be taken up once more", k.textWork(store.IndexText, 0, 10), want)
}

func (k kit) wantTexts(m mailbox.Message) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.WantTexts(ctx, m.Mailbox, m.Seq) })
}

func (k kit) putTexts(m mailbox.Message, text string) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.PutTexts(ctx, m.Mailbox, m.Seq, []byte(text)) })
}

func (k kit) partText(m mailbox.Message) string {
	k.Helper()
	return string(must(k, func(ctx context.Context, r store.Reader) (map[int64][]byte, error) {
		return r.PartTexts(ctx, m.Mailbox, m.Seq, m.Seq+100)
	})[m.Seq])
}

func (k kit) textWork(step store.TextStep, after mailbox.Num, limit int) []store.TextWork {
	k.Helper()
	list := must(k, func(ctx context.Context, r store.Reader) ([]store.TextWork, error) {
		return r.TextWork(ctx, step, after, limit)
	})
	return append([]store.TextWork{}, list...)
}
