package service_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// answering begins answers with whole bodies and remembers which were ended.
type answering struct {
	*kit
	ended []string
}

// begin writes an answer of so many bytes, of which its client takes nothing.
func (a *answering) begin(b box, name string, size int64) *service.FullAnswer {
	a.Helper()
	f := a.svc.FullAnswer(b.read(), func() { a.ended = append(a.ended, name) })
	a.works(name, f.Take(size))
	f.Ready()
	a.clock.advance(time.Second)
	return f
}

func (a *answering) want(when string, ended ...string) {
	a.Helper()
	if !slices.Equal(a.ended, ended) {
		a.Errorf("%s: ended %v, want %v", when, a.ended, ended)
	}
}

// Where answers take up too much, the one whose client has stood still for the longest is ended, and never the new one.
func TestFullAnswers(t *testing.T) {
	a := &answering{kit: newService(t, func(o *service.Options) { o.FullAnswers = 400 })}
	robin, kim, lee := a.permanent("robin"), a.permanent("kim"), a.permanent("lee")
	r1, r2 := a.begin(robin, "r1", 50), a.begin(robin, "r2", 50)
	a.want("within the mailbox's part")
	r1.Moved()
	a.clock.advance(time.Second)
	r3 := a.begin(robin, "r3", 1)
	a.want("above the mailbox's part", "r2")
	a.begin(kim, "k1", 90)
	l1 := a.begin(lee, "l1", 150)
	a.want("an answer above the part of a mailbox that has no other", "r2")
	for range 10 { // r1 is fast
		a.clock.advance(time.Second)
		r1.Moved()
	}
	growing := a.svc.FullAnswer(a.permanent("new").read(), func() { t.Error("a new answer was ended") })
	a.works("Take", growing.Take(100))
	a.want("less than all may have", "r2")
	a.works("Take", growing.Take(10))
	a.want("more than all may have", "r2", "r3")
	a.works("Take", growing.Take(90))
	a.want("more again", "r2", "r3", "k1")
	a.works("Take", growing.Take(1000))
	a.want("more than the limit alone", "r2", "r3", "k1", "l1", "r1")
	bytes, ended := a.svc.FullAnswers()
	a.same("bytes", bytes, int64(1200))
	a.same("ended", ended, int64(5))
	for _, f := range []*service.FullAnswer{r1, r2, r3, l1, growing} {
		f.Close()
	}
	a.begin(lee, "l2", 400)
	a.want("what was closed", "r2", "r3", "k1", "l1", "r1")
	a.same("unfinished sends", a.svc.Uploads(), int64(0))
}

// There is a number of answers that nobody exceeds, however small they are.
func TestManyFullAnswers(t *testing.T) {
	a := &answering{kit: newService(t, func(o *service.Options) { o.FullAnswers = 1e9 })}
	own := a.permanent("own")
	for range 128 {
		a.begin(own, "slow", 1)
	}
	a.want("as many as there may be")
	a.begin(own, "one more", 1)
	a.want("one more", "slow")
}

// Answers on the disk give way to mail and to each other. Where that does not help, the disk is full for them as well.
// They leave background work its room, 157 MB here, but for the last one.
func TestFullAnswersGiveWay(t *testing.T) {
	const mb = 1 << 20
	free := uint64(1057 * mb)
	a := &answering{kit: newService(t, func(o *service.Options) {
		o.FullAnswers = 1e12
		o.Blobs = &smallDisk{o.Blobs, &free}
		o.MinFree = func(uint64) uint64 { return 100 * mb }
		o.UploadDisk = func() (uint64, uint64, error) { return free, 1, nil }
	})}
	own := a.permanent("own")
	hold := func(name string, size uint64) *service.FullAnswer {
		f := a.svc.FullAnswer(own.read(), func() { a.ended, free = append(a.ended, name), free+size })
		a.works(name, f.Take(int64(size)))
		free -= size
		f.Ready()
		a.clock.advance(time.Second)
		return f
	}
	hold("a1", 300*mb)
	hold("a2", 300*mb)
	hold("a3", 300*mb)
	a.want("exactly what background work needs is free")
	hold("a4", 1*mb)
	a.want("room for background work", "a1")
	free = 99 * mb // mail came
	a.clock.advance(time.Second)
	a.works("Ready", a.svc.Ready(t.Context()))
	a.want("room for mail", "a1", "a2")
	free = 110 * mb
	u, err := a.svc.Upload(own.in(mailbox.SendMail), 100*mb)
	a.works("Upload", err)
	u.Close()
	a.want("room for a send", "a1", "a2", "a3")
	free = 140 * mb
	hold("a5", 30*mb)
	a.want("the last answer", "a1", "a2", "a3", "a4")
	f := a.svc.FullAnswer(own.read(), func() {})
	a.kind("an answer that does not fit", f.Take(900*mb), mailbox.DiskFull, "disk_full")
	f.Close()
}

// Background work that waits for room ends the answer of a client that stands still, and no other.
func TestFullAnswersAndBackground(t *testing.T) {
	const mb = 1 << 20
	free := uint64(500 * mb)
	a := &answering{kit: newService(t, func(o *service.Options) {
		o.FullAnswers = 1e12
		o.Blobs = &smallDisk{o.Blobs, &free}
		o.MinFree = func(uint64) uint64 { return 100 * mb }
		o.UploadDisk = func() (uint64, uint64, error) { return free, 1, nil }
	})}
	own := a.permanent("own")
	end := func() { a.ended, free = append(a.ended, "it"), 500*mb }
	f := a.svc.FullAnswer(own.read(), end)
	a.works("Take", f.Take(390*mb))
	free = 110 * mb
	f.Ready()
	a.clock.advance(9 * time.Second)
	a.same("room while it moves", service.Spare(a.svc), int64(0))
	a.want("while it moves")
	a.clock.advance(time.Second)
	if got := service.Spare(a.svc); got == 0 {
		t.Error("no room when it stands still")
	}
	a.want("when it stands still", "it")
}
