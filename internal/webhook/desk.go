package webhook

import (
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// How much is done at a time. A hook is taken from the queue, waits for its turn, is posted, and keeps its place until its result
// is noted.
const (
	maxTaken   = 2048 // in all
	maxRunning = 512  // posts at a time, to targets that answer, or of which it is not known
	maxSlow    = maxRunning * 3 / 4
	maxHanging = 512 // posts beside these that have had no answer for long
	maxDead    = 128 // as many of them as are begun although the target did not answer the last time
	deadTaken  = 2 * maxDead

	boxTaken    = 320 // of one mailbox
	boxRunning  = 16
	boxDead     = 4
	lineRunning = 8 // to one target; one at a time until it has answered
	lineTaken   = 16
	newTaken    = 2   // to a target of which nothing is known
	fastTaken   = 256 // to a target that answers at once, so that it does not wait for commits; less where there is a crowd
	crowdTaken  = 32
	stuckTaken  = 2 // to a target that does not answer

	fastPace = 50 * time.Millisecond
	slowPace = time.Second
)

// desk is what a runner has taken, sorted so that neither a target nor a mailbox keeps others waiting: mailboxes take turns, and
// each has its share. Posts that have had no answer for a second leave their places to others, and those to targets that did
// not answer the last time have a few places of their own, so that no target that answers waits for one that does not. It is
// not safe for concurrent use.
type desk struct {
	lines   map[int64]*line
	boxes   map[mailbox.Num]*box
	turn    []*box // that may have something to post
	taken   int
	running int
	slow    int // of these, to targets that are slow
	hanging int // beside these, posts that have had no answer for long
	spare   int // how many more may be taken for targets that do not answer
}

// box is the part of one mailbox.
type box struct {
	lines   []*line // the next in turn first
	taken   int
	running int
	hanging int  // beside these
	waits   bool // in desk.turn
}

// line is what goes to one target.
type line struct {
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
	slow    bool // its line was when it began
	hanging bool // it has a place among those that have had no answer for long
	ended   bool
}

func newDesk() desk { return desk{lines: make(map[int64]*line), boxes: make(map[mailbox.Num]*box)} }

// window is how many hooks of a line may be taken.
func (d *desk) window(l *line) int {
	switch {
	case l.stuck:
		return stuckTaken
	case l.pace == 0:
		return newTaken
	case l.pace >= fastPace:
		return lineTaken
	case d.taken > maxTaken/2:
		return crowdTaken
	}
	return fastTaken
}

func (l *line) isSlow() bool { return l.stuck || l.pace >= slowPace }

func (l *line) mayRun() bool {
	most := lineRunning
	switch {
	case l.stuck:
		most = stuckTaken
	case l.pace == 0:
		most = 1
	}
	return len(l.waiting) > 0 && l.running < most
}

// room is how many hooks can be taken for a target, of whose mailbox so many more were already.
func (d *desk) room(t mailbox.HookTarget, more int) int {
	room := newTaken
	if l := d.lines[t.Number]; l != nil {
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
func (d *desk) blocked() (list []int64) {
	for target, l := range d.lines {
		if d.room(mailbox.HookTarget{Number: target, Mailbox: l.num}, 0) <= 0 {
			list = append(list, target)
		}
	}
	return list
}

// take gives the room for a target and notes that all of it may be used.
func (d *desk) take(t mailbox.HookTarget, more int) int {
	room := d.room(t, more)
	if l := d.lines[t.Number]; l != nil && l.stuck && room > 0 {
		d.spare -= room
	}
	return room
}

// count works out how many more may be taken for targets that do not answer.
func (d *desk) count() {
	d.spare = deadTaken
	for _, l := range d.lines {
		if l.stuck {
			d.spare -= l.taken
		}
	}
}

// queue adds a job that was taken.
func (d *desk) queue(job service.HookJob, now time.Time) {
	l := d.lines[job.Target]
	if l == nil {
		b := d.boxes[job.Mailbox]
		if b == nil {
			b = &box{}
			d.boxes[job.Mailbox] = b
		}
		l = &line{target: job.Target, box: b, num: job.Mailbox}
		b.lines = append(b.lines, l)
		d.lines[job.Target] = l
	}
	l.waiting = append(l.waiting, waitingJob{HookJob: job, since: now})
	l.taken++
	l.box.taken++
	d.taken++
	d.line(l.box)
}

// line puts a mailbox into the row of those that take turns.
func (d *desk) line(b *box) {
	if !b.waits {
		b.waits = true
		d.turn = append(d.turn, b)
	}
}

// next gives the next job to post: of the mailbox whose turn it is.
func (d *desk) next() (*waitingJob, bool) {
	for d.running < maxRunning && len(d.turn) > 0 {
		b := d.turn[0]
		d.turn[0] = nil
		d.turn = d.turn[1:]
		l := d.pick(b)
		if l == nil {
			b.waits = false // until one of its own ends, or comes
			continue
		}
		d.turn = append(d.turn, b)
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
func (d *desk) hang(job *waitingJob, b *box) {
	job.hanging = true
	b.hanging++
	d.hanging++
}

// late notes that a post has had no answer for long: its place is for others, and its target gets what those get that do not
// answer, until it ends. Targets that are slow and answer have their share already.
func (d *desk) late(job *waitingJob) {
	if job.ended || job.hanging || job.slow || d.hanging >= maxHanging {
		return
	}
	l := d.lines[job.Target]
	l.stuck = true
	l.box.running--
	d.running--
	d.hang(job, l.box)
	d.line(l.box)
}

// pick gives the line of a mailbox that may post next, and lets the others go first after that.
func (d *desk) pick(b *box) *line {
	for i, l := range b.lines {
		if l.mayRun() && d.hasPlace(b, l) {
			b.lines = append(append(b.lines[:i:i], b.lines[i+1:]...), l)
			return l
		}
	}
	return nil
}

// hasPlace tells whether there is a place for a post to a line of a mailbox.
func (d *desk) hasPlace(b *box, l *line) bool {
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
func (d *desk) finished(job *waitingJob, a mailbox.HookAttempt) {
	job.ended = true
	l := d.lines[job.Target]
	l.running--
	switch {
	case job.hanging:
		l.box.hanging--
		d.hanging--
		if d.hanging == maxDead-1 || d.hanging == maxHanging-1 {
			d.lineAll()
		}
	default:
		l.box.running--
		d.running--
	}
	if job.slow {
		d.slow--
		if d.slow == maxSlow-1 {
			d.lineAll()
		}
	}
	if !a.Broken && !a.At.IsZero() {
		l.pace = (3*l.pace + a.Duration) / 4
		if l.pace == 0 {
			l.pace = 1
		}
		l.stuck = !a.OK() && a.Status == 0 && a.Duration >= slowPace
	}
	d.line(l.box)
}

// lineAll gives everybody a turn who may have waited for a place that is free now.
func (d *desk) lineAll() {
	for _, b := range d.boxes {
		d.line(b)
	}
}

// surplus takes back what waits in the line of a target that does not answer: there it only grows old.
func (d *desk) surplus(target int64) (back []service.HookJob) {
	l := d.lines[target]
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
func (d *desk) leave(h mailbox.Hook) {
	if l := d.lines[h.Target]; l != nil {
		l.taken--
		l.box.taken--
		d.taken--
	}
}

// drop forgets what waits for a target that nothing is posted to any more.
func (d *desk) drop(target int64) {
	l := d.lines[target]
	if l == nil {
		return
	}
	for _, job := range l.waiting {
		d.leave(job.Hook)
	}
	l.waiting = nil
}

// clear takes back everything that waits.
func (d *desk) clear() (back []service.HookJob) {
	for _, l := range d.lines {
		for _, job := range l.waiting {
			back = append(back, job.HookJob)
		}
		l.waiting = nil
	}
	return back
}

// sweep forgets targets of which nothing is there. How fast they were is forgotten with them, unless they are few; that they do
// not answer, when there are very many.
func (d *desk) sweep() {
	if len(d.lines) < maxRunning {
		return
	}
	for target, l := range d.lines {
		if l.taken > 0 || l.stuck && len(d.lines) < 8*maxRunning {
			continue
		}
		delete(d.lines, target)
		for i, o := range l.box.lines {
			if o == l {
				l.box.lines = append(l.box.lines[:i:i], l.box.lines[i+1:]...)
				break
			}
		}
		if len(l.box.lines) == 0 {
			delete(d.boxes, l.num)
		}
	}
}
