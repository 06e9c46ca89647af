package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestArrows(t *testing.T) {
	found, err := check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range found {
		t.Error(line)
	}
}

// A permission that nothing uses would let a wrong arrow pass one day.
func TestPermissionsAreUsed(t *testing.T) {
	used, err := arrows(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layers {
		for _, p := range l.may {
			if !slices.ContainsFunc(used, func(a arrow) bool {
				return allows(l.packages, a.from) && allows([]string{p},
					a.to)
			}) {
				t.Errorf("nothing in %v imports %s", l.packages, p)
			}
		}
	}
}

// The check catches what it is for, and lets the rest pass.
func TestCheckCatches(t *testing.T) {
	const ours = `import _ "github.com/mailkin/mailkin/internal/`
	for _, tt := range []struct {
		name, file, body string
		want             string // part of the one line, empty for none
	}{
		{"edge asks the service", "internal/smtpd/x.go", ours + `service"`, ""},
		{"edge asks a store", "internal/httpapi/x.go", ours + `store"`, "imports internal/store"},
		{"edge asks a database", "internal/httpapi/x.go", ours + `store/sqlite"`, "imports internal/store/sqlite"},
		{"edge asks an edge", "internal/smtpd/x.go", ours + `httpapi"`, "imports internal/httpapi"},
		{"service knows an edge", "internal/service/x.go", ours + `smtpd"`, "imports internal/smtpd"},
		{"service knows a database", "internal/service/x.go", ours + `store/sqlite"`, "imports internal/store/sqlite"},
		{"service asks the contract", "internal/service/x.go", ours + `store"`, ""},
		{"store knows the service", "internal/store/sqlite/x.go", ours + `service"`, "imports internal/service"},
		{"nouns import ours", "internal/mailbox/x.go", ours + `store"`, "imports internal/store"},
		{"nouns import another module", "internal/mailbox/x.go", `import _ "golang.org/x/net/idna"`,
			"imports golang.org/x/net/idna"},
		{"nouns import the library", "internal/mailbox/x.go", `import _ "net/mail"`, ""},
		{"app imports everything", "internal/app/x.go", ours + `store/sqlite"`, ""},
		{"command imports an edge", "cmd/mailkin/x.go", ours + `smtpd"`, "imports internal/smtpd"},
		{"a test may import a store", "internal/service/x_test.go", ours + `store/sqlite"`, ""},
		{"package without a layer", "internal/util/x.go", "", "no layer"},
		{"test data is left alone", "internal/smtpd/testdata/x.go", "func init() {}", ""},

		{"environment", "internal/service/x.go", `import "os"; var _ = os.Getenv("X")`, "uses os.Getenv"},
		{"environment under another name", "internal/service/x.go", `import sys "os"; var _ = sys.LookupEnv`,
			"uses os.LookupEnv"},
		{"environment in main", "cmd/mailkin/main.go", `import "os"; var _ = os.Environ()`, ""},
		{"environment beside main", "cmd/mailkin/serve.go", `import "os"; var _ = os.Environ()`, "uses os.Environ"},
		{"exit", "internal/app/x.go", `import "os"; func f() { os.Exit(1) }`, "uses os.Exit"},
		{"exit by log", "internal/app/x.go", `import "log"; func f() { log.Fatal() }`, "uses log.Fatal"},
		{"default logger", "internal/app/x.go", `import "log/slog"; var _ = slog.Default()`, "uses log/slog.Default"},
		{"init", "internal/app/x.go", `func init() {}`, "init function"},
		{"method called init", "internal/app/x.go", `type t int; func (t) init() {}`, ""},
		{"JSON tag", "internal/mailbox/x.go", "type t struct { A int `json:\"a\"` }", "JSON tag"},
		{"JSON tag in wire", "internal/wire/x.go", "type t struct { A int `json:\"a\"` }", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := check(fstest.MapFS{tt.file: {Data: []byte("package x\n" + tt.body)}})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.want == "" && len(found) > 0:
				t.Errorf("found %q", found)
			case tt.want != "" && (len(found) != 1 || !strings.Contains(found[0], tt.want)):
				t.Errorf("found %q, want one line with %q", found, tt.want)
			}
		})
	}
}

func TestEveryRuleHasAReason(t *testing.T) {
	for _, l := range layers {
		if l.why == "" {
			t.Errorf("layer %v has none", l.packages)
		}
	}
	for _, r := range append(restrictions, jsonTags) {
		if r.why == "" {
			t.Errorf("restriction of %v has none", r.uses)
		}
	}
}

func TestOtherModulesAreSkipped(t *testing.T) {
	found, err := check(fstest.MapFS{
		"go.mod":        {Data: []byte("module x")},
		"tools/go.mod":  {Data: []byte("module y")},
		"tools/init.go": {Data: []byte("package tools\nfunc init() {}")},
	})
	if err != nil || len(found) > 0 {
		t.Errorf("found %q, error %v", found, err)
	}
}
