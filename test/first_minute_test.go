package test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// withDefaults starts a server the way a newcomer does: nothing is set but the ports, so that tests do not meet.
func withDefaults(t *testing.T) *server {
	t.Helper()
	srv := newServer(t)
	srv.dir = filepath.Join(t.TempDir(), "mailkin-data")
	srv.environ = []string{"PATH=" + os.Getenv("PATH"), "MAILKIN_HTTP_ADDR=127.0.0.1:0",
		"MAILKIN_SMTP_ADDR=127.0.0.1:0"}
	srv.start(t)
	return srv
}

// shell runs a script in a folder and returns what it prints.
func shell(t *testing.T, dir, script string) string {
	t.Helper()
	for _, program := range []string{"bash", "curl", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.WaitDelay = dir, time.Second // whatever it has left running
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\nfrom\n%s", err, out, script)
	}
	return string(out)
}

// The first start prints where everything is and a command that works as it stands. What it prints here goes into a
// pipe, as into a log: the link that signs in is not in it.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := withDefaults(t)
	token := filepath.Join(srv.dir, "token")
	want := fmt.Sprintf(`Mailkin is running.

  HTTP API        %[1]s
  Console         %[1]s/console
  SMTP            %[2]s, for mail to mailkin.localhost
  Sending         captured: mail is kept and shown, and does not leave this machine (setting outbound)
  Operator token  %[3]s

Get a temporary mailbox, without a key:

  curl -s -X POST %[1]s/v1/bootstrap

Make a permanent mailbox and its key:

  curl -s -H "Authorization: Bearer $(cat %[3]s)" -H 'Content-Type: application/json' \
    -d '{"name":"wren"}' %[1]s/v1/mailboxes

`, srv.http, srv.smtp, token)
	if got := srv.stdout.String(); got != want {
		t.Errorf("printed:\n%s\nwant:\n%s", got, want)
	}
	for path, mode := range map[string]os.FileMode{srv.dir: 0o700, token: 0o600,
		filepath.Join(srv.dir, "secret"):         0o600,
		filepath.Join(srv.dir, "webhook-secret"): 0o600, filepath.Join(srv.dir, "tls-key.pem"): 0o600} {
		eventually(t, func() error { // the certificate is made after the start
			info, err := os.Stat(path)
			if err == nil && info.Mode().Perm() != mode {
				err = fmt.Errorf("%s: %v, want %v", path, info.Mode(), mode)
			}
			return err
		})
	}
	for _, text := range []string{srv.stdout.String(), srv.stderr.String()} {
		if srv.token == "" || strings.Contains(text, srv.token) {
			t.Error("the operator token is printed, or there is none")
		}
	}
	direct := srv.http
	srv.watch(t)
	_, commands, _ := strings.Cut(strings.ReplaceAll(srv.stdout.String(), direct, srv.http), "without a key:\n\n")
	ask, command, _ := strings.Cut(commands, "Make a permanent mailbox and its key:\n\n")
	if out := shell(t, t.TempDir(), ask); !strings.Contains(out, `"mailbox":"agent-`) ||
		!strings.Contains(out, `"scope":"provisional"`) {
		t.Errorf("the printed command gives %s", out)
	}
	if out := shell(t, t.TempDir(), command); !strings.Contains(out, `"mailbox":"wren@mailkin.localhost"`) ||
		!strings.Contains(out, `"api_key":"mk_`) {
		t.Errorf("the printed command gives %s", out)
	}
}

// printedPage runs the commands of a page of the manual, one after the other in one shell, against a server.
type printedPage struct {
	srv    *server
	dir    string
	script []string
}

func newPage(t *testing.T) *printedPage {
	t.Helper()
	embedded(t)
	srv := withDefaults(t)
	srv.watch(t)
	dir := filepath.Dir(srv.dir)
	if err := os.Symlink(binary(t), filepath.Join(dir, "mailkin")); err != nil {
		t.Fatal(err)
	}
	return &printedPage{srv: srv, dir: dir,
		script: []string{fmt.Sprintf("export PATH=%[1]s:$PATH HOME=%[1]s MAILKIN_URL=%[2]s", dir, srv.http)}}
}

// add takes the commands among the code blocks.
func (p *printedPage) add(blocks []block) {
	for _, b := range blocks {
		if b.info == "sh" {
			p.script = append(p.script, b.text)
		}
	}
}

// run returns what the commands print. smtp is the SMTP address that the page prints.
func (p *printedPage) run(t *testing.T, smtp string) string {
	t.Helper()
	addresses := strings.NewReplacer("127.0.0.1:8025", strings.TrimPrefix(p.srv.http, "http://"), smtp, p.srv.smtp)
	return shell(t, p.dir, addresses.Replace(strings.Join(p.script, "\n")))
}

// The tour's commands run as they are printed, in their order: the second part goes on where the first one ends.
func TestTour(t *testing.T) {
	t.Parallel()
	page := newPage(t)
	for _, heading := range []string{"The first five minutes", "On with curl"} {
		page.add(blocksOf("docs/tour.md", tourPart(t, heading)))
	}
	if len(page.script) < 9 {
		t.Fatalf("the tour has %d commands", len(page.script)-1)
	}
	out := page.run(t, "127.0.0.1:2525")
	for _, part := range []string{"agent-", "\n482915\n", `"code":"482915"`, `"subject": "The tide"`,
		`"body_text": "Your verification code is 482915.`,
		"\nevent: message.received\ndata: {", `"url":"http://`, "\r\nSubject: The tide\r\n",
		"It is at six tomorrow.\r\n"} {
		if !strings.Contains(out, part) {
			t.Errorf("the tour does not show %q:\n%s", part, out)
		}
	}
	if strings.Contains(out, `"error"`) {
		t.Errorf("the tour meets an error:\n%s", out)
	}
}

// The commands of the first page run as they are printed, and the first of them print what is shown.
func TestReadmeFirstCode(t *testing.T) {
	t.Parallel()
	page := newPage(t)
	page.add(blocksOf("README.md", pagePart(t, "README.md", firstCode)))
	out := page.run(t, "127.0.0.1:1025")
	for _, part := range []string{"\n482915\n", `"code":"482915"`, `"subject":"Sign in"`} {
		if !strings.Contains(out, part) {
			t.Errorf("the first page does not show %q:\n%s", part, out)
		}
	}
}
