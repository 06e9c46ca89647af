package record

import (
	"hash/fnv"
	"os"
	"strings"
	"testing"
)

// orderMail is a mail of a shop, and what is to be read of its order.
type orderMail struct {
	name, subject, text, order, total, shown, date string
}

// orderMails reads testdata/orders.txt: a name, fields, an empty line and the text.
func orderMails(t *testing.T) (list []orderMail) {
	t.Helper()
	b, err := os.ReadFile("testdata/orders.txt")
	if err != nil {
		t.Fatal(err)
	}
	for mail := range strings.SplitSeq("\n"+string(b), "\n== ") {
		head, text, _ := strings.Cut(mail, "\n\n")
		title, fields, _ := strings.Cut(head, "\n")
		if title == "" || title[0] == '#' {
			continue
		}
		m := orderMail{name: title, text: strings.TrimSuffix(text, "\n")}
		to := map[string]*string{"Subject": &m.subject, "Order": &m.order, "Total": &m.total, "Shown": &m.shown,
			"Date": &m.date}
		for field := range strings.SplitSeq(fields, "\n") {
			key, value, _ := strings.Cut(field, ": ")
			if to[key] == nil {
				t.Fatalf("%s: the field %q is not known", title, key)
			}
			*to[key] = value
		}
		list = append(list, m)
	}
	return list
}

// TestOrdersCorpus counts the fields of orders that are read from mails of shops in 51 languages, and for how many it
// is known where they are shown. The half that is held out is counted and not looked at.
func TestOrdersCorpus(t *testing.T) {
	var halves [2]struct{ mails, orders, totals, dates, spans int }
	for _, m := range orderMails(t) {
		mail, shown := Mail{Subject: m.subject, Text: m.text, Date: mailDate, From: "shop@toyland.example"}, m.text
		if strings.HasPrefix(m.text, "<html>") {
			mail.Text, mail.View = "", seen(m.text)
			shown = mail.View.Text()
		}
		found := Find(mail)
		found.Locate(m.subject, shown, mailDate)
		h := fnv.New32a()
		_, _ = h.Write([]byte(m.subject + "\n" + m.text))
		half := &halves[h.Sum32()&1]
		half.mails++
		var got Order
		if len(found.Orders) > 0 {
			got = found.Orders[0]
		}
		where := map[string]string{}
		for _, s := range got.Spans {
			where[s.Field] = s.Text
		}
		id, date := got.OrderID == m.order, got.Date == m.date
		total := strings.TrimSpace(string(got.Total)+" "+got.Currency) == m.total
		span := where["order_id"] == m.order && strings.Contains(where["total"], m.shown)
		for _, of := range []struct {
			n  *int
			ok bool
		}{{&half.orders, id}, {&half.totals, total}, {&half.dates, date}, {&half.spans, span}} {
			if of.ok {
				*of.n++
			}
		}
		if half == &halves[0] && !(id && date && total && span) {
			t.Logf("%s: got %q %q %q %q, shown %v", m.name, got.OrderID, got.Total, got.Currency, got.Date, where)
		}
	}
	for i, name := range [2]string{"development", "held out"} {
		h := &halves[i]
		for _, of := range []struct {
			what string
			n    int
		}{{"numbers", h.orders}, {"totals with currency", h.totals}, {"days", h.dates}, {"places", h.spans}} {
			t.Logf("orders of shops, %s, %s: %d of %d", name, of.what, of.n, h.mails)
			if of.n*100 < h.mails*[2]int{100, 91}[i] {
				t.Errorf("fewer %s than were found before", of.what)
			}
		}
	}
}
