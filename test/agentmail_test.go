package test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// The SDK of AgentMail runs against the binary: every method that the door supports, and its WebSocket.
func TestAgentMailWithSDK(t *testing.T) {
	modules := doorModules(t, "agentmail")
	s := start(t)
	own := s.mailbox(t, "own")
	var made struct {
		Key string `json:"api_key"`
	}
	s.do(t, request{method: "POST", path: fmt.Sprintf("/v1/mailboxes/%s/keys", own.address), key: s.token,
		body: `{"name":"platform","create_mailboxes":true}`}, http.StatusCreated, &made)
	out := runNode(t, modules, []string{"BASE=" + s.http + "/agentmail", "INGEST=" + s.http + "/v1/ingest",
		"KEY=" + made.Key, "OPERATOR=" + s.token, "OWN=" + own.address}, "agentmail/client.cjs")
	if !strings.Contains(out, "all of it") {
		t.Fatal(out)
	}
}

// A search over several inboxes finds what is asked for, and no more rows than the limit, on as many pages as it takes;
// a page token is one of its list alone.
func TestAgentMailSearchAcrossInboxes(t *testing.T) {
	t.Parallel()
	s := start(t)
	const boxes = 8
	var addresses []string
	for i := range boxes {
		b := s.mailbox(t, fmt.Sprintf("box%d", i))
		addresses = append(addresses, b.address)
		s.do(t, request{method: "POST", path: "/v1/ingest?mailbox=" + b.address, key: s.token, kind: "message/rfc822",
			body: fmt.Sprintf("From: kim@far.test\r\nSubject: common only%d\r\n\r\nthe words\r\n", i)},
			http.StatusCreated, nil)
	}
	stranger := s.mailbox(t, "stranger")
	s.do(t, request{method: "POST", path: "/v1/ingest?mailbox=" + stranger.address, key: s.token,
		kind: "message/rfc822", body: "From: kim@far.test\r\nSubject: common secret\r\n\r\nthe words\r\n"}, http.StatusCreated, nil)
	var made struct {
		Key string `json:"api_key"`
	}
	s.do(t, request{method: "POST", path: "/v1/mailboxes/" + addresses[0] + "/keys", key: s.token,
		body: `{"mailboxes":["` + strings.Join(addresses[1:], `","`) + `"]}`}, http.StatusCreated, &made)
	type page struct {
		Count   int
		Next    string `json:"next_page_token"`
		Threads []struct {
			Inbox   string `json:"inbox_id"`
			Subject string
		}
	}
	search := func(path, query string) (p page) {
		t.Helper()
		if a := s.plainly(t, made.Key, "/agentmail/v0"+path+"/search?q="+query); a.status == http.StatusOK {
			a.into(t, &p)
		} else {
			t.Fatalf("%s: %d %s", query, a.status, a.body)
		}
		if p.Count != len(p.Threads) {
			t.Errorf("%s: count %d of %d", query, p.Count, len(p.Threads))
		}
		return p
	}
	eventually(t, func() error {
		if n := search("/threads", "common").Count; n != boxes {
			return fmt.Errorf("%d of %d are found", n, boxes)
		}
		return nil
	})
	if p := search("/threads", "only3"); p.Count != 1 || p.Threads[0].Inbox != addresses[3] || p.Next != "" {
		t.Errorf("one that is in one inbox alone: %+v", p)
	}
	if p := search("/threads", "secret"); p.Count != 0 {
		t.Errorf("what is in a stranger's: %+v", p)
	}
	seen, token := map[string]bool{}, ""
	for range boxes {
		p := search("/threads", "common&limit=3&page_token="+token)
		if p.Count > 3 {
			t.Errorf("%d rows where 3 are the most", p.Count)
		}
		for _, row := range p.Threads {
			if seen[row.Inbox] {
				t.Errorf("%s comes twice", row.Inbox)
			}
			seen[row.Inbox] = true
		}
		if token = p.Next; token == "" {
			break
		}
	}
	if len(seen) != boxes {
		t.Errorf("%d inboxes on all pages", len(seen))
	}
	first := search("/threads", "common&limit=3").Next
	for _, other := range []string{"/threads/search?q=only3&page_token=", "/threads?page_token=",
		"/inboxes/" + addresses[0] + "/threads/search?q=common&page_token="} {
		if a := s.plainly(t, made.Key, "/agentmail/v0"+other+first); a.status != 400 ||
			!strings.Contains(string(a.body), `"path":["page_token"]`) {
			t.Errorf("%s with the token of another list: %d %s", other, a.status, a.body)
		}
	}
}

// plainly asks for something that the contract of /v1 does not describe.
func (s *server) plainly(t testing.TB, key, path string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.http+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{status: resp.StatusCode, body: body}
}
