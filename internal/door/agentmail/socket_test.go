package agentmail_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// dial opens the WebSocket with a key in its address.
func (k *kit) dial(key mailbox.Secret) *websocket.Conn {
	k.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.door.Serve(w, r, door.Origin{Client: netip.MustParseAddr("127.0.0.1"),
			Admit: func(mailbox.Secret) error { return nil }, Hold: func(int) error { return nil },
			BodyFailure: func(err error) error { return err }, Note: func(int, error) {}})
	}))
	k.Cleanup(srv.Close)
	conn, _, err := websocket.Dial(k.Context(), srv.URL+"/agentmail/v0?api_key="+string(key), nil)
	if err != nil {
		k.Fatal(err)
	}
	k.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// say sends a frame.
func (k *kit) say(conn *websocket.Conn, frame string) {
	k.Helper()
	if err := conn.Write(k.Context(), websocket.MessageText, []byte(frame)); err != nil {
		k.Fatal(err)
	}
}

// hear reads a frame.
func (k *kit) hear(conn *websocket.Conn) (object, error) {
	ctx, done := context.WithTimeout(k.Context(), time.Minute)
	defer done()
	_, b, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	var out object
	return out, json.Unmarshal(b, &out)
}

// heard is a frame of a type.
func (k *kit) heard(conn *websocket.Conn, kind string) map[string]any {
	k.Helper()
	frame, err := k.hear(conn)
	if err != nil || frame["type"] != kind {
		k.Fatalf("heard %v, %v, want %s", frame, err, kind)
	}
	return frame
}

func TestSocket(t *testing.T) {
	k := newKit(t)
	k.base.Clock.Set(time.Now().Add(-time.Minute)) // a subscription begins by the real clock
	own, second := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "second")
	foreign := servicetest.Permanent(t, k.svc, "foreign")
	key := k.key(own.Address, service.NewKey{Mailboxes: []string{second.Address}})
	servicetest.Receive(t, k.svc, letter, own.Address) // before anybody listens
	conn := k.dial(key)
	for _, wrong := range []string{"x", `{"type":"other"}`, `{"type":"subscribe","pod_ids":["other"]}`,
		`{"type":"subscribe","inbox_ids":["` + foreign.Address + `"]}`} {
		k.say(conn, wrong)
		k.heard(conn, "error")
	}
	k.base.Clock.Set(time.Now().Add(time.Minute))
	k.say(conn, `{"type":"subscribe","event_types":["message.received"]}`)
	k.heard(conn, "subscribed")
	servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "a/1@", "f/1@"), foreign.Address)
	servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "a/1@", "a/2@"), second.Address)
	event := k.heard(conn, "event")
	if event["event_type"] != "message.received" || at(event, "message", "message_id") != "<a/2@sender.test>" ||
		at(event, "thread", "inbox_id") != second.Address {
		t.Errorf("heard %v", event)
	}
	who, err := k.svc.Authenticate(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	in := servicetest.Enter(t, k.svc, servicetest.OperatorToken, service.Act{Need: mailbox.Moderate})
	if err := k.svc.RevokeKey(t.Context(), in, who.Key.ID); err != nil {
		t.Fatal(err)
	}
	if frame, err := k.hear(conn); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("after the key was revoked: %v, %v", frame, err)
	}
}

