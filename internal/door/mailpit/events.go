package mailpit

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	eventWrite = 10 * time.Second       // how long a client may take to read a frame
	eventPing  = 30 * time.Second       // between two looks whether it is still there
	eventStats = 250 * time.Millisecond // between two counts
	eventRead  = 4 << 10                // bytes of a frame of the client's, which says nothing that counts
)

// frame is what a client is told.
type frame struct {
	Type string
	Data any
}

// events tells what happens to captured mail, as it happens.
func (e *edge) events(c *door.Call, in service.Access) error {
	if !strings.EqualFold(c.Header.Get("Upgrade"), "websocket") {
		return bad("This is a WebSocket.")
	}
	follower, err := e.svc.FollowCaptured(c.Context(), in)
	if err != nil {
		return err
	}
	defer follower.Close()
	// which pages may connect was decided before
	conn, err := websocket.Accept(c.W, c.Request, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		c.Origin.Note(http.StatusBadRequest, err)
		return nil // it has its answer
	}
	conn.SetReadLimit(eventRead)
	s := &socket{e: e, conn: conn, follower: follower}
	// it does not end with the request, which the connection was taken from
	ctx, gone := context.WithCancel(context.WithoutCancel(c.Context()))
	var reading sync.WaitGroup
	reading.Go(func() {
		defer gone()
		discard(ctx, conn)
	})
	s.run(ctx)
	_ = conn.Close(websocket.StatusGoingAway, "") // a client that has gone needs no farewell
	gone()
	reading.Wait()
	return nil
}

// discard reads what a client says, which is nothing that counts, until it is gone.
func discard(ctx context.Context, conn *websocket.Conn) {
	for {
		_, r, err := conn.Reader(ctx)
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err != nil {
			return
		}
	}
}

// socket is one connection that follows.
type socket struct {
	e        *edge
	conn     *websocket.Conn
	follower *service.CapturedFollower
	told     time.Time // when it was told the counts
	owed     bool      // they have changed since
	pinged   time.Time
}

// run tells what happens until the client is gone, or the service stops.
func (s *socket) run(ctx context.Context) {
	news, err := s.follower.News(ctx)
	s.owed, s.pinged = true, time.Now()
	for {
		if err == nil {
			err = s.tell(ctx, news)
		}
		if err != nil {
			return
		}
		wait := time.Until(s.pinged.Add(eventPing))
		if s.owed {
			wait = min(wait, time.Until(s.told.Add(eventStats)))
		}
		news, err = s.follower.Next(ctx, max(wait, 0))
	}
}

// tell writes what is new, the counts where they have changed, and a sign of life where it is time.
func (s *socket) tell(ctx context.Context, news service.CapturedNews) error {
	frames := framesOf(news)
	s.owed = s.owed || len(frames) > 0
	if s.owed && time.Since(s.told) >= eventStats {
		frames = append(frames, frame{"stats", map[string]any{"Total": news.Total, "Unread": news.Unread,
			"Version": s.e.opt.Version}})
		s.told, s.owed = time.Now(), false
	}
	for _, f := range frames {
		if err := s.write(ctx, f); err != nil {
			return err
		}
	}
	if time.Since(s.pinged) < eventPing {
		return nil
	}
	s.pinged = time.Now()
	ctx, cancel := context.WithTimeout(ctx, eventWrite)
	defer cancel()
	return s.conn.Ping(ctx)
}

func (s *socket) write(ctx context.Context, f frame) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, eventWrite)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, b)
}

// deletesMost is how many deletions are told one by one. For more than that a client reads its list again.
const deletesMost = 200

// framesOf tells changes as Mailpit does.
func framesOf(news service.CapturedNews) (list []frame) {
	gone := 0
	for _, c := range news.Changes {
		if c.Kind == catalogue.Gone {
			gone++
		}
	}
	switch {
	case news.Total == 0 && (gone > 0 || news.Missed):
		return []frame{{"truncate", nil}}
	case news.Missed, gone > deletesMost:
		return []frame{{"prune", nil}}
	}
	for _, c := range news.Changes {
		id := c.Entry.ID.String()
		switch c.Kind {
		case catalogue.Came:
			r := rowOf(c.Entry)
			r.To, r.Cc, r.Bcc = notNull(r.To), notNull(r.Cc), notNull(r.Bcc)
			list = append(list, frame{"new", r})
		case catalogue.Marked:
			list = append(list, frame{"update", map[string]any{"ID": id, "Read": c.Entry.Seen}})
		case catalogue.Retagged:
			tags := orEmpty(mailbox.Tags(c.Entry.Labels))
			list = append(list, frame{"update", map[string]any{"ID": id, "Tags": tags}})
		case catalogue.Gone:
			list = append(list, frame{"delete", map[string]any{"ID": id}})
		}
	}
	return list
}

func notNull(list []address) []address {
	if list == nil {
		return []address{}
	}
	return list
}
