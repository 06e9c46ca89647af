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
				k.same(c.name+": sender", k.subjects(box.Num, store.MessageFilter{From: strings.ToLower(c.text)}), []string{c.text})
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
			r := mailbox.Reject{At: noon, Stage: c.text, Sender: c.text, Recipient: c.text, Address: c.text, Remote: c.text, Reply: c.text}
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
			k.same(c.name+": audit", got[0].Value, a)
		}
	}},
}
