package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestResendEvents(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       mailbox.Word
		hard       bool
	}{
		{"sent", `{"type":"email.sent","data":{"email_id":"1","to":["a@x.example"]}}`,
			mailbox.Word{Status: mailbox.Sent}, false},
		{"delayed", `{"type":"email.delivery_delayed","data":{}}`, mailbox.Word{Status: mailbox.Delayed}, false},
		{"delivered to one", `{"type":"email.delivered","data":{"to":"a@x.example"}}`,
			mailbox.Word{Status: mailbox.Delivered}, false},
		{"delivered to several", `{"type":"email.delivered","data":{"to":[" Ann <a@x.example>","b@x.example"]}}`,
			mailbox.Word{Status: mailbox.Delivered}, false},
		{"delivered to nobody", `{"type":"email.delivered","data":{"to":null}}`,
			mailbox.Word{Status: mailbox.Delivered}, false},
		{"bounced for good", `{"type":"email.bounced","data":{"bounce":{"type":"Permanent","subType":"General","message":" no\r\nsuch\u0000user "}}}`,
			mailbox.Word{Status: mailbox.Bounced, Bounce: "hard", Reason: "no  such user"}, true},
		{"bounced for now", `{"type":"email.bounced","data":{"bounce":{"type":"Transient","subType":"MailboxFull","message":""}}}`,
			mailbox.Word{Status: mailbox.Bounced, Bounce: "soft", Reason: "Transient MailboxFull"}, false},
		{"bounced without a word", `{"type":"email.bounced","data":{}}`, mailbox.Word{Status: mailbox.Bounced,
			Bounce: "soft", Reason: "The provider gave no reason."}, false},
		{"bounced with too many words", `{"type":"email.bounced","data":{"bounce":{"message":"` + strings.Repeat("x",
			5000) + `"}}}`,
			mailbox.Word{Status: mailbox.Bounced, Bounce: "soft", Reason: strings.Repeat("x", maxReason) + "…"}, false},
		{"failed", `{"type":"email.failed","data":{"failed":{"reason":"reached_daily_quota"}}}`,
			mailbox.Word{Status: mailbox.Failed, Bounce: "soft", Reason: "reached_daily_quota"}, false},
		{"failed without a word", `{"type":"email.failed","data":{"bounce":{"type":"Permanent"}}}`,
			mailbox.Word{Status: mailbox.Failed, Bounce: "soft", Reason: "The provider did not send it and gave no " +
				"reason."}, false},
		{"complained", `{"type":"email.complained","data":{"to":["a@x.example"],"bounce":{"type":"Permanent"}}}`,
			mailbox.Word{Status: mailbox.Complained}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			var e ResendEvent
			if err := json.Unmarshal([]byte(row.body), &e); err != nil {
				t.Fatal(err)
			}
			word, known := e.Word()
			if diff := cmp.Diff(row.want, word); diff != "" || !known || e.Hard() != row.hard {
				t.Errorf("known %v, hard %v: %s", known, e.Hard(), diff)
			}
		})
	}
}

func TestResendEventsThatSayNothing(t *testing.T) {
	for _, kind := range []string{"email.opened", "email.clicked", "contact.created", "email", "", "EMAIL.BOUNCED"} {
		if word, known := (ResendEvent{Type: kind}).Word(); known || word != (mailbox.Word{}) {
			t.Errorf("%q: %+v", kind, word)
		}
	}
}

func TestResendEventsThatAreWrong(t *testing.T) {
	for _, body := range []string{`{"type":1}`, `{"data":[]}`, `{"data":{"email_id":1}}`, `{"data":{"bounce":"x"}}`,
		`[]`} {
		var e ResendEvent
		if err := json.Unmarshal([]byte(body), &e); err == nil {
			t.Errorf("%s is %+v", body, e)
		}
	}
}

// Whatever a provider writes, what is kept of it is bounded and can be shown.
func FuzzResendEvent(f *testing.F) {
	f.Add([]byte(`{"type":"email.bounced","data":{"email_id":"1","to":["Ann <a@x>","<"],"bounce":{"type":"Permanent","message":"\u0007\ud800"}}}`))
	f.Add([]byte(`{"type":"email.failed","data":{"to":">","failed":{"reason":"x"}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var e ResendEvent
		if json.Unmarshal(body, &e) != nil {
			return
		}
		word, _ := e.Word()
		if len(word.Reason) > maxReason+len("…") || strings.ContainsAny(word.Reason, "\x00\r\n") {
			t.Errorf("%q", word.Reason)
		}
	})
}
