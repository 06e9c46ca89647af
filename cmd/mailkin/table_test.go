package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
)

// Every table fits a terminal of 80 columns, however long what it shows is, and its subject can be read.
func TestTablesFit(t *testing.T) {
	for _, tt := range []struct {
		command string
		answer  any
		shows   string
	}{
		{"inbox --limit 1", &api.Inbox{}, "Subject of medium length"},
		{"threads", &api.Threads{}, "Subject of medium length"},
		{"draft", &api.Drafts{}, "Subject of medium length"},
		{"review list", &api.Reviews{}, "Subject of medium length"},
		{"quarantine list", &api.Quarantine{}, "Subject of medium length"},
		{"webhook log", &api.WebhookDeliveries{}, "WEBHOOK-URL"},
		{"webhook route", &api.Routes{}, "WEBHOOK-URL"},
		{"domain", &api.Domains{}, "long text"},
		{"list send allow", &api.ListEntries{}, "long text"},
		{"mailbox list --limit 1", &api.Mailboxes{}, "long text"},
		{"mailbox suppressions", &api.Suppressions{}, "long text"},
		{"mailbox rejects", &api.Rejects{}, "long text"},
		{"mailbox audit", &api.Audit{}, "long text"},
		{"queue list", &api.Queue{}, "long text"},
		{"queue destinations", &api.QueueDestinations{}, "long text"},
		{"key list anna@example.com", &api.Keys{}, "long text"},
		{"search word", &api.SearchResult{}, "Subject of medium length"},
	} {
		t.Run(tt.command, func(t *testing.T) {
			n := 0
			fill(reflect.ValueOf(tt.answer).Elem(), "", &n)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_ = json.NewEncoder(w).Encode(tt.answer)
			}))
			defer srv.Close()
			var stdout, stderr bytes.Buffer
			p := program{args: strings.Fields(tt.command), stdout: &stdout, stderr: &stderr, environ: []string{
				"NO_COLOR=1", "MAILKIN_URL=" + srv.URL, "MAILKIN_API_KEY=mk_x", "XDG_CONFIG_HOME=" + t.TempDir()},
				terminal: func(io.Writer) (int, bool) { return 80, true }}
			if status := p.run(); status != exitOK || !strings.Contains(stdout.String(), tt.shows) {
				t.Fatalf("status %d: %s%s", status, stdout.String(), stderr.String())
			}
			for row := range strings.Lines(stdout.String()) {
				if wide := columns(strings.TrimSuffix(row, "\n")); wide > 80 {
					t.Errorf("%d columns: %s", wide, row)
				}
			}
		})
	}
}

// fill gives every member of an answer a value that is as long as one can be.
func fill(v reflect.Value, name string, n *int) {
	switch {
	case v.Type() == reflect.TypeFor[api.Time]():
		v.Set(reflect.ValueOf(api.Time{Time: time.Now().Add(-40 * time.Hour)}))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Highlights" && f.Name != "Code" {
				fill(v.Field(i), f.Name, n)
			}
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), name, n)
		}
	case v.Kind() == reflect.String:
		*n++
		switch {
		case strings.HasSuffix(name, "ID"):
			v.SetString(fmt.Sprintf("0199e5a4-7c%02x-7cc1-b8a5-1f2c3d4e5f60", *n%256))
		case name == "Subject":
			v.SetString("Subject of medium length, then 世界 and more than there is room for")
		case strings.HasSuffix(name, "URL"):
			v.SetString("WEBHOOK-URL/" + strings.Repeat("long/", 20))
		default:
			v.SetString("long text " + strings.Repeat("more ", 12))
		}
	case v.CanInt():
		v.SetInt(12)
	}
}

// Records are whole lines to be copied, with what is said of them in lines that fit; for programs they are tabs.
func TestEntries(t *testing.T) {
	list := []entry{{style: red, head: []string{"missing", "TXT", "example.com"}, text: strings.Repeat("k", 300),
		found: "other", said: []string{strings.Repeat("word ", 30)}}}
	var terminal, pipe bytes.Buffer
	if err := (screen{w: &terminal, width: 80}).entries(list); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(terminal.String(), "\n")
	if len(rows) != 6 || rows[0] != "missing  TXT  example.com" || rows[1] != "  "+strings.Repeat("k", 300) ||
		rows[2] != "  There now: other" || len(rows[3]) > 80 || !strings.HasPrefix(rows[4], "  word") {
		t.Errorf("%q", rows)
	}
	if err := (screen{w: &pipe}).entries(list); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(pipe.String(), "\t"); len(got) != 6 || got[3] != list[0].text || got[4] != "other" {
		t.Errorf("%q", got)
	}
}
