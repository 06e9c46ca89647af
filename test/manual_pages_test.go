package test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// texts are the commands of blocks, with other words in the place of some.
func texts(blocks []block, words ...string) (list []string) {
	other := strings.NewReplacer(words...)
	for _, b := range blocks {
		list = append(list, other.Replace(b.text))
	}
	return list
}

// onPath returns a folder in which the program is "mailkin".
func onPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(binary(t), filepath.Join(dir, "mailkin")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func shows(t *testing.T, out string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(out, part) {
			t.Errorf("it does not show %q:\n%s", part, out)
		}
	}
}

func runAPIPage(t *testing.T, commands []block) {
	srv := start(t, shortEvents)
	srv.watch(t)
	dir := onPath(t)
	script := append([]string{fmt.Sprintf("export PATH=%s:$PATH MAILKIN_DATA_DIR=%s", dir, srv.dir)},
		texts(commands, "http://127.0.0.1:8025", srv.http)...)
	out := runBlocks(t, dir, script, map[string]string{
		"/v1/claim/confirm": delivered(srv, "robin@"+domain, "welcome", "Your verification code is 482915. Or open "+
			"https://example.com/verify?t=1"),
	})
	shows(t, out, `"scope":"provisional"`, "/claim?session=", `{"status":"pending"}`, `"already_confirmed":false`,
		`"status":"queued"`,
		`"dns_records":{"mx":{`, `"code":"482915","from":"kim@example.com"`, `{"email":{"id":"`,
		"\nevent: message.received\ndata: {")
}

func runWebhooksPage(t *testing.T, commands []block) {
	srv := start(t, "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true")
	srv.watch(t)
	b := srv.mailbox(t, "robin")
	hook := newReceiver(t, http.StatusNoContent)
	script := append([]string{"URL=" + srv.http + " KEY=" + b.key}, texts(commands, "https://example.com", hook.URL)...)
	out := runBlocks(t, t.TempDir(), script, nil)
	shows(t, out, `"webhook_url":"`+hook.URL+`/hook"`, `{"secret":"whsec_`, `"label":"code","webhook_url":"`+hook.URL+
		`/codes"`,
		`{"ok":true,"deleted":"code"}`, `{"deliveries":[`)
	hook.await(t, 1)
}

// withoutRoot are words of the operations page that need root, for a shell without it. "mailkin doctor" asks nobody on
// the network.
const withoutRoot = `sudo() { shift 2; "$@"; }
install() { command install -d -m 0700 "${@: -1}"; }
mailkin() { if [ "$1" = doctor ]; then set -- "$@" --ntp= --probe=; export MAILKIN_HTTP_ADDR=$SERVER; fi; command mailkin "$@"; }
`

// The page is run on folders of the test's own. What systemd would do with the server, the test does.
func runOperationsPage(t *testing.T, commands []block) {
	bucket := s3test.Start(t)
	database := pgtest.URL(t)
	dir := t.TempDir()
	for _, folder := range []string{"etc", "lib", "backups"} {
		if err := os.MkdirAll(filepath.Join(dir, folder, "mailkin"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	srv := newNode(t)
	srv.dir = filepath.Join(dir, "lib", "mailkin")
	settings := filepath.Join(dir, "etc", "mailkin", "mailkin.toml")
	text := fmt.Sprintf("data_dir = %q\nhttp_addr = \"127.0.0.1:0\"\nsmtp_addr = \"127.0.0.1:0\"\ndns = \"off\"\n",
		srv.dir)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	srv.environ = []string{"PATH=" + os.Getenv("PATH"), "MAILKIN_CONFIG=" + settings}
	srv.start(t)
	robin := srv.mailbox(t, "robin")
	srv.deliver(t, mail("kept"), robin.address)
	path := "export PATH=" + onPath(t) + ":$PATH\n"

	out := ""
	for i, block := range texts(commands, "/etc/mailkin/", dir+"/etc/mailkin/", "/var/lib/", dir+"/lib/",
		"/var/backups/", dir+"/backups/",
		"postgres://…", "'"+database+"'", "s3://…", "'"+bucket.URLWithKeys()+"'") {
		rest, stops := strings.CutPrefix(block, "systemctl stop mailkin\n")
		if stops {
			srv.deliver(t, mail(fmt.Sprintf("after %d", i)), robin.address)
			srv.stop(t)
		}
		rest, starts := strings.CutSuffix(rest, "\nsystemctl start mailkin")
		out += shell(t, dir, path+"export SERVER="+strings.TrimPrefix(srv.http, "http://")+"\n"+withoutRoot+rest)
		if starts {
			srv.start(t)
			if e := robin.only(t); e.Subject != "kept" {
				t.Errorf("restored: %+v", e)
			}
		}
	}
	shows(t, out, "http_addr", settings, "\tsettings\t", "Backed up 1 message,", "2026-11-16.tar",
		"Restored 1 message,", "Every row was read back")
}
