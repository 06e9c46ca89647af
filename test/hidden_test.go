package test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/view/viewtest"
)

const (
	hiddenTable = "../internal/view/testdata/hidden"
	plainTable  = "../internal/view/testdata/plain"
)

// cross has every case of the tables delivered with every kind of value. Without it each has one kind, in turn.
var cross = flag.Bool("cross", false, "deliver every case of the tables of hidden text with every kind of value")

// shownMail is what the interface says of a message from its body.
type shownMail struct {
	ID        string
	MessageID string `json:"message_id"`
	Snippet   string
	Code      *string
	Text      string `json:"body_text"`
	Reply     string `json:"reply_text"`
	Links     []struct{ URL, Text string }
	Others    []struct{ Code string } `json:"code_candidates"`
	Screening struct {
		Findings []struct{ Rule, Layer, Excerpt string }
	}
	Metadata struct{ Defects []string }

	records string // what POST /v1/extract gives
	total   string // of the order
}

// tried is a case that was delivered.
type tried struct {
	viewtest.Case
	kind  viewtest.Kind
	decoy bool // the mail has a hidden value
}

// tally counts what was wrong, for each place where a value can come out.
type tally struct {
	mu    sync.Mutex
	tried int
	wrong map[string][]string
}

func (c *tally) add(place, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wrong == nil {
		c.wrong = map[string][]string{}
	}
	c.wrong[place] = append(c.wrong[place], name)
}

// report fails the test where anything was wrong, place by place.
func (c *tally) report(t *testing.T, what string) {
	t.Helper()
	for place, names := range c.wrong {
		slices.Sort(names)
		t.Errorf("%s: %s in %d of %d: %s", what, place, len(names), c.tried, strings.Join(names, " "))
	}
}

// What a person cannot see comes out nowhere, what everybody sees next to it does, and screening reports the hidden
// one.
func TestHiddenGivesNothing(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin")
	mails := deliverTable(t, b, hiddenTable, true)
	var leaks, losses, findings tally
	eachShown(t, b, mails, func(name string, m tried, e shownMail) {
		for place, text := range e.places() {
			if decoy := m.kind.Decoy; leaked(text, decoy) ||
				m.Elsewhere && place == "extract" && strings.Contains(text, decoy.Datum) {
				leaks.add(place, name)
			}
		}
		for _, place := range e.lost(m.kind) {
			losses.add(place, name)
		}
		if m.kind.Real.Datum != "" && !m.AnyFinding && !e.found("hidden_value") {
			findings.add("no hidden_value", name)
		}
	})
	for name := range searchFor(t, b, mails, func(k viewtest.Kind) viewtest.Value { return k.Decoy }) {
		leaks.add("search", name)
	}
	found := searchFor(t, b, mails, func(k viewtest.Kind) viewtest.Value { return k.Real })
	for name := range mails {
		if !found[name] {
			losses.add("search", name)
		}
	}
	leaks.tried, losses.tried, findings.tried = len(mails), len(mails), len(mails)
	leaks.report(t, "a hidden value")
	losses.report(t, "a visible value is missing")
	findings.report(t, "screening")
}

// Layouts that only look like hiding lose nothing and raise nothing.
func TestPlainLosesNothing(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin")
	mails := deliverTable(t, b, plainTable, false)
	var losses, findings tally
	eachShown(t, b, mails, func(name string, m tried, e shownMail) {
		for _, place := range e.lost(m.kind) {
			losses.add(place, name)
		}
		for _, f := range e.Screening.Findings {
			findings.add(f.Rule, name)
		}
	})
	found := searchFor(t, b, mails, func(k viewtest.Kind) viewtest.Value { return k.Real })
	for name := range mails {
		if !found[name] {
			losses.add("search", name)
		}
	}
	losses.tried, findings.tried = len(mails), len(mails)
	losses.report(t, "a visible value is missing")
	findings.report(t, "screening of harmless mail")
}

// Where the plain part and the HTML part of a mail disagree, the HTML part counts, as mail programs show that. The
// message's defects say so.
func TestPartsDisagree(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, k := range viewtest.Kinds[:3] { // on a sentence they may disagree
		t.Run(k.Name, func(t *testing.T) {
			b := srv.mailbox(t, "parts-"+k.Name)
			agreeing, disagreeing := twoParts(t, b, k.Real, k.Real), twoParts(t, b, k.Decoy, k.Real)
			if lost := disagreeing.lost(k); len(lost) > 0 {
				t.Errorf("of the HTML part is missing: %v", lost)
			}
			for place, text := range disagreeing.places() {
				if leaked(text, k.Decoy) {
					t.Errorf("%s is from the plain part: %s", place, text)
				}
			}
			if len(agreeing.Metadata.Defects) != 0 || len(disagreeing.Metadata.Defects) == 0 {
				t.Errorf("the defects are %q where the parts agree and %q where they do not",
					agreeing.Metadata.Defects, disagreeing.Metadata.Defects)
			}
		})
	}
}

