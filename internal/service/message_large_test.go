package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Large messages of a mailbox are read one after the other, no matter who asks for them and how. That holds up
// neither its small ones nor other mailboxes.
func TestLargeReadsTakeTurns(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	raw := "From: a@sender.test\r\nSubject: long\r\nContent-Type: text/html\r\n\r\n" +
		strings.Repeat("<p>a line of the text</p>\r\n", 50_000)
	id := k.receive(raw, "own@example.test")[0].ID
	elsewhere := k.receive(raw, "other@example.test")[0].ID
	small := k.receive(letter("short"), "own@example.test")[0].ID
	seen := true
	for name, read := range map[string]func() error{
		"Message": func() error {
			_, err := k.svc.Message(t.Context(), own.read(), id, service.MessageOptions{})
			return err
		},
		"WholeMessage": func() error {
			m, err := k.svc.WholeMessage(t.Context(), own.read(), id, service.MessageOptions{})
			if err == nil {
				err = m.Close()
			}
			return err
		},
		"ChangeMessage": func() error {
			_, err := k.svc.ChangeMessage(t.Context(), own.change(), id, service.MessageChange{Seen: &seen})
			return err
		},
	} {
		leave, err := k.svc.TakeLargeTurn(t.Context(), "own@example.test")
		k.works("TakeLargeTurn", err)
		results := make(chan error, 8)
		for range cap(results) {
			go func() { results <- read() }()
		}
		for end := time.Now().Add(time.Minute); k.svc.LargeTurns("own@example.test") < 1+cap(results); {
			if len(results) > 0 || time.Now().After(end) {
				t.Fatalf("%s: %d did not wait for their turn", name, len(results))
			}
			time.Sleep(time.Millisecond)
		}
		for b, id := range map[*box]mailbox.ID{&own: small, &other: elsewhere} {
			k.message(b.read(), id)
		}
		leave()
		for range cap(results) {
			k.works(name, <-results)
		}
	}
	if n := k.svc.LargeTurns("own@example.test"); n != 0 {
		t.Errorf("%d turns were not ended", n)
	}
}
