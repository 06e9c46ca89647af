package service_test

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Of a webhook's URL, which may hold a password, operators who do not manage mailboxes see where it leads.
func TestOperatorsSeeNoPasswords(t *testing.T) {
	hookBubble(t, always(200, 0), seeNoPasswords)
}

func seeNoPasswords(h *hookKit) {
	const url = "https://user:secret@hooks.test/secret?token=secret"
	k, own := h.kit, h.hooked("own", url)
	h.mail(own, 1)
	const host = "https://hooks.test/…"
	for role, want := range map[mailbox.Role]string{mailbox.Admin: url, mailbox.View: host, mailbox.Moderator: host} {
		who := k.login(k.operatorNamed(string(role), role).Secret)
		enter := func(need mailbox.Capability, name string) service.Access {
			in, err := k.svc.Enter(k.Context(), who, service.Act{Need: need, Mailbox: name})
			k.works("Enter", err)
			return in
		}
		record, err := k.svc.MailboxRecord(k.Context(), enter(mailbox.ReadMailbox, own.Address))
		k.works("MailboxRecord", err)
		all, err := k.svc.Mailboxes(k.Context(), enter(mailbox.Oversee, ""), service.MailboxQuery{Query: "own",
			Page: service.Page{Limit: 10}})
		k.works("Mailboxes", err)
		k.same(string(role), []string{record.Webhook.URL, all.Items[0].Webhook.URL}, []string{want, want})
		in := enter(mailbox.ReadManaged, own.Address)
		for words, found := range map[string]int{"": 1, "token=secret": map[bool]int{true: 1}[role == mailbox.Admin]} {
			hooks, err := k.svc.Hooks(k.Context(), in, service.HooksQuery{Words: words, Page: service.Page{Limit: 10}})
			k.works("Hooks", err)
			if len(hooks.Items) != found || found > 0 && hooks.Items[0].URL != want {
				k.Errorf("%s, %q: %+v", role, words, hooks.Items)
			}
		}
	}
}
