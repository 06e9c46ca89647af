package service_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// heard is a mail that comes in, and says what is given of it.
type heard struct{ from, subject, text, header string }

// loopMail is such a mail, which answers the newest that the mailbox has sent, if it has.
func loopMail(n int, h heard, answers string) string {
	if answers != "" {
		h.header += "In-Reply-To: " + answers + "\r\n"
	}
	return fmt.Sprintf("From: %s\r\nTo: robin@example.test\r\nSubject: %s\r\nMessage-ID: "+
		"<%d@other.test>\r\n%s\r\n%s\r\n", h.from, h.subject, n, h.header, h.text)
}

// What looks like a loop is stopped soon, and nothing else before the daily limit.
func TestLoops(t *testing.T) {
	const auto = "Auto-Submitted: auto-replied\r\n"
	ann := func(text string) func(int) heard {
		return func(n int) heard {
			return heard{"ann@other.test", "Re: Plans", strings.ReplaceAll(text, "%d", strconv.Itoa(n)), ""}
		}
	}
	marked := func(text string) func(int) heard {
		return func(n int) heard { h := ann(text)(n); h.header = auto; return h }
	}
	inside := func(text string) func(int) heard {
		return func(n int) heard { h := ann(text)(n); h.from = "marian@example.test"; return h }
	}
	counts := func(from, subject, text string) func(int) heard { // in the subject
		return func(n int) heard { return heard{from, fmt.Sprintf(subject, 2*n), fmt.Sprintf(text, 2*n), ""} }
	}
	alert := func(n int) heard {
		return heard{"ann@other.test", "Re: Plans", "Disk " + word(n) + " is full.", "Precedence: bulk\r\nList-Id: " +
			"<alerts.other.test>\r\n"}
	}
	counted := func(subject string) func(int) string {
		return func(n int) string { return fmt.Sprintf(subject, 2*n+1) }
	}
	answered := func(from, subject, text string) func(int) heard { // what it hears answers its last message
		return func(n int) heard {
			return heard{from, "Re: " + fmt.Sprintf(subject, 2*n-1), text +
				"\r\n\r\nOn 17 Nov 2026 Robin wrote:\r\n> job " +
				strconv.Itoa(n) + " done", ""}
		}
	}
	job := func(n int) string { return fmt.Sprintf("job %d done", n) }
	same := func(int) string { return "Thank you, I have got it." }
	number := func(n int) string { return fmt.Sprintf("Got it: ticket %d.", n) }
	fresh := func(n int) string { return "Now about " + word(n) + "." }
	growing := func(n int) string {
		text := same(n)
		for range min(n, 30) {
			text += "\r\n\r\nOn Monday Ann wrote:\r\n> and again"
		}
		return text
	}
	for _, tt := range []struct {
		name    string
		hears   func(int) heard // before each send; nil: nothing
		says    func(int) string
		to      func(int) string // nil: whom it has heard from, or ann
		alone   bool             // it names no message
		subject func(int) string // nil: that of the thread
		once    bool             // it hears but the first
		stopped bool
	}{
		{name: "one notice a hundred times", says: same},
		{name: "notices, each on its own thread", says: number,
			subject: func(n int) string { return fmt.Sprint("Notice ", n) }, alone: true},
		{name: "a person answers", hears: ann("And what of %d?"), says: fresh},
		{name: "a person answers, and gets the same each time", hears: ann("And what of %d?"), says: same},
		{name: "a person says the same each time, and gets something new", hears: ann("Go on."), says: fresh},
		{name: "a person says the same, and gets another number", hears: ann("approved"), says: number},
		{name: "others answer", hears: ann("Go on."), says: same,
			to: func(n int) string { return fmt.Sprintf("bob%d@other.test", n) }, alone: true},
		{name: "updates on a thread, which a program confirms", hears: marked("We have your message %d."), says: fresh},
		{name: "a program's alerts, each of its own", hears: alert, says: same},
		{name: "mailboxes of ours that talk", hears: inside("And %d"), says: fresh},
		{name: "several answers to one message", hears: ann("Go on."), says: same, once: true},
		{name: "mailboxes of ours that count in the subject and talk", hears: counts("marian@example.test", "Item %d",
			"And %d"), says: fresh, subject: counted("Item %d"), alone: true},
		{name: "mailboxes of ours whose subjects differ in words", hears: counts("marian@example.test", "Item %d",
			"And %d"), says: number, subject: counted("Bill %d"), alone: true},
		{name: "somebody counts in the subject, and gets the same", hears: counts("ann@other.test", "Item %d",
			"Done: %d"), says: same, subject: counted("Item %d"), alone: true},
		{name: "jobs that are done, to one who says ok", hears: ann("ok"), says: job},
		{name: "jobs that are done, to one of ours who says ok", hears: inside("ok"), says: job},
		{name: "jobs as subjects, to one of ours who says ok", hears: answered("marian@example.test", "Job %d", "ok"),
			says: job, subject: counted("Job %d"), alone: true},
		{name: "jobs as subjects, to one who says ok", hears: answered("ann@other.test", "Job %d", "ok"),
			says: job, subject: counted("Job %d"), alone: true},

		{name: "two mailboxes of ours that count in the subject", hears: counts("marian@example.test",
			"Tick %d of many", "Tick"), says: same, subject: counted("Tick %d of many"), alone: true, stopped: true},
		{name: "two mailboxes of ours that do nothing but count", hears: counts("marian@example.test", "%d",
			"Here is %d."), says: number, subject: counted("%d"), alone: true, stopped: true},
		{name: "two programs", hears: marked("I am away."), says: same, stopped: true},
		{name: "two programs, and one counts", hears: marked("I am away since %d."), says: number, stopped: true},
		{name: "two programs without threads", hears: marked("I am away."), says: same, alone: true, stopped: true},
		{name: "two programs that quote", hears: marked("I am away."), says: growing, stopped: true},
		{name: "two mailboxes of ours", hears: inside("Your mail %d has come."), says: number, stopped: true},
		{name: "two that say the same and not what they are", hears: ann("Your mail has come."), says: same,
			stopped: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newService(t, func(o *service.Options) { o.LoopThread, o.LoopPeer, o.Limits.DailySends = 5, 8, 1000 })
			b := k.permanent("robin")
			k.permanent("marian")
			last, refused := "", 0
			for n := 1; n <= 100 && refused == 0; n++ {
				d := draftTo("ann@other.test")
				d.Subject, d.Text = "Re: Plans", tt.says(n)
				if tt.hears != nil {
					h := tt.hears(n)
					if n == 1 || !tt.once {
						k.receive(loopMail(n, h, last), b.Address)
					}
					d.To = []string{h.from}
					if !tt.alone {
						d.InReplyTo = fmt.Sprintf("<%d@other.test>", n)
						if tt.once {
							d.InReplyTo = "<1@other.test>"
						}
					}
				} else if !tt.alone {
					d.InReplyTo = last
				}
				if tt.to != nil {
					d.To = []string{tt.to(n)}
				}
				if tt.subject != nil {
					d.Subject = tt.subject(n)
				}
				sent, err := k.svc.Send(t.Context(), b.in(mailbox.SendMail), d)
				if err != nil {
					wantCode(t, err, "loop_detected")
					refused = n
				} else if !tt.alone {
					last = "<" + sent.MessageID + ">"
				}
			}
			if tt.stopped != (refused > 0) || refused > 12 {
				t.Errorf("it was stopped at %d", refused)
			}
		})
	}
}

