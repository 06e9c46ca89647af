package record

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
)

func readFile(t *testing.T, name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// files returns the files of a set with an ending.
func files(t *testing.T, dir, ending string) []string {
	var list []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ending) {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What is read out of a page is what its project says is in it.
func TestCorpusItineraries(t *testing.T) {
	right, records := 0, 0
	list := files(t, corpustest.Dir(t, "structured/kitinerary"), ".html")
	for _, name := range list {
		got := summary(Find(Mail{View: seen(readFile(t, name))}))
		want := summary(Find(Mail{View: seen(block(readFile(t, strings.TrimSuffix(name, ".html")+".json")))}))
		records += len(got)
		if slices.Equal(got, want) {
			right++
			continue
		}
		t.Logf("%s: got %q, want %q", filepath.Base(name), got, want)
	}
	t.Logf("kitinerary: %d of %d right, %d records", right, len(list), records)
	if right < len(list) || records < 17 {
		t.Errorf("only %d of %d are right, with %d records", right, len(list), records)
	}
}

// Each example of schema.org gives a record of the kind that it is, and the other kinds of things give none.
func TestCorpusSchema(t *testing.T) {
	right, wrong := 0, 0
	for _, name := range files(t, corpustest.Dir(t, "structured/schemaorg-examples"), ".txt") {
		page := readFile(t, name)
		types, _, _ := strings.Cut(page, "\n")
		found := Find(Mail{View: seen(page)})
		ok := len(summary(found)) == 0
		switch {
		case strings.Contains(types, "Reservation"):
			ok = len(found.Calendars) == 1 && found.Calendars[0].Time != "" && found.Calendars[0].UID != ""
		case strings.Contains(types, "Invoice"):
			ok = len(found.Receipts) == 1 && found.Receipts[0].Currency == "USD" && found.Receipts[0].Merchant != ""
		case strings.Contains(types, "Order"):
			ok = len(found.Orders) > 0 && len(found.Orders[0].Items) == 2 && len(found.Shippings) == 2
		}
		if ok {
			right++
		} else {
			wrong++
			t.Logf("%s: %s: %q", filepath.Base(name), types, summary(found))
		}
	}
	t.Logf("schemaorg-examples: %d right, %d wrong", right, wrong)
	if wrong > 0 || right < 19 {
		t.Errorf("%d right, %d wrong", right, wrong)
	}
}

// Every event with a day that can be read is found, with that day.
func TestCorpusCalendars(t *testing.T) {
	day := regexp.MustCompile(`(?m)^DTSTART[^:\r\n]*(?::[^:\r\n]*)*?:(\d{4})(\d\d)(\d\d)`)
	inside := regexp.MustCompile(`(?s)BEGIN:VEVENT\r?\n(.*?)END:VEVENT`)
	alarm := regexp.MustCompile(`(?s)BEGIN:VALARM.*?END:VALARM`)
	events, found := 0, 0
	for _, name := range files(t, corpustest.Dir(t, "structured/icalendar-py"), ".ics") {
		text := readFile(t, name)
		calendars := Find(Mail{Date: mailDate, Calendars: []string{text}}).Calendars
		for _, e := range inside.FindAllStringSubmatch(text, -1) {
			d := day.FindStringSubmatch(alarm.ReplaceAllString(e[1], ""))
			if d == nil {
				continue
			}
			events++
			date := d[1] + "-" + d[2] + "-" + d[3]
			if slices.ContainsFunc(calendars, func(c Calendar) bool { return c.Date == date }) {
				found++
			} else {
				t.Logf("%s: %s is missing", filepath.Base(name), date)
			}
		}
	}
	t.Logf("icalendar-py: %d of %d events found", found, events)
	if events < 110 || found < events {
		t.Errorf("only %d of %d events found", found, events)
	}
}

// Among the mails of products there is one order.
func TestCorpusProducts(t *testing.T) {
	orders, others := 0, 0
	dir := corpustest.Dir(t, "structured/react-email-demo")
	for _, name := range append(files(t, dir, ".html"), files(t, dir, ".txt")...) {
		m := Mail{Text: readFile(t, name)}
		if strings.HasSuffix(name, ".html") {
			m = Mail{View: seen(m.Text)}
		}
		found := Find(m)
		if strings.Contains(name, "nike-receipt") {
			if len(found.Orders) == 1 && found.Orders[0].OrderID == "C0106373851" &&
				found.Orders[0].Date == "2022-09-22" && len(found.Shippings) == 1 &&
				found.Shippings[0].Carrier == "UPS" {
				orders++
			}
			continue
		}
		if len(found.Orders)+len(found.Shippings)+len(found.Calendars) > 0 ||
			len(found.Receipts) > 0 && !strings.Contains(name, "subscription") {
			others++
			t.Logf("%s: %q", filepath.Base(name), summary(found))
		}
	}
	t.Logf("react-email-demo: %d of 2 orders, %d false", orders, others)
	if orders < 2 || others > 0 {
		t.Errorf("%d of 2 orders, %d false", orders, others)
	}
}

// Short mails in many languages, among them orders and parcels of one shop, and everything that is neither.
func TestCorpusCodes(t *testing.T) {
	file, err := os.Open(filepath.Join(corpustest.Dir(t, "codes"), "dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count, good := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct{ ID, Lang, From, Subject, Text, HTML, Kind string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		m := Mail{Subject: c.Subject, Text: c.Text, View: seen(c.HTML), Date: mailDate}
		name, address, _ := strings.Cut(c.From, "<")
		m.FromName, m.From = strings.TrimSpace(name), strings.TrimSuffix(address, ">")
		found := Find(m)
		kind, ok := "other", len(summary(found)) == 0
		switch {
		// no words in it, or not told apart
		case strings.Contains(c.Subject, "None #"), c.Kind == "receipt", c.Kind == "travel", c.Kind == "newsletter":
			continue
		case c.Kind == "order":
			kind, ok = "order", len(found.Orders) == 1 && strings.HasSuffix(c.Subject, found.Orders[0].OrderID) &&
				len(found.Orders[0].Items) == 1
		case c.Kind == "shipping":
			kind, ok = "shipping", len(found.Shippings) == 1 && strings.Contains(c.Text,
				found.Shippings[0].TrackingNumber) && found.Shippings[0].Status == Shipped
		}
		count[kind]++
		if ok {
			good[kind]++
		} else {
			t.Logf("%s (%s, %s): %q", c.ID, c.Lang, c.Kind, summary(found))
		}
	}
	t.Logf("codes: right %v of %v", good, count)
	for kind, n := range count {
		if good[kind] < n {
			t.Errorf("%s: %d of %d", kind, good[kind], n)
		}
	}
}
