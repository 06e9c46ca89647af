package service

import (
	"context"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/extract/document"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The text of attachments is not stored: like all that is understood of a message it is worked out when it is asked for. What
// takes long is worked out in the background, one at a time, and remembered for a while: whoever asks meanwhile is told that it
// is pending.

const (
	textWait   = 100 * time.Millisecond // how long a reader waits for a text that takes long
	textsMost  = 20                     // attachments of a message that are read
	textsBytes = 1 << 20                // of text shown with a message
	keptBytes  = 16 << 20               // of texts that are remembered
	textQueue  = 64                     // texts that wait to be worked out; more are pending until somebody asks again

	textPending = "pending"
)

// library remembers the texts that took long.
type library struct {
	mu      sync.Mutex
	texts   map[mailbox.ID]*partText
	order   []mailbox.ID // oldest first
	bytes   int
	waiting int
}

// partText is a text that is being worked out, or is.
type partText struct {
	ready chan struct{} // closed when it is
	text  mailbox.PartText
}

// partTexts reads the attachments of a message that the caller may see.
func (s *Service) partTexts(ctx context.Context, m *FullMessage, c store.Content) {
	d := &m.Detail
	d.Texts = make(map[int]mailbox.PartText, len(d.Parts))
	left := textsBytes
	for i, p := range d.Parts {
		if i == textsMost || left <= 0 {
			break
		}
		t := s.attachmentText(ctx, m.ID, p, c)
		t.Text = mailbox.Clip(t.Text, left)
		left -= len(t.Text)
		d.Texts[p.Index] = t
	}
}

func documentPart(p mailbox.Part) document.Part {
	return document.Part{ContentType: p.ContentType, Charset: p.Charset, Filename: p.Filename, Size: p.Size}
}

// attachmentText gives the text of one attachment, or says that it is pending.
func (s *Service) attachmentText(ctx context.Context, id mailbox.ID, p mailbox.Part, c store.Content) mailbox.PartText {
	switch document.Kind(documentPart(p)) {
	case document.Cheap:
		return s.readPart(ctx, p, c)
	case document.Dear:
		return s.dearText(ctx, id.Part(p.Index), p, c)
	}
	return mailbox.PartText{Status: string(document.Unsupported)}
}

// readPart reads an attachment now.
func (s *Service) readPart(ctx context.Context, p mailbox.Part, c store.Content) mailbox.PartText {
	raw, err := s.openRaw(ctx, c)
	if err != nil {
		return mailbox.PartText{Status: string(document.Failed)}
	}
	defer func() { _ = raw.Close() }() // only read from
	a := Attachment{Part: p, raw: raw}
	t := document.Read(ctx, documentPart(p), a.open(), document.DefaultLimits())
	return mailbox.PartText{Status: string(t.Status), Text: t.Text}
}

// dearText gives a text that takes long, if it is there soon.
func (s *Service) dearText(ctx context.Context, id mailbox.ID, p mailbox.Part, c store.Content) mailbox.PartText {
	t := s.library.find(id, func(t *partText) {
		s.looks.Go(func() { s.workOut(id, t, p, c) })
	})
	if t == nil {
		return mailbox.PartText{Status: textPending}
	}
	wait := time.NewTimer(textWait)
	defer wait.Stop()
	select {
	case <-t.ready:
		return t.text
	case <-wait.C:
	case <-ctx.Done():
	}
	return mailbox.PartText{Status: textPending}
}

// workOut reads an attachment in the background, when it is its turn, until the service stops.
func (s *Service) workOut(id mailbox.ID, t *partText, p mailbox.Part, c store.Content) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	select {
	case s.dear <- struct{}{}:
		defer func() { <-s.dear }()
	case <-s.leaving:
		s.library.forget(id)
		return
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-s.leaving:
			cancel()
		case <-stop:
		}
	}()
	t.text = s.readPart(ctx, p, c)
	s.library.keep(id, t)
}

// find gives a text that is there or under way, or begins it; nil: too many wait already.
func (l *library) find(id mailbox.ID, begin func(*partText)) *partText {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.texts[id]; t != nil {
		return t
	}
	if l.waiting >= textQueue {
		return nil
	}
	if l.texts == nil {
		l.texts = make(map[mailbox.ID]*partText)
	}
	t := &partText{ready: make(chan struct{})}
	l.texts[id] = t
	l.waiting++
	begin(t)
	return t
}

// keep remembers a text that was worked out, and forgets the oldest ones for it.
func (l *library) keep(id mailbox.ID, t *partText) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(t.ready)
	l.waiting--
	l.order = append(l.order, id)
	l.bytes += len(t.text.Text) + 200
	for l.bytes > keptBytes {
		oldest := l.order[0]
		l.order = l.order[1:]
		l.bytes -= len(l.texts[oldest].text.Text) + 200
		delete(l.texts, oldest)
	}
}

func (l *library) forget(id mailbox.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting--
	delete(l.texts, id)
}
