package mailbox_test

import (
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The permission tables of SPEC 5.8 and API 2, written out a second time from the documents.
func TestPermissions(t *testing.T) {
	const no, yes = false, true
	rows := []struct {
		name                             string
		capability                       mailbox.Capability
		provisional, permanent, operator bool
	}{
		{"ask about itself", mailbox.KnowSelf, yes, yes, yes},
		{"read the mailbox and its lists", mailbox.ReadMailbox, yes, yes, yes},
		{"stats, rejects", mailbox.ReadStats, yes, yes, yes},
		{"read inbox, message, search, threads, events", mailbox.ReadMail, yes, yes, yes},
		{"read codes", mailbox.ReadCode, yes, yes, yes},
		{"extract structured data", mailbox.ExtractData, yes, yes, yes},
		{"label, mark and delete messages", mailbox.ChangeMail, no, yes, yes},
		{"attachments and raw messages", mailbox.ReadAttachment, no, yes, yes},
		{"send, reply, forward", mailbox.SendMail, no, yes, yes},
		{"call back", mailbox.RecallMail, no, yes, yes},
		{"drafts", mailbox.DraftMail, no, yes, yes},
		{"decide on mail that is held", mailbox.ReviewMail, no, no, yes},
		{"see webhooks, domains, suppressions", mailbox.ReadManaged, no, yes, yes},
		{"webhooks, routes, domains, suppressions", mailbox.ManageMailbox, no, yes, yes},
		{"send policy, limits, lists, brakes", mailbox.ControlMailbox, no, no, yes},
		{"resume sending", mailbox.ResumeSending, no, no, yes},
		{"change settings", mailbox.ChangeSettings, no, yes, yes},
		{"rotate the own key", mailbox.RotateKey, no, yes, yes},
		{"pause and resume", mailbox.PauseMailbox, no, yes, yes},
		{"delete own mailbox", mailbox.DeleteMailbox, yes, yes, yes},
		{"hand in mail for any mailbox", mailbox.IngestMail, no, no, yes},
		{"create mailboxes", mailbox.CreateMailbox, no, no, yes},
		{"see all mailboxes, keys, audit", mailbox.Oversee, no, no, yes},
		{"moderate mailboxes, keys, audit", mailbox.Moderate, no, no, yes},
		{"keys of others, deleting mailboxes", mailbox.Administer, no, no, yes},
		{"operators", mailbox.ManageOperators, no, no, yes},
	}
	if len(rows) != len(mailbox.Capabilities()) {
		t.Errorf("%d rows for %d capabilities", len(rows), len(mailbox.Capabilities()))
	}
	for _, row := range rows {
		for scope, want := range map[mailbox.Scope]bool{
			mailbox.Provisional: row.provisional,
			mailbox.Permanent:   row.permanent,
			mailbox.Operator:    row.operator,
			"":                  no,
			"root":              no,
		} {
			if got := scope.May(row.capability); got != want {
				t.Errorf("%s by scope %q: got %v, want %v", row.name, scope, got, want)
			}
		}
	}
}

// A temporary key whose mailbox was claimed has the rights of a temporary one, but for deleting the mailbox.
func TestCallerMay(t *testing.T) {
	for _, c := range mailbox.Capabilities() {
		for _, scope := range []mailbox.Scope{mailbox.Provisional, mailbox.Permanent, mailbox.Operator} {
			for _, of := range []mailbox.Scope{mailbox.Provisional, mailbox.Permanent} {
				want := scope.May(c)
				if c == mailbox.DeleteMailbox && scope == mailbox.Provisional && of == mailbox.Permanent {
					want = false
				}
				who := mailbox.Caller{Scope: scope, Mailbox: mailbox.Mailbox{Scope: of}}
				if got := who.May(c); got != want {
					t.Errorf("%v by key %q of mailbox %q: got %v, want %v", c, scope, of, got, want)
				}
			}
		}
	}
}

func TestUnknownCapabilityIsDenied(t *testing.T) {
	unknown := mailbox.Capability(len(mailbox.Capabilities()))
	for _, scope := range []mailbox.Scope{mailbox.Provisional, mailbox.Permanent, mailbox.Operator} {
		if scope.May(unknown) {
			t.Errorf("scope %s may do what does not exist", scope)
		}
	}
}

// API 3: what GET /v1/me lists.
func TestCapabilityNames(t *testing.T) {
	read := []string{"inbox.read", "email.read", "code.read", "search.read", "threads.read"}
	own := append(slices.Clone(read), "email.send", "attachment.read", "webhook.manage", "domain.manage")
	all := append(slices.Clone(own), "mailbox.provision", "mailbox.moderate")
	for _, tt := range []struct {
		scope mailbox.Scope
		want  []string
	}{
		{mailbox.Provisional, read}, {mailbox.Permanent, own}, {mailbox.Operator, all},
	} {
		t.Run(string(tt.scope), func(t *testing.T) {
			if got := (&mailbox.Caller{Scope: tt.scope}).Names(); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
