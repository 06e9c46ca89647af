package agentmail

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	streamWait  = time.Minute
	socketBoxes = 100              // mailboxes that one socket hears of
	lookEvery   = 30 * time.Second // for inboxes that were made elsewhere, or resumed
)

// wanted is the JSON by which a client says what it wants to hear of, and of the answer.
type wanted struct {
	Type       string   `json:"type"`
	EventTypes []string `json:"event_types,omitempty"`
	InboxIDs   []string `json:"inbox_ids,omitempty"`
	PodIDs     []string `json:"pod_ids,omitempty"`
}

// subscription is what a socket tells. An inbox that is paused or deleted leaves it, and the others go on; one that is
// made or resumed joins it, with all that happened in it since the subscription began.
type subscription struct {
	wanted
	s     *socket
	since time.Time
	last  map[mailbox.Num]string // the event that was told last, of each inbox that was heard of
}

// boxes enters the mailboxes that are wanted, but for those that are paused; without names, all that the key opens.
// Later looks do without those that were deleted.
func (u *subscription) boxes(ctx context.Context, later bool) (list []service.Access, err error) {
	if slices.ContainsFunc(u.PodIDs, func(id string) bool { return id != thePod }) {
		return nil, notFound("pod")
	}
	names := u.InboxIDs
	if len(names) == 0 {
		if names, err = u.s.opens(ctx); err != nil {
			return nil, err
		}
	}
	if names = slices.Compact(slices.Sorted(slices.Values(names))); len(names) > socketBoxes {
		return nil, invalid("inbox_ids", "A WebSocket hears of at most %d inboxes.", socketBoxes)
	}
	for _, name := range names {
		in, err := u.s.enter(ctx, name)
		switch {
		case mailbox.KindOf(err) == mailbox.Paused || later && closed(err):
			continue
		case err != nil:
			return nil, err
		}
		if !slices.ContainsFunc(list, func(one service.Access) bool { return one.Box.Num == in.Box.Num }) {
			list = append(list, in) // each event once
		}
	}
	return list, nil
}

// closed tells whether a mailbox is paused, deleted, or not the key's any more.
func closed(err error) bool {
	kind := mailbox.KindOf(err)
	return kind == mailbox.Paused || kind == mailbox.NotFound || kind == mailbox.Forbidden || kind == mailbox.Denied
}

// run tells the client what happens in these inboxes, and in those that join, until ctx ends.
func (u *subscription) run(ctx context.Context, boxes []service.Access) {
	var work sync.WaitGroup
	defer work.Wait()
	heard := make(map[mailbox.Num]bool)
	left := make(chan heardOf)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		for _, in := range boxes {
			if num := in.Box.Num; !heard[num] {
				heard[num] = true
				last := u.last[num]
				work.Go(func() {
					over := heardOf{num, u.listen(ctx, in, last)}
					select {
					case left <- over:
					case <-ctx.Done():
					}
				})
			}
		}
		boxes = nil
		select {
		case over := <-left:
			delete(heard, over.num)
			u.last[over.num] = over.last
			continue
		case <-u.s.made:
		case <-look.C:
		case <-ctx.Done():
			return
		}
		var err error
		if boxes, err = u.boxes(ctx, true); mailbox.KindOf(err) == mailbox.Unauthorized {
			u.s.close(websocket.StatusGoingAway, "the key has ended")
			return
		}
	}
}

// heardOf is how far an inbox was told of.
type heardOf struct {
	num  mailbox.Num
	last string
}

// listen tells the client what happens in a mailbox after an event, until the mailbox is paused or deleted, and returns
// the last event. A stream of the service is bounded in time: after each the key is asked for once more, and the next
// goes on behind the last event.
func (u *subscription) listen(ctx context.Context, in service.Access, last string) string {
	for {
		err := u.follow(ctx, in, &last)
		if ctx.Err() != nil {
			return last
		}
		entered, denied := u.s.enter(ctx, in.Box.Address)
		switch {
		case denied == nil && errors.Is(err, io.EOF):
			in = entered
			continue
		case ctx.Err() != nil:
		case closed(denied):
		default:
			u.s.close(websocket.StatusGoingAway, "the key or the server has ended")
		}
		return last
	}
}

func (u *subscription) follow(ctx context.Context, in service.Access, last *string) error {
	stream, err := u.s.e.svc.Stream(ctx, &in, service.StreamQuery{Since: u.since, Last: *last})
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		events, err := stream.Next(ctx, streamWait)
		if err != nil {
			return err
		}
		for _, ev := range events {
			*last = strconv.FormatInt(ev.Number, 10)
			told, err := u.s.e.event(ctx, in, ev)
			if err != nil {
				return err
			}
			if told != nil && (len(u.EventTypes) == 0 || slices.Contains(u.EventTypes, told.EventType)) {
				u.s.write(ctx, told)
			}
		}
	}
}

// sockets are those that are open. Its zero value is ready to use.
type sockets struct {
	mu   sync.Mutex
	open map[*socket]bool
}

func (o *sockets) add(s *socket) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = make(map[*socket]bool)
	}
	o.open[s] = true
}

func (o *sockets) remove(s *socket) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.open, s)
}

// made has every socket look for new inboxes.
func (o *sockets) made() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for s := range o.open {
		select {
		case s.made <- struct{}{}:
		default:
		}
	}
}
