package test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

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

// runBlocks runs commands of a text in their order, in one shell. After the first that has a word comes what the world
// does then.
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
	if strings.Contains(out, `"error":"`) {
		t.Errorf("it meets an error:\n%s", out)
	}
	return out
}

// shortEvents ends a stream before a test grows old.
const shortEvents = "MAILKIN_LIMIT_STREAM=1s"

// An agent that does what /skill.md says gets where it says.
func TestSkillCommands(t *testing.T) {
	t.Parallel()
	srv := start(t, shortEvents)
	srv.watch(t)
	skill := string(srv.do(t, request{path: "/skill.md"}, http.StatusOK, nil).body)
	var commands []string
	for _, b := range blocksOf("skill.md", skill) {
		if b.info != "sh" {
			t.Errorf("%s is not run", b)
		}
		commands = append(commands, b.text)
	}
	if len(commands) < 10 || strings.Count(strings.Join(commands, "\n"), "curl ") < 15 {
		t.Fatalf("the skill has %d blocks of commands", len(commands))
	}
	out := runBlocks(t, t.TempDir(), commands, map[string]string{
		"/v1/bootstrap": delivered(srv, "$MAILBOX", "welcome", "Your verification code is 482915. Or open "+
			"https://example.com/verify?t=1"),
		"/v1/claim/start": fmt.Sprintf(`curl -s -X POST -H "Authorization: Bearer %s" -H "Content-Type: application/json" -d "{\"session_id\":\"$SESSION\"}" $URL/v1/claim/confirm`,
			srv.token),
	})
	for _, part := range []string{
		`"scope":"provisional"`, `"code":"482915","from":"kim@example.com"`, `{"email":{"id":"`,
		`"search_mode":"keyword"`, `"search_mode":"hybrid"`,
		`"body_text":"Your verification code is 482915.`, `"threads":[{"thread_id":"`, `"type":"code","code":"482915"`,
		"\nevent: message.received\ndata: {", srv.http + "/claim?session=", `"already_confirmed":false`,
		`"status":"queued"`,
	} {
		if !strings.Contains(out, part) {
			t.Errorf("it does not show %q:\n%s", part, out)
		}
	}
	if !strings.HasSuffix(out, "Hello") || strings.Count(out, `"status":"queued"`) != 3 {
		t.Errorf("it does not end with the attachment:\n%s", out)
	}
}
