package webhook

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func queuedJob(num mailbox.Num, target int64) service.HookJob {
	return service.HookJob{Hook: mailbox.Hook{ID: mailbox.NewID(time.Now()), Mailbox: num, Target: target}}
}

// fill takes as much for a target as there is room, and returns how much that was.
func (d *scheduler) fill(num mailbox.Num, target int64) int {
	d.count()
	n := d.take(mailbox.HookTarget{Number: target, Mailbox: num}, 0)
	for range n {
		d.queue(queuedJob(num, target), time.Time{})
	}
	return n
}

// begin starts what can be, and counts it by mailbox.
func (d *scheduler) begin() (jobs []*waitingJob, by map[mailbox.Num]int) {
	by = map[mailbox.Num]int{}
	for {
		job, ok := d.next()
		if !ok {
			return jobs, by
		}
		jobs, by[job.Mailbox] = append(jobs, job), by[job.Mailbox]+1
	}
}

var (
	quick = mailbox.HookAttempt{At: time.Now(), Duration: time.Millisecond, Status: 200}
	hung  = mailbox.HookAttempt{At: time.Now(), Duration: 10 * time.Second, Error: "no answer"}
	slow  = mailbox.HookAttempt{At: time.Now(), Duration: 5 * time.Second, Status: 200}
)

// end lets a job end.
func (d *scheduler) end(job *waitingJob, a mailbox.HookAttempt) {
	d.finished(job, a)
	d.leave(job.Hook)
}

// meet lets a target answer once.
func (d *scheduler) meet(num mailbox.Num, target int64) {
	d.queue(queuedJob(num, target), time.Time{})
	jobs, _ := d.begin()
	for _, j := range jobs {
		d.end(j, quick)
	}
}

func TestDeskShares(t *testing.T) {
	d := newScheduler()
	d.meet(2, 100)
	for target := range int64(10) { // one mailbox, many targets
		d.meet(1, target+1)
	}
	for range queueTaken {
		for target := range int64(10) {
			d.queue(queuedJob(1, target+1), time.Time{})
		}
		d.queue(queuedJob(2, 100), time.Time{})
	}
	jobs, by := d.begin()
	if by[1] != boxRunning || by[2] != queueRunning {
		t.Errorf("posts by mailbox: %v", by)
	}
	to := map[int64]int{}
	for _, j := range jobs {
		to[j.Target]++
	}
	for target := range int64(10) {
		if to[target+1] == 0 {
			t.Errorf("target %d had no turn: %v", target+1, to)
		}
	}
}

func TestDeskTurns(t *testing.T) {
	d := newScheduler()
	for num := range mailbox.Num(maxRunning / 2) {
		d.meet(num+1, int64(num)+1)
	}
	for num := range mailbox.Num(maxRunning / 2) { // more than can run
		for range queueTaken {
			d.queue(queuedJob(num+1, int64(num)+1), time.Time{})
		}
	}
	_, by := d.begin()
	if d.running != maxRunning {
		t.Errorf("%d run", d.running)
	}
	most, least := 0, queueRunning
	for _, n := range by {
		most, least = max(most, n), min(least, n)
	}
	if most-least > 1 {
		t.Errorf("between %d and %d a mailbox, of %d", least, most, len(by))
	}
}

func TestDeskWindows(t *testing.T) {
	for _, tt := range []struct {
		name string
		a    mailbox.HookAttempt
		room int
	}{{"quick", quick, fastTaken}, {"slow", slow, queueTaken}, {"hung", hung, stuckTaken}} {
		t.Run(tt.name, func(t *testing.T) {
			d := newScheduler()
			if n := d.fill(1, 1); n != newTaken {
				t.Errorf("%d at first", n)
			}
			jobs, _ := d.begin()
			if len(jobs) != 1 {
				t.Errorf("%d posts to a target of which nothing is known", len(jobs))
			}
			for _, j := range jobs {
				d.end(j, tt.a)
			}
			for _, back := range d.surplus(1) {
				d.leave(back.Hook)
			}
			left := d.queues[1].taken
			if n := d.fill(1, 1); n+left != tt.room {
				t.Errorf("room for %d, want %d", n+left, tt.room)
			}
		})
	}
}

