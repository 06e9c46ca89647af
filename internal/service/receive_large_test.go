package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// strangers is how many large messages of others than those with a key may be on their way.
const strangers = service.MaxLarge - service.OwnLarge

// bringer is a client in the middle of a large message.
type bringer struct {
	*io.PipeWriter
	done  chan error    // what became of the message
	ended chan struct{} // closed when nothing is sent any more
}

// sending begins a large message from an address. It has its place, or waits for one, when everybody waits.
func (k *kit) sending(from string) bringer {
	env := k.envelope("own@example.test")
	env.Remote = from
	r, w := io.Pipe()
	s := bringer{w, make(chan error, 1), make(chan struct{})}
	go func() {
		_, err := k.svc.Receive(context.Background(), env, r)
		r.CloseWithError(err)
		s.done <- err
	}()
	go func() { _, _ = w.Write([]byte(mixed("from "+from, noise(300<<10)))) }()
	return s
}

// trickle sends a given number of bytes a second until the message is refused.
func (s bringer) trickle(rate int) {
	go func() {
		defer close(s.ended)
		for piece := make([]byte, rate); ; time.Sleep(time.Second) {
			if _, err := s.Write(piece); err != nil {
				return
			}
		}
	}()
}

// hangUp ends the message in the middle and returns what became of it.
func (s bringer) hangUp() error {
	s.CloseWithError(io.ErrUnexpectedEOF)
	<-s.ended
	return <-s.done
}

// took returns the time until a large message from an address is stored or refused.
func (k *kit) took(from string) (time.Duration, error) {
	began := time.Now()
	env := k.envelope("own@example.test")
	env.Remote = from
	_, err := k.svc.Receive(k.Context(), env, strings.NewReader(mixed("another from "+from, noise(300<<10))))
	return time.Since(began), err
}

// sendLarge sends with a file, with a key.
func (b box) sendLarge() error {
	d := draftTo("ann@other.test")
	d.Attachments = []mailbox.Attachment{{Filename: "large.bin", ContentType: "application/octet-stream",
		Size: 300 << 10,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(noise(300 << 10)))), nil }}}
	_, err := b.k.svc.Send(b.k.Context(), b.in(mailbox.SendMail), d)
	return err
}

// sizes is a blob store that only counts: what packs messages is shared with tests outside of the bubble.
type sizes struct {
	blob.Store
	open   atomic.Int64 // drafts under way
	stored atomic.Int64
}

type sizesDraft struct {
	of    *sizes
	size  int64
	ended bool
}

func (s *sizes) Create(context.Context) (blob.Draft, error) {
	s.open.Add(1)
	return &sizesDraft{of: s}, nil
}

func (d *sizesDraft) Write(b []byte) (int, error) {
	if d.ended {
		return 0, errors.New("the draft has ended")
	}
	d.size += int64(len(b))
	return len(b), nil
}

func (d *sizesDraft) Size() int64 { return d.size }

func (d *sizesDraft) Abort() {
	if !d.ended {
		d.ended = true
		d.of.open.Add(-1)
	}
}

func (d *sizesDraft) Commit(context.Context, ...string) error {
	d.of.stored.Add(1)
	d.Abort()
	return nil
}

// largeBubble is a bubble whose service keeps no large messages. No draft is under way at its end.
func largeBubble(t *testing.T, stored int64, test func(k *kit)) {
	synctest.Test(t, func(t *testing.T) {
		blobs := &sizes{}
		k := newService(t, func(o *service.Options) {
			blobs.Store = o.Blobs
			o.Now, o.Blobs = time.Now, blobs
		})
		test(k)
		k.same("drafts under way", blobs.open.Load(), int64(0))
		k.same("messages stored", blobs.stored.Load(), stored)
	})
}

// One network has its share of the places and no more, from whatever of its addresses.
func TestLargeMessagesOfOneNetwork(t *testing.T) {
	largeBubble(t, 2, func(k *kit) {
		own := k.permanent("own")
		addr := netip.MustParseAddr("2001:db8:1:1::1")
		var all []bringer
		for range service.MaxLarge + 10 {
			all = append(all, k.sending(addr.String()))
			addr = addr.Next()
		}
		synctest.Wait()
		if took, err := k.took("2001:db8:1:2::1"); err != nil || took > 0 {
			k.Errorf("mail from another network took %v: %v", took, err)
		}
		k.works("send", own.sendLarge())
		for _, s := range all {
			s.trickle(0)
			_ = s.hangUp()
		}
	})
}

// Senders from many networks that stand still keep no one out: not those who send with a key, and others for some
// seconds only.
func TestLargeMessagesThatStandStill(t *testing.T) {
	for _, tt := range []struct {
		name string
		rate int // bytes a second
	}{{"silent", 0}, {"too slow", 1 << 10}} {
		t.Run(tt.name, func(t *testing.T) {
			largeBubble(t, 4, func(k *kit) {
				own := k.permanent("own")
				all := k.networks(tt.rate)
				for range 3 {
					k.works("send", own.sendLarge())
				}
				took, err := k.took("192.0.2.1")
				if err != nil || took == 0 || took > 20*time.Second {
					k.Errorf("mail from another network took %v: %v", took, err)
				}
				refused := 0
				for _, s := range all {
					if err := s.hangUp(); mailbox.KindOf(err) == mailbox.Unavailable {
						refused++
					}
				}
				k.same("senders that lost their place", refused, 1)
			})
		})
	}
}

// networks begins as many large messages as there are places for strangers, each from a network of its own.
func (k *kit) networks(rate int) (all []bringer) {
	for i := range strangers {
		all = append(all, k.sending(fmt.Sprintf("2001:db8:1:%x::1", i)))
	}
	synctest.Wait()
	for _, s := range all {
		s.trickle(rate)
	}
	return all
}

// Whose bytes come as they should keeps its place; others wait for a minute.
func TestLargeMessagesThatMove(t *testing.T) {
	largeBubble(t, 2, func(k *kit) {
		own := k.permanent("own")
		all := k.networks(32 << 10)
		took, err := k.took("192.0.2.1")
		k.kind("one more", err, mailbox.Unavailable, "busy")
		k.same("it waited", took.Truncate(time.Second), time.Minute)
		given, up := context.WithCancel(k.Context())
		up()
		_, err = k.svc.Receive(given, k.envelope("own@example.test"),
			strings.NewReader(mixed("given up", noise(300<<10))))
		k.kind("one who hangs up", err, mailbox.Unavailable, "unavailable")
		k.works("send", own.sendLarge())
		for _, s := range all {
			if err := s.hangUp(); mailbox.KindOf(err) != mailbox.Invalid {
				k.Errorf("a sender got %v", err)
			}
		}
		if took, err := k.took("192.0.2.1"); err != nil || took > 0 {
			k.Errorf("with room again it took %v: %v", took, err)
		}
	})
}
