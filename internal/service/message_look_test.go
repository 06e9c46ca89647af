package service_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// A list that a filter narrows looks at some messages at a time: all of its pages together have every message that fits
// once, however few those are and wherever, and gaps between messages cost nothing.
func TestNarrowedLists(t *testing.T) {
	k := newService(t)
	k.svc.LookAt(1000)
	b := k.permanent("robin")
	begin := k.clock.Now().Add(-24 * time.Hour)
	fits := map[int]bool{3: true, 4: true, 1600: true, 2399: true}
	const many = 2400
	var stored []mailbox.Message
	k.update(func(tx store.Tx) error {
		for i := range many {
			m := mailbox.Message{Mailbox: b.Num, ID: mailbox.NewID(k.clock.Now()), Direction: mailbox.Outbound,
				ReceivedAt: begin.Add(time.Duration(i) * 10 * time.Second), Subject: fmt.Sprint(i), Seen: true, Size: 1}
			if fits[i] {
				m.Direction, m.Seen, m.Labels = mailbox.Inbound, i < 1000, []string{"blue"}
				m.Verdict.Trust.Level = mailbox.Suspicious
			}
			if err := tx.InsertMessage(t.Context(), &m, store.Content{}); err != nil {
				return err
			}
			stored = append(stored, m)
		}
		for i := 100; i < 1100; i++ { // a gap
			if err := tx.DeleteMessage(t.Context(), stored[i], nil); err != nil {
				return err
			}
		}
		return nil
	})
	no, all := false, []string{"2399", "1600", "4", "3"}
	for _, c := range []struct {
		name  string
		q     service.InboxQuery
		want  []string
		pages int
	}{
		{"label", service.InboxQuery{Label: "blue"}, all, 2},
		{"label, in small pages", service.InboxQuery{Label: "blue", Page: service.Page{Limit: 1}}, all, 4},
		{"direction", service.InboxQuery{Direction: mailbox.Inbound}, all, 2},
		{"all at once", service.InboxQuery{Direction: mailbox.Inbound, Whole: true}, all, 1},
		{"trust", service.InboxQuery{Trust: mailbox.Suspicious}, all, 2},
		{"trust and label", service.InboxQuery{Trust: mailbox.Suspicious, Label: "blue"}, all, 2},
		{"unseen, which are counted", service.InboxQuery{Seen: &no}, all[:2], 1},
		{"trust and unseen", service.InboxQuery{Trust: mailbox.Suspicious, Seen: &no}, all[:2], 1},
		{"label since", service.InboxQuery{Label: "blue", Since: stored[1600].ReceivedAt}, all[:2], 1},
		{"label until", service.InboxQuery{Label: "blue", Until: stored[1600].ReceivedAt}, all[2:], 1},
		{"until", service.InboxQuery{Until: stored[3].ReceivedAt}, []string{"2", "1", "0"}, 1},
		{"since and until", service.InboxQuery{Since: stored[3].ReceivedAt, Until: stored[6].ReceivedAt},
			[]string{"5", "4", "3"}, 1},
		{"offset", service.InboxQuery{Label: "blue", Page: service.Page{Offset: 3}}, all[3:], 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.q.Page.Limit == 0 {
				c.q.Page.Limit = 20
			}
			var got []string
			pages := 0
			for ; pages < 20; pages++ {
				list, err := k.svc.Inbox(t.Context(), b.read(), c.q)
				if err != nil || len(list.Items) > c.q.Page.Limit {
					t.Fatalf("%d messages, %v", len(list.Items), err)
				}
				got = append(got, subjects(list.Items)...)
				if c.q.Page = (service.Page{Limit: c.q.Page.Limit, Cursor: list.Next}); list.Next == "" {
					pages++
					break
				}
			}
			if !slices.Equal(got, c.want) || pages != c.pages {
				t.Errorf("%q in %d pages, want %q in %d", got, pages, c.want, c.pages)
			}
		})
	}
}

// The operator's list of mailboxes does the same.
func TestNarrowedMailboxes(t *testing.T) {
	k := newService(t)
	k.svc.LookAt(1000)
	k.permanent("needle-1")
	k.permanent("needle-2")
	k.update(func(tx store.Tx) error {
		for i := range 1100 {
			_, err := tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: fmt.Sprintf("box%d@mailkin.localhost", i),
				Scope: mailbox.Permanent, Status: mailbox.Active, CreatedAt: k.clock.Now()})
			if err != nil {
				return err
			}
		}
		return nil
	})
	k.permanent("needle-3")
	in := k.operator(mailbox.Moderate, "")
	for _, c := range []struct {
		q     service.MailboxQuery
		found []int // on each page
	}{
		{service.MailboxQuery{Query: "needle", Page: service.Page{Limit: 20}}, []int{1, 2}},
		{service.MailboxQuery{Query: "needle", Page: service.Page{Limit: 1}}, []int{1, 1, 1}},
		{service.MailboxQuery{Query: "needle", Page: service.Page{Limit: 20, Offset: 1}}, []int{2}},
		{service.MailboxQuery{Query: "box109", Page: service.Page{Limit: 20}}, []int{11, 0}},
		{service.MailboxQuery{Status: "paused", Page: service.Page{Limit: 20}}, []int{0, 0}},
		{service.MailboxQuery{Page: service.Page{Limit: 100, Offset: 1050}}, []int{54}},
	} {
		var found []int
		for len(found) < 9 {
			list, err := k.svc.Mailboxes(t.Context(), in, c.q)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, len(list.Items))
			if c.q.Page = (service.Page{Limit: c.q.Page.Limit, Cursor: list.Next}); list.Next == "" {
				break
			}
		}
		if !slices.Equal(found, c.found) {
			t.Errorf("%+v: %d, want %d", c.q, found, c.found)
		}
	}
}
