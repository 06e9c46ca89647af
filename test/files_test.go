package test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// planted are attachments with two words each: the first is searched for, the second must be shown to nobody who may
// not download them.
var planted = []struct{ find, hidden, head, body string }{
	{"alderwood", "zanzibar", "Content-Type: text/plain; name=notes.txt\nContent-Disposition: attachment; " +
		"filename=notes.txt", "alderwood zanzibar"},
	{"beechwood", "timbuktu", "Content-Type: text/csv\nContent-Disposition: attachment; filename=table.csv",
		"beechwood,timbuktu"},
	{"cedarwood", "samarkand", "Content-Type: text/html\nContent-Disposition: attachment; filename=page.html",
		"<p>cedarwood samarkand</p>"},
	{"dogwood", "kathmandu", "Content-Type: text/calendar\nContent-Disposition: attachment; filename=plan.ics",
		"BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nDTSTART:20260401T100000Z\nSUMMARY:dogwood " +
			"kathmandu\nLOCATION:kathmandu\nEND:VEVENT\nEND:VCALENDAR"},
	{"elmwood", "marrakesh", "Content-Type: message/delivery-status",
		"Reporting-MTA: dns; elmwood.example\n\nFinal-Recipient: rfc822; marrakesh@example.com\n" +
			"Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 elmwood marrakesh"},
	{"firwood", "ouagadougou", "Content-Type: message/rfc822", "From: a@example.com\nSubject: inner\nContent-Type: " +
		"multipart/mixed; boundary=in\n\n" +
		"--in\nContent-Type: text/plain\n\ninner text\n--in\nContent-Type: text/plain\nContent-Disposition: " +
		"attachment; filename=deep.txt\n\nfirwood ouagadougou\n--in--"},
}

// plantedMail has them all, and a text that everybody may read.
func plantedMail() string {
	var b strings.Builder
	b.WriteString("From: Shop <no-reply@shop.example>\nTo: someone@mailkin.localhost\nSubject: Papers\nMessage-ID: " +
		"<papers@shop.example>\n" +
		"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=out\n\n--out\nContent-Type: text/plain\n\nYour " +
		"verification code is 271828. Openly said.\n")
	for _, p := range planted {
		fmt.Fprintf(&b, "--out\n%s\n\n%s\n", p.head, p.body)
	}
	b.WriteString("--out--\n")
	return crlf(b.String())
}

// filePaths are all ways to read mail. {find} is a word of an attachment.
var filePaths = []string{
	"/me", "/mailbox", "/stats?days=2", "/inbox", "/inbox?query={find}", "/inbox?query={find}&mode=semantic",
	"/inbox?query={find}&mode=hybrid",
	"/inbox?query=-{find}", "/search?query={find}", "/search?query={find}&mode=keyword",
	"/search?query={find}&mode=semantic",
	"/search?query=%22{find}%22", "/search?query={find}+OR+openly", "/search?query=-{find}",
	"/search?query=filetext:{find}", "/search?query=-filetext:{find}",
	"/search?query=openly", "/email?id={id}", "/email?id={id}&full=true", "/email/raw?id={id}", "/attachment?id={file}",
	"/threads", "/thread?id={thread}",
	"/events?since=2020-01-01T00:00:00Z&types=message.received", "/code?timeout=0", "/wait?timeout=0",
	"/wait?timeout=0&query={find}", "/rejects",
	"/suppressions", "/mailbox/routes", "/webhook/deliveries", "/domains", "/webhook/secret",
}

// What a key may not download it cannot read in any other way: not by searching, by extracting, by tools, nor as a part
// of an answer.
func TestAttachmentsAreClosed(t *testing.T) {
	t.Parallel()
	srv := start(t)
	temporary, permanent := srv.bootstrap(t), srv.mailbox(t, "reader")
	for _, b := range []box{temporary, permanent} {
		srv.deliver(t, plantedMail(), b.address)
	}
	for _, round := range []string{"not yet indexed", "indexed"} {
		var shown []string
		for path, said := range temporary.fileWays(t) {
			for _, p := range planted {
				if strings.Contains(said, p.hidden) {
					t.Errorf("%s: %s gives away %s: %.300s", round, path, p.hidden, said)
				}
				// by meaning its text is found
				byWords := strings.HasSuffix(path, "/inbox?query="+p.find) ||
					strings.HasSuffix(path, p.find+"&mode=keyword")
				if byWords && strings.Contains(said, "papers@shop.example") {
					t.Errorf("%s: %s finds what is in an attachment", round, path)
				}
				if strings.HasSuffix(path, "query=-"+p.find) && !strings.Contains(said, "papers@shop.example") {
					t.Errorf("%s: %s does not find what only an attachment has", round, path)
				}
			}
		}
		for _, said := range permanent.fileWays(t) { // else the mail would prove nothing
			for _, p := range planted {
				if strings.Contains(said, p.hidden) {
					shown = append(shown, p.hidden)
				}
			}
		}
		for _, p := range planted {
			if !slices.Contains(shown, p.hidden) {
				t.Errorf("%s: a permanent mailbox's key is not shown %s", round, p.hidden)
			}
		}
		temporary.indexed(t)
		permanent.indexed(t)
	}
	if a := temporary.ask(t, "GET", "/search?query=openly", ""); !strings.Contains(string(a.body),
		"papers@shop.example") {
		t.Errorf("a word of the text is not found: %d %s", a.status, a.body)
	}
	if a := temporary.ask(t, "GET", "/search?query=filetext:alderwood", ""); a.status != 403 {
		t.Errorf("a search in attachments: %d %s", a.status, a.body)
	} else {
		checkDenied(t, a, 0)
	}
}

