package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// Attachments are read by one goroutine for the whole process, a message at a time. Mailboxes take turns, so that
// a mailbox with many or costly attachments delays another mailbox by one message of its own at most. What is read are
// messages that somebody asks for now, and after the index of bodies those that were noted there (feedTexts).

const (
	// textQueue is how many messages of one mailbox may wait because somebody asks for them. More are pending, until
	// somebody asks again.
	textQueue = 8
	// textTurn is how long the messages of one mailbox that were noted are read before the next one has its turn.
	textTurn = 100 * time.Millisecond
	// textPage is how many of them are listed.
	textPage = 16
	// textLook is how often the list is looked at without having been woken.
	textLook = time.Minute
	// textRoomLook is the same where the disk has no room for text.
	textRoomLook = 10 * time.Second
)

// textKey names a message whose attachments are read.
type textKey struct {
	num mailbox.Num
	seq int64
}

// textJob is a message whose attachments are to be read, are being read, or were read a moment ago.
type textJob struct {
	key   textKey
	ready chan struct{} // closed when texts and err are set
	texts partTexts
	err   error

	kept    chan struct{} // closed when keepErr is set
	keepErr error         // why they were not read or not stored
}

// textReader says whose attachments are read next, and what those of one message may cost.
type textReader struct {
	time   time.Duration
	unpack int64

	mu      sync.Mutex
	jobs    map[textKey]*textJob
	queues  map[mailbox.Num][]*textJob
	order   []mailbox.Num // of the mailboxes in queues, the next first
	running bool
}

// want returns the job of a message, and has start begin to read where nobody does; nil: too many of its mailbox wait.
func (q *textReader) want(key textKey, insist bool, start func()) *textJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j := q.jobs[key]; j != nil {
		return j
	}
	waiting := q.queues[key.num]
	if len(waiting) >= textQueue && !insist {
		return nil
	}
	if q.jobs == nil {
		q.jobs, q.queues = make(map[textKey]*textJob), make(map[mailbox.Num][]*textJob)
	}
	j := &textJob{key: key, ready: make(chan struct{}), kept: make(chan struct{})}
	q.jobs[key] = j
	if len(waiting) == 0 {
		q.order = append(q.order, key.num)
	}
	q.queues[key.num] = append(waiting, j)
	if !q.running {
		q.running = true
		start()
	}
	return j
}

// next returns the job whose turn it is; nil: there is none, and the reader stops.
func (q *textReader) next() *textJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.order) == 0 {
		q.running = false
		return nil
	}
	num := q.order[0]
	j, rest := q.queues[num][0], q.queues[num][1:]
	q.order = q.order[1:]
	if len(rest) == 0 {
		delete(q.queues, num)
	} else {
		q.queues[num], q.order = rest, append(q.order, num)
	}
	return j
}

func (q *textReader) done(j *textJob) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.jobs, j.key)
	close(j.kept)
}

func (ix *Index) startReading() { ix.looks.Go(ix.readQueue) }

// readQueue reads attachments until nobody waits. It keeps its thread, whose time is counted and which may be put
// at the lowest priority, and the thread ends with it.
func (ix *Index) readQueue() {
	runtime.LockOSThread()
	if ix.opt.LowPriority != nil {
		ix.opt.LowPriority()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ix.opt.Leaving:
			cancel()
		case <-ended:
		}
	}()
	for j := ix.reading.next(); j != nil; j = ix.reading.next() {
		var packed []byte
		j.texts, packed, j.err = ix.readMessageTexts(ctx, j.key)
		close(j.ready)
		if j.keepErr = j.err; j.err == nil {
			j.keepErr = ix.keepTexts(ctx, j.key, packed)
		}
		ix.reading.done(j)
	}
}

// readMessageTexts reads the attachments of a message. One that is gone, or cannot be taken apart, has none.
func (ix *Index) readMessageTexts(ctx context.Context, key textKey) (t partTexts, packed []byte, err error) {
	parts, c, err := ix.partsOf(ctx, key)
	switch {
	case errors.Is(err, errUnreadable):
		ix.opt.Log.Warn("the attachments of a message cannot be read", "mailbox", key.num, "seq", key.seq, "error", err)
		t, err = partTexts{}, nil
	case err == nil:
		t, err = ix.readTexts(ctx, parts, c)
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, blob.ErrNotFound) {
		return nil, nil, nil
	}
	if err == nil {
		packed, err = packTexts(t)
	}
	return t, packed, err
}

