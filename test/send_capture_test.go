package test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Without a way out, mail is kept and says so; only the simulator's addresses behave as they are named, marked as
// simulated.
func TestSendCapture(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams)
	b := srv.mailbox(t, "robin")
	for _, tt := range []struct {
		to     string
		events []string
		status string
		code   int
	}{
		{"ann@example.com", []string{"sent"}, "captured", 0},
		{"ann@simulator.example.com", []string{"sent"}, "captured", 0},
		{"delivered@simulator." + domain, []string{"sent", "delivered"}, "delivered", 250},
		{"bounced@simulator." + domain, []string{"sent", "bounced"}, "bounced", 550},
		{"complained+tag@simulator." + domain, []string{"sent", "delivered", "complained"}, "complained", 250},
		{"delayed@simulator." + domain, []string{"sent", "delivered"}, "delivered", 250},
		{"slow@simulator." + domain, []string{"sent", "delivered"}, "delivered", 250},
		{"other@simulator." + domain, []string{"sent", "bounced"}, "bounced", 550},
	} {
		t.Run(tt.to, func(t *testing.T) {
			t.Parallel()
			s := b.send(t, note("simulated", tt.to))
			if strings.HasPrefix(tt.to, "delayed@") {
				if d := b.delivery(t, s.ID, "delivery_delayed"); d.Code != 451 || d.Attempts != 1 || d.NextAt == nil {
					t.Errorf("delayed as %+v", d)
				}
			}
			d := b.delivery(t, s.ID, tt.status)
			if d.Code != tt.code || d.MX != "capture" || !d.Simulated || d.NextAt != nil || d.Recipient != tt.to ||
				d.Outcome != "" {
				t.Errorf("the delivery is %+v", d)
			}
			want := make([]string, len(tt.events))
			for i, kind := range tt.events {
				want[i] = kind + " " + tt.to
			}
			list := b.hear(t, want...)
			wantTold(t, list, s.ID, want...)
			if o := b.outgoing(t, s.ID); o.Status != tt.status {
				t.Errorf("the message is %s", o.Status)
			}
		})
	}
}

// What was captured stays captured: no webhook tells of it, and it is not sent when the server is set up to send later.
func TestSendCapturedForGood(t *testing.T) {
	t.Parallel()
	to, hook := (&sink{}).listen(t, "127.0.0.1"), newReceiver(t, http.StatusNoContent)
	srv := start(t, shortStreams, "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true")
	b := srv.mailbox(t, "robin")
	b.hookTo(t, hook.URL)
	s := b.send(t, note("kept", "ann@example.com"))
	b.delivery(t, s.ID, "captured")
	b.delivery(t, b.send(t, note("simulated", "delivered@simulator."+domain)).ID, "delivered")
	if log := b.settled(t); len(log) != 1 || log[0].Event != "message.delivered" || log[0].EmailID == s.ID {
		t.Errorf("posted were %+v", log)
	}
	srv.stop(t)
	srv.environ = append(srv.environ, "MAILKIN_OUTBOUND=smtp://"+to.addr)
	srv.start(t)
	b.hasten(t)
	b.delivery(t, b.send(t, note("sent", "bob@example.com")).ID, "sent")
	if list := to.all(); len(list) != 1 || b.outgoing(t, s.ID).Status != "captured" {
		t.Errorf("%d were sent, and the first is %s", len(list), b.outgoing(t, s.ID).Status)
	}
}

// Whoever bounced or complained gets no more mail until somebody says so.
func TestSendSuppressed(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams)
	b, other := srv.mailbox(t, "robin"), srv.mailbox(t, "other")
	bounced, complained := "bounced@simulator."+domain, "Complained@simulator."+domain
	b.delivery(t, b.send(t, note("to nobody", bounced)).ID, "bounced")
	b.delivery(t, b.send(t, note("to somebody angry", complained)).ID, "complained")
	want := []string{bounced + " bounce", strings.ToLower(complained) + " complaint"}
	if got := b.suppressed(t); !slices.Equal(got, want) {
		t.Errorf("suppressed: %q", got)
	}
	for _, to := range []string{bounced, strings.ToUpper(bounced), complained} {
		a := b.ask(t, "POST", "/send", note("again", "ann@example.com", to).String())
		if a.status != http.StatusBadRequest || !strings.Contains(string(a.body), `"code":"recipient_suppressed"`) ||
			!strings.Contains(strings.ToLower(string(a.body)), strings.ToLower(to)) {
			t.Errorf("%s: %d %s", to, a.status, a.body)
		}
	}
	other.send(t, note("from another mailbox", bounced))
	if a := b.ask(t, "DELETE", "/suppressions?address="+bounced, ""); a.status != http.StatusOK {
		t.Errorf("%d %s", a.status, a.body)
	}
	b.send(t, note("once more", bounced))
}

// Mail between mailboxes of one server does not leave it, and is two messages.
func TestSendInside(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams)
	b, to := srv.mailbox(t, "robin"), srv.mailbox(t, "marian")
	s := b.send(t, note("inside", to.address, b.address, "nobody@"+domain))
	e := to.only(t)
	if e.MessageID != s.MessageID || e.Subject != "inside" || e.Direction != "inbound" || e.From != b.address {
		t.Errorf("arrived as %+v", e)
	}
	list := b.hear(t, "delivered "+to.address, "delivered "+b.address, "bounced nobody@"+domain)
	if got := told(list, s.ID); len(got) != 4 {
		t.Errorf("the events are %q", got)
	}
	own := b.inbox(t)
	if len(own) != 2 || own[0].ID == own[1].ID || own[0].MessageID != own[1].MessageID ||
		own[0].Direction == own[1].Direction {
		t.Errorf("the mailbox holds %+v", own)
	}
}
