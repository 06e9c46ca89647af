package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/wire"
)

// Whatever is done to an export, the first entry that is not as it was written is named.
func TestVerifyExport(t *testing.T) {
	t.Parallel()
	var link mailbox.AuditLink
	var lines []string
	for i := range 5 {
		a := link.Join(mailbox.Audit{At: time.UnixMilli(int64(i + 1)), Action: "POST /v1/operators", Note: "a b",
			Actor: mailbox.TheOperator, AuditFacts: mailbox.AuditFacts{Name: "Kim", Role: mailbox.Admin}})
		link = a.Link()
		text, err := json.Marshal(wire.NewChainedAudit(a))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	third := func(was, is string) func([]string) []string {
		return func(l []string) []string {
			l[2] = strings.Replace(l[2], was, is, 1)
			return l
		}
	}
	for _, tt := range []struct {
		name   string
		tamper func([]string) []string
		broken int64
		reason string
	}{
		{"nothing", func(l []string) []string { return l }, 0, ""},
		{"its end", func(l []string) []string { return l[2:] }, 0, ""},
		{"written in another form", third(`{`, "{ \n"), 0, ""},
		{"a text", third(`a b`, "c"), 3, "was changed"},
		{"a text in another case", third(`"Kim"`, `"kim"`), 3, "was changed"},
		{"a foreign member", third(`{`, `{"approved":true,`), 3, `"approved" in it`},
		{"a member twice", third(`{`, `{"note":"c",`), 3, `"note" in it`},
		{"a member in another case", third(`{`, `{"Note":"a",`), 3, `"Note" in it`},
		{"an object", third(`{`, `{"note":{},`), 3, "no entry"},
		{"other words", third(`{`, `{"who":"Robin",`), 3, "its words"},
		{"the right words", third(`{`, `{"who":"Kim",`), 0, ""},
		{"one taken out", func(l []string) []string { return append(l[:2], l[3:]...) }, 3, "it is missing"},
		{"one put in", func(l []string) []string { return append(l[:3:3], l[2:]...) }, 4, "stands in its place"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			text := strings.Join(tt.tamper(append([]string(nil), lines...)), "\n")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := verifyFile(path)
			switch {
			case err != nil:
				t.Fatal(err)
			case r.OK != (tt.broken == 0) || !r.OK && (r.Broken.Seq != tt.broken ||
				!strings.Contains(r.Broken.Reason, tt.reason)):
				t.Errorf("%+v, %+v", r, r.Broken)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	_ = os.WriteFile(path, []byte(lines[0][:20]), 0o600)
	if _, err := verifyFile(path); err == nil || !strings.Contains(err.Error(), "entry 1 of the file cannot be read") {
		t.Error(err)
	}
}
