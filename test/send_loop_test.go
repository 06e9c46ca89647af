package test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A mailbox sends as many messages as its day has (SPEC 8): to one recipient, and on one thread, with and without
// somebody who answers.
func TestSendHundred(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, tt := range []struct {
		name string
		send func(t *testing.T, b box, n int) (path, body string)
	}{
		{"to one recipient", func(_ *testing.T, _ box, n int) (string, string) {
			return "/send", note(fmt.Sprint("notice ", n), "ann@example.com").String()
		}},
		{"the same each time", func(*testing.T, box, int) (string, string) {
			return "/send", note("notice", "ann@example.com").String()
		}},
		{"on one thread, and a person answers", func(t *testing.T, b box, n int) (string, string) {
			srv.deliver(t, crlf(fmt.Sprintf("From: Ann <ann@example.com>\nTo: %s\nSubject: Re: Plans\nMessage-ID: "+
				"<%d-%s>\nReferences: <0-%[1]s>\n\nAnd number %[2]d?\n",
				b.address, n, b.address)), b.address)
			return "/reply", fmt.Sprintf(`{"email_id":%q,"text":"Yes."}`, b.newest(t))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := srv.mailbox(t, "hundred-"+strings.ReplaceAll(tt.name[:6], " ", ""))
			for n := range 101 {
				path, body := tt.send(t, b, n)
				a := b.ask(t, "POST", path, body)
				if n < 100 && a.status != http.StatusOK || n == 100 && !strings.Contains(string(a.body),
					`"code":"daily_send_limit"`) {
					t.Fatalf("message %d: %d %s", n+1, a.status, a.body)
				}
			}
		})
	}
}

// newest is the id of the newest message that came.
func (b box) newest(t testing.TB) string {
	t.Helper()
	var list struct{ Emails []struct{ ID string } }
	b.srv.get(t, b.key, b.prefix+"/inbox?direction=inbound&limit=1", &list)
	if len(list.Emails) != 1 {
		t.Fatal("nothing has come")
	}
	return list.Emails[0].ID
}

// Two agents of this server that answer each other with nearly the same words are stopped soon; their other mail is
// not.
func TestSendLoop(t *testing.T) {
	t.Parallel()
	srv := start(t)
	robin, marian := srv.mailbox(t, "robin"), srv.mailbox(t, "marian")
	robin.send(t, note("Plans", marian.address))
	for n := range 200 {
		by := []box{marian, robin}[n%2]
		a := by.ask(t, "POST", "/reply", fmt.Sprintf(`{"email_id":%q,"text":"Thank you, I have got number %d."}`,
			by.newest(t), n))
		if a.status == http.StatusTooManyRequests && strings.Contains(string(a.body), `"code":"loop_detected"`) {
			if n < 20 || n > 50 {
				t.Errorf("stopped after %d", n)
			}
			by.send(t, note("Something else", "ann@example.com"))
			return
		}
		if a.status != http.StatusOK {
			t.Fatalf("answer %d: %d %s", n, a.status, a.body)
		}
	}
	t.Error("it was not stopped")
}
