package service

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/store"
)

// Extraction is the structured data of a message.
type Extraction struct {
	ID     mailbox.ID
	Mail   record.Mail // what was looked at
	Found  record.Found
	Code   string
	Detail *mailbox.Detail // with the links, and what could be the code

	Screening mailbox.Screening // of the message and of its appointments
}

const (
	// calendarMost is how much of a calendar is read, and calendarsMost how many.
	calendarMost, calendarsMost = 256 << 10, 8
)

// Extract reads orders, receipts, parcels and appointments out of a message (API 8).
func (s *Service) Extract(ctx context.Context, in Access, id mailbox.ID) (out Extraction, err error) {
	_, err = s.showMarked(ctx, in, id, MessageOptions{}, func(m *FullMessage, c store.Content) error {
		calendars, err := s.calendars(ctx, in, m, c)
		if err != nil {
			return err
		}
		date := m.Detail.Date
		if date.IsZero() {
			date = m.ReceivedAt
		}
		b := bodyOf(&m.Detail)
		mail := record.Mail{From: m.From.Address, FromName: m.From.Name, Subject: m.Subject, Date: date,
			Text: b.text, View: b.view, Calendars: calendars, Alternative: m.Detail.Alternative}
		out = Extraction{ID: m.ID, Mail: mail, Found: record.Find(mail), Code: m.Code, Detail: &m.Detail}
		out.Found.Locate(m.Subject, m.Detail.Text, date)
		out.Screening = withoutExcerpts(m.Detail.Screening).With(screenAppointments(out.Found.Calendars))
		return nil
	})
	return out, err
}

// calendars reads the calendar parts of a message.
func (s *Service) calendars(ctx context.Context, in Access, m *FullMessage, c store.Content) (list []string,
	err error) {
	var raw *rawmail.Reader
	for _, p := range m.Detail.Parts {
		if !isCalendar(p) {
			continue
		}
		if isFile(p) && !in.readsFiles() {
			continue
		}
		if len(list) == calendarsMost {
			break
		}
		if raw == nil {
			raw, err = s.openRaw(ctx, c)
			if errors.Is(err, errNoMessage) {
				return nil, nil // deleted meanwhile
			}
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, raw.Close()) }()
		}
		b, err := io.ReadAll(io.LimitReader(rawmail.Decode(p, raw), calendarMost))
		if err != nil {
			return nil, err
		}
		list = append(list, rfc822.Text(b, p.Charset))
	}
	return list, nil
}

func isCalendar(p mailbox.Part) bool {
	return p.ContentType == "text/calendar" || p.ContentType == "application/ics" ||
		strings.HasSuffix(strings.ToLower(p.Filename), ".ics")
}

// withoutExcerpts is a screening that quotes nothing of the message: what is extracted never has what nobody sees.
func withoutExcerpts(s mailbox.Screening) mailbox.Screening {
	s.Findings = slices.Clone(s.Findings)
	for i := range s.Findings {
		s.Findings[i].Excerpt = ""
	}
	return s
}

// screenAppointments looks for orders to a model in what appointments say.
func screenAppointments(list []record.Calendar) mailbox.Screening {
	var b strings.Builder
	for _, c := range list {
		for _, text := range []string{c.Title, c.Location, c.Organizer.Name} {
			b.WriteString(text + "\n\n")
		}
		for _, p := range c.Attendees {
			b.WriteString(p.Name + "\n\n")
		}
	}
	return newScreening(screen.ScreenFile(screen.Mail{}, screen.File{Text: b.String(), Calendar: true}), 0)
}

// isFile tells a file from another form of what the message says, as an invitation's calendar next to its text is.
func isFile(p mailbox.Part) bool {
	return p.Filename != "" || p.Disposition == "attachment" || p.ContentType != "text/calendar"
}
