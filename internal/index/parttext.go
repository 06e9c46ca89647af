package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/extract/document"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// The text of attachments is read once, in the background, and stored with the message: no call that reads
// a message opens its attachments. The reading is bounded for each message, and mailboxes take turns (textreader.go).

const (
	textWait   = 100 * time.Millisecond // how long a caller waits for a text that is not kept yet
	textsMost  = 20                     // attachments of a message that are read
	textsBytes = 1 << 20                // of text that is kept for a message

	// textTime and textUnpack are what the attachments of one message may cost together: time of the processor, and
	// bytes of XML, out of archives or not.
	textTime   = 2 * time.Second
	textUnpack = 64 << 20

	textPending = "pending"
)

// partTexts are the texts of a message's attachments, by their index.
type partTexts map[int]mailbox.PartText

// Texts returns what is shown of the texts of a message's attachments, or that they are pending. packed is what is kept
// of them.
func (ix *Index) Texts(ctx context.Context, m mailbox.Message, parts []mailbox.Part,
	packed []byte) map[int]mailbox.PartText {
	out := make(map[int]mailbox.PartText, len(parts))
	kept, pending := partTexts(nil), false
	if hasText(parts) {
		var ok bool
		if kept, ok = unpackTexts(packed); !ok {
			kept, pending = ix.awaitTexts(ctx, textKey{m.Mailbox, m.Seq})
		}
	}
	for i, p := range parts {
		t, ok := kept[p.Index]
		switch {
		case ok:
			out[p.Index] = t
		case !readable(p):
			out[p.Index] = mailbox.PartText{Status: string(document.Unsupported)}
		case pending && i < textsMost:
			out[p.Index] = mailbox.PartText{Status: textPending}
		case len(kept) > 0 || i >= textsMost: // the message's budget did not reach it
			out[p.Index] = mailbox.PartText{Status: string(document.TooLarge)}
		}
	}
	return out
}

// awaitTexts has the attachments of a message read, and waits for that a moment.
func (ix *Index) awaitTexts(ctx context.Context, key textKey) (t partTexts, pending bool) {
	job := ix.reading.want(key, false, ix.startReading)
	if job == nil {
		return nil, true
	}
	wait := time.NewTimer(textWait)
	defer wait.Stop()
	select {
	case <-job.ready:
		return job.texts, job.err != nil
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil, true
}

// hasText tells whether some attachment is of a kind that has a text.
func hasText(parts []mailbox.Part) bool {
	return slices.ContainsFunc(parts[:min(len(parts), textsMost)], readable)
}

// readable tells whether an attachment is of a kind that has a text.
func readable(p mailbox.Part) bool { return document.Kind(documentPart(p)) != document.Unreadable }

func documentPart(p mailbox.Part) document.Part {
	return document.Part{ContentType: p.ContentType, Charset: p.Charset, Filename: p.Filename, Size: p.Size}
}

// KeptTexts returns what is kept of the texts of a message's attachments; none, where they were not read yet.
func KeptTexts(ctx context.Context, r store.Reader, m mailbox.Message) ([]byte, error) {
	if m.Attachments == 0 {
		return nil, nil
	}
	packed, err := r.PartTexts(ctx, m.Mailbox, m.Seq)
	return packed[m.Seq], err
}

// messageTexts returns the texts of a message's attachments that are kept, if any.
func (ix *Index) messageTexts(ctx context.Context, m mailbox.Message) (t partTexts) {
	err := ix.opt.Store.Ask(ctx, func(r store.Reader) error {
		packed, err := KeptTexts(ctx, r, m)
		t, _ = unpackTexts(packed)
		return err
	})
	if err != nil {
		return nil
	}
	return t
}

func packTexts(t partTexts) ([]byte, error) {
	b, err := json.Marshal(t)
	return blob.Compress(nil, b), err
}

// unpackTexts is the other way; false: there are none.
func unpackTexts(packed []byte) (t partTexts, ok bool) {
	if len(packed) == 0 {
		return nil, false
	}
	b, err := blob.Decompress(nil, packed, 8*textsBytes) // a character may be written as six
	return t, err == nil && json.Unmarshal(b, &t) == nil
}

// readTexts reads the attachments of a message, as far as their budget goes. What cannot be read because of the
// attachment is said in its status; an error is one of the storage, and means that they should be read again.
func (ix *Index) readTexts(ctx context.Context, parts []mailbox.Part, c store.Content) (partTexts, error) {
	raw, err := rawmail.Open(ctx, ix.opt.Blobs, c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = raw.Close() }() // only read from
	out := make(partTexts)
	left, unpack, most, began := textsBytes, ix.reading.unpack, ix.reading.time, threadTime()
	for _, p := range parts[:min(len(parts), textsMost)] {
		if !readable(p) {
			continue
		}
		spent := threadTime() - began
		if left <= 0 || spent >= most || unpack <= 0 {
			out[p.Index] = mailbox.PartText{Status: string(document.TooLarge)}
			continue
		}
		lim := document.DefaultLimits()
		lim.Clock, lim.Time, lim.Unpack = threadTime, min(lim.Time, most-spent), &unpack
		from := &watched{r: rawmail.Decode(p, raw)}
		t := document.Read(ctx, documentPart(p), from, lim)
		if err := cmp.Or(ctx.Err(), from.err); err != nil {
			return nil, err
		}
		if t.Status == document.Failed && threadTime()-began >= most {
			t.Status = document.TooLarge
		}
		t.Text = mailbox.Clip(t.Text, left)
		left -= len(t.Text)
		out[p.Index] = mailbox.PartText{Status: string(t.Status), Text: t.Text}
	}
	return out, nil
}

// watched remembers an error of the storage that somebody reads from.
type watched struct {
	r   io.Reader
	err error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if errors.Is(err, blob.ErrUnavailable) || errors.Is(err, store.ErrUnavailable) {
		w.err = err
	}
	return n, err
}
