package record

import (
	"fmt"
	"testing"
	"time"
)

// What the older service read in plain text is read for its clients too: by labels alone, as it is written.
func TestLabelled(t *testing.T) {
	type values struct{ orderID, total, amount, currency, title, date, time, location string }
	for _, tt := range []struct {
		name, subject, text string
		want                values
	}{
		{"an appointment", "Planning", "Event: Quarterly plan\nDate: April 5, 2026\nTime: 2:00 PM - 3:30 " +
			"PM\nLocation: Room 301\n",
			values{title: "Quarterly plan", date: "April 5, 2026", time: "2:00 PM - 3:30 PM", location: "Room 301"}},
		{"an appointment that is found without labels, too", "Lunch?", "When: 4/5/2026\nWhere: Cafe Uno\nat: 12:30",
			values{title: "Lunch?", date: "4/5/2026", time: "12:30", location: "Cafe Uno"}},
		{"a day in a sentence", "Hello", "The place where we met is closed. Let us meet when you can.", values{}},
		{"a sum that nothing else speaks of", "Thanks", "Confirmation #W9876543\nTotal: $1,129.00\n",
			values{orderID: "W9876543", total: "1129.00", amount: "1129.00", currency: "USD"}},
		{"a currency behind the sum", "Hi", "It was 99.99 EUR.", values{amount: "99.99", currency: "EUR"}},
		{"letters of a currency in a word", "Hi", "The academy charged 12.00 for it.", values{total: "12.00"}},
		{"nothing", "Hello", "How are you?", values{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Mail{From: "shop@store.example", Subject: tt.subject, Text: tt.text, Date: time.Date(2026, 3, 20, 0, 0,
				0, 0, time.UTC)}
			f := Find(m).Labelled(m)
			var got values
			for _, o := range f.Orders {
				got.orderID, got.total, got.currency = o.OrderID, string(o.Total), o.Currency
			}
			for _, r := range f.Receipts {
				got.amount, got.currency = string(r.Amount), r.Currency
			}
			for _, c := range f.Calendars {
				got.title, got.date, got.time, got.location = c.Title, c.Date, c.Time, c.Location
			}
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A calendar that came with the mail is not touched.
func TestLabelledLeavesCalendars(t *testing.T) {
	m := Mail{Subject: "Invitation", Text: "Date: April 5, 2026\nTime: 2:00 PM", Calendars: []string{
		"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Standup\r\nDTSTART:20260401T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"}}
	c := Find(m).Labelled(m).Calendars
	if len(c) != 1 || c[0].Date != "2026-04-01" || c[0].Time != "10:00" || c[0].Title != "Standup" {
		t.Errorf("got %+v", c)
	}
}

// The addresses after a label are those who come.
func TestLabelledAttendees(t *testing.T) {
	for line, want := range map[string]string{
		"Attendees: ann@example.org, bob@example.org":          "[ann@example.org bob@example.org]",
		"participants: Ann <ann@example.org>; bob@example.org": "[ann@example.org bob@example.org]",
		"With: ann@example.org":                                "[ann@example.org]",
		"With: all of us":                                      "[]",
		"Come with ann@example.org":                            "[]",
	} {
		m := Mail{From: "kim@example.org", Subject: "Planning", Text: "Event: Plan\nDate: April 5, 2026\nTime: " +
			"2:00 PM\n" + line + "\n"}
		if c := Find(m).Labelled(m).Calendars; len(c) != 1 || fmt.Sprint(c[0].Attendees) != want {
			t.Errorf("%s: %+v", line, c)
		}
	}
}

// The goods of an order stand after their label, or in a list below it. What can be read without the label stays.
func TestLabelledItems(t *testing.T) {
	for text, want := range map[string]string{
		"Items: Blue mug, 2 x Green tea; Spoon":               "[1|Blue mug 2|Green tea 1|Spoon]",
		"Items:\r\n- Blue mug\r\n* 3x Spoon\r\n\r\n- See you": "[1|Blue mug 3|Spoon]",
		"items ordered: Lamp":                                 "[1|Lamp]",
		"Items: 3":                                            "[]",
		"Items shipped to your address.":                      "[]",
		"The items: a riddle. Items":                          "[]",
		"2 x Blue shirt $40.00\nItems: Other":                 "[2|Blue shirt]",
	} {
		m := Mail{From: "shop@store.example", Subject: "Your order", Text: "Order #ABC-12345\n" + text +
			"\nTotal: $40.00\n"}
		names := []string{}
		for _, o := range Find(m).Labelled(m).Orders {
			for _, i := range o.Items {
				names = append(names, fmt.Sprintf("%s|%s", either(string(i.Quantity), "1"), i.Name))
			}
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestCapitals(t *testing.T) {
	for text, want := range map[string]string{
		"KTHWQPXY": "KTHWQPXY", "KTHWQPXY and more": "KTHWQPXY", "SD3U7": "SD3U7", "LJZZG": "LJZZG",
		"SD3U7 and more": "", "FREE": "", "FREE gift": "", "SALE20": "SALE20", "20260": "", "Abcdef": "",
	} {
		if got := capitals(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
