package test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

const (
	gtube = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"
	eicar = `X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
)

// standIn answers as rspamd does to those two, and otherwise finds nothing.
func standIn(t *testing.T) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := `{"action":"no action","score":0.5,"required_score":15,"symbols":{"MIME_GOOD":{"score":-0.1}}}`
		switch {
		case strings.Contains(string(body), gtube):
			answer = `{"action":"reject","score":15,"required_score":15,"symbols":{"GTUBE":{"score":0}}}`
		case strings.Contains(string(body), eicar):
			answer = `{"action":"reject","score":20,"required_score":15,"symbols":{"TEST_VIRUS":{"score":20}}}`
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(srv.Close)
	return srv
}

func spamMail(subject, text string) []byte {
	return []byte(crlf("From: Ann <ann@sender.example>\nTo: robin@mailkin.localhost\nSubject: " + subject +
		"\nMessage-ID: <" + strings.ReplaceAll(subject, " ", ".") + "@sender.example>\nDate: " +
		time.Now().UTC().Format(time.RFC1123Z) + "\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n" +
		text + "\n"))
}

// tried delivers a message and returns the answer.
func (s *session) tried(t *testing.T, to string, message []byte) reply {
	t.Helper()
	r, err := s.send(envelope{from: "ann@sender.example", to: []string{to}}, message, byDATA)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// scanned is what the interface says of the newest message of a mailbox.
func (b box) scanned(t *testing.T) (e struct {
	Subject string
	Labels  []string
	Scan    *api.Scan
}) {
	t.Helper()
	b.srv.get(t, b.key, "/v1/email?id="+b.inbox(t)[0].ID, &e)
	return e
}

// hasLabel tells whether the newest message has the label, and nothing else of the scanner's.
func (b box) wantScan(t *testing.T, subject, verdict, label string) {
	t.Helper()
	e := b.scanned(t)
	var labels []string
	for _, l := range e.Labels {
		if l == "spam" || l == "virus" || l == "unscanned" {
			labels = append(labels, l)
		}
	}
	if e.Subject != subject || e.Scan == nil || e.Scan.Verdict != verdict || strings.Join(labels, " ") != label {
		t.Errorf("%q: %+v, labels %v; want %q: %s", e.Subject, e.Scan, e.Labels, subject, verdict)
	}
}

func TestScanner(t *testing.T) {
	down := standIn(t)
	checkScanner(t, down.URL, down.Close, nil)
}

// The same with a real rspamd, which is killed in the middle and comes back.
func TestRspamd(t *testing.T) {
	r := newRspamd(t)
	checkScanner(t, r.url, r.kill, func() { r.start(t) })
}

// checkScanner goes through what a scanner does to mail. stop ends the scanner, and again starts it where it can.
func checkScanner(t *testing.T, url string, stop, again func()) {
	marks := start(t, "MAILKIN_SCANNER_URL="+url)
	refuses := start(t, "MAILKIN_SCANNER_URL="+url, "MAILKIN_SCANNER_REJECT=spam", "MAILKIN_SCANNER_FAILURE=defer")
	b, c := marks.mailbox(t, "robin"), refuses.mailbox(t, "robin")
	in, out := open(t, marks.smtp), open(t, refuses.smtp)
	hello, text := "Lunch on Friday", "Hello Robin,\n\nshall we meet for lunch on Friday?\n\nAnn"

	for _, tt := range []struct {
		subject, text, verdict, label string
		refused                       int
	}{
		{hello, text, "clean", "", 250},
		{"An offer", gtube, "spam", "spam", 550},
		{"An invoice", eicar, "virus", "virus", 550},
	} {
		if r := in.tried(t, b.address, spamMail(tt.subject, tt.text)); r.code != 250 {
			t.Fatalf("%s: %v", tt.subject, r)
		}
		b.wantScan(t, tt.subject, tt.verdict, tt.label)
		if r := out.tried(t, c.address, spamMail(tt.subject, tt.text)); r.code != tt.refused {
			t.Errorf("%s: %v, want %d", tt.subject, r, tt.refused)
		}
	}
	if got := len(c.inbox(t)); got != 1 {
		t.Errorf("%d messages were stored where spam is refused", got)
	}
	var found struct{ Emails []email }
	if b.srv.get(t, b.key, "/v1/search?q=label:spam", &found); len(found.Emails) != 1 ||
		found.Emails[0].Subject != "An offer" {
		t.Errorf("search by label found %+v", found)
	}

	stop()
	if r := in.tried(t, b.address, spamMail("Unseen", gtube)); r.code != 250 {
		t.Errorf("without the scanner: %v", r)
	}
	b.wantScan(t, "Unseen", "unscanned", "unscanned")
	if r := out.tried(t, c.address, spamMail("Unseen", text)); r.code != 451 {
		t.Errorf("without the scanner, to be put off: %v", r)
	}
	var problems struct{ Problems []struct{ Check string } }
	if marks.get(t, marks.token, "/v1/problems", &problems); !strings.Contains(fmt.Sprint(problems), "scanner") {
		t.Errorf("problems: %+v", problems)
	}
	page := marks.do(t, request{path: "/metrics", key: marks.token}, http.StatusOK, nil)
	for _, line := range []string{`mailkin_scans_total{outcome="spam"} 1`, `mailkin_scans_total{outcome="failed"} 1`,
		`mailkin_scan_seconds_count 4`} {
		if !strings.Contains(string(page.body), line+"\n") {
			t.Errorf("the metrics have no line %s", line)
		}
	}
	if again == nil {
		return
	}
	again()
	if r := out.tried(t, c.address, spamMail("Unseen", text)); r.code != 250 {
		t.Errorf("with the scanner back: %v", r)
	}
	c.wantScan(t, "Unseen", "clean", "")
}

// Clients on a block list are refused at RCPT with the list's words, or their mail is marked; others, submission and
// LMTP are not concerned.
func TestBlocklist(t *testing.T) {
	zone := dnstest.New(t, "8.8.8.8.zen.example. A 127.0.0.2", "4.4.8.8.zen.example. A 127.255.255.254",
		"8.8.8.8.0.6.8.4.1.0.0.2.zen.example. A 127.0.0.2").Text("8.8.8.8.zen.example", "Listed since March")
	settings := []string{"MAILKIN_DNS=" + zone.Serve(t), "MAILKIN_DNSBL=zen.example, other.example",
		"MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=smtp"}
	marks := start(t, settings...)
	refuses := start(t, append(settings, "MAILKIN_DNSBL_ACTION=reject")...)
	b, c := marks.mailbox(t, "robin"), refuses.mailbox(t, "robin")

	if r := marks.from(t, "8.8.8.8").tried(t, b.address, spamMail("One", "text")); r.code != 250 {
		t.Fatal(r)
	}
	if e := b.scanned(t); e.Scan == nil || strings.Join(e.Scan.Blocklists, " ") != "zen.example" ||
		!strings.Contains(fmt.Sprint(e.Labels), "blocklisted") {
		t.Errorf("%+v", e)
	}
	if r := marks.from(t, "8.8.4.4").tried(t, b.address, spamMail("Two", "text")); r.code != 250 {
		t.Fatal(r)
	}
	if e := b.scanned(t); e.Scan != nil || strings.Contains(fmt.Sprint(e.Labels), "blocklisted") {
		t.Errorf("an error code is taken for a listing: %+v", e)
	}

	s := refuses.from(t, "8.8.8.8")
	s.mustAsk(t, "MAIL FROM:<ann@sender.example>", 250)
	no := s.mustAsk(t, "RCPT TO:<"+c.address+">", 550)
	if !strings.Contains(no.String(), "zen.example. Listed since March") {
		t.Error(no)
	}
	s.mustAsk(t, "RCPT TO:<postmaster@mailkin.localhost>", 250)
	if r := refuses.from(t, "8.8.4.4").tried(t, c.address, spamMail("Two", "text")); r.code != 250 {
		t.Error(r)
	}
}