// A subscription to everything takes up inboxes that are made later, and one that is paused or deleted ends nothing for
// the others.
func TestSocketFollowsInboxes(t *testing.T) {
	k := newKit(t)
	k.base.Clock.Set(time.Now().Add(time.Minute))
	own, second := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "second")
	third := servicetest.Permanent(t, k.svc, "third")
	key := k.key(own.Address, service.NewKey{Mailboxes: []string{second.Address, third.Address}, CreateMailboxes: true})
	moderate := func(a string) service.Access {
		return servicetest.Enter(t, k.svc, servicetest.OperatorToken, service.Act{Need: mailbox.Moderate, Mailbox: a})
	}
	pause := func(a string) {
		t.Helper()
		if _, err := k.svc.PauseMailbox(t.Context(), moderate(a), "because"); err != nil {
			t.Fatal(err)
		}
	}
	hears := func(conn *websocket.Conn, id, address string) {
		t.Helper()
		servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "a/1@", id+"@"), address)
		if event := k.heard(conn, "event"); at(event, "message", "message_id") != "<"+id+"@sender.test>" {
			t.Errorf("heard %v", event)
		}
	}
	pause(third.Address)
	all, named := k.dial(key), k.dial(key)
	k.say(all, `{"type":"subscribe"}`)
	k.heard(all, "subscribed")
	k.say(named, `{"type":"subscribe","inbox_ids":["`+own.Address+`","`+second.Address+`","`+third.Address+`"]}`)
	k.heard(named, "subscribed")
	made := k.gives(key, "POST", "/v0/inboxes", object{"username": "later"})
	hears(all, "a", made["inbox_id"].(string))
	pause(second.Address)
	if _, err := k.svc.DeleteMailbox(t.Context(), moderate(made["inbox_id"].(string))); err != nil {
		t.Fatal(err)
	}
	hears(all, "b", own.Address)
	if event := k.heard(named, "event"); at(event, "message", "message_id") != "<b@sender.test>" {
		t.Errorf("heard %v", event)
	}
	if _, err := k.svc.ResumeMailbox(t.Context(), moderate(second.Address)); err != nil {
		t.Fatal(err)
	}
	servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "a/1@", "c@"), second.Address)
	k.gives(key, "POST", "/v0/inboxes", object{"username": "again"}) // has sockets look for inboxes
	for _, conn := range []*websocket.Conn{all, named} {
		if event := k.heard(conn, "event"); at(event, "message", "message_id") != "<c@sender.test>" {
			t.Errorf("heard %v", event)
		}
	}
}

// Whoever names an inbox twice hears of its mail once; a key that has ended cannot subscribe.
func TestSocketHearsOnce(t *testing.T) {
	k := newKit(t)
	k.base.Clock.Set(time.Now().Add(time.Minute))
	own := servicetest.Permanent(t, k.svc, "own")
	key := k.key(own.Address, service.NewKey{Name: "ends"})
	conn := k.dial(key)
	name := `"` + own.Address + `"`
	k.say(conn, `{"type":"subscribe","inbox_ids":[`+strings.Repeat(name+",", 50)+strings.ToUpper(name)+`]}`)
	k.heard(conn, "subscribed")
	for _, id := range []string{"a/2@", "a/3@"} {
		servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "a/1@", id), own.Address)
		if event := k.heard(conn, "event"); at(event, "message", "message_id") != "<"+id+"sender.test>" {
			t.Errorf("heard %v", event)
		}
	}
	for _, wrong := range []string{`{"type":"subscribe","event_types":[]}`, `{"type":"subscribe","event_types":["x"]}`,
		`{"type":"subscribe","inbox_ids":[` + strings.TrimSuffix(manyNames(101), ",") + `]}`, `[]`, `null`, ``} {
		k.say(conn, wrong)
		if frame := k.heard(conn, "error"); frame["name"] != "validation_error" {
			t.Errorf("%s: %v", wrong, frame)
		}
	}
	idle := k.dial(key)
	who, err := k.svc.Authenticate(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	in := servicetest.Enter(t, k.svc, servicetest.OperatorToken, service.Act{Need: mailbox.Moderate})
	if err := k.svc.RevokeKey(t.Context(), in, who.Key.ID); err != nil {
		t.Fatal(err)
	}
	k.say(idle, `{"type":"subscribe"}`)
	if frame, err := k.hear(idle); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("after the key was revoked: %v, %v", frame, err)
	}
}

func manyNames(n int) (names string) {
	for i := range n {
		names += `"a` + strconv.Itoa(i) + `@example.test",`
	}
	return names
}

// When the service stops, sockets end.
func TestSocketEndsWithTheService(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	conn := k.dial(own.Key)
	k.say(conn, `{"type":"subscribe"}`)
	k.heard(conn, "subscribed")
	k.svc.Leave()
	if frame, err := k.hear(conn); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("%v, %v", frame, err)
	}
}
