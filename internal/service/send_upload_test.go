package service_test

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Unfinished sends are counted, for each mailbox and for all together, and no longer when they end.
func TestUploadLimits(t *testing.T) {
	k := newService(t, func(o *service.Options) {
		o.MailboxUploads, o.Uploads = 200<<20, 250<<20
		o.UploadDisk = func() (uint64, uint64, error) { return math.MaxUint64, math.MaxUint64, nil }
	})
	robin, kim := k.permanent("robin"), k.permanent("kim")
	begin := func(b box, size int64) *service.Upload {
		t.Helper()
		u, err := k.svc.Upload(b.in(mailbox.SendMail), size)
		k.works("Upload", err)
		return u
	}
	one, two, other := begin(robin, 0), begin(robin, 40<<20), begin(kim, 0)
	k.works("60", one.Take(160<<20))
	k.works("40 more", two.Take(40<<20))
	k.kind("one more", two.Take(1), mailbox.Unavailable, "busy")
	k.works("of another mailbox", other.Take(50<<20))
	k.kind("more than all may have", other.Take(1), mailbox.Unavailable, "busy")
	_, err := k.svc.Upload(robin.in(mailbox.SendMail), 1)
	k.kind("a send that will not fit", err, mailbox.Unavailable, "busy")
	k.same("bytes", k.svc.Uploads(), int64(250<<20))
	one.Close()
	one.Close()
	k.same("bytes then", k.svc.Uploads(), int64(90<<20))
	k.works("what fits again", two.Take(160<<20))
	two.Close()
	other.Close()
	k.same("bytes at the end", k.svc.Uploads(), int64(0))
}

// An unfinished send stops where the disk has no more room to spare, before it is written.
func TestUploadsLeaveRoom(t *testing.T) {
	free := uint64(1000)
	k := newService(t, func(o *service.Options) {
		o.MinFree = func(uint64) uint64 { return 400 }
		o.UploadDisk = func() (uint64, uint64, error) { return free, 1 << 40, nil }
	})
	robin := k.permanent("robin")
	_, err := k.svc.Upload(robin.in(mailbox.SendMail), 601)
	k.kind("a send that will not fit", err, mailbox.DiskFull, "disk_full")
	u, err := k.svc.Upload(robin.in(mailbox.SendMail), 600)
	k.works("Upload", err)
	k.works("Take", u.Take(600))
	free = 400
	k.kind("Take", u.Take(1), mailbox.DiskFull, "disk_full")
	u.Close()
	k.same("bytes", k.svc.Uploads(), int64(0))
}

// hook calls fn whenever it is read from.
type hook struct {
	io.Reader
	fn func()
}

func (h *hook) Read(p []byte) (int, error) {
	h.fn()
	return h.Reader.Read(p)
}

// A submission is counted while it comes. A large message stops when the disk has no more room, however it comes.
func TestSubmissionsAndMailLeaveRoom(t *testing.T) {
	var least uint64
	k := newService(t, func(o *service.Options) { o.MinFree = func(uint64) uint64 { return least } })
	robin := k.permanent("robin")
	head := "From: robin@example.test\r\nTo: ann@other.test\r\nSubject: long\r\n\r\n"
	message := func(fn func()) io.Reader {
		half := bytes.Repeat([]byte("A line of the text.\r\n"), 100_000)
		return io.MultiReader(strings.NewReader(head), bytes.NewReader(half), &hook{bytes.NewReader(half), fn})
	}
	hand := hand{k, robin, k.login(robin.Key)}
	counted := int64(0)
	_, err := hand.submitFrom(message(func() { counted = max(counted, k.svc.Uploads()) }), "bob@far.test")
	k.works("Submit", err)
	if counted < 2_000_000 {
		t.Errorf("%d bytes were counted in the middle", counted)
	}
	k.same("bytes at the end", k.svc.Uploads(), int64(0))
	fill := func() { least = math.MaxUint64 / 2; k.clock.advance(1e9) }
	_, err = hand.submitFrom(message(fill), "bob@far.test")
	k.kind("Submit", err, mailbox.DiskFull, "disk_full")
	least = 0
	k.clock.advance(1e9)
	_, err = k.svc.Receive(t.Context(), k.envelope("robin@example.test"), message(fill))
	k.kind("Receive", err, mailbox.DiskFull, "disk_full")
}
