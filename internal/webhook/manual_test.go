package webhook

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A body in which bytes, characters and lines differ.
const manualBody = "{\"event\":\"message.received\",\"email_id\":\"0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60\",\n\"subject\":\"Grüße & 世界 %s \\\\ 'x'\"}\n"

// posted is a request as our code makes it.
func posted(t *testing.T, at time.Time, mailbox []byte) received {
	t.Helper()
	r := startReceiver(t, nil)
	s := shipment(r.URL)
	s.Body, s.At, s.MailboxSecret = []byte(manualBody), at, mailbox
	if o := newPoster(t, Options{}).Post(t.Context(), s); !o.OK() {
		t.Fatalf("%+v", o)
	}
	return r.all()[0]
}

// changed is the text with one byte changed.
func changed(text string, at int) string {
	b := []byte(text)
	b[at] ^= 1
	return string(b)
}

// While the root secret changes an event has two signatures, and a receiver with either secret takes it.
func TestSignedWithBothSecrets(t *testing.T) {
	s := shipment("https://x.example")
	s.OldSecrets = [][]byte{[]byte("the mailbox secret of before")}
	want := standardSignature(s.MailboxSecret, s.ID, s.At, s.Body) + " " + standardSignature(s.OldSecrets[0], s.ID,
		s.At,
		s.Body)
	if got := s.standardSignatures(); got != want {
		t.Errorf("signed %s, want %s", got, want)
	}
}

// verified holds a verifier of webhook-signature against what we send, and what somebody else may have made of it.
func verified(t *testing.T, verify func(*testing.T, received) bool) {
	t.Helper()
	now := time.Now()
	with := func(name string, change func(string) string) func(*received) {
		return func(p *received) { p.header.Set(name, change(p.header.Get(name))) }
	}
	for _, tt := range []struct {
		name   string
		ok     bool
		at     time.Time
		secret []byte
		change func(*received)
	}{
		{name: "as it came", ok: true},
		{name: "a minute ago", ok: true, at: now.Add(-time.Minute)},
		{name: "another signature before it", ok: true, change: with("webhook-signature",
			func(s string) string { return "v2,AAAA v1,AAAA= " + s })},
		{name: "first byte changed", change: func(p *received) { p.body = changed(p.body, 0) }},
		{name: "last byte changed", change: func(p *received) { p.body = changed(p.body, len(p.body)-1) }},
		{name: "byte added", change: func(p *received) { p.body += " " }},
		{name: "byte missing", change: func(p *received) { p.body = p.body[:len(p.body)-1] }},
		{name: "no body", change: func(p *received) { p.body = "" }},
		{name: "other id", change: with("webhook-id", func(s string) string { return changed(s, len(s)-1) })},
		{name: "other time", change: with("webhook-timestamp", func(s string) string {
			n, _ := strconv.Atoi(s)
			return strconv.Itoa(n + 1)
		})},
		{name: "no time", change: with("webhook-timestamp", func(string) string { return "" })},
		{name: "time that is none", change: with("webhook-timestamp", func(string) string { return "a[$(exit)]" })},
		{name: "other signature", change: with("webhook-signature", func(s string) string { return changed(s, 5) })},
		{name: "other version", change: with("webhook-signature", func(s string) string { return "v2" + s[2:] })},
		{name: "half a signature", change: with("webhook-signature", func(s string) string { return s[:len(s)/2] })},
		{name: "no signature", change: with("webhook-signature", func(string) string { return "" })},
		{name: "pattern for a signature", change: with("webhook-signature", func(string) string { return "v1,*" })},
		{name: "other mailbox", secret: []byte("another mailbox's secret")},
		{name: "an hour ago", at: now.Add(-time.Hour)},
		{name: "in an hour", at: now.Add(time.Hour)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.at.IsZero() {
				tt.at = now
			}
			if tt.secret == nil {
				tt.secret = mailboxSecret
			}
			p := posted(t, tt.at, tt.secret)
			if tt.change != nil {
				tt.change(&p)
			}
			if got := verify(t, p); got != tt.ok {
				t.Errorf("accepted: %v", got)
			}
		})
	}
}