// twoParts delivers a mail in two forms.
func twoParts(t *testing.T, b box, plain, html viewtest.Value) shownMail {
	t.Helper()
	text := plain.Sentence
	if plain.Href != "" {
		text += ": " + plain.Href
	}
	element := html.Sentence
	if html.Href != "" {
		element = `<a href="` + html.Href + `">` + html.Sentence + `</a>`
	}
	b.srv.deliver(t, crlf("From: Acme <post@acme.example>\nTo: "+b.address+"\nSubject: News for "+
		"you\nMIME-Version: 1.0\n"+
		"Content-Type: multipart/alternative; boundary=x\n\n"+
		"--x\nContent-Type: text/plain; charset=utf-8\n\nHello Robin,\n\n"+text+"\n\nThe Acme team\n"+
		"--x\nContent-Type: text/html; charset=utf-8\n\n"+
		"<html><body><p>Hello Robin,</p><p>"+element+"</p><p>The Acme team</p></body></html>\n--x--\n"), b.address)
	return shownOf(t, b, b.inbox(t)[0])
}

// deliverTable delivers a table, and returns its cases by the name that their Message-ID has.
func deliverTable(t *testing.T, b box, dir string, decoy bool) map[string]tried {
	t.Helper()
	mails := map[string]tried{}
	var names []string
	for i, c := range viewtest.Load(t, dir) {
		kinds := c.Kinds
		if decoy && len(kinds) == len(viewtest.Kinds) {
			kinds = append(slices.Clone(kinds), viewtest.Alone)
		}
		if !*cross {
			kinds = kinds[i%len(kinds):][:1]
		}
		for _, k := range kinds {
			name := c.Name + "." + k.Name
			mails[name] = tried{c, k, decoy}
			names = append(names, name)
		}
	}
	b.pour(t, len(names), func(n int) []byte {
		m := mails[names[n]]
		return []byte(crlf("From: Acme <post@acme.example>\nTo: " + b.address + "\nSubject: News, part " +
			fmt.Sprint(n) +
			"\nMessage-ID: <" + names[n] + "@acme.example>\nDate: Mon, 02 Mar 2026 10:00:00 +0000\nMIME-Version: 1.0\n" +
			"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + m.Fill(m.kind)))
	})
	return mails
}

// eachShown asks for everything that the interface says of each mail, some at the same time.
func eachShown(t *testing.T, b box, mails map[string]tried, use func(string, tried, shownMail)) {
	t.Helper()
	list := b.inbox(t)
	if len(list) != len(mails) {
		t.Fatalf("%d of %d mails are there", len(list), len(mails))
	}
	var asking sync.WaitGroup
	const callers = 4
	for i := range callers {
		asking.Go(func() {
			for n := i; n < len(list); n += callers {
				name := caseName(list[n].MessageID)
				use(name, mails[name], shownOf(t, b, list[n]))
			}
		})
	}
	asking.Wait()
}

func caseName(messageID string) string {
	return strings.TrimSuffix(strings.TrimPrefix(messageID, "<"), "@acme.example>")
}

func shownOf(t *testing.T, b box, listed email) (e shownMail) {
	t.Helper()
	b.srv.get(t, b.key, "/v1/email?id="+listed.ID, &e)
	e.records = string(b.ask(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":"all"}`, listed.ID)).body)
	var order struct{ Extraction struct{ Total json.Number } }
	b.ask(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":"order"}`, listed.ID)).into(t, &order)
	e.total = order.Extraction.Total.String()
	e.Snippet = listed.Snippet
	return e
}

// places are where a value can come out.
func (e shownMail) places() map[string]string {
	places := map[string]string{
		"body_text": e.Text, "reply_text": e.Reply, "snippet": e.Snippet, "extract": e.records + e.total,
	}
	if e.Code != nil {
		places["code"] = *e.Code
	}
	for _, c := range e.Others {
		places["code_candidates"] += c.Code + "\n"
	}
	for _, l := range e.Links {
		places["links"] += l.URL + " " + l.Text + "\n"
	}
	return places
}

// leaked says whether a value, or its link, is in a text.
func leaked(text string, v viewtest.Value) bool {
	return slices.ContainsFunc(v.Needles, func(n string) bool { return strings.Contains(text, n) }) ||
		v.Href != "" && strings.Contains(text, v.Href)
}

// lost names the places where the value that everybody sees is missing.
func (e shownMail) lost(k viewtest.Kind) (places []string) {
	if !strings.Contains(strings.Join(strings.Fields(e.Text), " "), k.Real.Sentence) {
		places = append(places, "body_text")
	}
	switch k.Name {
	case "code":
		if e.Code == nil || *e.Code != k.Real.Datum {
			places = append(places, "code")
		}
	case "link":
		if !strings.Contains(e.places()["links"], k.Real.Href) {
			places = append(places, "links")
		}
	case "record":
		if strings.TrimRight(e.total, "0") != strings.TrimRight(k.Real.Datum, "0") {
			places = append(places, "extract")
		}
	}
	return places
}

func (e shownMail) found(rule string) bool {
	for _, f := range e.Screening.Findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// searchFor searches for a value of each kind, and returns the mails of that kind that were found.
func searchFor(t *testing.T, b box, mails map[string]tried, value func(viewtest.Kind) viewtest.Value) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, k := range append(slices.Clone(viewtest.Kinds), viewtest.Alone) {
		query := url.Values{"mode": {"keyword"}, "limit": {"100"}, "q": {`"` + value(k).Needles[0] + `"`}}
		for _, e := range listed[email](t, b, "/search?"+query.Encode()) {
			if name := caseName(e.MessageID); mails[name].kind.Name == k.Name {
				found[name] = true
			}
		}
	}
	return found
}
