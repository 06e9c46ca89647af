package service

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// ExportQuery is which messages of a mailbox are exported. At least one is, if there is any.
type ExportQuery struct {
	After    string // the cursor of the last message that the caller has; empty: from the first
	Bytes    int64  // no message that makes it more than that many; 0: no limit
	Messages int    // no more than that many; 0: no limit
}

// Export is the messages that a mailbox has when the export begins, the oldest first. It is for one goroutine. What is
// deleted meanwhile is left out. It holds nothing of the store while its caller writes to a client.
type Export struct {
	Address  string // of the mailbox
	Messages int64  // that the mailbox has: no more come

	// Rows visits the rows of the messages that Each gives from then on, each with its cursor, and tells whether there
	// are more than were asked for.
	Rows func(visit func(m mailbox.Message, cursor string) error) (more bool, err error)
	// Each visits the messages with their bytes as they came. A message that is deleted while it is read is an error
	// of its reader, of the kind mailbox.NotFound.
	Each func(visit func(m mailbox.Message, cursor string, raw io.Reader) error) error
	// Work runs what makes an export, in a turn that it leaves whenever it writes to the client: exports have a part
	// of the processors, and no client that is slow holds another export up.
	Work func(to io.Writer, run func(io.Writer) error) error
}

const (
	exportBatch = 64          // rows that are read at once
	exportCheck = time.Second // after which it is looked again whether the caller still may read the mailbox
)

// Export begins an export of the mailbox.
func (s *Service) Export(ctx context.Context, in Access, q ExportQuery) (*Export, error) {
	e := &exporting{s: s, in: in, query: q}
	var err error
	if e.after, err = decodeExported(in.Box.Num, q.After); err != nil {
		return nil, err
	}
	var have mailbox.Counters
	err = s.view(ctx, func(r store.Reader) (err error) {
		if _, e.until, err = r.LastEvent(ctx, in.Box.Num); err == nil {
			have, err = r.Counters(ctx, in.Box.Num)
		}
		return err
	})
	if err != nil {
		return nil, in.gone(err)
	}
	if in.Caller.Scope != mailbox.Operator && !in.Peek { // whose exports Enter notes
		s.ledger.note(s.audited(in, in.Box.Address, ""))
	}
	return &Export{Address: in.Box.Address, Messages: have.Inbound + have.Outbound,
		Rows: func(visit func(mailbox.Message, string) error) (bool, error) { return e.rows(ctx, visit) },
		Each: func(visit func(mailbox.Message, string, io.Reader) error) error { return e.each(ctx, visit) },
		Work: func(to io.Writer, run func(io.Writer) error) error { return e.work(ctx, to, run) },
	}, nil
}

// exporting is an export under way.
type exporting struct {
	s            *Service
	in           Access
	query        ExportQuery
	after, until int64 // Seq of the messages
	checked      time.Time
}

// walk visits the rows in their order, and tells whether there are more than were asked for.
func (e *exporting) walk(ctx context.Context, visit func(mailbox.Message) error) (more bool, err error) {
	bytes, count := int64(0), 0
	for after := e.after; ; {
		rows, err := e.batch(ctx, after)
		if err != nil {
			return false, err
		}
		for _, m := range rows {
			bytes += m.Size
			full := e.query.Bytes > 0 && bytes > e.query.Bytes
			if count > 0 && full || e.query.Messages > 0 && count == e.query.Messages {
				return true, nil
			}
			if err := visit(m); err != nil {
				return false, err
			}
			after = m.Seq
			count++
		}
		if len(rows) < exportBatch {
			return false, nil
		}
	}
}

// batch reads the next rows, if the caller still may see them.
func (e *exporting) batch(ctx context.Context, after int64) (rows []mailbox.Message, err error) {
	err = e.s.view(ctx, func(r store.Reader) (err error) {
		if err = e.mayStill(ctx, r); err == nil {
			rows, err = r.Messages(ctx, e.in.Box.Num, store.MessageFilter{After: after, Before: e.until + 1,
				Oldest: true, Limit: exportBatch})
		}
		return err
	})
	return rows, e.in.gone(err)
}

