package test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blocks are the pieces of a text that stand between ``` and ```, of one kind.
func blocks(text, kind string) (list []string) {
	for _, piece := range strings.Split(text, "\n```"+kind+"\n")[1:] {
		block, _, _ := strings.Cut(piece, "\n```")
		list = append(list, block)
	}
	return list
}

// delivered is a script by which somebody sends mail to an address.
func delivered(srv *server, address, subject, text string) string {
	return fmt.Sprintf(`curl -s smtp://%s --crlf --upload-file - --mail-from kim@example.com --mail-rcpt %s <<MAIL
From: Kim <kim@example.com>
To: %[2]s
Subject: %[3]s
Message-ID: <%[3]s-1@example.com>

%[4]s
MAIL`, srv.smtp, address, subject, text)
}

// runBlocks runs commands of a text in their order, in one shell. After the first that has a word comes what the world does then.
func runBlocks(t *testing.T, dir string, commands []string, world map[string]string) string {
	t.Helper()
	var script []string
	for _, block := range commands {
		script = append(script, block)
		for word, then := range world {
			if strings.Contains(block, word) {
				script = append(script, then)
				delete(world, word)
			}
		}
	}
	if len(world) > 0 {
		t.Fatalf("no command has %v", world)
	}
	out := shell(t, dir, strings.Join(script, "\n"))
	if strings.Contains(out, `"error"`) {
		t.Errorf("it meets an error:\n%s", out)
	}
	return out
}

// shortEvents ends a stream before a test grows old.
const shortEvents = "MAILKIN_LIMIT_STREAM=1s"

// An agent that does what /skill.md says gets where it says.
func TestSkillCommands(t *testing.T) {
	srv := start(t, shortEvents)
	skill := string(srv.do(t, request{path: "/skill.md"}, http.StatusOK, nil).body)
	commands := blocks(skill, "sh")
	if len(commands) < 10 || strings.Count(strings.Join(commands, "\n"), "curl ") < 15 || strings.Count(skill, "```") != 2*len(commands) {
		t.Fatalf("the skill has %d blocks of commands", len(commands))
	}
	out := runBlocks(t, t.TempDir(), commands, map[string]string{
		"/v1/bootstrap": delivered(srv, "$MAILBOX", "welcome", "Your verification code is 482915. Or open https://example.com/verify?t=1"),
		"/v1/claim/start": fmt.Sprintf(`curl -s -X POST -H "Authorization: Bearer %s" -H "Content-Type: application/json" -d "{\"session_id\":\"$SESSION\"}" $URL/v1/claim/confirm`,
			srv.token),
	})
	for _, part := range []string{
		`"scope":"provisional"`, `"code":"482915","from":"kim@example.com"`, `{"email":{"id":"`, `"search_mode":"keyword"`, `"search_mode":"hybrid"`,
		`"body_text":"Your verification code is 482915.`, `"threads":[{"thread_id":"`, `"type":"code","code":"482915"`,
		"\nevent: message.received\ndata: {", srv.http + "/claim?session=", `"already_confirmed":false`, `"status":"queued"`,
	} {
		if !strings.Contains(out, part) {
			t.Errorf("it does not show %q:\n%s", part, out)
		}
	}
	if !strings.HasSuffix(out, "Hello") || strings.Count(out, `"status":"queued"`) != 3 {
		t.Errorf("it does not end with the attachment:\n%s", out)
	}
}

// The commands of the manual run as they are printed.
func TestManualCommands(t *testing.T) {
	embedded(t)
	page, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := blocks(string(page), "sh run")
	if len(commands) < 7 {
		t.Fatalf("the manual has %d blocks of commands to run", len(commands))
	}
	srv := start(t, shortEvents)
	dir := t.TempDir()
	if err := os.Symlink(binary(t), filepath.Join(dir, "mailkin")); err != nil {
		t.Fatal(err)
	}
	commands = append([]string{fmt.Sprintf("export PATH=%s:$PATH MAILKIN_DATA_DIR=%s", dir, srv.dir)}, commands...)
	for i, c := range commands {
		commands[i] = strings.ReplaceAll(c, "http://127.0.0.1:8025", srv.http)
	}
	out := runBlocks(t, dir, commands, map[string]string{
		"/v1/claim/confirm": delivered(srv, "robin@"+domain, "welcome", "Your verification code is 482915. Or open https://example.com/verify?t=1"),
	})
	for _, part := range []string{`"scope":"provisional"`, "/claim?session=", `{"status":"pending"}`, `"already_confirmed":false`, `"status":"queued"`,
		`"dns_records":{"mx":{`, `"code":"482915","from":"kim@example.com"`, `{"email":{"id":"`, "\nevent: message.received\ndata: {"} {
		if !strings.Contains(out, part) {
			t.Errorf("it does not show %q:\n%s", part, out)
		}
	}
}

// The manual's contents lead to every page of it, and nowhere else.
func TestManualContents(t *testing.T) {
	contents, err := os.ReadFile("../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{"README.md": true}
	for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(string(contents), -1) {
		linked[m[1]] = true
		if _, err := os.Stat(filepath.Join("../docs", m[1])); err != nil {
			t.Errorf("docs/README.md leads to %s: %v", m[1], err)
		}
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) < 8 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		if !linked[filepath.Base(page)] {
			t.Errorf("docs/README.md does not lead to %s", filepath.Base(page))
		}
	}
}
