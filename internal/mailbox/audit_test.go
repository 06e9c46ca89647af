package mailbox_test

import (
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
		}, 4},
		{"taken out", func(l []mailbox.Audit) []mailbox.Audit { return append(l[:1], l[2:]...) }, 3},
		{"put in", func(l []mailbox.Audit) []mailbox.Audit {
			return append(l[:2:2], append([]mailbox.Audit{{Action: "x"}}, l[2:]...)...)
		}, 3},
		{"the newest taken away", func(l []mailbox.Audit) []mailbox.Audit { return l[:4] }, 5},
		{"the oldest taken away", func(l []mailbox.Audit) []mailbox.Audit { return l[1:] }, 2},
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
