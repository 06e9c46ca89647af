package record

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// shopMail is an order confirmation of about 50 KB, as shops lay them out.
func shopMail() Mail {
	var b strings.Builder
	b.WriteString(`<html><head><style>td{padding:0}</style></head><body><table width="100%"><tr><td><h1>Thank you for your order!</h1><p>Order number: 123-4567890</p><p>Order date: March 13, 2026</p></td></tr></table><table>`)
	for i := range 60 {
		fmt.Fprintf(&b, `<tr style="border-bottom:1px solid #eeeeee;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;color:#333333"><td style="padding:8px 0 8px 0" valign="top"><img src="https://cdn.shop.example/images/products/%d/thumbnail.jpg" width="80" height="80" alt=""></td><td style="padding:8px 0 8px 12px" valign="top"><a href="https://shop.example/products/%d?utm_source=mail&amp;utm_medium=transactional&amp;utm_campaign=order" style="color:#0a62ff;text-decoration:none">A fine thing that one can buy, number %d</a><br><span style="color:#888888">Colour: blue, size: medium, delivered in a box</span></td><td align="right" valign="top">%d</td><td align="right" valign="top">$%d.50</td></tr>`, i, i, i, i%3+1, i+5)
	}
	b.WriteString(`<tr><td>Subtotal</td><td>$2,190.00</td></tr><tr><td>Shipping</td><td>$5.00</td></tr><tr><td>Order total</td><td>$2,195.00</td></tr></table><p>Payment method: Visa ending in 4242</p></body></html>`)
	return Mail{From: "orders@shop.example", FromName: "Shop", Subject: "Order confirmation 123-4567890",
		Date: mailDate, View: seen(b.String()), Text: strings.Repeat("A line of text about the order, which says "+
			"nothing that counts.\n", 150)}
}

