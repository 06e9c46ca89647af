package test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// someWorld is what the page of commands leaves to others. Mail comes to a new mailbox at once, a person confirms every
// claim, and what would go on for ever ends after the first event.
const someWorld = `export HOME MAILKIN_URL TOKEN NO_COLOR=1 WEBHOOK_SECRET=a-secret-of-the-deployment
fresh() { HOME=$(mktemp -d -p "$WORLD"); cd "$HOME"; mkdir -p .config/fish/completions; fpath=("" "$HOME"); echo report >report.pdf; }
pdftotext() { cat >/dev/null; }
mail() { sed "s/ADDRESS/$1/" "$WORLD/mail.eml" | curl -s "smtp://$SMTP" --crlf --upload-file - --mail-from kim@example.com --mail-rcpt "$1"; }
session() { until grep -q session= "$HOME/claim"; do sleep 0.05; done; sed -n 's/.*session=\([A-Za-z0-9_-]*\).*/\1/p' "$HOME/claim"; }
confirm() { MAILKIN_API_KEY=$TOKEN command mailkin claim confirm "$(session)"; }
mailkin() {
  case "$*" in
  bootstrap*) command mailkin "$@"; mail "$(command mailkin bootstrap 2>/dev/null)" ;;
  "claim --session "*) command mailkin claim --session "$(sed -n 's/^session_id.//p' "$HOME/claim")" ;;
  claim*--no-wait*) command mailkin "$@" | tee "$HOME/claim"; confirm ;;
  claim*) command mailkin "$@" 2>"$HOME/claim" & confirm; wait $! ;;
  capture*)
    : >"$HOME/captured.log" # else the loop may see what the capture before has written
    command mailkin "$@" --smtp-addr 127.0.0.1:0 --http-addr 127.0.0.1:0 >"$HOME/captured.log" 2>&1 &
    until grep -q 'accessible via' "$HOME/captured.log"; do sleep 0.05; done
    kill -INT $! && wait $! && cat "$HOME/captured.log" ;;
  events* | listen*) command mailkin "$@" --since 1h --count 1 --for 20s ;;
  *) command mailkin "$@" ;;
  esac
}
`

// aMail has something for every command.
const aMail = `From: Kim <kim@example.com>
To: ADDRESS
Subject: Welcome, order confirmed
Message-ID: <ADDRESS@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Your verification code is 482915. Confirm it: https://example.com/confirm?t=1

The invoice is attached. Your parcel has been shipped with UPS, tracking number 1Z999AA10123456784.
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename=invoice.pdf

none
--b--
`

func runCLIPage(t *testing.T, commands []block) {
	srv := start(t)
	direct := srv.http
	srv.watch(t)
	hook := newReceiver(t, http.StatusNoContent)
	world := t.TempDir()
	if err := os.WriteFile(filepath.Join(world, "mail.eml"), []byte(aMail), 0o600); err != nil {
		t.Fatal(err)
	}
	script := []string{fmt.Sprintf("PATH=%s:$PATH MAILKIN_URL=%s SMTP=%s TOKEN=%s WORLD=%s", onPath(t), srv.http,
		srv.smtp, srv.token, world), someWorld, "fresh"}
	for _, text := range texts(commands, "http://127.0.0.1:8025", srv.http, "http://127.0.0.1:3000", hook.URL,
		"attachment 0199e5a4-…", `attachment "$(command mailkin read latest --json | sed 's/.*"attachments":\[{"id":"\([^"]*\)".*/\1/')"`) {
		switch {
		case strings.HasPrefix(text, "ADDRESS=$(mailkin bootstrap)"):
			script = append(script, "fresh", text, "echo $ADDRESS")
		case strings.HasPrefix(text, "mailkin claim"): // each line is a way of its own
			for i, line := range strings.Split(text, "\n") {
				script = append(script, "fresh", "mailkin bootstrap", strings.Replace(line, "robin",
					fmt.Sprintf("robin%d", i), 1))
			}
		default:
			script = append(script, text)
		}
	}
	out := shell(t, world, strings.Join(script, "\n"))
	shows(t, strings.ReplaceAll(out, srv.http, direct), "482915\n", "invoice.pdf\n", "The mailbox is permanent",
		"robin@"+domain, "robin1@"+domain, "\tmessage.received\t",
		`"type":"shipping"`, `"highlights"`, "Events go to "+hook.URL, `"emails":[`, "It is queued")
	hook.await(t, 1)
}
