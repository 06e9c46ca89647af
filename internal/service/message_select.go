package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// SelectQuery narrows a list of messages by what their rows say. All that is given must hold; of several parts of one
// field, one of them.
type SelectQuery struct {
	Direction         mailbox.Direction
	Seen              *bool
	Labels, Without   []string // that a message has, and has not
	Status, NotStatus []mailbox.DeliveryStatus
	From, To, Subject []string // parts
	Since, Until      time.Time
	Trust             mailbox.TrustLevel // of their senders; empty: any
	Screening         string             // AnyScreening, or the verdict of the screening; empty: nobody asks
	Oldest            bool               // the oldest come first
	Page              Page
}

// selectPage is how many rows are read at a time.
const selectPage = 200

// Select lists messages, newest or oldest first.
func (s *Service) Select(ctx context.Context, in Access, q SelectQuery) (out List[mailbox.Message], err error) {
	place, err := decodeCursor(cursorMessage, q.Page.Cursor)
	if err != nil {
		return out, err
	}
	for read, screened := 0, 0; read < s.lookMost && screened < screenMost; {
		f := store.MessageFilter{Direction: q.Direction, Seen: q.Seen, Since: q.Since, Until: q.Until,
			Oldest: q.Oldest, Limit: selectPage}
		if q.Oldest {
			f.After = place
		} else {
			f.Before = place
		}
		var rows []mailbox.Message
		var next int64
		err := s.asking(f)(ctx, func(r store.Reader) (err error) {
			if err = begin(ctx, r, in.Box.Num, &f); err != nil {
				return err
			}
			if q.Oldest {
				rows, err = r.Messages(ctx, in.Box.Num, f)
			} else {
				rows, next, err = s.lookFor(ctx, r, in.Box.Num, f)
			}
			return err
		})
		if err != nil {
			return out, err
		}
		for _, m := range rows {
			if !q.takes(m) {
				place = m.Seq
				continue
			}
			if len(out.Items) == q.Page.Limit {
				out.Next = encodeCursor(cursorMessage, place)
				return out, nil
			}
			if q.Screening != "" {
				if err := s.screenRow(ctx, in, &m); err != nil {
					return out, err
				}
				screened++
			}
			if place = m.Seq; q.Screening == "" || q.Screening == AnyScreening || q.Screening == m.Screened {
				out.Items = append(out.Items, m)
			}
			if screened == screenMost {
				break
			}
		}
		read += len(rows)
		if len(rows) == selectPage || screened == screenMost {
			continue
		}
		if next == 0 {
			return out, nil
		}
		place = next
		read += s.lookMost
	}
	out.Next = encodeCursor(cursorMessage, place)
	return out, nil
}

// takes tells whether a row is one that is asked for.
func (q *SelectQuery) takes(m mailbox.Message) bool {
	status := mailbox.DeliveryStatus(m.Status)
	for _, l := range q.Labels {
		if !slices.Contains(m.Labels, l) {
			return false
		}
	}
	if q.Trust != "" && q.Trust != cmp.Or(m.Verdict.Trust.Level, mailbox.Unverified) {
		return false
	}
	return !hasLabel(m, q.Without...) && (len(q.Status) == 0 || slices.Contains(q.Status, status)) &&
		!slices.Contains(q.NotStatus, status) && hasPart(q.From, m.From.Address, m.From.Name) &&
		hasPart(q.To, m.To, m.Recipient) && hasPart(q.Subject, m.Subject)
}

// hasPart tells whether one of the texts has one of the parts, whatever the case; with no parts it does.
func hasPart(parts []string, texts ...string) bool {
	return len(parts) == 0 || slices.ContainsFunc(parts, func(part string) bool {
		return slices.ContainsFunc(texts, func(text string) bool {
			return strings.Contains(strings.ToLower(text), strings.ToLower(part))
		})
	})
}

