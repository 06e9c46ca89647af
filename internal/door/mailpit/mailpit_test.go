package mailpit_test

import (
	"context"
	"encoding/json"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/door/doortest"
	"github.com/mailkin/mailkin/internal/door/mailpit"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// server is the door before a real service.
type server struct {
	*testing.T
	door *door.Door
	svc  *service.Service
}

func newServer(t *testing.T) *server {
	t.Helper()
	svc, _ := servicetest.New(t, func(o *service.Options) { o.CatchAll = &service.CatchAll{} })
	return &server{t, mailpit.New(svc, mailpit.Options{Version: "v1", Local: &door.Local{},
		Usage: func() mailpit.Usage { return mailpit.Usage{Started: time.Now()} }}), svc}
}

// ask makes a request.
func (s *server) ask(method, path, body string) *httptest.ResponseRecorder {
	s.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
	if !s.door.Serves(r) {
		s.Fatalf("%s %s is not the door's", method, path)
	}
	w := httptest.NewRecorder()
	s.door.Serve(w, r, door.Origin{Client: netip.MustParseAddr("127.0.0.1"), Base: "http://127.0.0.1",
		Admit: func(mailbox.Secret) error { return nil }, Hold: func(int) error { return nil },
		Note:        func(status int, err error) { s.Logf("%s %s: %d %v", method, path, status, err) },
		BodyFailure: func(err error) error { return err }})
	return w
}

// wants checks an answer's status and, where it is not empty, its body.
func (s *server) wants(method, path, body string, status int, answer string) string {
	s.Helper()
	w := s.ask(method, path, body)
	if w.Code != status || answer != "" && w.Body.String() != answer {
		s.Errorf("%s %s %s: %d %s, want %d %s", method, path, body, w.Code, w.Body, status, answer)
	}
	return w.Body.String()
}

func (s *server) receive(raw string, to ...string) {
	s.Helper()
	servicetest.Receive(s.T, s.svc, strings.ReplaceAll(raw, "\n", "\r\n"), to...)
}

const first = `From: Ann Lee <ann@one.test>
To: "Bo, Jr." <bo+plus@two.test>, cy@two.test
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Message-ID: <first@one.test>
Date: Sat, 14 Mar 2026 13:00:00 +0200
X-Tags: Big Tag
List-Unsubscribe: <mailto:u@one.test>, <https://one.test/u>
MIME-Version: 1.0
Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html

<p>Your code is <b>123456</b>. <a href="https://one.test/confirm">Confirm</a><img src="cid:pic"></p><script>x</script>
--b
Content-Type: image/png; name=pic.png
Content-ID: <pic>
Content-Disposition: inline; filename=pic.png
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==
--b
Content-Type: text/html
Content-Disposition: attachment; filename=evil.html

<script>alert(1)</script>
--b--
`

const second = "From: x@one.test\nTo: y@two.test\nSubject: plain\nMessage-ID: <second@one.test>\n\njust text\n"

// listed is a list as a program reads it.
type listed struct {
	Total, Unread, Count, Start int
	MessagesCount               int `json:"messages_count"`
	MessagesUnread              int `json:"messages_unread"`
	Tags                        []string
	Messages                    []map[string]any
}

func (s *server) list(path string) (l listed) {
	s.Helper()
	if err := json.Unmarshal([]byte(s.wants("GET", path, "", 200, "")), &l); err != nil {
		s.Fatal(err)
	}
	return l
}

func TestList(t *testing.T) {
	s := newServer(t)
	s.wants("GET", "/api/v1/messages", "", 200, `{"total":0,"unread":0,"count":0,"messages_count":0,`+
		`"messages_unread":0,"start":0,"tags":[],"messages":[]}`+"\n")
	s.receive(first, "bo+plus@two.test", "cy@two.test", "blind@three.test")
	s.receive(second, "y@two.test")
	l := s.list("/api/v1/messages")
	row, err := json.Marshal(l.Messages[1])
	if err != nil {
		t.Fatal(err)
	}
	id := l.Messages[1]["ID"].(string)
	got := strings.NewReplacer(id, "ID").Replace(string(row))
	const want = `{"Attachments":1,"Bcc":[{"Address":"blind@three.test","Name":""}],"Cc":null,` +
		`"Created":"2026-03-14T12:00:00Z","From":{"Address":"ann@one.test","Name":"Ann Lee"},"ID":"ID",` +
		`"MessageID":"first@one.test","Read":false,"ReplyTo":[],"Size":844,` +
		`"Snippet":"Your code is 123456. Confirm","Subject":"Grüße","Tags":["Big Tag","plus"],` +
		`"To":[{"Address":"bo+plus@two.test","Name":"Bo, Jr."},{"Address":"cy@two.test","Name":""}],"Username":""}`
	if got != want {
		t.Errorf("row\n%s, want\n%s", got, want)
	}
	if l.Total != 2 || l.Unread != 2 || l.Count != 2 || strings.Join(l.Tags, ",") != "Big Tag,plus" {
		t.Errorf("list %+v", l)
	}
	if l = s.list("/api/v1/messages?limit=1&start=1"); l.Count != 1 || l.Start != 1 || l.MessagesCount != 2 ||
		l.Messages[0]["Subject"] != "Grüße" {
		t.Errorf("second page %+v", l)
	}
	if l = s.list("/api/v1/messages?limit=0"); l.Count != 2 {
		t.Errorf("without limit %+v", l)
	}
}

func TestSearch(t *testing.T) {
	s := newServer(t)
	s.receive(first, "bo+plus@two.test", "cy@two.test", "blind@three.test")
	s.receive(second, "y@two.test")
	for query, want := range map[string]string{
		`123456`: "Grüße", `CODE+is`: "Grüße", `%22just+text%22`: "plain", `one.test/conf`: "Grüße", `-123456`: "plain",
		`!123456`: "plain", `to:y@two+-to:cy`: "plain", `to:%22bo,+jr.%22`: "Grüße", `bcc:blind`: "Grüße", `from:LEE`: "Grüße",
		`addressed:cy`: "Grüße", `subject:gr%C3%BC`: "Grüße", `message-id:second@`: "plain", `tag:%22big+tag%22`: "Grüße",
		`is:tagged`: "Grüße", `-is:tagged`: "plain", `has:attachment`: "Grüße", `has:inlines`: "Grüße",
		`larger:0.5k`: "Grüße", `smaller:0.5kb`: "plain", `evil.html`: "Grüße", `plain+after:2026-03-14`: "plain",
		`plain+before:2026-03-14`: "", `plain+after:nonsense`: "plain", `tag:big`: "", `is:nonsense`: "",
		`is:unread+plain`: "plain", `is:read`: "", `plain+-before:2026-03-15&tz=UTC`: "",
	} {
		subjects := ""
		l := s.list("/api/v1/search?query=" + query)
		for _, m := range l.Messages {
			subjects += m["Subject"].(string)
		}
		if subjects != want || l.MessagesCount != len(l.Messages) || l.Total != 2 {
			t.Errorf("%s finds %q (%d), want %q", query, subjects, l.MessagesCount, want)
		}
	}
	s.wants("GET", "/api/v1/search?query=+", "", 400, "Error: no search query")
	if l := s.list("/api/v1/search?query=test&limit=0"); l.Count != 0 || l.MessagesCount != 2 || l.MessagesUnread != 2 {
		t.Errorf("a search without messages: %+v", l)
	}
	s.wants("DELETE", "/api/v1/search?query=", "", 400, "")
	s.wants("DELETE", "/api/v1/search?query=subject:plain", "", 200, "ok")
	if l := s.list("/api/v1/messages"); l.Total != 1 || l.Messages[0]["Subject"] != "Grüße" {
		t.Errorf("left: %+v", l)
	}
}

func TestMessage(t *testing.T) {
	s := newServer(t)
	s.wants("GET", "/api/v1/message/latest", "", 404, "Message not found")
	s.receive(first, "bo+plus@two.test", "cy@two.test", "blind@three.test")
	s.receive(second, "y@two.test")
	var m struct {
		ID, ReturnPath, Text, HTML string
		To, Cc, Bcc, ReplyTo       []map[string]string
		Date                       time.Time
		Inline, Attachments        []map[string]any
		ListUnsubscribe            struct{ Links []string }
	}
	if err := json.Unmarshal([]byte(s.wants("GET", "/api/v1/message/latest?query=subject:gr%C3%BC", "", 200, "")),
		&m); err != nil {
		t.Fatal(err)
	}
	if m.Cc == nil || m.ReplyTo == nil || len(m.Bcc) != 1 || len(m.Inline) != 1 || len(m.Attachments) != 1 ||
		len(m.ListUnsubscribe.Links) != 2 || m.Date.UTC().Hour() != 11 || !strings.Contains(m.Text, "123456") {
		t.Errorf("message %+v", m)
	}
	sums := m.Inline[0]["Checksums"].(map[string]any)
	if sums["MD5"] != "b357a19c87624c7c4d131aeeb4ae677f" || m.Inline[0]["ContentID"] != "pic" {
		t.Errorf("inline %+v", m.Inline[0])
	}
	if l := s.list("/api/v1/messages"); l.Unread != 1 {
		t.Errorf("%d unread: reading marks", l.Unread)
	}
	var head map[string][]string
	fields := s.wants("GET", "/api/v1/message/"+m.ID+"/headers", "", 200, "")
	if err := json.Unmarshal([]byte(fields), &head); err != nil ||
		head["Message-Id"][0] != "<first@one.test>" || head["Bcc"][0] != "blind@three.test" {
		t.Errorf("headers %v, %v", head, err)
	}
	if raw := s.wants("GET", "/api/v1/message/"+m.ID+"/raw", "", 200, ""); !strings.HasPrefix(raw, "From: Ann Lee") {
		t.Errorf("raw %q", raw)
	}
	for _, path := range []string{"/api/v1/message/nosuch", "/api/v1/message/00000000-0000-7000-8000-000000000000",
		"/api/v1/message/nosuch/raw", "/api/v1/message/" + m.ID + "/part/9", "/api/v1/message/" + m.ID + "/part/1.2",
		"/api/v1/message/" + m.ID + "/part/99999999999999999999", "/api/v1/nosuch",
		"/api/v1/message/" + m.ID + "/sa-check"} {
		s.wants("GET", path, "", 404, "404 page not found")
	}
	w := s.ask("PATCH", "/api/v1/messages", "")
	if w.Code != 405 || w.Header().Get("Allow") != "DELETE, GET, PUT" || !strings.HasPrefix(
		w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("a wrong method: %d %v", w.Code, w.Header())
	}
}

// What came from strangers runs nothing, and loads nothing from elsewhere.
func TestHostile(t *testing.T) {
	s := newServer(t)
	s.receive(first, "bo@two.test")
	id := s.list("/api/v1/messages").Messages[0]["ID"].(string)
	for _, path := range []string{"/view/latest.html", "/view/" + id + ".html?embed=1", "/view/latest.txt",
		"/api/v1/message/" + id + "/part/1", "/api/v1/message/" + id + "/part/2", "/api/v1/message/" + id + "/raw"} {
		w := s.ask("GET", path, "")
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || !strings.HasPrefix(policy, "default-src 'none'; style-src 'unsafe-inline'; img-src") ||
			!strings.Contains(policy, "; sandbox") || strings.Contains(policy, "allow-scripts") ||
			strings.Contains(policy, "allow-same-origin") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	page := s.ask("GET", "/view/latest.html?embed=1", "").Body.String()
	if !strings.Contains(page, `src="/api/v1/message/`+id+`/part/1"`) ||
		!strings.Contains(page, `target="_blank" rel="noreferrer noopener"`) {
		t.Errorf("page %s", page)
	}
	if w := s.ask("GET", "/view/latest", ""); w.Code != 302 || w.Header().Get("Location") != "/view/"+id+".html" {
		t.Errorf("latest: %d %v", w.Code, w.Header())
	}
	s.receive(second, "y@two.test")
	s.wants("GET", "/view/latest.html", "", 404, "This message does not contain a HTML part")
	s.wants("GET", "/view/latest.txt", "", 200, "just text\n")
	s.wants("GET", "/view/nosuch.html", "", 404, "Message not found")
}

func TestMarkAndDelete(t *testing.T) {
	s := newServer(t)
	for range 3 {
		s.receive(second, "y@two.test")
	}
	id := s.list("/api/v1/messages").Messages[0]["ID"].(string)
	unread := func(want int) {
		t.Helper()
		if l := s.list("/api/v1/messages"); l.Unread != want {
			t.Errorf("%d unread, want %d", l.Unread, want)
		}
	}
	s.wants("PUT", "/api/v1/messages", `{"Read":true}`, 200, "ok")
	unread(0)
	s.wants("PUT", "/api/v1/messages", `{"IDs":["`+id+`"]}`, 200, "ok")
	unread(1)
	s.wants("PUT", "/api/v1/messages", `{"Read":true,"Search":"subject:plain"}`, 200, "ok")
	unread(0)
	s.wants("PUT", "/api/v1/messages", `{"Read":false,"IDs":["nosuch"]}`, 200, "ok")
	unread(0)
	for _, wrong := range []string{"", "{", `{"IDs":["` + id + `"],"Search":"x"}`, `{"IDs":7}`} {
		s.wants("PUT", "/api/v1/messages", wrong, 400, "")
	}
	total := func(want int) {
		t.Helper()
		if l := s.list("/api/v1/messages"); l.Total != want {
			t.Errorf("%d messages, want %d", l.Total, want)
		}
	}
	s.wants("DELETE", "/api/v1/messages", `{"IDs":["`+id+`","nosuch"]}`, 200, "ok")
	total(2)
	s.wants("DELETE", "/api/v1/messages", `{"IDs":["nosuch"]}`, 200, "ok")
	total(2)
	s.wants("DELETE", "/api/v1/messages", "", 200, "ok")
	total(0)
}

func TestTags(t *testing.T) {
	s := newServer(t)
	s.wants("GET", "/api/v1/tags", "", 200, "[]\n")
	s.receive(second, "y@two.test")
	id := s.list("/api/v1/messages").Messages[0]["ID"].(string)
	s.wants("PUT", "/api/v1/tags", `{"IDs":["`+id+`"],"Tags":["b","A a","B"]}`, 200, "ok")
	s.wants("GET", "/api/v1/tags", "", 200, `["A a","b"]`+"\n")
	s.wants("PUT", "/api/v1/tags/A%20a", `{"Name":"c/d"}`, 200, "ok")
	s.wants("GET", "/api/v1/tags", "", 200, `["b","c d"]`+"\n")
	s.wants("PUT", "/api/v1/tags/nosuch", `{"Name":"x"}`, 400, "")
	s.wants("DELETE", "/api/v1/tags/b", "", 200, "ok")
	s.wants("DELETE", "/api/v1/tags/b", "", 400, "")
	s.wants("PUT", "/api/v1/tags", `{"IDs":["`+id+`"]}`, 200, "ok")
	s.wants("GET", "/api/v1/tags", "", 200, "[]\n")
}

func TestSend(t *testing.T) {
	s := newServer(t)
	var sent struct{ ID string }
	answer := s.wants("POST", "/api/v1/send", `{"From":{"Email":"a@one.test","Name":"A"},"To":[{"Email":"b@two.test"}],
		"Bcc":["blind@two.test"],"Subject":"s","Text":"t","Tags":["x"],"Headers":{"X-Y":"z"},
		"Attachments":[{"Filename":"a.txt","Content":"data:text/plain;base64,aGk="}]}`, 200, "")
	if err := json.Unmarshal([]byte(answer), &sent); err != nil {
		t.Fatal(err)
	}
	if m := s.wants("GET", "/api/v1/message/"+sent.ID, "", 200, ""); !strings.Contains(m, `"blind@two.test"`) ||
		!strings.Contains(m, `"a.txt"`) || !strings.Contains(m, `"Tags":["x"]`) {
		t.Errorf("message %s", m)
	}
	info := s.wants("GET", "/api/v1/info", "", 200, "")
	if !strings.Contains(info, `"SMTPAccepted":1,"SMTPAcceptedSize":`) ||
		strings.Contains(info, `"SMTPAcceptedSize":0,`) {
		t.Errorf("what is handed in is not counted: %s", info)
	}
	for _, wrong := range []string{"", "{", `[]`, `{"From":{"Email":"a@one.test"}}`,
		`{"From":{"Email":"a@one.test"},"To":[{"Email":"nonsense"}]}`,
		`{"From":{"Email":"a@one.test"},"To":[{"Email":"b@two.test"}],"Headers":{"Subject":"x"}}`,
		`{"From":{"Email":"a@one.test"},"To":[{"Email":"b@two.test"}],"Attachments":[{"Content":"&"}]}`} {
		if got := s.wants("POST", "/api/v1/send", wrong, 400, ""); !strings.HasPrefix(got, `{"Error":"`) {
			t.Errorf("%s: %s", wrong, got)
		}
	}
	for _, body := range []string{`"Text":"hello"`, `"Text":"hello\nhé"`, `"Text":"hello\n"`, `"Text":"hello","HTML":"<p>hi</p>"`} {
		text, _, _ := strings.Cut(body, `,"HTML"`)
		s.wants("POST", "/api/v1/send", `{"From":{"Email":"a@one.test"},"To":[{"Email":"b@two.test"}],`+body+`}`, 200, "")
		if m := s.wants("GET", "/api/v1/message/latest", "", 200, ""); !strings.Contains(m, text+`,"HTML"`) {
			t.Errorf("%s was sent, and is %s", body, m)
		}
	}
	s.wants("POST", "/api/v1/message/"+sent.ID+"/release", `{"To":["a@one.test"]}`, 400, "")
	s.wants("POST", "/api/v1/message/nosuch/release", `{"To":["a@one.test"]}`, 404, "")
}

// MailHog's interface has the parts of a message as they came, and routes for one message.
func TestMailHogOne(t *testing.T) {
	s := newServer(t)
	const mixed = "From: a@b.test\r\nSubject: two\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n" +
		"Content-Type: text/plain\r\n\r\none\r\n--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n" +
		"--y\r\nContent-Transfer-Encoding: base64\r\n\r\ndHdv\r\n--y--\r\n--x--\r\n"
	s.receive(strings.ReplaceAll(mixed, "\r", ""), "y@two.test")
	type content struct {
		Headers map[string][]string
		Body    string
		MIME    *struct {
			Parts []content
		}
	}
	var list struct {
		Items []struct {
			ID   string
			MIME struct{ Parts []content }
		} `json:"items"`
	}
	if err := json.Unmarshal([]byte(s.wants("GET", "/api/v2/messages", "", 200, "")), &list); err != nil {
		t.Fatal(err)
	}
	parts := list.Items[0].MIME.Parts
	if len(parts) != 2 || parts[0].Body != "one" || parts[0].Headers["Content-Type"][0] != "text/plain" ||
		parts[1].MIME == nil || parts[1].MIME.Parts[0].Body != "dHdv" {
		t.Errorf("parts %+v", parts)
	}
	one := "/api/v1/messages/" + list.Items[0].ID
	if item := s.wants("GET", one, "", 200, ""); !strings.Contains(item, `"Subject":["two"]`) {
		t.Errorf("one: %s", item)
	}
	s.wants("GET", one+"/download", "", 200, mixed)
	s.wants("DELETE", one, "", 200, "")
	s.wants("GET", one, "", 404, "")
	s.wants("DELETE", one, "", 404, "")
	s.wants("DELETE", "/api/v1/messages/latest", "", 404, "")
}

// Whatever is asked below the paths of the two is answered in their form.
func TestPaths(t *testing.T) {
	s := newServer(t)
	for _, path := range []string{"/api/v1", "/api/v1/", "/api/v2", "/api/v1/nothing", "//api/v1/nothing"} {
		s.wants("GET", path, "", 404, "404 page not found")
	}
	s.wants("GET", "//api/v1//messages", "", 200, "")
}

func TestChaosAndInfo(t *testing.T) {
	s := newServer(t)
	const calm = `{"Sender":{"ErrorCode":451,"Probability":0},"Recipient":{"ErrorCode":451,"Probability":0},` +
		`"Authentication":{"ErrorCode":535,"Probability":0}}` + "\n"
	s.wants("GET", "/api/v1/chaos", "", 200, calm)
	s.wants("PUT", "/api/v1/chaos", `{"Recipient":{"ErrorCode":550,"Probability":100}}`, 200,
		strings.Replace(calm, `"Recipient":{"ErrorCode":451,"Probability":0}`,
			`"Recipient":{"ErrorCode":550,"Probability":100}`, 1))
	if code, fails := s.svc.Fault(mailbox.ChaosRecipient); code != 550 || !fails {
		t.Errorf("recipients fail with %d, %v", code, fails)
	}
	s.wants("PUT", "/api/v1/chaos", `{"Sender":{"ErrorCode":200,"Probability":1}}`, 400, "")
	s.wants("PUT", "/api/v1/chaos", `{}`, 200, calm)
	s.receive(second, "y@two.test")
	s.wants("DELETE", "/api/v1/messages", "", 200, "ok")
	info := s.wants("GET", "/api/v1/info", "", 200, "")
	if !strings.Contains(info, `"MessagesDeleted":1`) || !strings.Contains(info, `"Tags":{}`) {
		t.Errorf("info %s", info)
	}
	s.wants("GET", "/api/v1/webui", "", 200, "")
	s.wants("GET", "/livez", "", 200, "")
	s.wants("GET", "/readyz", "", 200, "")
}

func TestLinkCheck(t *testing.T) {
	s := newServer(t)
	s.receive(first, "bo@two.test")
	s.wants("GET", "/api/v1/message/latest/link-check", "", 200, `{"Errors":0,"Links":[{"URL":`+
		`"https://one.test/confirm","StatusCode":0,"Status":"not followed: nothing leaves this machine"}]}`+"\n")
}

func TestMailHog(t *testing.T) {
	s := newServer(t)
	s.receive(second, "y@two.test")
	for path, want := range map[string]int{"messages": 1, "messages?start=1": 0, "search?kind=from&query=X@one": 1,
		"search?kind=to&query=x@one": 0, "search?kind=containing&query=just": 1} {
		var l struct {
			Total, Count, Start int
			Items               []struct {
				From    struct{ Mailbox, Domain string }
				Content struct {
					Headers map[string][]string
					Body    string
				}
			}
		}
		if err := json.Unmarshal([]byte(s.wants("GET", "/api/v2/"+path, "", 200, "")), &l); err != nil {
			t.Fatal(err)
		}
		if l.Count != want || len(l.Items) != want {
			t.Errorf("%s: %+v", path, l)
		}
		if want == 1 && (l.Items[0].Content.Headers["Subject"][0] != "plain" ||
			l.Items[0].Content.Body != "just text\r\n") {
			t.Errorf("%s: %+v", path, l.Items[0])
		}
	}
	s.wants("GET", "/api/v2/search?kind=nonsense&query=x", "", 400, "")
	s.wants("GET", "/api/v2/jim", "", 404, "")
}

// The door needs no key and is for this machine alone; what is not its own stays what it is.
func TestWhoAsks(t *testing.T) {
	s := newServer(t)
	for _, r := range s.door.Routes {
		if !r.Open || r.Need != 0 {
			t.Errorf("%s %s wants a key", r.Method, r.Path)
		}
		path := strings.NewReplacer("{id}", "latest", "{part}", "1", "{tag}", "x").Replace(r.Path)
		for _, host := range []string{"evil.test", "127.0.0.1.evil.test"} {
			q := httptest.NewRequest(r.Method, "http://"+host+path, strings.NewReader("{}"))
			q.Header.Set("Upgrade", "websocket")
			w := httptest.NewRecorder()
			s.door.Serve(w, q, door.Origin{Admit: func(mailbox.Secret) error { return nil },
				Hold: func(int) error { return nil }, Note: func(int, error) {}})
			if w.Code != http.StatusBadRequest && w.Code != http.StatusForbidden {
				t.Errorf("%s %s asked by the name %s: %d", r.Method, path, host, w.Code)
			}
		}
	}
	for _, path := range []string{"/api/events", "/v1/inbox", "/api/inbox", "/api", "/console", "/"} {
		if s.door.Serves(httptest.NewRequest("GET", path, nil)) {
			t.Errorf("%s is not the door's", path)
		}
	}
	r := httptest.NewRequest("GET", "/api/events", nil)
	r.Header.Set("Upgrade", "websocket")
	if !s.door.Serves(r) {
		t.Error("a WebSocket is the door's")
	}
}

// The table in the manual is made from the routes.
func TestManual(t *testing.T) { doortest.Manual(t, newServer(t).door) }

func TestThumb(t *testing.T) {
	s := newServer(t)
	s.receive(first, "bo@two.test")
	for _, part := range []string{"1", "2"} {
		w := s.ask("GET", "/api/v1/message/latest/part/"+part+"/thumb", "")
		img, err := jpeg.Decode(w.Body)
		if err != nil || w.Header().Get("Content-Type") != "image/jpeg" || img.Bounds().Dx() != 180 ||
			img.Bounds().Dy() != 120 {
			t.Fatalf("part %s: %d %v, %v", part, w.Code, w.Header(), err)
		}
		red, _, blue, _ := img.At(90, 60).RGBA()
		if white := red>>8 > 0xf0 && blue>>8 > 0xf0; white == (part == "1") {
			t.Errorf("part %s is white in its middle: %v", part, white)
		}
	}
	s.wants("GET", "/api/v1/message/latest/part/7/thumb", "", 404, "")
}

func TestHTMLCheck(t *testing.T) {
	s := newServer(t)
	s.receive("From: a@b.test\nContent-Type: text/html\n\n<style>@media print{a{color:red}}</style>"+
		"<p style=\"Display: flex\">x</p><form><input></form>\n", "bo@two.test")
	var check struct {
		Total    struct{ Nodes, Tests int }
		Warnings []struct {
			Slug    string
			Results []struct{ Family, Support string }
			Score   struct{ Found int }
		}
	}
	if err := json.Unmarshal([]byte(s.wants("GET", "/api/v1/message/latest/html-check", "", 200, "")),
		&check); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, w := range check.Warnings {
		found = append(found, w.Slug)
		if w.Score.Found != 1 || len(w.Results) != 6 {
			t.Errorf("%+v", w)
		}
	}
	slices.Sort(found)
	want := []string{"css-at-media", "css-display-flex", "html-form", "html-input-text", "html-style"}
	if !slices.Equal(found, want) || check.Total.Nodes != 4 || check.Total.Tests < 40 {
		t.Errorf("found %v, want %v; %+v", found, want, check.Total)
	}
	s.receive(second, "y@two.test")
	s.wants("GET", "/api/v1/message/latest/html-check", "", 400, "message does not contain HTML")
}

func TestEvents(t *testing.T) {
	s := newServer(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.door.Serve(w, r, door.Origin{Admit: func(mailbox.Secret) error { return nil },
			Hold: func(int) error { return nil }, Note: func(int, error) {}})
	}))
	defer web.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, strings.Replace(web.URL, "http", "ws", 1)+"/api/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	// next skips the counts, which are told at times of their own
	next := func() (kind, data string) {
		t.Helper()
		for {
			_, b, err := conn.Read(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var f struct {
				Type string
				Data json.RawMessage
			}
			if err := json.Unmarshal(b, &f); err != nil {
				t.Fatal(err)
			}
			if f.Type != "stats" {
				return f.Type, string(f.Data)
			}
		}
	}
	if err := conn.Write(ctx, websocket.MessageText, []byte("what a client says")); err != nil {
		t.Fatal(err)
	}
	s.receive(second, "y@two.test")
	kind, data := next()
	if kind != "new" || !strings.Contains(data, `"Cc":[]`) || !strings.Contains(data, `"Subject":"plain"`) {
		t.Errorf("%s %s", kind, data)
	}
	id := s.list("/api/v1/messages").Messages[0]["ID"].(string)
	s.wants("PUT", "/api/v1/messages", `{"Read":true}`, 200, "ok")
	if kind, data = next(); kind != "update" || data != `{"ID":"`+id+`","Read":true}` {
		t.Errorf("%s %s", kind, data)
	}
	s.wants("PUT", "/api/v1/tags", `{"IDs":["`+id+`"],"Tags":["x"]}`, 200, "ok")
	if kind, data = next(); kind != "update" || data != `{"ID":"`+id+`","Tags":["x"]}` {
		t.Errorf("%s %s", kind, data)
	}
	s.receive(first, "bo@two.test")
	if kind, _ = next(); kind != "new" {
		t.Errorf("%s", kind)
	}
	s.wants("DELETE", "/api/v1/messages", `{"IDs":["`+id+`"]}`, 200, "ok")
	if kind, data = next(); kind != "delete" || data != `{"ID":"`+id+`"}` {
		t.Errorf("%s %s", kind, data)
	}
	s.wants("DELETE", "/api/v1/messages", "", 200, "ok")
	if kind, _ = next(); kind != "truncate" {
		t.Errorf("%s", kind)
	}
	s.svc.Leave()
	if _, _, err = conn.Read(ctx); err == nil {
		_, _, err = conn.Read(ctx) // after the counts
	}
	if websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("when the service stops: %v", err)
	}
}
