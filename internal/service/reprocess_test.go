package service_test

import (
	"fmt"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// Marks that older rules made are made again; what the agent did stays.
func TestReprocess(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	for i := range 120 { // more than a page
		k.receive(letter(fmt.Sprint("plain", i)), own.Address)
	}
	coded := k.receive(withCode("coded", "445566"), own.Address)[0].ID
	big := k.receive(mixed("big", noise(1<<20)), other.Address)[0].ID
	snippet := k.message(own.read(), coded).Snippet
	seen := true
	_, err := k.svc.ChangeMessage(t.Context(), own.change(), coded, service.MessageChange{Seen: &seen,
		Add: []string{"mine"}})
	k.works("ChangeMessage", err)
	k.update(func(tx store.Tx) error { // as older rules would have it
		for _, id := range []mailbox.ID{coded, big} {
			m, err := tx.Message(t.Context(), 0, id)
			if err != nil {
				return err
			}
			m.Code, m.Labels = "000000", mailbox.Relabel(m.Labels, []string{mailbox.LabelBounce},
				[]string{mailbox.LabelCode})
			m.Snippet = "as an older reading had it"
			if err := tx.UpdateMessage(t.Context(), m); err != nil {
				return err
			}
		}
		return nil
	})
	var last service.Progress
	done, err := k.svc.Reprocess(t.Context(), func(p service.Progress) { last = p })
	k.works("Reprocess", err)
	k.same("progress", []service.Progress{done, last}, []service.Progress{{Done: 122, Total: 122, Changed: 2},
		{Done: 122, Total: 122, Changed: 2}})
	m := k.message(own.read(), coded)
	k.same("coded", []any{m.Code, m.Labels, m.Seen, m.Snippet}, []any{"445566", []string{"code", "mine"}, true,
		snippet})
	m = k.message(other.read(), big)
	k.same("big", []any{m.Code, m.Labels}, []any{"", []string{"personal"}})
	done, err = k.svc.Reprocess(t.Context(), func(service.Progress) {})
	k.works("again", err)
	k.same("again", done, service.Progress{Done: 122, Total: 122})
}
