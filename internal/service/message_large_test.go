package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Large messages of a mailbox are read one after the other, no matter who asks for them and how, and each in one
// turn: whoever waited for a second one would hold the bodies meanwhile. That holds up neither the mailbox's small ones
// nor other mailboxes.
func TestLargeReadsTakeTurns(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	raw := "From: a@sender.test\r\nSubject: Your code is 482913\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n" +
		strings.Repeat("<p>a line of the text</p>\r\n", 12_000) +
		"\r\n--b\r\nContent-Type: text/calendar; name=a.ics\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n--b--\r\n"
	id := k.receive(raw, "own@example.test")[0].ID
	elsewhere := k.receive(raw, "other@example.test")[0].ID
	small := k.receive(letter("short"), "own@example.test")[0].ID
	num := k.message(own.read(), id).Mailbox
	for _, way := range k.waysToRead(own, id) {
		t.Run(way.name, func(t *testing.T) {
			k := *k
			k.T = t
			first, err := k.svc.TakeLargeTurn(t.Context(), num)
			k.works("TakeLargeTurn", err)
			result := make(chan error, 1)
			go func() { result <- way.read() }()
			k.turnsTaken(num, 2, result)
			for b, id := range map[*box]mailbox.ID{&own: small, &other: elsewhere} {
				k.message(b.read(), id)
			}
			second := make(chan func(), 1)
			go func() {
				leave, _ := k.svc.TakeLargeTurn(t.Context(), num)
				second <- leave
			}()
			k.turnsTaken(num, 3, result)
			first()
			leave := <-second
			k.works("reading in one turn", <-result)
			leave()
			if n := k.svc.LargeTurns(num); n != 0 {
				t.Errorf("%d turns were not ended", n)
			}
		})
	}
}

// turnsTaken waits until so many have or want the turn of a mailbox.
func (k *kit) turnsTaken(num mailbox.Num, n int, result <-chan error) {
	k.Helper()
	for end := time.Now().Add(time.Minute); k.svc.LargeTurns(num) < n; {
		if len(result) > 0 || time.Now().After(end) {
			k.Fatal("it did not wait for its turn")
		}
		time.Sleep(time.Millisecond)
	}
}

type wayToRead struct {
	name string
	read func() error
}

// waysToRead are the ways in which callers have a message taken apart. The last one deletes it.
func (k *kit) waysToRead(own box, id mailbox.ID) []wayToRead {
	ctx, seen := k.Context(), true
	return []wayToRead{
		{"Message", func() error {
			_, err := k.svc.Message(ctx, own.read(), id, service.MessageOptions{})
			return err
		}},
		{"WholeMessage", func() error {
			m, err := k.svc.WholeMessage(ctx, own.read(), id, service.MessageOptions{})
			if err == nil && m.Close != nil {
				err = m.Close()
			}
			return err
		}},
		{"ChangeMessage", func() error {
			_, err := k.svc.ChangeMessage(ctx, own.change(), id, service.MessageChange{Seen: &seen})
			return err
		}},
		{"Attachment", func() error {
			a, err := k.svc.Attachment(ctx, own.read(), id.Part(1))
			if err == nil {
				err = a.Close()
			}
			return err
		}},
		{"Extract", func() error {
			_, err := k.svc.Extract(ctx, own.read(), id)
			return err
		}},
		{"Thread", func() error {
			_, err := k.svc.Thread(ctx, own.read(), id, service.Page{Limit: 10})
			return err
		}},
		{"Wait", func() error {
			in := own.read()
			_, err := k.svc.Wait(ctx, &in, service.WaitQuery{Query: "line", Timeout: time.Minute})
			return err
		}},
		{"Code", func() error {
			in := own.read()
			_, err := k.svc.Code(ctx, &in, service.CodeQuery{Timeout: time.Minute})
			return err
		}},
		{"Reprocess", func() error {
			_, err := k.svc.Reprocess(ctx, func(service.Progress) {})
			return err
		}},
		{"DeleteMessage", func() error { return k.svc.DeleteMessage(ctx, own.change(), id) }},
	}
}
