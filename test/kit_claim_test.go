package test

import (
	"net/http"
	"net/url"
	"testing"
)

// claim is a claim under way.
type claim struct {
	Session string `json:"session_id"`
	Name    string `json:"name"`
	Mailbox string `json:"mailbox"`
	URL     string `json:"url"`
}

// startClaim asks for a permanent mailbox: the box's own, or a new one without a key.
func (b box) startClaim(t testing.TB, body string) (c claim) {
	t.Helper()
	b.srv.do(t, request{method: "POST", path: "/v1/claim/start", key: b.key, body: body}, http.StatusCreated, &c)
	return c
}

// page is the path of the page on which a person confirms. The server may be elsewhere since it was told.
func (c claim) page(t testing.TB) string {
	t.Helper()
	at, err := url.Parse(c.URL)
	if err != nil || at.Host == "" || at.Path != "/claim" {
		t.Fatalf("not the address of a page: %q %v", c.URL, err)
	}
	return at.RequestURI()
}

// submit sends the form of the page.
func (c claim) submit(t testing.TB, srv *server, token string) answer {
	t.Helper()
	at, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"session": {at.Query().Get("session")}}
	if token != "" {
		form.Set("token", token)
	}
	return srv.ask(t, request{method: "POST", path: "/claim", body: form.Encode(),
		kind: "application/x-www-form-urlencoded"})
}

// polled is how far a claim has come.
type polled struct {
	Status  string
	Mailbox string
	Key     string `json:"api_key"`
}

func (c claim) poll(t testing.TB, srv *server) (p polled) {
	t.Helper()
	srv.get(t, "", "/v1/claim/poll?session="+url.QueryEscape(c.Session), &p)
	return p
}