func BenchmarkFind(b *testing.B) {
	m := shopMail()
	b.SetBytes(int64(len(m.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(m)
	}
}

func BenchmarkFindMarkup(b *testing.B) {
	m := Mail{View: seen(block(`{"@type":"Order","orderNumber":"1","price":"5","priceCurrency":"EUR","acceptedOffer":[` + strings.Repeat(`{"@type":"Offer","itemOffered":{"name":"Thing"},"price":"1.00"},`, 100) + `]}`))}
	b.ReportAllocs()
	for b.Loop() {
		Find(m)
	}
}

func BenchmarkFindCalendar(b *testing.B) {
	m := Mail{Date: mailDate, Calendars: []string{outlookZone + event("DTSTART;TZID=Customized Time "+
		"Zone:20200720T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE")}}
	b.ReportAllocs()
	for b.Loop() {
		Find(m)
	}
}

// hostile are mails of a size that are made to take long.
func hostile(size int) map[string]Mail {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	calendar := func(s string) Mail { return Mail{Date: mailDate, Calendars: []string{s}} }
	return map[string]Mail{
		"open objects":      {View: seen(block(fill(`{"a":`)))},
		"open arrays":       {View: seen(block(fill(`[`)))},
		"objects":           {View: seen(block(fill(`{"@type":"Order","orderNumber":"1"},`)))},
		"quotes":            {View: seen(block(fill(`"`)))},
		"quotes and blanks": {View: seen(block(`{"a":"` + fill(`" `)))},
		"quotes and words":  {View: seen(block(`{"a":"` + fill(`" "a" b`)))},
		"escapes":           {View: seen(block(`{"a":"` + fill(`\u`)))},
		"comments":          {View: seen(block(fill(`/*`)))},
		"comment ends":      {View: seen(block(fill(`/**/`)))},
		"brackets":          {View: seen(block(fill(`]}`)))},
		"mixed":             {View: seen(block(fill(`{[}]`)))},
		"references":        {View: seen(block(`[` + fill(`{"@id":"a","b":{"@id":"a"}},`) + `]`))},
		"many blocks":       {View: seen(fill(block(`{"@type":"Order","orderNumber":"1"}`)))},
		"scopes":            {View: seen(fill(`<div itemscope itemtype="http://schema.org/Event" itemprop=a>`))},
		"scopes and text":   {View: seen(fill(`<b itemscope><i itemprop="name">x`))},
		"ends":              {View: seen(strings.Repeat(`<i>`, 300) + fill(`</b>`))},
		"tags":              {View: seen(fill(`<div>`))},
		"cells":             {View: seen(`<table>` + fill(`<td>1`))},
		"rows":              {View: seen(`<table>` + fill(`<tr><td>total<td>$5`))},
		"anchors":           {View: seen(fill(`<a href="https://ups.com/track?n=1Z999AA10123456784">track`))},
		"attributes":        {View: seen(`<a ` + fill(`b=c `) + `>`)},
		"one line":          {Text: fill("order number tracking number total ")},
		"labels":            {Subject: "Order confirmation", Text: fill("order number\n")},
		"totals":            {Subject: "Order confirmation", Text: fill("Total: $5.00\n")},
		"items":             {Subject: "Order confirmation", Text: fill("2 x Shirt $5.00\n")},
		"item names":        {Subject: "Order confirmation", Text: fill("Shirt\n") + "Total: $5"},
		"numbers":           {Text: fill("1234567890 ")},
		"long number":       {Text: "Tracking number: " + fill("1")},
		"groups":            {Text: fill("Tracking number: 1234 1234 1234 1234\n")},
		"parcels":           {Text: fill("1Z999AA10123456784 ")},
		"separators":        {Text: "Total: " + fill("1,")},
		"dates":             {Text: fill("14 March 2026 ")},
		"dots":              {Text: fill("1.")},
		"carriers":          {Text: fill("ups fedex dhl ") + "\nTracking number: 986578788855"},
		"dollars":           {Text: fill("$ ")},
		"addresses":         {Text: fill("https://")},
		"glued addresses":   {Text: fill("https://a.example")},
		"East Asian":        {Text: fill("注文番号合計")},
		"Hangul":            {Text: fill("주문번호")},
		"subject":           {Subject: fill("order number 5 "), Text: "Total: $5"},
		"invalid UTF-8":     {Subject: "\xff", Text: fill("\xff\xfe"), View: seen(fill("\xff<p>"))},
		"zero width":        {Text: fill("\u200b")},
		"components":        calendar(fill("BEGIN:VEVENT\n")),
		"events":            calendar(fill("BEGIN:VEVENT\nUID:1\nDTSTART:16010101T000000\nRRULE:FREQ=DAILY;BYMONTH=13\nEND:VEVENT\n")),
		"monthly":           calendar(fill("BEGIN:VEVENT\nUID:1\nDTSTART:16010101T000000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2\nEND:VEVENT\n")),
		"folded":            calendar("BEGIN:VEVENT\nSUMMARY:" + fill("\n x")),
		"soft":              calendar("BEGIN:VEVENT\nSUMMARY;ENCODING=QUOTED-PRINTABLE:" + fill("=\n")),
		"parameters":        calendar("BEGIN:VEVENT\nATTENDEE" + fill(";A=B") + ":x"),
		"attendees":         calendar("BEGIN:VEVENT\nUID:1\n" + fill("ATTENDEE:mailto:a@b.c\n")),
		"days left out": calendar("BEGIN:VEVENT\nUID:1\nDTSTART:20260101\nRRULE:FREQ=DAILY\nEXDATE:" +
			fill("20260101,")),
		"zones": calendar(fill("BEGIN:VTIMEZONE\nTZID:a\nBEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY\nEND:STANDARD\nEND:VTIMEZONE\n") + event("DTSTART;TZID=a:20260101T000000")),
		"changes of a zone": calendar("BEGIN:VTIMEZONE\nTZID:a\n" +
			fill("BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12\nEND:STANDARD\n") + "END:VTIMEZONE\n" + event("DTSTART;TZID=a:20260101T000000")),
		"many events, zones": calendar("BEGIN:VTIMEZONE\nTZID:a\n" +
			strings.Repeat("BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYMONTH=1,2,3,4,5,6\nEND:STANDARD\n", 4000) + "END:VTIMEZONE\n" + strings.Repeat(event("DTSTART;TZID=a:20260101T000000"), 3000)),
	}
}

// Nothing takes long. The bound is far above what is usual, for slow machines and the race detector.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for name, m := range hostile(256 << 10) {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			checkBounds(t, Find(m))
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, m := range hostile(1 << 20) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				Find(m)
			}
		})
	}
}
