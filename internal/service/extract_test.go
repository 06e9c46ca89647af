package service_test

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestExtractCalendar(t *testing.T) {
	k := newService(t)
	own := k.provisional("temp")
	raw := "From: Kim <kim@sender.test>\r\nTo: temp@example.test\r\nSubject: Tide\r\nMessage-ID: <ics@sender.test>\r\n" +
		"Date: Sat, 14 Mar 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; " +
		"boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain\r\n\r\nSee you.\r\n--b\r\nContent-Type: text/calendar; charset=utf-8; " +
		"method=REQUEST\r\n\r\n" +
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:tide-1\r\nDTSTART:20260320T180000Z\r\nDTEND:20260320T190000Z\r\n" +
		"SUMMARY:The tide\r\nLOCATION:Pier\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n--b--\r\n"
	id := k.receive(raw, own.Address)[0].ID
	x, err := k.svc.Extract(t.Context(), own.in(mailbox.ExtractData), id)
	k.works("Extract", err)
	if len(x.Found.Calendars) != 1 {
		t.Fatalf("found %+v", x.Found)
	}
	c := x.Found.Calendars[0]
	k.same("appointment", []string{c.Title, c.Date, c.Location, c.UID, c.Method}, []string{"The tide", "2026-03-20",
		"Pier", "tide-1", "REQUEST"})
	_, err = k.svc.Extract(t.Context(), own.in(mailbox.ExtractData), mailbox.NewID(noon))
	k.kind("a message that is not there", err, mailbox.NotFound, "not_found")
}