// Targets that hang leave room for others, and as soon as one answers it has its share again.
func TestDeskHung(t *testing.T) {
	d := newScheduler()
	const many = maxRunning
	for num := range mailbox.Num(many) {
		d.queue(queuedJob(num+1, int64(num)+1), time.Time{})
	}
	jobs, _ := d.begin()
	for _, j := range jobs {
		d.end(j, hung)
	}
	for num := range mailbox.Num(many) {
		d.fill(num+1, int64(num)+1)
	}
	jobs, _ = d.begin()
	if d.hanging != maxDead || len(jobs) != maxDead || d.running != 0 {
		t.Fatalf("%d posts to targets that hang, %d others", d.hanging, d.running)
	}
	d.queue(queuedJob(many+1, many+1), time.Time{})
	met, _ := d.begin()
	d.end(met[0], quick)
	d.fill(many+1, many+1)
	if more, by := d.begin(); by[many+1] != queueRunning || len(more) != queueRunning {
		t.Errorf("beside them: %v", by)
	}
	d.end(jobs[0], hung)
	if more, _ := d.begin(); len(more) != 1 {
		t.Errorf("%d follow one that ended", len(more))
	}
	first := jobs[1]
	d.end(first, quick)
	if n := d.room(mailbox.HookTarget{Number: first.Target, Mailbox: first.Mailbox}, 0); n < queueTaken-stuckTaken {
		t.Errorf("room for %d after an answer", n)
	}
}

// A post that has had no answer for long leaves its place to others.
func TestDeskLate(t *testing.T) {
	d := newScheduler()
	for num := range mailbox.Num(maxRunning) {
		d.queue(queuedJob(num+1, int64(num)+1), time.Time{})
		d.queue(queuedJob(num+1, int64(num)+1), time.Time{})
	}
	jobs, _ := d.begin()
	d.queue(queuedJob(maxRunning+1, maxRunning+1), time.Time{})
	if more, _ := d.begin(); len(jobs) != maxRunning || len(more) != 0 {
		t.Fatalf("%d posts, and then %d", len(jobs), len(more))
	}
	for _, j := range jobs[1:] {
		d.late(j)
		d.late(j)
	}
	if more, by := d.begin(); len(more) != 1 || by[maxRunning+1] != 1 {
		t.Errorf("%v have the places", by)
	}
	d.end(jobs[0], quick)
	d.late(jobs[0])
	if more, by := d.begin(); len(more) != 1 || by[jobs[0].Mailbox] != 1 {
		t.Errorf("after an answer %v", by)
	}
	for _, j := range jobs[1:] {
		d.end(j, hung)
	}
	if d.hanging != 0 || d.running != 2 {
		t.Errorf("%d hang, %d run", d.hanging, d.running)
	}
}

func TestDeskForgets(t *testing.T) {
	d := newScheduler()
	for i := range 4 * maxRunning {
		d.queue(queuedJob(mailbox.Num(i+1), int64(i+1)), time.Time{})
		jobs, _ := d.begin()
		d.end(jobs[0], quick)
		d.sweep()
	}
	if len(d.queues) > maxRunning || len(d.boxes) > maxRunning || d.taken != 0 || d.running != 0 {
		t.Errorf("%d lines, %d mailboxes, %d taken, %d running are left", len(d.queues), len(d.boxes), d.taken,
			d.running)
	}
	d.fill(1, 1)
	d.drop(1)
	if d.taken != 0 {
		t.Errorf("%d taken after a drop", d.taken)
	}
	d.fill(2, 2)
	if back := d.clear(); len(back) != newTaken && len(back) != fastTaken {
		t.Errorf("%d are taken back", len(back))
	}
}
