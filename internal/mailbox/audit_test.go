package mailbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Whatever is changed in a chain, the first entry that does not fit is named.
func TestAuditChain(t *testing.T) {
	chain := func() (list []mailbox.Audit) {
		var link mailbox.AuditLink
		for i := range 5 {
			a := link.Join(mailbox.Audit{At: time.UnixMilli(int64(i)), Action: "pause", Mailbox: "a@x",
				AuditFacts: mailbox.AuditFacts{Name: "Kim", Client: "192.0.2.1"}})
			link, list = a.Link(), append(list, a)
		}
		return list
	}
	head := chain()[4]
	for _, tt := range []struct {
		name   string
		tamper func([]mailbox.Audit) []mailbox.Audit
		broken int64
	}{
		{"nothing", func(l []mailbox.Audit) []mailbox.Audit { return l }, 0},
		{"entries from before", func(l []mailbox.Audit) []mailbox.Audit {
			return append([]mailbox.Audit{{}}, l...)
		}, 0},
		{"a text", func(l []mailbox.Audit) []mailbox.Audit { l[2].Action = "resume"; return l }, 3},
		{"the name", func(l []mailbox.Audit) []mailbox.Audit { l[0].Name = "Robin"; return l }, 1},
		{"between members", func(l []mailbox.Audit) []mailbox.Audit {
			l[1].Action, l[1].Mailbox = "pausea", "@x"
			return l
		}, 2},
		{"hashed again", func(l []mailbox.Audit) []mailbox.Audit {
			l[2].Action = "resume"
			l[2].Hash = l[2].Sum()
			return l
		}, 3},
		{"the newest hashed again", func(l []mailbox.Audit) []mailbox.Audit {
			l[4].Action = "resume"
			l[4].Hash = l[4].Sum()
			return l
		}, 5},
		{"another place", func(l []mailbox.Audit) []mailbox.Audit { l[2].Seq = 9; return l }, 3},
		{"another hash of the one before", func(l []mailbox.Audit) []mailbox.Audit {
			l[2].Previous[0]++
			return l
		}, 3},
		{"taken out", func(l []mailbox.Audit) []mailbox.Audit { return append(l[:1], l[2:]...) }, 2},
		{"several taken out", func(l []mailbox.Audit) []mailbox.Audit { return append(l[:1], l[4:]...) }, 2},
		{"twice", func(l []mailbox.Audit) []mailbox.Audit { return append(l[:3:3], l[2:]...) }, 4},
		{"put in", func(l []mailbox.Audit) []mailbox.Audit {
			return append(l[:2:2], append([]mailbox.Audit{{Action: "x"}}, l[2:]...)...)
		}, 3},
		{"the newest taken away", func(l []mailbox.Audit) []mailbox.Audit { return l[:4] }, 5},
		{"the oldest taken away", func(l []mailbox.Audit) []mailbox.Audit { return l[1:] }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var check mailbox.AuditCheck
			for _, a := range tt.tamper(chain()) {
				check.Add(a)
			}
			check.End(head.Link())
			switch {
			case tt.broken == 0 && check.Broken != nil:
				t.Errorf("broken: %+v", check.Broken)
			case tt.broken > 0 && (check.Broken == nil || check.Broken.Seq != tt.broken):
				t.Errorf("%+v, want entry %d", check.Broken, tt.broken)
			}
		})
	}
}

// An entry is a sentence: who did it, and what.
func TestAuditSentence(t *testing.T) {
	t.Parallel()
	id := "01a1f37e-5afe-7fdd-8764-7a152c10d000"
	for _, tt := range []struct {
		name string
		a    mailbox.Audit
		want string
	}{
		{"a named operator", mailbox.Audit{Action: "PATCH /v1/mailboxes/{address}/pause", Mailbox: "wren@example.com",
			Actor: mailbox.TheOperator, AuditFacts: mailbox.AuditFacts{Name: "Kim"}}, "Kim paused wren@example.com"},
		{"the token", mailbox.Audit{Action: "POST /v1/operators", Actor: mailbox.TheOperator,
			AuditFacts: mailbox.AuditFacts{Credential: "AUTH_TOKEN"}},
			"The operator's token added an operator to the deployment"},
		{"a key", mailbox.Audit{Action: "DELETE /v1/mailbox", Mailbox: "wren@example.com", Actor: id},
			"The key 01a1f37e… deleted the mailbox wren@example.com"},
		{"a key with a name", mailbox.Audit{Action: "DELETE /v1/mailbox", Mailbox: "wren@example.com", Actor: id,
			AuditFacts: mailbox.AuditFacts{Name: "Kim"}}, "The key Kim deleted the mailbox wren@example.com"},
		{"from before there were actors", mailbox.Audit{Action: "pause"}, "The operator  the deployment"},
		{"a link in a mail", mailbox.Audit{Action: "POST /v1/reviews/{id}/approve", Mailbox: "wren@example.com",
			Actor: "reviewer by mail kim@example.com"},
			"reviewer by mail kim@example.com approved a message of wren@example.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			words := strings.Split(tt.a.Words(), "\n")
			if got := strings.Join(words[:3], " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