// The receivers of the manual run, and tell what is genuine.
func TestManualReceivers(t *testing.T) {
	for _, name := range []string{"receiver.go", "receiver.py", "receiver.js"} {
		t.Run(name, func(t *testing.T) {
			url := runReceiver(t, program(t, name))
			verified(t, func(t *testing.T, p received) bool {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(p.body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header = p.header
				resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true},
					Timeout: 20 * time.Second}).Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != 204 && resp.StatusCode != 401 {
					t.Errorf("answered %d", resp.StatusCode)
				}
				return resp.StatusCode == 204
			})
			p := newPoster(t, Options{})
			for range 3 {
				if o := p.Post(t.Context(), shipment(url)); !o.OK() {
					t.Errorf("posted to it: %+v", o)
				}
			}
		})
	}
}

func TestManualShell(t *testing.T) {
	command := program(t, "verify.sh")
	verified(t, func(t *testing.T, p received) bool {
		file := filepath.Join(t.TempDir(), "body")
		if err := os.WriteFile(file, []byte(p.body), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append(command[1:len(command):len(command)], p.header.Get("webhook-id"),
			p.header.Get("webhook-timestamp"), p.header.Get("webhook-signature"), file)
		return exits(t, "MAILBOX_SECRET="+formatSecret(mailboxSecret), "", append(command[:1:1], args...))
	})
}

// The programs of the manual that check X-Webhook-Signature.
func TestManualBody(t *testing.T) {
	p := posted(t, time.Now(), mailboxSecret)
	signature := p.header.Get("X-Webhook-Signature")
	for _, name := range []string{"body.go", "body.py", "body.js", "body.sh"} {
		t.Run(name, func(t *testing.T) {
			command := program(t, name)
			for _, tt := range []struct {
				name, signature, body, secret string
				ok                            bool
			}{
				{"as it came", signature, p.body, string(deploymentSecret), true},
				{"first byte changed", signature, changed(p.body, 0), string(deploymentSecret), false},
				{"last byte changed", signature, changed(p.body, len(p.body)-1), string(deploymentSecret), false},
				{"no body", signature, "", string(deploymentSecret), false},
				{"other signature", changed(signature, len(signature)-1), p.body, string(deploymentSecret), false},
				{"no prefix", strings.TrimPrefix(signature, "sha256="), p.body, string(deploymentSecret), false},
				{"no signature", "", p.body, string(deploymentSecret), false},
				{"other secret", signature, p.body, "other", false},
			} {
				if got := exits(t, "WEBHOOK_SECRET="+tt.secret, tt.body, append(command[:len(command):len(command)],
					tt.signature)); got != tt.ok {
					t.Errorf("%s: accepted: %v", tt.name, got)
				}
			}
		})
	}
}

// The reference library of Standard Webhooks takes what we send, called as the manual says. MAILKIN_TEST_NODE_MODULES
// is the node_modules folder that it is installed in.
func TestStandardWebhooks(t *testing.T) {
	modules := os.Getenv("MAILKIN_TEST_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, "standardwebhooks", "package.json")); modules == "" || err != nil {
		missing(t, "the npm package standardwebhooks is not in $MAILKIN_TEST_NODE_MODULES")
	}
	file := program(t, "library.js")[1]
	const call = `const verify = require(process.argv[1]);
const body = require("node:fs").readFileSync(0);
try { verify(body, JSON.parse(process.argv[2])) } catch (e) { if (e.constructor.name !== "WebhookVerificationError" && !(e instanceof SyntaxError)) process.exit(9); process.exit(1) }`
	t.Setenv("NODE_PATH", modules)
	verified(t, func(t *testing.T, p received) bool {
		headers := map[string]string{}
		for name := range p.header {
			headers[strings.ToLower(name)] = p.header.Get(name)
		}
		text, err := json.Marshal(headers)
		if err != nil {
			t.Fatal(err)
		}
		return exits(t, "MAILBOX_SECRET="+formatSecret(mailboxSecret), p.body, []string{"node", "-e", call, file,
			string(text)})
	})
}

// Every program of the manual is tried.
func TestManualWhole(t *testing.T) {
	tried := map[string]bool{}
	for _, name := range []string{"library.js", "receiver.go", "receiver.py", "receiver.js", "verify.sh", "body.go",
		"body.py", "body.js", "body.sh"} {
		tried[name] = true
	}
	programs := manual(t)
	for name := range programs {
		if !tried[name] {
			t.Errorf("nothing tries %s", name)
		}
	}
	if len(programs) != len(tried) {
		t.Errorf("the manual has %d programs of %d", len(programs), len(tried))
	}
}
