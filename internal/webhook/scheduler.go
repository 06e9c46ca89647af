package webhook

import (
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// How much is done at a time. A hook is taken from the queue, waits for its turn, is posted, and keeps its place until
// its result is noted.
const (
	maxTaken   = 2048 // in all
	maxRunning = 512  // posts at a time, to targets that answer or that have not been tried
	maxSlow    = maxRunning * 3 / 4
	maxHanging = 512 // posts besides these that have had no answer for long
	maxDead    = 128 // as many of them as are begun although the target did not answer the last time
	deadTaken  = 2 * maxDead

	boxTaken     = 320 // of one mailbox
	boxRunning   = 16
	boxDead      = 4
	queueRunning = 8 // to one target; one at a time until it has answered
	queueTaken   = 16
	newTaken     = 2 // to a target of which nothing is known
	// to a target that answers at once, so that it does not wait for commits; less where many are taken
	fastTaken  = 256
	busyTaken  = 32
	stuckTaken = 2 // to a target that does not answer

	fastPace = 50 * time.Millisecond
	slowPace = time.Second
)

// scheduler holds what a runner has taken, and says what is posted next, so that neither a target nor a mailbox keeps
// others waiting: mailboxes take turns, and each has its share. Posts that have had no answer for a second leave their
// places to others, and those to targets that did not answer the last time have a few places of their own, so that no
// target that answers waits for one that does not. It is not safe for concurrent use.
type scheduler struct {
	queues  map[int64]*targetQueue
	boxes   map[mailbox.Num]*box
	ready   []*box // that may have something to post
	taken   int
	running int
	slow    int // of these, to targets that are slow
	hanging int // besides these, posts that have had no answer for long
	spare   int // how many more may be taken for targets that do not answer
}

// box is the part of one mailbox.
type box struct {
	queues  []*targetQueue // the next in turn first
	taken   int
	running int
	hanging int  // besides these
	waits   bool // in scheduler.ready
}

// targetQueue holds what goes to one target.
type targetQueue struct {
	target  int64
	box     *box
	num     mailbox.Num
	waiting []waitingJob
	taken   int
	running int
	pace    time.Duration // of the last posts; 0: there was none
	stuck   bool          // the last one had no answer, or has had none for long
}

// waitingJob is a job that waits for its turn since a time.
type waitingJob struct {
	service.HookJob
	since   time.Time
	slow    bool // its queue was when it began
	hanging bool // it has a place among those that have had no answer for long
	ended   bool
}

func newScheduler() scheduler {
	return scheduler{queues: make(map[int64]*targetQueue), boxes: make(map[mailbox.Num]*box)}
}

// window is how many hooks of a queue may be taken.
func (d *scheduler) window(l *targetQueue) int {
	switch {
	case l.stuck:
		return stuckTaken
	case l.pace == 0:
		return newTaken
	case l.pace >= fastPace:
		return queueTaken
	case d.taken > maxTaken/2:
		return busyTaken
	}
	return fastTaken
}

func (l *targetQueue) isSlow() bool { return l.stuck || l.pace >= slowPace }

func (l *targetQueue) mayRun() bool {
	most := queueRunning
	switch {
	case l.stuck:
		most = stuckTaken
	case l.pace == 0:
		most = 1
	}
	return len(l.waiting) > 0 && l.running < most
}

// room is how many hooks can be taken for a target, of whose mailbox that many more were already taken.
func (d *scheduler) room(t mailbox.HookTarget, more int) int {
	room := newTaken
	if l := d.queues[t.Number]; l != nil {
		room = d.window(l) - l.taken
		switch {
		case l.stuck:
			room = min(room, d.spare)
		case l.isSlow() && d.slow >= maxSlow:
			return 0
		}
	}
	if b := d.boxes[t.Mailbox]; b != nil {
		more += b.taken
	}
	return min(room, boxTaken-more)
}

// blocked lists the targets for which there is no room.
func (d *scheduler) blocked() (list []int64) {
	for target, l := range d.queues {
		if d.room(mailbox.HookTarget{Number: target, Mailbox: l.num}, 0) <= 0 {
			list = append(list, target)
		}
	}
	return list
}

// take returns the room for a target and notes that all of it may be used.
func (d *scheduler) take(t mailbox.HookTarget, more int) int {
	room := d.room(t, more)
	if l := d.queues[t.Number]; l != nil && l.stuck && room > 0 {
		d.spare -= room
	}
	return room
}

// count works out how many more may be taken for targets that do not answer.
func (d *scheduler) count() {
	d.spare = deadTaken
	for _, l := range d.queues {
		if l.stuck {
			d.spare -= l.taken
		}
	}
}

// queue adds a job that was taken.
func (d *scheduler) queue(job service.HookJob, now time.Time) {
	l := d.queues[job.Target]
	if l == nil {
		b := d.boxes[job.Mailbox]
		if b == nil {
			b = &box{}
			d.boxes[job.Mailbox] = b
		}
		l = &targetQueue{target: job.Target, box: b, num: job.Mailbox}
		b.queues = append(b.queues, l)
		d.queues[job.Target] = l
	}
	l.waiting = append(l.waiting, waitingJob{HookJob: job, since: now})
	l.taken++
	l.box.taken++
	d.taken++
	d.markReady(l.box)
}

// markReady lets a mailbox take its turn.
func (d *scheduler) markReady(b *box) {
	if !b.waits {
		b.waits = true
		d.ready = append(d.ready, b)
	}
}

// next returns the next job to post: of the mailbox whose turn it is.
func (d *scheduler) next() (*waitingJob, bool) {
	for d.running < maxRunning && len(d.ready) > 0 {
		b := d.ready[0]
		d.ready[0] = nil
		d.ready = d.ready[1:]
		l := d.pick(b)
		if l == nil {
			b.waits = false // until one of its own ends, or comes
			continue
		}
		d.ready = append(d.ready, b)
		job := l.waiting[0]
		l.waiting[0] = waitingJob{}
		l.waiting = l.waiting[1:]
		l.running++
		if l.stuck {
			d.hang(&job, b)
			return &job, true
		}
		b.running++
		d.running++
		if job.slow = l.isSlow(); job.slow {
			d.slow++
		}
		return &job, true
	}
	return nil, false
}

// hang gives a post a place among those that have had no answer for long.
func (d *scheduler) hang(job *waitingJob, b *box) {
	job.hanging = true
	b.hanging++
	d.hanging++
}

// late notes that a post has had no answer for long: its place is for others, and its target gets what those get that
// do not answer, until it ends. Targets that are slow and answer have their share already.
func (d *scheduler) late(job *waitingJob) {
	if job.ended || job.hanging || job.slow || d.hanging >= maxHanging {
		return
	}
	l := d.queues[job.Target]
	l.stuck = true
	l.box.running--
	d.running--
	d.hang(job, l.box)
	d.markReady(l.box)
}

// pick returns the queue of a mailbox that may post next, and lets the others go first after that.
func (d *scheduler) pick(b *box) *targetQueue {
	for i, l := range b.queues {
		if l.mayRun() && d.hasPlace(b, l) {
			b.queues = append(append(b.queues[:i:i], b.queues[i+1:]...), l)
			return l
		}
	}
	return nil
}

// hasPlace tells whether there is a place for a post of a mailbox's queue.
func (d *scheduler) hasPlace(b *box, l *targetQueue) bool {
	switch {
	case l.stuck:
		return b.hanging < boxDead && d.hanging < maxDead
	case b.running >= boxRunning:
		return false
	case l.pace == 0: // it may hang: that is known after a moment
		return d.hanging < maxHanging
	}
	return !l.isSlow() || d.slow < maxSlow
}

// finished notes that a post has ended. Its place is kept until leave.
func (d *scheduler) finished(job *waitingJob, a mailbox.HookAttempt) {
	job.ended = true
	l := d.queues[job.Target]
	l.running--
	switch {
	case job.hanging:
		l.box.hanging--
		d.hanging--
		if d.hanging == maxDead-1 || d.hanging == maxHanging-1 {
			d.markAllReady()
		}
	default:
		l.box.running--
		d.running--
	}
	if job.slow {
		d.slow--
		if d.slow == maxSlow-1 {
			d.markAllReady()
		}
	}
	if !a.Broken && !a.At.IsZero() {
		l.pace = (3*l.pace + a.Duration) / 4
		if l.pace == 0 {
			l.pace = 1
		}
		l.stuck = !a.OK() && a.Status == 0 && a.Duration >= slowPace
	}
	d.markReady(l.box)
}

// markAllReady lets every mailbox take its turn that may have waited for a place that is free now.
func (d *scheduler) markAllReady() {
	for _, b := range d.boxes {
		d.markReady(b)
	}
}

// surplus takes back what waits in the queue of a target that does not answer: there it only grows old.
func (d *scheduler) surplus(target int64) (back []service.HookJob) {
	l := d.queues[target]
	if l == nil || !l.stuck {
		return nil
	}
	for l.taken-len(back) > stuckTaken && len(l.waiting) > 0 {
		last := len(l.waiting) - 1
		back = append(back, l.waiting[last].HookJob)
		l.waiting = l.waiting[:last]
	}
	return back
}

// leave gives the place of a hook back.
func (d *scheduler) leave(h mailbox.Hook) {
	if l := d.queues[h.Target]; l != nil {
		l.taken--
		l.box.taken--
		d.taken--
	}
}

// drop forgets what waits for a target that nothing is posted to any more.
func (d *scheduler) drop(target int64) {
	l := d.queues[target]
	if l == nil {
		return
	}
	for _, job := range l.waiting {
		d.leave(job.Hook)
	}
	l.waiting = nil
}

// clear takes back everything that waits.
func (d *scheduler) clear() (back []service.HookJob) {
	for _, l := range d.queues {
		for _, job := range l.waiting {
			back = append(back, job.HookJob)
		}
		l.waiting = nil
	}
	return back
}

// sweep forgets targets of which nothing is there. How fast they were is forgotten with them, unless they are few; that
// they do not answer, when there are very many.
func (d *scheduler) sweep() {
	if len(d.queues) < maxRunning {
		return
	}
	for target, l := range d.queues {
		if l.taken > 0 || l.stuck && len(d.queues) < 8*maxRunning {
			continue
		}
		delete(d.queues, target)
		for i, o := range l.box.queues {
			if o == l {
				l.box.queues = append(l.box.queues[:i:i], l.box.queues[i+1:]...)
				break
			}
		}
		if len(l.box.queues) == 0 {
			delete(d.boxes, l.num)
		}
	}
}