// Details adds to rows of a list what only their own page shows, but for what has to be understood. Those that were
// deleted meanwhile are left out.
func (s *Service) Details(ctx context.Context, in Access, rows []mailbox.Message) ([]FullMessage, error) {
	out := make([]FullMessage, 0, len(rows))
	for _, m := range rows {
		d, err := s.detail(ctx, m)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		in.hideFiles(&d)
		out = append(out, FullMessage{Message: m, Detail: d, Address: in.Box.Address})
	}
	return out, nil
}

// detail reads what only a message's own page shows, but for what has to be understood.
func (s *Service) detail(ctx context.Context, m mailbox.Message) (d mailbox.Detail, err error) {
	leave, err := s.largeTurn(ctx, m)
	if err != nil {
		return d, err
	}
	defer leave()
	var kept stored
	err = s.view(ctx, func(r store.Reader) (err error) {
		kept, err = readStored(ctx, r, m)
		return err
	})
	if err != nil {
		return d, err
	}
	return kept.detail()
}

// FindMessage finds a message by its Message-ID, with or without angle brackets, or by its id. Of several with the same
// Message-ID, as of mail that a mailbox sends to itself, it is the oldest.
func (s *Service) FindMessage(ctx context.Context, in Access, name string) (mailbox.ID, error) {
	if id, ok := mailbox.ParseID(name); ok {
		return id, nil
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "<"), ">")
	if name == "" {
		return mailbox.ID{}, errNoMessage
	}
	var found []mailbox.Message
	err := s.view(ctx, func(r store.Reader) (err error) {
		found, err = r.WithMessageID(ctx, in.Box.Num, name, 1)
		return err
	})
	if err != nil {
		return mailbox.ID{}, err
	}
	if len(found) == 0 {
		return mailbox.ID{}, errNoMessage
	}
	return found[0].ID, nil // who takes the Message-ID of another message later does not get its place
}

// Ambiguous tells which of these messages FindMessage does not find by their Message-ID, since an older one of their
// mailbox has the same.
func (s *Service) Ambiguous(ctx context.Context, rows []mailbox.Message) (map[mailbox.ID]bool, error) {
	out := make(map[mailbox.ID]bool)
	err := s.view(ctx, func(r store.Reader) error {
		for _, m := range rows {
			later, err := ambiguous(ctx, r, m)
			if err != nil {
				return err
			}
			if later {
				out[m.ID] = true
			}
		}
		return nil
	})
	return out, err
}

func ambiguous(ctx context.Context, r store.Reader, m mailbox.Message) (bool, error) {
	if m.MessageID == "" {
		return false, nil
	}
	first, err := r.WithMessageID(ctx, m.Mailbox, m.MessageID, 1)
	return err == nil && len(first) == 1 && first[0].ID != m.ID, err
}

// SelectedThread is a conversation with its newest messages, oldest first.
type SelectedThread struct {
	mailbox.Thread
	Address  string
	Messages []mailbox.Message
}

// threadMessages reads the rows of a thread.
func (s *Service) threadMessages(ctx context.Context, r store.Reader, t mailbox.Thread) ([]mailbox.Message, error) {
	if t.Count <= 1 {
		return []mailbox.Message{t.Latest}, nil
	}
	return r.Conversation(ctx, t.Latest.Mailbox, t.ID, 0, threadRows)
}

const (
	threadRows  = 100  // messages of a thread that its row speaks of
	threadsRead = 1000 // threads of a mailbox that one call looks at
	boxesRead   = 1000 // mailboxes
)

// SelectThreads lists conversations by the time of their newest message. A caller who names no mailbox is shown those
// of all that the caller opens. Query narrows the messages of which one must be in the thread; labels are the thread's.
func (s *Service) SelectThreads(ctx context.Context, in Access, q SelectQuery) (List[SelectedThread], error) {
	place, err := decodeCursor(cursorThreadTime, q.Page.Cursor)
	if err != nil {
		return List[SelectedThread]{}, err
	}
	var all []SelectedThread
	err = s.view(ctx, func(r store.Reader) error {
		boxes, err := s.openBoxesOf(ctx, r, in)
		for _, box := range boxes {
			if err == nil {
				err = s.threadsOf(ctx, r, box, q, place, &all)
			}
		}
		return err
	})
	if err != nil {
		return List[SelectedThread]{}, err
	}
	slices.SortFunc(all, func(a, b SelectedThread) int {
		if q.Oldest {
			a, b = b, a
		}
		return b.Latest.ReceivedAt.Compare(a.Latest.ReceivedAt)
	})
	n := min(q.Page.Limit, len(all))
	for n > 0 && n < len(all) && all[n].Latest.ReceivedAt.Equal(all[n-1].Latest.ReceivedAt) {
		n++ // those of one moment are on one page
	}
	out := List[SelectedThread]{Items: all[:n]}
	if n < len(all) {
		out.Next = encodeCursor(cursorThreadTime, all[n-1].Latest.ReceivedAt.UnixMilli())
	}
	return out, nil
}

