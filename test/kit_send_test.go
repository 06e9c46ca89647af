package test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shortStreams is a setting for tests that read what has happened up to now: the server closes the stream soon.
const shortStreams = "MAILKIN_LIMIT_STREAM=300ms"

// unbounded are settings for tests that send much.
var unbounded = []string{"DAILY_SEND_LIMIT=0", "MAILKIN_LOOP_PEER_LIMIT=0", "MAILKIN_LOOP_THREAD_LIMIT=0"}

// draft is a message to be sent, by its JSON members.
type draft map[string]any

// note is a short draft.
func note(subject string, to ...string) draft {
	return draft{"to": to, "subject": subject, "text": "This is " + subject + ".\n"}
}

func (d draft) String() string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // the test is wrong
	}
	return string(text)
}

// with is the draft with one more member.
func (d draft) with(name string, value any) draft {
	out := draft{name: value}
	for n, v := range d {
		if n != name {
			out[n] = v
		}
	}
	return out
}

// sent is the answer to a send.
type sent struct {
	ID         string  `json:"id"`
	MessageID  string  `json:"message_id"`
	ThreadID   string  `json:"thread_id"`
	ProviderID *string `json:"provider_id"`
	Status     string  `json:"status"`
}

// send sends and wants the message accepted.
func (b box) send(t testing.TB, d draft) (s sent) {
	t.Helper()
	b.srv.do(t, request{method: "POST", path: b.prefix + "/send", key: b.key, body: d.String()}, http.StatusOK, &s)
	if s.ID == "" || s.MessageID == "" || s.Status != "queued" && s.Status != "scheduled" {
		t.Fatalf("sent as %+v", s)
	}
	return s
}

// delivery is what became of a message for one recipient.
type delivery struct {
	Recipient string     `json:"recipient"`
	Status    string     `json:"status"`
	Attempts  int        `json:"attempts"`
	Code      int        `json:"last_code"`
	Text      string     `json:"last_text"`
	MX        string     `json:"mx"`
	TLS       string     `json:"tls"`
	NextAt    *time.Time `json:"next_attempt_at"`
	Outcome   string     `json:"outcome"`
	Simulated bool       `json:"simulated"`
}

// outgoing is a message that was sent, as the interface shows it.
type outgoing struct {
	ID         string     `json:"id"`
	Status     string     `json:"status"`
	Subject    string     `json:"subject"`
	MessageID  string     `json:"message_id"`
	Deliveries []delivery `json:"deliveries"`
}

func (b box) outgoing(t testing.TB, id string) (o outgoing) {
	t.Helper()
	b.srv.get(t, b.key, b.prefix+"/email?id="+id, &o)
	return o
}

// delivery waits until all deliveries of a message have a status, and returns the first.
func (b box) delivery(t testing.TB, id, status string) (d delivery) {
	t.Helper()
	eventually(t, func() error {
		o := b.outgoing(t, id)
		for _, d := range o.Deliveries {
			if d.Status != status {
				return fmt.Errorf("the delivery is %+v, want %s", d, status)
			}
		}
		if len(o.Deliveries) == 0 {
			return fmt.Errorf("there is no delivery: %+v", o)
		}
		d = o.Deliveries[0]
		return nil
	})
	return d
}

// outcome is an event of a message that was sent.
type outcome struct {
	Number    int64  `json:"-"`
	Kind      string `json:"event"`
	EmailID   string `json:"email_id"`
	Subject   string `json:"subject"`
	Recipient string `json:"recipient"`
	Status    string `json:"status"`
	Reason    string `json:"reason"`
	Bounce    string `json:"bounce_type"`
}

// String is the event in short: "bounced ann@example.com".
func (o outcome) String() string {
	return strings.TrimPrefix(o.Kind, "message.") + " " + o.Recipient
}

// log reads the mailbox's events up to now. The server must have been started with shortStreams.
func (b box) log(t testing.TB, after int64) (list []outcome) {
	t.Helper()
	c := b.stream(t, "last_event_id="+strconv.FormatInt(after, 10), nil)
	defer c.hangUp()
	for o := (outcome{}); ; {
		line, err := c.body.ReadString('\n')
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatalf("events: %v", err)
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			o = outcome{}
			if o.Number, err = strconv.ParseInt(value, 10, 64); err != nil {
				t.Fatal(err)
			}
		case "data":
			if err := json.Unmarshal([]byte(value), &o); err != nil {
				t.Fatalf("%s: %v", value, err)
			}
			list = append(list, o)
		}
	}
}

// hear reads events from the beginning until those that are wanted have come, and returns all.
func (b box) hear(t testing.TB, want ...string) (list []outcome) {
	t.Helper()
	after := int64(0)
	eventually(t, func() error {
		list = append(list, b.log(t, after)...)
		if len(list) > 0 {
			after = list[len(list)-1].Number
		}
		for _, w := range want {
			if !slices.ContainsFunc(list, func(o outcome) bool { return o.String() == w }) {
				return fmt.Errorf("no %q among %v", w, list)
			}
		}
		return nil
	})
	return list
}

// told are the events of a message in short, in their order.
func told(list []outcome, id string) (kinds []string) {
	for _, o := range list {
		if o.EmailID == id {
			kinds = append(kinds, o.String())
		}
	}
	return kinds
}

// wantTold wants a message to have these events and no others.
func wantTold(t testing.TB, list []outcome, id string, want ...string) {
	t.Helper()
	if got := told(list, id); !slices.Equal(got, want) {
		t.Errorf("the events of %s are %q, want %q", id, got, want)
	}
}

// hasten makes what waits for its next attempt due at once, by pausing the mailbox for a moment.
func (b box) hasten(t testing.TB) {
	t.Helper()
	at := "/v1/mailboxes/" + url.PathEscape(b.address)
	for _, what := range []string{"/pause", "/resume"} {
		b.srv.do(t, request{method: "PATCH", path: at + what, key: b.srv.token}, http.StatusOK, nil)
	}
}

// suppressed lists the addresses that the mailbox does not send to.
func (b box) suppressed(t testing.TB) (list []string) {
	t.Helper()
	var page struct {
		Suppressions []struct{ Address, Reason string }
	}
	b.srv.get(t, b.key, b.prefix+"/suppressions?limit=100", &page)
	for _, s := range page.Suppressions {
		list = append(list, s.Address+" "+s.Reason)
	}
	slices.Sort(list)
	return list
}
