package service_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// A conversation of long messages comes in pages of a bounded size, each message once.
func TestThreadOfLongMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	k := newService(t)
	own := k.permanent("own")
	long := strings.Repeat("All work and no play makes a long mail.\r\n", 30_000)
	first := k.receive(letter("first")+long, "own@example.test")[0].ID
	for _, name := range []string{"b", "c", "d", "e", "f", "g", "h"} {
		k.receive(letter(name, "In-Reply-To: <first@sender.test>")+long, "own@example.test")
	}
	seen := map[string]bool{}
	pages := 0
	for p := (service.Page{Limit: 100}); ; pages++ {
		c, err := k.svc.Thread(t.Context(), own.read(), first, p)
		k.works("Thread", err)
		size := 0
		for _, m := range c.Messages {
			if seen[m.Subject] {
				t.Errorf("%s comes twice", m.Subject)
			}
			seen[m.Subject] = true
			size += len(m.Detail.Text)
		}
		if size > 6<<20 {
			t.Errorf("%d bytes in one page", size)
		}
		if c.Next == "" {
			break
		}
		p.Cursor = c.Next
	}
	if len(seen) != 8 || pages == 0 {
		t.Errorf("%d messages in %d pages", len(seen), pages+1)
	}
}

// What was refused is the old owner's matter, not that of the next owner of the address.
func TestRejectsGoWithTheMailbox(t *testing.T) {
	k := newService(t)
	for _, written := range []bool{false, true} {
		own := k.permanent("own")
		k.svc.Rejected(mailbox.Reject{Recipient: "own+tag@example.test", Reply: "450 4.2.1 Paused."})
		if written {
			list, err := k.svc.Rejects(t.Context(), own.read(), service.RejectsQuery{Page: service.Page{Limit: 10}})
			k.works("Rejects", err)
			k.same("entries", len(list.Items), 1)
		}
		_, err := k.svc.DeleteMailbox(t.Context(), own.in(mailbox.DeleteMailbox))
		k.works("DeleteMailbox", err)
		list, err := k.svc.Rejects(t.Context(), k.permanent("own").read(),
			service.RejectsQuery{Page: service.Page{Limit: 10}})
		k.works("Rejects", err)
		k.same("entries of the next owner", len(list.Items), 0)
		_, err = k.svc.DeleteMailbox(t.Context(), k.operator(mailbox.Moderate, "own@example.test"))
		k.works("DeleteMailbox", err)
	}
}

// Mail that is handed in is addressed as mail is: with tags, and to roles.
func TestIngestAddresses(t *testing.T) {
	k := newService(t)
	k.permanent("own")
	for _, c := range []struct{ to, box, recipient string }{
		{"own@example.test", "own@example.test", "own@example.test"},
		{"Own+Tag@Example.test", "own@example.test", "Own+Tag@Example.test"},
		{"postmaster@example.test", configured, "postmaster@example.test"},
	} {
		in := k.operator(mailbox.IngestMail, c.to)
		r, err := k.svc.Ingest(t.Context(), in, strings.NewReader(letter("to "+c.to)))
		k.works(c.to, err)
		k.same(c.to, []string{r.Mailbox, k.message(in, r.ID).Recipient}, []string{c.box, c.recipient})
	}
}