// indexed waits until the mailbox is.
func (b box) indexed(t *testing.T) {
	t.Helper()
	eventually(t, func() error {
		var s struct {
			Index struct{ Pending int }
		}
		b.srv.get(t, b.key, "/v1/stats", &s)
		if s.Index.Pending > 0 {
			return fmt.Errorf("%d messages are not indexed", s.Index.Pending)
		}
		return nil
	})
}

// fileWays returns what each way to read mail answers, by its path.
func (b box) fileWays(t *testing.T) map[string]string {
	t.Helper()
	newest := b.inbox(t)[0]
	var e struct{ Attachments []struct{ ID string } }
	b.srv.get(t, b.key, "/v1/email?id="+newest.ID, &e)
	said := make(map[string]string)
	for _, prefix := range []string{"/v1", "/api"} {
		b.prefix = prefix
		for _, path := range filePaths {
			for i, p := range planted {
				full := strings.NewReplacer("{find}", p.find, "{id}", newest.ID, "{thread}", newest.ThreadID, "{file}",
					e.Attachments[i].ID).Replace(path)
				if full == path && i > 0 {
					break
				}
				if strings.HasPrefix(path, "/events") {
					if i == 0 {
						said[prefix+full] = b.firstEvent(t, path)
					}
					continue
				}
				said[prefix+full] = string(b.ask(t, "GET", full, "").body)
			}
		}
		for _, kind := range []string{"all", "calendar", "order", "receipt", "shipping", "code"} {
			said[prefix+"/extract "+kind] = string(b.ask(t, "POST", "/extract", fmt.Sprintf(`{"email_id":%q,"type":%q}`,
				newest.ID, kind)).body)
		}
		said[prefix+"/forward"] = string(b.ask(t, "POST", "/forward", fmt.Sprintf(`{"email_id":%q,"to":%q}`, newest.ID,
			"x@simulator.invalid")).body)
	}
	b.toolWays(t, newest, said)
	return said
}

// firstEvent reads a stream up to its first event.
func (b box) firstEvent(t *testing.T, path string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", b.srv.http+b.prefix+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+b.key)
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var all []byte
	for room := make([]byte, 4096); !strings.Contains(string(all), `"message.received"`); {
		n, err := r.Body.Read(room)
		if all = append(all, room[:n]...); err != nil {
			t.Fatalf("%v after %s", err, all)
		}
	}
	return string(all)
}

// toolWays calls every tool that reads, with whatever arguments it takes.
func (b box) toolWays(t *testing.T, newest email, said map[string]string) {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	through := &http.Client{Transport: mcpKey{b.key, http.DefaultTransport}}
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: b.srv.http + "/mcp",
		HTTPClient: through, MaxRetries: -1, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if strings.Contains(tool.Name, "delete") || strings.Contains(tool.Name, "wait") ||
			strings.Contains(tool.Name, "create") || strings.Contains(tool.Name, "claim") {
			continue
		}
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var takes struct{ Properties map[string]json.RawMessage }
		if err := json.Unmarshal(schema, &takes); err != nil {
			t.Fatal(err)
		}
		for _, p := range planted {
			args := make(map[string]any)
			for name := range takes.Properties {
				switch {
				case name == "query":
					args[name] = p.find
				case name == "thread_id":
					args[name] = newest.ThreadID
				case name == "email_id" || name == "id":
					args[name] = newest.ID
				}
			}
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: args})
			text := fmt.Sprint(err)
			if err == nil {
				out, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				text = string(out)
			}
			said["tool "+tool.Name+" "+url.QueryEscape(p.find)] = text
		}
	}
}