// mayStill fails where the key was revoked, or the mailbox paused or deleted, since the export began.
func (e *exporting) mayStill(ctx context.Context, r store.Reader) error {
	e.checked = time.Now()
	_, err := e.s.still(ctx, r, &e.in)
	return err
}

func (e *exporting) rows(ctx context.Context, visit func(m mailbox.Message, cursor string) error) (more bool,
	err error) {
	last := e.after
	more, err = e.walk(ctx, func(m mailbox.Message) error {
		last = m.Seq
		return visit(m, encodeExported(m))
	})
	e.until, e.query.Bytes, e.query.Messages = last, 0, 0 // whatever is deleted until then
	return more, err
}

func (e *exporting) each(ctx context.Context, visit func(m mailbox.Message, cursor string, raw io.Reader) error) error {
	_, err := e.walk(ctx, func(m mailbox.Message) error {
		c, err := e.content(ctx, m)
		if errors.Is(err, store.ErrNotFound) {
			return nil // it was deleted
		}
		if err != nil {
			return err
		}
		if c.Blob == "" {
			raw, err := rawmail.Raw(c)
			if err != nil {
				return fail(err)
			}
			return visit(m, encodeExported(m), bytes.NewReader(raw))
		}
		p, err := e.s.pausingRaw(ctx, e.in, m.ID, c)
		if errors.Is(err, errNoMessage) {
			return nil
		}
		if err != nil {
			return err
		}
		defer func() { _ = p.Close() }() // only read from
		return visit(m, encodeExported(m), p.reader())
	})
	return err
}

// content reads what is stored of a message.
func (e *exporting) content(ctx context.Context, m mailbox.Message) (c store.Content, err error) {
	err = e.s.view(ctx, func(r store.Reader) (err error) {
		if time.Since(e.checked) >= exportCheck {
			if err := e.mayStill(ctx, r); err != nil {
				return e.in.gone(err)
			}
		}
		c, err = r.Content(ctx, m)
		return err
	})
	return c, err
}

func (e *exporting) work(ctx context.Context, to io.Writer, run func(io.Writer) error) error {
	w := &turnWriter{to: to, turns: e.s.exports, done: ctx.Done()}
	if err := w.enter(); err != nil {
		return err
	}
	defer w.leave()
	return run(w)
}

// turnWriter writes for somebody who has a turn, and leaves it while it waits for the other side.
type turnWriter struct {
	to    io.Writer
	turns chan struct{}
	done  <-chan struct{} // closed: nobody wants to write any more
	in    bool
}

func (w *turnWriter) Write(p []byte) (int, error) {
	w.leave()
	n, err := w.to.Write(p)
	return n, errors.Join(err, w.enter())
}

func (w *turnWriter) enter() error {
	select {
	case w.turns <- struct{}{}:
		w.in = true
		return nil
	case <-w.done:
		return context.Canceled
	}
}

func (w *turnWriter) leave() {
	if w.in {
		<-w.turns
		w.in = false
	}
}

// cursorExport is of a message in an export. It names the mailbox as well: one of another mailbox would silently leave
// messages out.
const cursorExport cursorKind = 'e'

func encodeExported(m mailbox.Message) string {
	b := binary.AppendUvarint([]byte{cursorVersion, byte(cursorExport)}, uint64(m.Mailbox))
	return base64.RawURLEncoding.EncodeToString(binary.AppendUvarint(b, uint64(m.Seq)))
}

var errExported = mailbox.InvalidField("after", "This is not the cursor of a message in an export of this mailbox.")

// decodeExported reads the Seq of a message of a mailbox from its cursor: 0 for none.
func decodeExported(num mailbox.Num, s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 2 || b[0] != cursorVersion || b[1] != byte(cursorExport) {
		return 0, errExported
	}
	box, n := binary.Uvarint(b[2:])
	if n <= 0 || box != uint64(num) {
		return 0, errExported
	}
	seq, more := binary.Uvarint(b[2+n:])
	if more != len(b)-2-n || more <= 0 || seq == 0 || seq > 1<<62 {
		return 0, errExported
	}
	return int64(seq), nil
}
