package record

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// event puts lines into a calendar.
func event(lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@example.com\r\nSUMMARY:Meeting\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

const outlookZone = "BEGIN:VTIMEZONE\nTZID:Customized Time " +
	"Zone\nBEGIN:STANDARD\nDTSTART:16010101T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\n" +
	"BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n"

func TestCalendars(t *testing.T) {
	for _, tt := range []struct{ name, ics, want string }{
		{"UTC", event("DTSTART:20260320T090000Z", "DTEND:20260320T100000Z"),
			`calendar 2026-03-20 09:00 2026-03-20T10:00:00Z UTC "Meeting" "" REQUEST`},
		{"named zone", event("DTSTART;TZID=Europe/Berlin:20260320T090000", "DTEND;TZID=Europe/Berlin:20260320T100000",
			"LOCATION:Room 1\\, 2nd floor"), `calendar 2026-03-20 09:00 2026-03-20T10:00:00 Europe/Berlin "Meeting" "Room 1, 2nd floor" REQUEST`},
		{"zone of Windows", event(`DTSTART;TZID="W. Europe Standard Time":20260320T090000`),
			`calendar 2026-03-20 09:00 - Europe/Berlin "Meeting" "" REQUEST`},
		{"zone with a maker's path", event("DTSTART;TZID=/mozilla.org/20070129_1/America/New_York:20260320T090000"),
			`calendar 2026-03-20 09:00 - America/New_York "Meeting" "" REQUEST`},
		{"zone of three parts", event("DTSTART;TZID=/freeassociation.sourceforge.net/Tzfile/America/Argentina/Buenos_Aires:20260320T090000"), `calendar 2026-03-20 09:00 - America/Argentina/Buenos_Aires "Meeting" "" REQUEST`},
		{"zone by its rules, summer", outlookZone + event("DTSTART;TZID=Customized Time Zone:20260720T090000",
			"DTEND;TZID=Customized Time Zone:20260720T100000"),
			`calendar 2026-07-20 09:00 2026-07-20T10:00:00+02:00 +02:00 "Meeting" "" REQUEST`},
		{"zone by its rules, winter, afterwards", event("DTSTART;TZID=Customized Time Zone:20261220T090000") +
			outlookZone, `calendar 2026-12-20 09:00 - +01:00 "Meeting" "" REQUEST`},
		{"zone by its rules, day of the change", outlookZone +
			event("DTSTART;TZID=Customized Time Zone:20260329T040000"),
			`calendar 2026-03-29 04:00 - +02:00 "Meeting" "" REQUEST`},
		{"zone by its name", event(`DTSTART;TZID="(UTC-03:00) Brasília":20260320T090000`),
			`calendar 2026-03-20 09:00 - -03:00 "Meeting" "" REQUEST`},
		{"zone nobody knows", event(`DTSTART;TZID=Home:20260320T090000`),
			`calendar 2026-03-20 09:00 - Home "Meeting" "" REQUEST`},
		{"floating", event("DTSTART:20260320T090000"), `calendar 2026-03-20 09:00 - - "Meeting" "" REQUEST`},
		{"one day", event("DTSTART;VALUE=DATE:20260320", "DTEND;VALUE=DATE:20260321"),
			`calendar 2026-03-20 - 2026-03-20 - "Meeting" "" REQUEST`},
		{"three days", event("DTSTART;VALUE=DATE:20260320", "DTEND;VALUE=DATE:20260323"),
			`calendar 2026-03-20 - 2026-03-22 - "Meeting" "" REQUEST`},
		{"duration", event("DTSTART:20260320T230000Z", "DURATION:PT1H30M"),
			`calendar 2026-03-20 23:00 2026-03-21T00:30:00Z UTC "Meeting" "" REQUEST`},
		{"duration of days", event("DTSTART;VALUE=DATE:20260320", "DURATION:P2D"),
			`calendar 2026-03-20 - 2026-03-21 - "Meeting" "" REQUEST`},
		{"duration of a week", event("DTSTART:20260320T230000Z", "DURATION:P1W"),
			`calendar 2026-03-20 23:00 2026-03-27T23:00:00Z UTC "Meeting" "" REQUEST`},
		{"end before the start", event("DTSTART:20260320T090000Z", "DTEND:00010101T000000Z"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"end where it is earlier", event("DTSTART;TZID=Asia/Tokyo:20260320T170000",
			"DTEND;TZID=America/Los_Angeles:20260320T100000"),
			`calendar 2026-03-20 17:00 2026-03-20T10:00:00 Asia/Tokyo "Meeting" "" REQUEST`},
		{"duration that is none", event("DTSTART:20260320T230000Z", "DURATION:soon"),
			`calendar 2026-03-20 23:00 - UTC "Meeting" "" REQUEST`},
		{"cancelled by method", strings.Replace(event("DTSTART:20260320T090000Z"), "REQUEST", "CANCEL", 1),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" CANCEL`},
		{"cancelled by status", event("DTSTART:20260320T090000Z", "STATUS:CANCELLED"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" CANCEL`},
		{"answer", strings.Replace(event("DTSTART:20260320T090000Z"), "METHOD:REQUEST", "method:reply", 1),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REPLY`},
		{"folded lines", event("DTSTART:2026\r\n 0320T090000Z", "LOCATION:A very \r\n\tlong place"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "A very long place" REQUEST`},
		{"line feeds alone", strings.ReplaceAll(event("DTSTART:20260320T090000Z"), "\r\n", "\n"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"carriage returns alone", strings.ReplaceAll(event("DTSTART:20260320T090000Z"), "\r\n", "\r"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"byte order mark", "\ufeff" + event("DTSTART:20260320T090000Z"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"lower case", strings.ToLower(event("DTSTART:20260320T090000Z")),
			`calendar 2026-03-20 09:00 - UTC "meeting" "" REQUEST`},
		{"dashes", event("DTSTART:2026-03-20T09:00:00+01:00"),
			`calendar 2026-03-20 09:00 - +01:00 "Meeting" "" REQUEST`},
		{"an alarm inside", event("DTSTART:20260320T090000Z", "BEGIN:VALARM", "SUMMARY:Wake up",
			"DTSTART:19990101T000000Z", "END:VALARM"), `calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"no end", strings.SplitAfter(event("DTSTART:20260320T090000Z"), "090000Z")[0],
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"no calendar around it", "BEGIN:VEVENT\nSUMMARY:Meeting\nDTSTART:20260320T090000Z\nEND:VEVENT",
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" -`},
		{"broken lines between", event("X", "???", ";;;:", "DTSTART:20260320T090000Z", ":x"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"a quote that is not closed", event(`X-A;CN="Jo:mailto:jo@example.com`, "DTSTART:20260320T090000Z"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`},
		{"no day", event("DTSTART:tomorrow"), `calendar - - - - "Meeting" "" REQUEST`},
		{"link as place", event("DTSTART:20260320T090000Z", "X-GOOGLE-CONFERENCE:https://meet.example/abc"),
			`calendar 2026-03-20 09:00 - UTC "Meeting" "https://meet.example/abc" REQUEST`},
		{"quoted-printable", "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nSUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=\n=A9 um drei\nDTSTART:20260320T140000Z\nEND:VEVENT\nEND:VCALENDAR", `calendar 2026-03-20 14:00 - UTC "Café um drei" "" -`},
		{"two", event("DTSTART:20260320T090000Z") + strings.Replace(event("DTSTART:20260321T090000Z"), "UID:1", "UID:2",
			1), "calendar 2026-03-20 09:00 - UTC \"Meeting\" \"\" REQUEST\ncalendar 2026-03-21 09:00 - UTC " +
			"\"Meeting\" \"\" REQUEST"},
		{"a task is none", "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Buy " +
			"milk\nDUE:20260320T090000Z\nEND:VTODO\nEND:VCALENDAR", ``},
		{"empty", "", ``},
		{"no calendar", "Dear Alex, BEGIN: with this.", ``},
	} {
		c := mailCase{tt.name, Mail{Calendars: []string{tt.ics}}, tt.want}
		c.run(t)
	}
	c := mailCase{"in the text", Mail{Text: "See you!\n\n" + event("DTSTART:20260320T090000Z")},
		`calendar 2026-03-20 09:00 - UTC "Meeting" "" REQUEST`}
	c.run(t)
}

func TestCalendarPeople(t *testing.T) {
	found := Find(Mail{Calendars: []string{event(`ORGANIZER;CN="Doe, Jo":mailto:jo@example.com`,
		"ATTENDEE;CN=Sam;PARTSTAT=ACCEPTED:MAILTO:sam@example.com", "ATTENDEE:mailto:max@example.com",
		"ATTENDEE;CN=Room 5:invalid:nomail", `ATTENDEE;CN="A ^'B^' C":mailto:abc@example.com`,
		"DTSTART:20260320T090000Z")}})
	if len(found.Calendars) != 1 {
		t.Fatalf("got %+v", found)
	}
	c := found.Calendars[0]
	got := fmt.Sprintf("%v %v %s %v %s", c.Organizer, c.Attendees, c.UID, c.Confidence, c.Source)
	want := `Doe, Jo <jo@example.com> [Sam <sam@example.com> max@example.com Room 5 A "B" C <abc@example.com>] 1@example.com 0.98 ics`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSeries(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		next  string // after the mail, which is of 14 March 2026, a Saturday
	}{
		{"daily", []string{"DTSTART:20260101T090000Z", "RRULE:FREQ=DAILY"}, "2026-03-14"},
		{"every third day", []string{"DTSTART:20260312T090000Z", "RRULE:FREQ=DAILY;INTERVAL=3"}, "2026-03-15"},
		{"weekly", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY"}, "2026-03-16"},
		{"on two days a week", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU,TH"}, "2026-03-17"},
		{"every second week", []string{"DTSTART:20260302T090000Z", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"},
			"2026-03-16"},
		{"on workdays", []string{"DTSTART:20260302T090000Z", "RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"}, "2026-03-16"},
		{"monthly", []string{"DTSTART:20260110T090000Z", "RRULE:FREQ=MONTHLY"}, "2026-04-10"},
		{"on the 31st", []string{"DTSTART:20260131T090000Z", "RRULE:FREQ=MONTHLY"}, "2026-03-31"},
		{"on the second Tuesday", []string{"DTSTART:20260113T090000Z", "RRULE:FREQ=MONTHLY;BYDAY=2TU"}, "2026-04-14"},
		{"on the last Friday", []string{"DTSTART:20260130T090000Z", "RRULE:FREQ=MONTHLY;BYDAY=-1FR"}, "2026-03-27"},
		{"on the last day", []string{"DTSTART:20260131T090000Z", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1"}, "2026-03-31"},
		{"on the last workday", []string{"DTSTART:20260130T090000Z",
			"RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"}, "2026-03-31"},
		{"yearly", []string{"DTSTART;VALUE=DATE:19800312", "RRULE:FREQ=YEARLY"}, "2027-03-12"},
		{"yearly on a weekday", []string{"DTSTART:20200329T090000Z", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"},
			"2026-03-29"},
		{"29 February", []string{"DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY"}, "2028-02-29"},
		{"a day left out", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY", "EXDATE:20260316T090000Z"},
			"2026-03-23"},
		{"a day added", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY", "RDATE:20260315T090000Z"},
			"2026-03-15"},
		{"days added alone", []string{"DTSTART:20260105T090000Z", "RDATE:20260112T090000Z,20260319T090000Z/PT1H"},
			"2026-03-19"},
		{"ended", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY;UNTIL=20260301T000000Z"}, ""},
		{"counted out", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3"}, ""},
		{"last of its count", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=WEEKLY;COUNT=11"}, "2026-03-16"},
		{"yet to come", []string{"DTSTART:20260420T090000Z", "RRULE:FREQ=WEEKLY"}, "2026-04-20"},
		{"another calendar", []string{"DTSTART;VALUE=DATE:20250129", "RRULE:RSCALE=CHINESE;FREQ=YEARLY"}, ""},
		{"nonsense", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=NEVER;BYDAY=XX;INTERVAL=-1"}, ""},
		{"a month that is none", []string{"DTSTART:20260105T090000Z", "RRULE:FREQ=MONTHLY;BYMONTH=13"}, ""},
		{"no series", []string{"DTSTART:20260420T090000Z"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := Find(Mail{Date: mailDate, Calendars: []string{event(tt.lines...)}})
			if len(found.Calendars) != 1 || found.Calendars[0].Next != tt.next {
				t.Errorf("got %+v, want %q", found.Calendars, tt.next)
			}
		})
	}
}

func TestOneDayOfASeries(t *testing.T) {
	found := Find(Mail{Date: mailDate, Calendars: []string{event("DTSTART:20260323T100000Z",
		"RECURRENCE-ID:20260323T090000Z")}})
	if len(found.Calendars) != 1 || found.Calendars[0].RecurrenceID != "2026-03-23" || found.Calendars[0].Rule != "" {
		t.Errorf("got %+v", found.Calendars)
	}
}

// A rule that never comes true ends all the same, and soon.
func TestSeriesEnds(t *testing.T) {
	begin := time.Now()
	for _, rule := range []string{"FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2", "FREQ=DAILY;BYMONTH=13",
		"FREQ=YEARLY;INTERVAL=100000", "FREQ=WEEKLY;BYDAY=5MO;BYMONTH=0"} {
		r := readRule(rule)
		r.next(time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC), mailDate, nil)
	}
	if time.Since(begin) > 20*time.Second {
		t.Errorf("took %v", time.Since(begin))
	}
}
