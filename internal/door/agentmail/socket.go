package agentmail

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) socketRoutes() []door.Route {
	return []door.Route{{Method: "GET", Path: "/v0", Support: door.Yes, Need: mailbox.ReadMail, Handle: e.socket,
		Note: "The WebSocket. Of the event types `message.opened` and `domain.verified` never come."}}
}

const (
	frameLimit    = 64 << 10         // bytes of a frame that is read
	framePatience = 10 * time.Second // for a client to take a frame, or to answer a ping
	pingEvery     = 30 * time.Second
)

// token reads the key: of the WebSocket also from its address, since browsers can send no header there.
func token(r *http.Request) mailbox.Secret {
	if key := door.Bearer(r); key != "" || strings.TrimRight(r.URL.Path, "/") != "/agentmail/v0" {
		return key
	}
	q := r.URL.Query()
	if key := q.Get("api_key"); key != "" {
		return mailbox.Secret(key)
	}
	return mailbox.Secret(q.Get("auth_token")) // older clients
}

// socket is an open WebSocket.
type socket struct {
	e    *edge
	c    *door.Call
	conn *websocket.Conn
	key  mailbox.Secret
	made chan struct{} // has one when an inbox was made
}

func (e *edge) socket(c *door.Call) error {
	if !strings.EqualFold(c.Header.Get("Upgrade"), "websocket") {
		return door.Refuse(http.StatusBadRequest, "no_websocket", "This address is a WebSocket.")
	}
	// The key is the leave, and no cookie: where the page is from does not matter.
	conn, err := websocket.Accept(c.W, c.Request, &websocket.AcceptOptions{OriginPatterns: []string{"*"}})
	if err != nil {
		return nil // it has been answered
	}
	conn.SetReadLimit(frameLimit)
	s := &socket{e: e, c: c, conn: conn, key: token(c.Request), made: make(chan struct{}, 1)}
	e.sockets.add(s)
	defer e.sockets.remove(s)
	s.serve(c.Context())
	return nil
}

// close ends the socket, and with it the reading. A client that has gone needs no word.
func (s *socket) close(status websocket.StatusCode, why string) { _ = s.conn.Close(status, why) }

// serve reads what the client says until one of both ends it. A subscription comes in the place of the one before.
func (s *socket) serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer s.close(websocket.StatusNormalClosure, "")
	defer cancel()
	work.Go(func() { s.ping(ctx) })
	end := func() {} // the subscription
	defer func() { end() }()
	for {
		_, frame, err := s.conn.Read(ctx)
		if err != nil {
			return
		}
		if err := s.c.Origin.Admit(s.key); err != nil { // a frame counts as a request does
			s.complain(ctx, "rate_limit_exceeded", door.Message(err))
			continue
		}
		var want wanted
		if json.Unmarshal(frame, &want) != nil || want.Type != "subscribe" {
			s.complain(ctx, "validation_error", `A frame is {"type":"subscribe", …}.`)
			continue
		}
		if err := checkTypes(want.EventTypes); want.EventTypes != nil && err != nil {
			s.complain(ctx, "validation_error", door.Message(err))
			continue
		}
		sub := &subscription{s: s, wanted: want, since: time.Now(), last: make(map[mailbox.Num]string)}
		boxes, err := sub.boxes(ctx, false)
		switch mailbox.KindOf(err) {
		case mailbox.Invalid:
			s.complain(ctx, "validation_error", door.Message(err))
			continue
		case mailbox.Unauthorized:
			s.close(websocket.StatusGoingAway, "the key has ended")
			return
		}
		if err != nil {
			s.complain(ctx, "not_found", "There is no such inbox or pod.")
			continue
		}
		end()
		during, stop := context.WithCancel(ctx)
		end = stop
		want.Type = "subscribed"
		s.write(ctx, want)
		work.Go(func() { sub.run(during, boxes) })
	}
}

// ping asks now and then whether the client is still there.
func (s *socket) ping(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		answer, done := context.WithTimeout(ctx, framePatience)
		err := s.conn.Ping(answer)
		done()
		if err != nil {
			_ = s.conn.CloseNow()
			return
		}
	}
}

func (s *socket) write(ctx context.Context, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		return
	}
	ctx, done := context.WithTimeout(ctx, framePatience)
	defer done()
	_ = s.conn.Write(ctx, websocket.MessageText, b) // one that fails closes the socket, which ends the reading
}

func (s *socket) complain(ctx context.Context, name, message string) {
	s.write(ctx, map[string]string{"type": "error", "name": name, "message": message})
}

// enter asks once more whether the key may read a mailbox.
func (s *socket) enter(ctx context.Context, address string) (in service.Access, err error) {
	who, err := s.e.svc.Authenticate(ctx, s.key)
	if err != nil {
		return in, err
	}
	return s.e.svc.Enter(ctx, who, service.Act{Need: mailbox.ReadMail, Verb: "GET /agentmail/v0", Mailbox: address,
		Client: s.c.Origin.Client})
}

// opens lists the mailboxes that the key opens now.
func (s *socket) opens(ctx context.Context) (addresses []string, err error) {
	in, err := s.enter(ctx, "")
	if err != nil {
		return nil, err
	}
	open, err := s.e.svc.OpenMailboxes(ctx, in, service.OpenQuery{Page: service.Page{Limit: socketBoxes}})
	for _, m := range open.Items {
		addresses = append(addresses, m.Address)
	}
	return addresses, err
}
