package index_test

import (
	"reflect"
	"testing"

	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/store"
)

// The words of a message that is sent are handed over in memory, as those of one that comes in, and they are those that
// the store would have given. It counts as mail that wants the processor.
func TestSentIsHandedOver(t *testing.T) {
	for _, tt := range []struct {
		name  string
		draft mailbox.Draft
	}{
		{"text", mailbox.Draft{Text: "Some words.", HasText: true}},
		{"both", mailbox.Draft{Text: "Some words.", HasText: true, HTML: "<p>Some <b>words</b></p>", HasHTML: true}},
		{"HTML", mailbox.Draft{HTML: "<p>Some <b>words</b></p>", HasHTML: true}},
		{"several people", mailbox.Draft{Text: "ä", HasText: true, Cc: []string{"Bob <bob@other.test>"},
			Bcc: []string{"eve@third.test"}, ReplyTo: []string{"c@other.test"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newService(t, withIndex(t))
			b := k.permanent("robin")
			before := k.svc.Index().Arrived()
			tt.draft.To, tt.draft.Subject = []string{"Ann <ann@other.test>"}, "Grüße"
			sent, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), tt.draft)
			k.works("send", err)
			if n := k.svc.Index().Arrived() - before; n != 1 {
				t.Errorf("it counts as %d messages", n)
			}
			var want search.Mail
			var m mailbox.Message
			k.view(func(r store.Reader) (err error) {
				if m, err = r.Message(t.Context(), b.Num, sent.ID); err != nil {
					return err
				}
				c, err := r.Content(t.Context(), m)
				if err == nil {
					want, err = index.Stored(m, c)
				}
				return err
			})
			got, ok := k.svc.Index().HandedOver(b.Num, m.Seq)
			if !ok || !reflect.DeepEqual(got, want) {
				t.Errorf("handed over %v: %+v\nstored %+v", ok, got, want)
			}
		})
	}
}