// word is a word of its own for each number, without a digit in it.
func word(n int) string {
	return fmt.Sprintf("%c%c%c", 'a'+n%26, 'a'+n/26%26, 'a'+n%7)
}

// A loop that was stopped is told of, and goes on after an hour at the earliest; other mail is not touched.
func TestLoopIsTold(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.LoopThread, o.LoopPeer, o.Limits.DailySends = 3, 5, 1000 })
	b := k.permanent("robin")
	number := 0
	answer := func() error {
		number++
		id := k.receive(loopMail(number, heard{"ann@other.test", "Away", "I am away.",
			"Auto-Submitted: auto-replied\r\n"}, ""), b.Address)[0].ID
		_, err := k.svc.Reply(t.Context(), b.in(mailbox.SendMail), mailbox.Draft{EmailID: id.String(), Text: "Noted.",
			HasText: true, Force: true})
		return err
	}
	for range 5 { // each on a thread of its own
		k.works("Reply", answer())
	}
	wantCode(t, answer(), "loop_detected")
	wantCode(t, answer(), "loop_detected")
	b.send(draftTo("ann@other.test"))
	if k.svc.LoopsStopped() != 2 {
		t.Errorf("%d loops were stopped", k.svc.LoopsStopped())
	}
	audits, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 100}})
	if err != nil || !slices.ContainsFunc(audits.Items, func(a mailbox.Audit) bool {
		return a.Action == "loop.stopped" && a.Mailbox == b.Address && a.Note == "peer ann@other.test"
	}) {
		t.Errorf("audit log %+v, %v", audits.Items, err)
	}
	k.clock.advance(time.Hour)
	k.works("after an hour", answer())
}
