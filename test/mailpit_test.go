package test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// doorModules is the node_modules folder with an npm package. MAILKIN_TEST_DOOR_MODULES names it.
func doorModules(t *testing.T, name string) string {
	t.Helper()
	return nodeModules(t, "MAILKIN_TEST_DOOR_MODULES", "../bin/doors/node_modules", name)
}

// nodeModules is a node_modules folder with an npm package: the one that a variable names, or else another.
func nodeModules(t *testing.T, variable, otherwise, name string) string {
	t.Helper()
	modules := cmp.Or(os.Getenv(variable), otherwise)
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, name, "package.json")); err != nil {
		what := "the npm package " + name + " is not there; \"make setup\" brings it"
		if os.Getenv("CI") == "true" {
			t.Fatal(what)
		}
		t.Skip(what)
	}
	return modules
}

// runNode runs a script with an npm package and returns what it prints.
func runNode(t *testing.T, modules string, env []string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*patience)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "MODULES=" + modules}, env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

// startCapture starts a test server, which has a data folder whatever the others are on.
func startCapture(t *testing.T, settings ...string) *server {
	t.Helper()
	s := newNode(t, append([]string{"MAILKIN_CATCH_ALL=on"}, settings...)...)
	s.start(t)
	return s
}

// The npm client of Mailpit runs against the binary: every method, and its own way to wait.
func TestMailpitClient(t *testing.T) {
	t.Parallel()
	modules := doorModules(t, "mailpit-api")
	s := startCapture(t)
	out := runNode(t, modules, []string{"URL=" + s.http}, "mailpit/client.cjs")
	if !strings.Contains(out, "all of it") {
		t.Fatal(out)
	}
}

// Eight workers of Playwright sign up at a page that sends codes by SMTP, and read them through the door.
func TestMailpitPlaywright(t *testing.T) {
	modules := doorModules(t, "@playwright/test")
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	s := startCapture(t)
	page := httptest.NewServer(&signUp{smtp: s.smtp, codes: make(map[string]string)})
	defer page.Close()
	out := runNode(t, modules, []string{"HOME=" + t.TempDir(), "NODE_PATH=" + modules, "URL=" + s.http,
		"PAGE=" + page.URL, "CHROMIUM=" + chromium, "OUTPUT=" + t.TempDir()},
		filepath.Join(modules, "@playwright/test/cli.js"), "test", "-c", "mailpit/playwright.config.cjs")
	if !strings.Contains(out, "8 passed") {
		t.Fatal(out)
	}
}

// signUp is a page that sends a code to an address and wants the last one back.
type signUp struct {
	smtp  string
	mu    sync.Mutex
	sent  int
	codes map[string]string
}

var signUpPage = template.Must(template.New("").Parse(`<!doctype html><title>Shop</title><p>{{.Text}}</p>
<form method="post" action="/confirm">{{if .Address}}<input type="hidden" name="address" value="{{.Address}}">
<label>Code <input name="code"></label><button>Confirm</button>{{end}}</form>
<form method="post" action="/sign-up">{{if not .Address}}<label>Address <input name="address"></label>
<button>Sign up</button>{{end}}</form>`))

func (p *signUp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	address, shown := r.PostFormValue("address"), struct{ Text, Address string }{Text: "Sign up here."}
	switch r.URL.Path {
	case "/sign-up":
		if err := p.send(address); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		shown.Text, shown.Address = "We have sent you a code.", address
	case "/confirm":
		p.mu.Lock()
		right := p.codes[address] == r.PostFormValue("code")
		p.mu.Unlock()
		if shown.Text = "That is not the code."; right {
			shown.Text = "Welcome, " + address + "!"
		}
	}
	_ = signUpPage.Execute(w, shown)
}

func (p *signUp) send(address string) error {
	p.mu.Lock()
	p.sent++
	code := fmt.Sprintf("%06d", 100_000+p.sent*7919%900_000)
	p.codes[address] = code
	p.mu.Unlock()
	c, err := smtp.Dial(p.smtp) // without STARTTLS: the certificate is the server's own
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // after QUIT
	if err := errors.Join(c.Mail("shop@shop.test"), c.Rcpt(address)); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "From: Shop <shop@shop.test>\r\nTo: %s\r\nSubject: Your code\r\n\r\nIt is %s.\r\n",
		address, code)
	return errors.Join(err, w.Close(), c.Quit())
}