var errUnreadable = errors.New("it cannot be taken apart")

// partsOf gives the parts of a message, and its content.
func (ix *Index) partsOf(ctx context.Context, key textKey) (parts []mailbox.Part, c store.Content, err error) {
	err = ix.opt.Store.View(ctx, func(r store.Reader) (err error) {
		c, err = r.Content(ctx, mailbox.Message{Mailbox: key.num, Seq: key.seq})
		return err
	})
	if err != nil {
		return nil, c, err
	}
	var m mailbox.Message
	if c.Blob != "" {
		m.Size = math.MaxInt64
	}
	leave, err := ix.opt.LargeTurn(ctx, m)
	if err != nil {
		return nil, c, err
	}
	defer leave()
	d, err := rawmail.Skim(c)
	if err != nil {
		return nil, c, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return d.Parts, c, nil
}

// keepTexts stores what was read. Mail needs the disk more than that.
func (ix *Index) keepTexts(ctx context.Context, key textKey, packed []byte) error {
	if packed == nil {
		return ix.forgetTexts(ctx, key)
	}
	if ix.opt.Disk.Spare() < 2*int64(len(packed))+indexRoom {
		return errNoRoom
	}
	err := ix.opt.Store.Update(ctx, func(tx store.Tx) error { return tx.PutTexts(ctx, key.num, key.seq, packed) })
	if errors.Is(err, store.ErrNotFound) {
		return ix.forgetTexts(ctx, key)
	}
	if err == nil {
		ix.indexing.Wake(0)
	}
	return err
}

// forgetTexts takes a message off the list that is gone.
func (ix *Index) forgetTexts(ctx context.Context, key textKey) error {
	return ix.opt.Store.Update(ctx, func(tx store.Tx) error {
		return tx.DoneTexts(ctx, store.ReadText, key.num,
			key.seq)
	})
}

// feedTexts has the attachments read that were noted, those of this node's mailboxes in turn, until ctx ends.
func (ix *Index) feedTexts(ctx context.Context, mine func(mailbox.Num) bool) {
	ear := ix.wanting.Listen(0, 1<<30)
	defer ear.Close()
	after, first, worker := mailbox.Num(0), true, ix.opt.Workers.Worker("attachments")
	for ctx.Err() == nil {
		work, err := ix.textWork(ctx, store.ReadText, after, textPage)
		if err == nil && len(work) == 0 {
			if first {
				worker.Progress()
				sleep(ctx, ear.C, textLook)
			}
			after, first = 0, true
			continue
		}
		if err == nil && !mine(work[0].Mailbox) {
			after = work[0].Mailbox
			continue
		}
		// all of them had their turn: the first of the list is another one than the last time
		if err == nil && first {
			if wait := worker.Found(work[0], "mailbox", work[0].Mailbox, "seq", work[0].Seq); wait > 0 {
				sleep(ctx, nil, wait)
			}
		}
		if err == nil {
			after, first = work[0].Mailbox, false
			err = ix.textTurn(ctx, work)
		}
		switch {
		case err == nil:
		case ix.isLeaving():
			return // the reader has stopped
		case errors.Is(err, errNoRoom):
			worker.Progress() // the same is found again, and that is right
			sleep(ctx, nil, textRoomLook)
		case ctx.Err() == nil:
			sleep(ctx, nil, worker.Failed("keep the text of attachments", err))
		}
	}
}

// isLeaving tells whether the service is about to stop.
func (ix *Index) isLeaving() bool {
	select {
	case <-ix.opt.Leaving:
		return true
	default:
		return false
	}
}

// textTurn reads messages of the first mailbox of a list for a while.
func (ix *Index) textTurn(ctx context.Context, work []store.TextWork) error {
	began := time.Now()
	for _, w := range work {
		if w.Mailbox != work[0].Mailbox || time.Since(began) > textTurn {
			break
		}
		j := ix.reading.want(textKey{w.Mailbox, w.Seq}, true, ix.startReading)
		select {
		case <-j.kept:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.keepErr != nil {
			return j.keepErr
		}
	}
	return nil
}

// textWork lists what is to be done about attachments.
func (ix *Index) textWork(ctx context.Context, step store.TextStep, after mailbox.Num,
	limit int) (work []store.TextWork, err error) {
	err = ix.opt.Store.Ask(ctx, func(r store.Reader) (err error) {
		work, err = r.TextWork(ctx, step, after, limit)
		return err
	})
	return work, err
}
