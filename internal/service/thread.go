package service

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// related finds the threads of the mailbox that a message belongs to, by the Message-IDs it answers and by those that
// answered it before it came.
func (s *Service) related(ctx context.Context, tx store.Reader, m mailbox.Message, answers []string) ([]mailbox.ID,
	error) {
	ids := answers
	if m.MessageID != "" {
		ids = append([]string{m.MessageID}, answers...)
	}
	return tx.Related(ctx, m.Mailbox, ids)
}

// thread puts a stored message into its conversation. One that belongs to several makes them one, under the oldest id.
func (s *Service) thread(ctx context.Context, tx store.Tx, m *mailbox.Message, related []mailbox.ID,
	answers []string) error {
	if err := tx.Answers(ctx, *m, answers); err != nil {
		return err
	}
	if len(related) == 0 {
		return nil
	}
	for _, other := range related[1:] {
		if err := tx.Merge(ctx, m.Mailbox, other, related[0]); err != nil {
			return err
		}
	}
	return tx.Join(ctx, m, related[0])
}

// Threads lists the mailbox's conversations by their newest message, newest first.
func (s *Service) Threads(ctx context.Context, in Access, p Page) (List[mailbox.Thread], error) {
	before, err := decodeCursor(cursorThread, p.Cursor)
	if err != nil {
		return List[mailbox.Thread]{}, err
	}
	var rows []mailbox.Thread
	err = s.view(ctx, func(r store.Reader) (err error) {
		rows, err = r.Threads(ctx, in.Box.Num, store.ThreadFilter{Before: before, Offset: p.Offset, Limit: p.Limit + 1})
		return err
	})
	return list(rows, p.Limit, cursorThread, func(t mailbox.Thread) int64 { return t.Latest.Seq }), err
}

// Conversation is a thread with its messages, oldest first.
type Conversation struct {
	ID       mailbox.ID
	Messages []FullMessage
	Next     string
}

// Thread shows a conversation. The id of one that was merged into another keeps answering.
func (s *Service) Thread(ctx context.Context, in Access, id mailbox.ID, p Page) (Conversation, error) {
	after, err := decodeCursor(cursorReply, p.Cursor)
	if err != nil {
		return Conversation{}, err
	}
	var out Conversation
	var rows []mailbox.Message
	var address string
	err = s.view(ctx, func(r store.Reader) error {
		thread, num, err := r.ThreadID(ctx, in.within(), id)
		if err != nil {
			return err
		}
		box, err := s.boxOf(ctx, r, in, num)
		if err != nil {
			return err
		}
		out.ID, address = thread, box.Address
		rows, err = r.Conversation(ctx, num, thread, after, p.Offset+p.Limit+1)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return Conversation{}, mailbox.Errorf(mailbox.NotFound, "not_found", "Thread not found")
	}
	if err != nil {
		return Conversation{}, err
	}
	rows = rows[min(p.Offset, len(rows)):]
	var n int
	out.Messages, n, err = s.readConversation(ctx, rows[:min(p.Limit, len(rows))], address)
	if n < len(rows) && n > 0 {
		out.Next = encodeCursor(cursorReply, rows[n-1].Seq)
	}
	for _, m := range out.Messages {
		s.noteRead(&in, m.Message)
	}
	return out, err
}

// readConversation reads as many messages of a mailbox as one answer may hold, in one turn if any of them is large, and
// says how many that were. Those that were deleted meanwhile are left out.
func (s *Service) readConversation(ctx context.Context, rows []mailbox.Message, address string) (list []FullMessage,
	n int, err error) {
	if i := slices.IndexFunc(rows, func(m mailbox.Message) bool { return m.Size > largeRead }); i >= 0 {
		leave, err := s.largeTurn(ctx, rows[i])
		if err != nil {
			return nil, 0, err
		}
		defer leave()
	}
	var contents []stored
	err = s.view(ctx, func(r store.Reader) (err error) {
		contents, err = fitting(ctx, r, rows)
		return err
	})
	for size := 0; err == nil && n < len(contents) && size < conversationBytes; n++ {
		if contents[n].Packed == nil {
			continue
		}
		full := FullMessage{Message: rows[n], Address: address}
		if full.Detail, err = contents[n].detail(); err == nil {
			understand(&full)
		}
		full.Detail.SetView(nil)
		size += len(full.Detail.Text) + len(full.Detail.HTML)
		list = append(list, full)
	}
	return list, n, err
}

// conversationBytes is how much of a conversation one answer holds, and a message more: the rest is on the next page.
const conversationBytes = 4 << 20

// fitting reads the contents of as many messages as one answer may hold; those of deleted ones are empty.
func fitting(ctx context.Context, r store.Reader, rows []mailbox.Message) (contents []stored, err error) {
	for size := 0; len(contents) < len(rows) && size < conversationBytes; {
		c, err := readStored(ctx, r, rows[len(contents)])
		if err != nil && !errors.Is(err, store.ErrNotFound) { // deleted meanwhile: it has no content
			return nil, err
		}
		size += len(c.Packed)
		contents = append(contents, c)
	}
	return contents, nil
}
