package service

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// Extraction is the structured data of a message.
type Extraction struct {
	ID    mailbox.ID
	Mail  record.Mail // what was looked at
	Found record.Found
	Code  string
	Links []mailbox.Link
}

const (
	// calendarMost is how much of a calendar is read, and calendarsMost how many.
	calendarMost, calendarsMost = 256 << 10, 8
)

// Extract reads orders, receipts, parcels and appointments out of a message (API 8).
func (s *Service) Extract(ctx context.Context, in Access, id mailbox.ID) (Extraction, error) {
	m, err := s.Message(ctx, in, id, MessageOptions{})
	if err != nil {
		return Extraction{}, err
	}
	calendars, err := s.calendars(ctx, in, m)
	if err != nil {
		return Extraction{}, err
	}
	date := m.Detail.Date
	if date.IsZero() {
		date = m.ReceivedAt
	}
	leave, err := s.largeTurn(ctx, m.Message, m.Address)
	if err != nil {
		return Extraction{}, err
	}
	defer leave()
	b := bodyOf(&m.Detail)
	mail := record.Mail{From: m.From.Address, FromName: m.From.Name, Subject: m.Subject, Date: date,
		Text: b.text, View: b.view, Calendars: calendars, Alternative: m.Detail.Alternative}
	m.Detail.SetView(nil)
	return Extraction{ID: m.ID, Mail: mail, Found: record.Find(mail), Code: m.Code, Links: m.Detail.Links}, nil
}

// calendars reads the calendar parts of a message.
func (s *Service) calendars(ctx context.Context, in Access, m FullMessage) (list []string, err error) {
	for _, p := range m.Detail.Parts {
		if p.ContentType != "text/calendar" && p.ContentType != "application/ics" &&
			!strings.HasSuffix(strings.ToLower(p.Filename), ".ics") {
			continue
		}
		if isFile(p) && !in.readsFiles() {
			continue
		}
		if len(list) == calendarsMost {
			break
		}
		text, err := s.partText(ctx, in, m, p)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, nil
}

// isFile tells a file from another form of what the message says, as an invitation's calendar next to its text is.
func isFile(p mailbox.Part) bool {
	return p.Filename != "" || p.Disposition == "attachment" || p.ContentType != "text/calendar"
}

// partText reads the beginning of a part as text.
func (s *Service) partText(ctx context.Context, in Access, m FullMessage, p mailbox.Part) (text string, err error) {
	a, err := s.Attachment(ctx, in, m.ID.Part(p.Index))
	if errors.Is(err, store.ErrNotFound) || mailbox.KindOf(err) == mailbox.NotFound {
		return "", nil // deleted meanwhile
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	b, err := io.ReadAll(io.LimitReader(a, calendarMost))
	return rfc822.Text(b, p.Charset), err
}
