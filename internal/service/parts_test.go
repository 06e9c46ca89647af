package service_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// Where the plain part contradicts the HTML, what was made of it is nowhere: not on the message's page, however large
// the message is, nor in lists; and reprocessing changes mail of older versions to that.
func TestPartsContradict(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	k := newService(t)
	own := k.permanent("own")
	for name, filler := range map[string]int{"small": 0, "large": 300 << 10, "longer than an answer": 1500 << 10} {
		t.Run(name, func(t *testing.T) {
			more := strings.Repeat("<p>and one more line of the mail</p>\r\n", filler/38)
			raw := "From: Acme <no-reply@acme.example>\r\nSubject: Your code\r\nContent-Type: multipart/alternative; " +
				"boundary=b\r\n\r\n--b\r\n\r\nYour verification code is 771206.\r\n" +
				"--b\r\nContent-Type: text/html\r\n\r\n<p>Your verification code is 482913.</p>" + more +
				"\r\n--b--\r\n"
			id := k.receive(raw, own.Address)[0].ID
			check := func(when string) {
				t.Helper()
				m := k.message(own.read(), id)
				whole := k.whole(own, id)
				for place, text := range map[string]string{"text": m.Detail.Text, "reply": m.Detail.ReplyText,
					"snippet": m.Snippet, "code": m.Code, "whole": whole.Detail.Text} {
					if strings.Contains(text, "771206") || !strings.Contains(text, "482913") {
						t.Errorf("%s: %s is %.80s", when, place, text)
					}
				}
				if len(whole.Detail.Text) < filler*3/4 {
					t.Errorf("%s: the whole text has %d bytes", when, len(whole.Detail.Text))
				}
				k.same("defects", m.Detail.Defects, []string{"text-html-code-differs"})
			}
			check("received")
			k.update(func(tx store.Tx) error { // as older rules would have it
				m, err := tx.Message(t.Context(), 0, id)
				if err == nil {
					m.Code, m.Snippet = "771206", "Your verification code is 771206."
					err = tx.UpdateMessage(t.Context(), m)
				}
				return err
			})
			_, err := k.svc.Reprocess(t.Context(), func(service.Progress) {})
			k.works("Reprocess", err)
			check("reprocessed")
		})
	}
}

// A message that is sent keeps its plain part, whatever its HTML says.
func TestPartsAreSent(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	d := draftTo("jo@elsewhere.test")
	d.Text, d.HTML = "Your verification code is 771206.", "<p>Your verification code is 482913.</p>"
	d.HasHTML = true
	_, err := k.svc.Send(t.Context(), own.in(mailbox.SendMail), d)
	k.works("Send", err)
	p, err := k.svc.ProviderMessage(t.Context(), k.lease()[0].Delivery)
	k.works("ProviderMessage", err)
	k.same("bodies", []string{strings.TrimSpace(p.Text), strings.TrimSpace(p.HTML)}, []string{d.Text, d.HTML})
}
