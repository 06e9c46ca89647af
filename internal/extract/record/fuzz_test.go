package record

import (
	"testing"
	"unicode/utf8"
)

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"@type":"Order","orderNumber":"1"}`, `[{"a":1,}{b:'c'}]`, `{"a": "b "c" d", "e": [1,2`,
		"//<![CDATA[\n{}\n//]]>", `{&quot;a&quot;:&quot;b&quot;}`, `{"a":"\ud83d\u`, `]}{[`, `{"@graph":[{"@id":"x"}]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		nodes, _ := readJSON(s)
		g := newGraph(nodes)
		found := readSchema(&scene{mail: &Mail{}}, g.roots, FromJSONLD, sureJSON)
		checkBounds(t, found)
	})
}

func FuzzICS(f *testing.F) {
	f.Add(event("DTSTART;TZID=Europe/Berlin:20260320T090000", "RRULE:FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20261231"))
	f.Add(outlookZone + event("DTSTART;TZID=Customized Time Zone:20260720T090000", "DURATION:P1DT2H"))
	f.Add(event("ATTENDEE;CN=\"x\":mailto:a@b.c", "EXDATE:20260101,20260102",
		"RDATE;VALUE=PERIOD:20260101T000000Z/PT1H"))
	f.Add("BEGIN:VEVENT\nSUMMARY;ENCODING=QUOTED-PRINTABLE:a=\n=C3=A9\nEND:VCALENDAR")
	f.Fuzz(func(t *testing.T, s string) {
		found := Find(Mail{Date: mailDate, Calendars: []string{s}})
		checkBounds(t, found)
		for _, c := range found.Calendars {
			if !utf8.ValidString(c.Title + c.Location + c.Timezone) {
				t.Errorf("%+v", c)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("Your order has shipped", "Tracking number: 1Z999AA10123456784\nArriving March 17",
		"<p>Order #123<p>Total <b>$5.00</b>")
	f.Add("Bestellbestätigung", "Bestellnummer: 4711\n2 x Hemd 19,90 €\nGesamt 39,80 €", block(`{"@type":"Order"}`))
	f.Add("ご注文", "注文番号：250-1234567-1234567\n合計：￥3,480\nお届け予定日：3月16日",
		`<div itemscope itemtype="http://schema.org/Event"><b itemprop=name>x`)
	f.Add("Termin", "Wann: 14.03.2026 um 10.30 Uhr (CET)\nWo: Berlin", "<table><tr><td>a<td>b<tr><td>1<td>2")
	f.Add("Receipt", "You paid -$5.00 (US$ 5) to ACME\nVisa **** 1234\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1",
		"<script type=application/ld+json>{")
	f.Fuzz(func(t *testing.T, subject, text, html string) {
		found := Find(Mail{From: "a@shop.example", FromName: "Shop", Subject: subject, Date: mailDate, Text: text,
			View: seen(html)})
		checkBounds(t, found)
		for _, line := range summary(found) {
			if !utf8.ValidString(line) {
				t.Errorf("%q", line)
			}
		}
	})
}
