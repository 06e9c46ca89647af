package service

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/store"
)

// What screening finds is worked out when somebody reads a message, so it is counted when somebody asks: each question
// reads some of the messages that this node does not know yet, and the next one goes on. (docs/decisions/0062)

const (
	countedScreenings = 20_000  // messages that a count looks at, of those the newest of each mailbox
	screenedAtOnce    = 500     // of them that one question reads
	screenedBytes     = 8 << 20 // the same
)

// ScreenCount is how many messages have which verdict.
type ScreenCount struct {
	Clean, Flagged, Dangerous int64
	Unknown                   int64 // not read yet, or too large to be screened in a list
}

// count adds a message with a verdict.
func (c *ScreenCount) count(verdict string) {
	switch screen.Verdict(verdict) {
	case screen.Clean:
		c.Clean++
	case screen.Flagged:
		c.Flagged++
	case screen.Dangerous:
		c.Dangerous++
	default:
		c.Unknown++
	}
}

// ScreenedSpan counts what was received in an hour or a day.
type ScreenedSpan struct {
	At time.Time
	ScreenCount
}

// ScreenedBox counts what a mailbox received.
type ScreenedBox struct {
	Address string
	ScreenCount
}

// Screenings is what screening found in the mail that all mailboxes received in the last hours or days.
type Screenings struct {
	Each  time.Duration
	Spans []ScreenedSpan // the oldest first
	Boxes []ScreenedBox  // with mail that is not clean, the most dangerous first, some of them
	Whole bool           // all that was received was looked at
	More  bool           // the next question reads more
}

// screenCounter counts for one question.
type screenCounter struct {
	s              *Service
	first          time.Time
	out            *Screenings
	rows, messages int   // that may still be looked at, and read
	bytes          int64 // the same
}

// Screenings counts over all mailboxes.
func (s *Service) Screenings(ctx context.Context, in Access, q OverviewQuery) (Screenings, error) {
	return s.screenings.of(ctx, s.now, q, func() (Screenings, bool, error) {
		out, err := s.countScreenings(ctx, in, q)
		return out, !out.More, err
	})
}

func (s *Service) countScreenings(ctx context.Context, in Access, q OverviewQuery) (out Screenings, err error) {
	each, spans, err := s.overviewSpans(q)
	if err != nil {
		return out, err
	}
	out = Screenings{Each: each, Whole: true}
	for _, d := range spans {
		out.Spans = append(out.Spans, ScreenedSpan{At: d.Day})
	}
	c := screenCounter{s: s, first: spans[0].Day, out: &out, rows: countedScreenings, messages: screenedAtOnce,
		bytes: screenedBytes}
	boxes := 0
	for before := mailbox.Num(0); ; {
		var list []mailbox.Mailbox
		var listed []ListedMailbox
		err = s.view(ctx, func(r store.Reader) (err error) {
			if list, err = r.Mailboxes(ctx, store.MailboxFilter{Before: before, Limit: overviewStep}); err == nil {
				listed, err = held(ctx, r, list)
			}
			return err
		})
		for _, b := range listed {
			if err == nil && !b.LastAt.Before(c.first) && !s.isCopy(b.Mailbox, mailbox.Inbound) {
				in.Box = b.Mailbox
				err = c.box(ctx, in)
			}
		}
		boxes += len(list)
		if err != nil || len(list) < overviewStep || boxes >= overviewBoxes || c.rows <= 0 {
			break
		}
		before = list[len(list)-1].Num
	}
	slices.SortStableFunc(out.Boxes, func(a, b ScreenedBox) int {
		return cmp.Or(cmp.Compare(b.Dangerous, a.Dangerous), cmp.Compare(b.Flagged, a.Flagged))
	})
	out.Boxes = out.Boxes[:min(len(out.Boxes), overviewNamed)]
	return out, err
}

// box counts a mailbox.
func (c *screenCounter) box(ctx context.Context, in Access) error {
	found := ScreenedBox{Address: in.Box.Address}
	f := store.MessageFilter{Direction: mailbox.Inbound, Since: c.first, Limit: selectPage}
	for {
		if c.rows <= 0 {
			c.out.Whole = false
			break
		}
		var rows []mailbox.Message
		err := c.s.ask(ctx, func(r store.Reader) (err error) {
			if err = begin(ctx, r, in.Box.Num, &f); err == nil {
				rows, err = r.Messages(ctx, in.Box.Num, f)
			}
			return err
		})
		if err != nil {
			return err
		}
		for i := range rows {
			if err := c.message(ctx, in, &rows[i]); err != nil {
				return err
			}
			found.count(rows[i].Screened)
			f.Before = rows[i].Seq
		}
		if len(rows) < selectPage {
			break
		}
	}
	if found.Flagged+found.Dangerous > 0 {
		c.out.Boxes = append(c.out.Boxes, found)
	}
	return nil
}

// read screens a message, unless enough were read.
func (c *screenCounter) read(ctx context.Context, in Access, m *mailbox.Message) error {
	if c.messages == 0 || c.bytes < m.Size {
		c.out.More, c.out.Whole = true, false
		return nil
	}
	c.messages--
	c.bytes -= m.Size
	return c.s.screenRow(ctx, in, m)
}

// message counts a message in its span. It is read where that is still allowed, unless its verdict is known.
func (c *screenCounter) message(ctx context.Context, in Access, m *mailbox.Message) error {
	c.rows--
	if m.Screened = c.s.verdicts.of(m.ID); m.Screened == "" && m.Size <= screenLargest {
		if err := c.read(ctx, in, m); err != nil {
			return err
		}
	}
	if at := int(m.ReceivedAt.Sub(c.first) / c.out.Each); !m.ReceivedAt.Before(c.first) && at < len(c.out.Spans) {
		c.out.Spans[at].count(m.Screened)
	}
	return nil
}
