package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is what a run of the program left behind.
type outcome struct {
	status         int
	stdout, stderr string
}

// mailkin runs the program to its end.
func mailkin(t *testing.T, environ []string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := program{args: args, environ: environ, stdout: &stdout, stderr: &stderr}
	status := p.run()
	return outcome{status, stdout.String(), stderr.String()}
}

// What is wrong with a command line or a setting is one line on stderr and status 2, before anything is started.
func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct {
		name    string
		environ []string
		args    []string
		want    string
	}{
		{"unknown command", nil, []string{"srve"}, `unknown command "srve"`},
		{"unknown command below", nil, []string{"secret", "hide"}, `unknown command "hide"`},
		{"unknown command below one that has only commands", nil, []string{"queue", "retyr"}, `unknown command "retyr"`},
		{"argument too many", nil, []string{"serve", "now"}, "now"},
		{"misspelt flag", nil, []string{"serve", "--htp-addr", "x"}, "did you mean --http-addr?"},
		{"secret as a flag", nil, []string{"serve", "--auth-token", "x"}, "the variable AUTH_TOKEN"},
		{"wrong flag", nil, []string{"serve", "--http-addr", "x"}, "setting http_addr (flag --http-addr)"},
		{"wrong variable", []string{"MAILKIN_SMTP_ADDR=x"}, []string{"serve"}, "setting smtp_addr (variable " +
			"MAILKIN_SMTP_ADDR)"},
		{"unknown variable", []string{"MAILKIN_SMPT_ADDR=x"}, []string{"config"}, "did you mean MAILKIN_SMTP_ADDR?"},
		{"a word for a command", nil, []string{"demo", "now"}, `"now" is too much: the command is "mailkin demo"`},
		{"similar command", nil, []string{"inbx"}, `unknown command "inbx": did you mean inbox?`},
		{"words too few", nil, []string{"draft", "attach", "1"}, `the command is written: "mailkin draft attach ID`},
		{"words too many", nil, []string{"dns", "a.example", "b.example"}, `too many words: the command is "mailkin dns`},
		{"flags that contradict", nil, []string{"inbox", "--seen", "--unseen"}, "--seen and --unseen cannot go"},
		{"no number", nil, []string{"inbox", "-n", "many"}, `--limit cannot be "many": it is a whole number`},
		{"no yes or no", nil, []string{"inbox", "--json=perhaps"}, "it is true or false"},
		{"no value", nil, []string{"inbox", "--limit"}, "--limit needs a value: entries, up to 100"},
		{"no duration", nil, []string{"queue", "list", "--older", "long"}, "such as 90s, 15m, 12h or 7d"},
		{"unknown flag in short", nil, []string{"inbox", "-Z"}, `unknown flag -Z: "mailkin inbox --help"`},
		{"wrong flag of capture", nil, []string{"capture", "--max-messages", "x"}, "(flag --max-messages)"},
		{"no secret named", nil, []string{"secret", "show"}, "webhook or token"},
		{"another secret", nil, []string{"secret", "show", "root"}, "webhook or token"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := mailkin(t, tt.environ, tt.args...)
			if got.status != exitUsage || got.stdout != "" {
				t.Errorf("status %d, stdout %q", got.status, got.stdout)
			}
			if !strings.HasPrefix(got.stderr, "mailkin: ") || strings.Count(got.stderr, "\n") != 1 ||
				!strings.Contains(got.stderr, tt.want) {
				t.Errorf("stderr %q, want one line with %q", got.stderr, tt.want)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	if got := mailkin(t, nil, "version"); got.status != exitOK || !strings.HasPrefix(got.stdout, "mailkin ") {
		t.Errorf("got %+v", got)
	}
}

func TestConfigShowsValuesAndSources(t *testing.T) {
	const token = "an-operator-token-of-length"
	got := mailkin(t, []string{"AUTH_TOKEN=" + token, "MAILKIN_DOMAIN=agents.example"}, "config", "--http-addr",
		"127.0.0.1:1234")
	if got.status != exitOK || got.stderr != "" {
		t.Fatalf("status %d, stderr %q", got.status, got.stderr)
	}
	for _, want := range [][]string{
		{"http_addr", "127.0.0.1:1234", "flag --http-addr", "restart"},
		{"domain", "agents.example", "variable MAILKIN_DOMAIN", "restart"},
		{"mailbox", "ops@agents.example", "default", "restart"},
		{"auth_token", "(set)", "variable AUTH_TOKEN", "restart"},
		{"webhook_secret", "(kept in the data folder)", "default", "restart"},
	} {
		if !hasLine(got.stdout, want) {
			t.Errorf("no line with %v in\n%s", want, got.stdout)
		}
	}
	if strings.Contains(got.stdout, token[:6]) {
		t.Error("the token is shown")
	}
}

func hasLine(text string, parts []string) bool {
	for line := range strings.Lines(text) {
		if strings.Join(strings.Fields(line), " ") == strings.Join(parts, " ") {
			return true
		}
	}
	return false
}

func TestConfigHelp(t *testing.T) {
	if got := mailkin(t, nil, "config", "help"); got.status != exitOK || !strings.Contains(got.stdout,
		"MAILKIN_HTTP_ADDR, --http-addr") {
		t.Errorf("got %+v", got)
	}
}

func TestSecretShow(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"token": "kept-token\n", "webhook-secret": "kept-webhook\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	empty, lost := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(lost, "webhook-secret"), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, secret, dir string
		environ           []string
		want              outcome
	}{
		{"kept token", "token", dir, nil, outcome{exitOK, "kept-token\n", ""}},
		{"kept webhook secret", "webhook", dir, nil, outcome{exitOK, "kept-webhook\n", ""}},
		{"the one that is set wins", "token", dir, []string{"AUTH_TOKEN=set-token-0123456789"},
			outcome{exitOK, "set-token-0123456789\n", ""}},
		{"none yet", "token", empty, nil, outcome{exitFailed, "", "first start"}},
		{"an empty file", "webhook", lost, nil, outcome{exitFailed, "", "webhook-secret is empty"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := mailkin(t, tt.environ, "secret", "show", tt.secret, "--data-dir", tt.dir)
			if got.status != tt.want.status || got.stdout != tt.want.stdout || !strings.Contains(got.stderr,
				tt.want.stderr) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// cobra keeps what it is told about the completion of flags for ever: a program that runs many commands in one process,
// as these tests do, would grow with each.
func TestFlagsAreCompletedForShellsOnly(t *testing.T) {
	for first, want := range map[string]bool{"inbox": false, "doctor": false, "__complete": true,
		"__completeNoDesc": true} {
		root := (&program{args: []string{first}}).root()
		for command, flag := range map[string]string{"inbox": "profile", "doctor": "encryption"} {
			cmd, _, err := root.Find([]string{command})
			if err != nil {
				t.Fatal(err)
			}
			if _, told := cmd.GetFlagCompletionFunc(flag); told != want {
				t.Errorf("%s: %s --%s is completed: %v", first, command, flag, told)
			}
		}
	}
}
