package storetest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// noon is when the suite takes place.
var noon = time.Date(2026, time.March, 14, 12, 0, 0, 123e6, time.UTC)

// errOwn is an error that only a caller's function can have made.
var errOwn = errors.New("the caller's own error")

// sampleBox is a mailbox that is not stored yet.
func sampleBox(address string, aliases ...string) mailbox.Mailbox {
	return mailbox.Mailbox{Address: address, Aliases: aliases, Scope: mailbox.Permanent, Status: mailbox.Active,
		CreatedAt: noon}
}

// box stores a mailbox.
func (k kit) box(address string, aliases ...string) mailbox.Mailbox {
	k.Helper()
	return k.insertBox(sampleBox(address, aliases...))
}

func (k kit) insertBox(m mailbox.Mailbox) mailbox.Mailbox {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) (err error) {
		m.Num, err = tx.InsertMailbox(ctx, m)
		return err
	})
	return m
}

// sample is a message that is not stored yet.
func sample(num mailbox.Num, subject string) mailbox.Message {
	return mailbox.Message{
		ID: mailbox.NewID(noon), Mailbox: num, Direction: mailbox.Inbound, Status: "received",
		From: mailbox.Address{Name: "Ada", Address: "ada@example.org"}, To: "bo@example.com", Subject: subject,
		Snippet: "about " + subject, MessageID: subject + "@example.org", ReceivedAt: noon, Size: 1000,
		Recipient: "Bo@Example.com", Digest: digest(subject),
	}
}

// mail stores a message.
func (k kit) mail(m mailbox.Message) mailbox.Message {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.InsertMessage(ctx, &m, store.Content{Packed: []byte(m.Subject)})
	})
	return m
}

// mails stores n messages, oldest first, with the subjects m1 to mn.
func (k kit) mails(num mailbox.Num, n int) []mailbox.Message {
	k.Helper()
	list := make([]mailbox.Message, n)
	k.update(func(ctx context.Context, tx store.Tx) error {
		for i := range list {
			list[i] = sample(num, fmt.Sprintf("m%d", i+1))
			if err := tx.InsertMessage(ctx, &list[i], store.Content{Packed: []byte(list[i].Subject)}); err != nil {
				return err
			}
		}
		return nil
	})
	return list
}

// subjects are the subjects of a mailbox's messages as a filter lists them.
func (k kit) subjects(num mailbox.Num, f store.MessageFilter) []string {
	k.Helper()
	if f.Limit == 0 {
		f.Limit = 100
	}
	return subjects(must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message,
		error) {
		return r.Messages(ctx, num, f)
	}))
}

func subjects(list []mailbox.Message) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.Subject
	}
	return out
}

// same compares what was stored with what is found, an empty list being the same as none.
func (k kit) same(what string, got, want any) {
	k.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateComparable(netip.Prefix{})); d != "" {
		k.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// is checks that an error is a sentinel of the contract.
func (k kit) is(what string, err, want error) {
	k.Helper()
	if !errors.Is(err, want) {
		k.Errorf("%s: %v, want %v", what, err, want)
	}
}

// digest is a digest that differs for every text.
func digest(text string) mailbox.Digest {
	sum := sha256.Sum256([]byte(text))
	return mailbox.Digest(sum[:16])
}

// Mail returns a mail of 4 KB as the service stores it: 2 KB packed.
func Mail(n int64, box mailbox.Num) (mailbox.Message, store.Content) {
	now := time.Now()
	m := mailbox.Message{
		ID: mailbox.NewID(now), Mailbox: box, Direction: mailbox.Inbound, Status: "received",
		From: mailbox.Address{Name: "Ada Lovelace", Address: "ada.lovelace@example.org"}, To: "agent-1234@example.com",
		Subject: fmt.Sprintf("Your order %d has been shipped", n),
		Snippet: "Dear customer, your order has left our warehouse and is on its way to you. You can follow it " +
			"with the link below, at any time of the day.",
		MessageID: fmt.Sprintf("%d.%d@mail.example.org", now.UnixNano(), n), ReceivedAt: now, Size: 4000,
		Labels: []string{"notification"}, Recipient: "agent-1234@example.com",
	}
	_, _ = rand.Read(m.Digest[:])
	packed := make([]byte, 2000)
	_, _ = rand.Read(packed)
	return m, store.Content{Packed: packed}
}
