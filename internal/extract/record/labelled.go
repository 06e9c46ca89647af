package record

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// labelledMost is how much of a text is searched for labels.
const labelledMost = 50_000

// labelled are values that stand after English labels anywhere in a text, as they are written there.
type labelled struct {
	orderID, total, paid, currency string
	title, date, time, location    string
	attendees                      []Person
	items                          []Item
}

// pattern is a regular expression that is made when it is first needed, and not when the program starts.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// The labels that the older service knows.
var (
	labelOrder    = pattern(`(?i)\b(?:order|confirmation)\s*(?:#|number\b|id\b|no\.)\s*:?\s*([a-z0-9][\w-]{3,19})`)
	labelTotal    = pattern(`(?i)\b(?:total|amount|charged)[:\s]*[$€£¥]?\s*(\d[\d,]*\.\d{2})\b`)
	labelPaid     = pattern(`(?i)[$€£¥]\s*(\d[\d,]*\.\d{2})\b|\b(\d[\d,]*\.\d{2})\s*(?:USD|EUR|GBP|JPY|CNY|CAD|AUD)\b`)
	labelCurrency = pattern(`(?i)\b(?:USD|EUR|GBP|JPY|CNY|CAD|AUD)\b|[$€£¥]`)
	labelTitle    = pattern(`(?im)^\s*(?:event|meeting|invitation)\s*:\s*(\S.*)$`)
	labelDate     = pattern(`(?i)\b(?:date|when)[:\s]+([a-z]+\s+\d{1,2},?\s+\d{4}|\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d{2}-\d{2})`)
	labelTime     = pattern(`(?i)\b(?:time|at)[:\s]+(\d{1,2}:\d{2}(?:\s*[ap]m\b)?(?:\s*-\s*\d{1,2}:\d{2}(?:\s*[ap]m\b)?)?)`)
	labelLocation = pattern(`(?im)^\s*(?:location|where|venue|place)\s*:\s*(\S.*)$`)
	labelPeople   = pattern(`(?im)^\s*(?:attendees|participants|guests|invitees|with)\s*:\s*(\S.*)$`)
	labelItems    = pattern(`(?im)^[ \t]*(?:items?|products?)(?:[ \t]+ordered)?[ \t]*:(.*(?:\n[ \t]*[-*•].*)*)`)
	labelAddress  = pattern(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
)

// attendeesMost is how many people are read after a label.
const attendeesMost = 100

func readLabelled(m Mail) labelled {
	text := mailbox.Cut(m.Subject+"\n"+m.Text, labelledMost)
	find := func(label func() *regexp.Regexp) string {
		groups := label().FindStringSubmatch(text)
		return strings.TrimSpace(either(groups[min(1, len(groups)):]...))
	}
	l := labelled{
		orderID: find(labelOrder),
		total:   strings.ReplaceAll(find(labelTotal), ",", ""), paid: strings.ReplaceAll(find(labelPaid), ",", ""),
		title: find(labelTitle), date: find(labelDate), time: find(labelTime), location: find(labelLocation),
	}
	for _, address := range labelAddress().FindAllString(find(labelPeople), attendeesMost) {
		l.attendees = append(l.attendees, Person{Address: address})
	}
	l.items = itemsAfter(find(labelItems))
	l.currency = strings.ToUpper(labelCurrency().FindString(text))
	switch l.currency {
	case "$":
		l.currency = "USD"
	case "€":
		l.currency = "EUR"
	case "£":
		l.currency = "GBP"
	case "¥":
		l.currency = "JPY"
	}
	return l
}

// itemsAfter reads the names after the label of an order's goods: apart by commas or semicolons on its own line, and
// one on each line of the list below it.
func itemsAfter(text string) (items []Item) {
	apart := func(r rune) bool { return r == ',' || r == ';' }
	first, below, _ := strings.Cut(text, "\n")
	for _, part := range append(strings.FieldsFunc(first, apart), strings.Split(below, "\n")...) {
		item := Item{Name: strings.TrimLeft(strings.TrimSpace(part), "-*• ")}
		if n, end := leadingTimes(strings.ToLower(item.Name)); n != "" && end <= len(item.Name) {
			item.Quantity, item.Name = n, item.Name[end:]
		}
		if item.Name = itemName(item.Name); item.Name != "" && len(items) < maxOrderItems {
			items = append(items, item)
		}
	}
	return items
}

// unsure is the confidence in a record that is known by its labels alone.
const unsure = 0.3

// Labelled adds what Find leaves out because it is not sure of it: amounts and appointments that are known by their
// labels alone, in any mail. Day and time of such an appointment are as the mail writes them. Clients of the older
// service expect that.
func (f Found) Labelled(m Mail) Found {
	l := readLabelled(m.valid())
	if len(f.Orders) == 0 && (l.orderID != "" || l.total != "") {
		f.Orders = []Order{{OrderID: l.orderID, Merchant: m.sender(), Confidence: unsure, Source: FromText}}
	}
	if len(f.Orders) > 0 && !f.Orders[0].Total.Known() && l.total != "" {
		f.Orders[0].Total, f.Orders[0].Currency = Decimal(l.total), l.currency
	}
	if len(f.Orders) > 0 && len(f.Orders[0].Items) == 0 {
		f.Orders[0].Items = l.items
	}
	if len(f.Receipts) == 0 && l.paid != "" {
		f.Receipts = []Receipt{{
			Amount: Decimal(l.paid), Currency: l.currency, Merchant: m.sender(), Confidence: unsure, Source: FromText,
		}}
	}
	f.Calendars = l.appointments(f.Calendars)
	return f
}

func (l labelled) appointments(found []Calendar) []Calendar {
	switch {
	case len(found) == 0 && (l.date != "" || l.title != "" && l.time != ""):
		found = []Calendar{{Confidence: unsure, Source: FromText}}
	case len(found) == 0 || found[0].Source != FromText:
		return found
	}
	c := &found[0]
	c.Title, c.Date, c.Time = either(l.title, c.Title), either(l.date, c.Date), either(l.time, c.Time)
	c.Location = either(c.Location, l.location)
	if len(c.Attendees) == 0 {
		c.Attendees = l.attendees
	}
	return found
}

// sender is who a mail is from, as people know it.
func (m Mail) sender() string {
	local, _, _ := strings.Cut(m.From, "@")
	return either(strings.TrimSpace(m.FromName), local)
}