// openBoxesOf are the mailboxes that a caller asks about: the one that is named, or all that the caller opens.
func (s *Service) openBoxesOf(ctx context.Context, r store.Reader, in Access) ([]mailbox.Mailbox, error) {
	if !in.anywhere() && (in.named() || !in.Caller.Key.Restriction().Several) {
		return []mailbox.Mailbox{in.Box}, nil
	}
	boxes, err := r.Mailboxes(ctx, store.MailboxFilter{Key: in.Caller.Key.ID, Status: mailbox.Active,
		Limit: boxesRead})
	now := s.now()
	return slices.DeleteFunc(boxes, func(m mailbox.Mailbox) bool { return m.Expired(now) }), err
}

// threadsOf adds the threads of a mailbox that are asked for.
func (s *Service) threadsOf(ctx context.Context, r store.Reader, box mailbox.Mailbox, q SelectQuery, place int64,
	all *[]SelectedThread) error {
	taken := 0
	for read, before := 0, int64(0); read < threadsRead; {
		list, err := r.Threads(ctx, box.Num, store.ThreadFilter{Before: before, Limit: threadRows})
		if err != nil {
			return err
		}
		for _, t := range list {
			at := t.Latest.ReceivedAt.UnixMilli()
			before = t.Latest.Seq
			if place != 0 && (at >= place) != q.Oldest || place == at {
				continue
			}
			messages, err := s.threadMessages(ctx, r, t)
			if err != nil {
				return err
			}
			if !q.takesThread(t, messages) {
				continue
			}
			*all = append(*all, SelectedThread{t, box.Address, messages})
			if taken++; taken > q.Page.Limit && !q.Oldest {
				return nil
			}
		}
		if read += len(list); len(list) < threadRows {
			return nil
		}
	}
	return nil
}

// takesThread tells whether a thread has what is asked for.
func (q *SelectQuery) takesThread(t mailbox.Thread, messages []mailbox.Message) bool {
	at := t.Latest.ReceivedAt
	if hasLabel(mailbox.Message{Labels: t.Labels}, q.Without...) || !q.Since.IsZero() && at.Before(q.Since) ||
		!q.Until.IsZero() && !at.Before(q.Until) {
		return false
	}
	one := *q
	one.Without = nil
	return slices.ContainsFunc(messages, func(m mailbox.Message) bool {
		return (q.Direction == "" || m.Direction == q.Direction) && (q.Seen == nil || m.Seen == *q.Seen) && one.takes(m)
	})
}

// ThreadBox is the address of the mailbox that has a thread, for a caller who has not said which; whether the caller
// may see it, Enter decides.
func (s *Service) ThreadBox(ctx context.Context, id mailbox.ID) (address string, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		_, num, err := r.ThreadID(ctx, 0, id)
		if err != nil {
			return err
		}
		box, err := r.Mailbox(ctx, num)
		address = box.Address
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = mailbox.Errorf(mailbox.NotFound, "not_found", "Thread not found")
	}
	return address, err
}

// DraftBox is the same for a draft.
func (s *Service) DraftBox(ctx context.Context, id mailbox.ID) (address string, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		row, err := r.Draft(ctx, 0, id)
		if err != nil {
			return err
		}
		box, err := r.Mailbox(ctx, row.Mailbox)
		address = box.Address
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoDraft
	}
	return address, err
}
