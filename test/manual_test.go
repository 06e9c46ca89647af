package test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is a piece of a page that stands between ``` and ```.
type block struct {
	page string
	line int
	info string // what stands behind the first ```
	text string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// code is a block with its fences.
var code = regexp.MustCompile("(?ms)^```([^`\n]*)\n(.*?)^```$")

func blocksOf(page, text string) (list []block) {
	for _, m := range code.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, block{page, 1 + strings.Count(text[:m[0]], "\n"), text[m[2]:m[3]],
			strings.TrimSuffix(text[m[4]:m[5]], "\n")})
	}
	return list
}

// runners run the commands of a page, which are its blocks of the kind sh, in their order.
var runners = map[string]func(*testing.T, []block){
	"docs/api.md": runAPIPage, "docs/cli.md": runCLIPage, "docs/operations.md": runOperationsPage,
	"docs/webhooks.md": runWebhooksPage,
}

// elsewhere are the blocks that the tests below do not run, by their page and a word in them, and what becomes of them.
var elsewhere = []struct{ page, word, reason string }{
	{"docs/resend.md", "", "it needs a mailbox, and packages of other registries; TestResendWithSDK has the first"},
	{"docs/agentmail.md", "", "it needs a mailbox, and packages of npm and PyPI; TestAgentMailWithSDK has the first two"},
	{"docs/api.md", "$ID/verify", "it asks the DNS of the world; TestSendOwnDomain has a DNS of its own"},
	{"docs/cli.md", "mailkin key create shop", "it needs the operator and a mailbox; a script of cmd/mailkin has both"},
	{"docs/cli.md", "mailkin key change 0199", "it needs the operator and a key; a script of cmd/mailkin has both"},
	{"docs/cli.md", "mailkin email move 0199", "it needs a message that is scheduled; the same"},
	{"docs/cli.md", "mailkin email cancel 0199", "it needs a message that waits; a script of cmd/mailkin has one"},
	{"docs/cli.md", "mailkin audit export >>", "it needs the operator; a script of cmd/mailkin has it"},
	{"docs/cli.md", "mailkin operator add", "it needs the operator; a script of cmd/mailkin has it"},
	{"docs/cli.md", "mailkin operator change", "it needs the operator; a script of cmd/mailkin has it"},
	{"docs/cli.md", "mailkin operator sessions --end-all", "it needs a session; TestOpenID has one"},
	{"docs/operators.md", "mailkin operator add", "it needs a deployment; a script of cmd/mailkin has one"},
	{"docs/operations.md", "mailkin queue destinations", "it needs mail that waits; a script of cmd/mailkin has some"},
	{"docs/operations.md", "scanner_url", "block lists need the DNS, which tests do not ask"},
	{"docs/cli.md", "mailkin login https", "it needs a service of that name; a script of cmd/mailkin has one"},
	{"docs/cli.md", "mailkin mailbox show anna", "it needs such a mailbox; a script of cmd/mailkin has one"},
	{"docs/cli.md", "mailkin delete 0199", "it needs such a message; a script of cmd/mailkin has one"},
	{"docs/cli.md", "mailkin draft edit ID", "it needs a draft; a script of cmd/mailkin has one"},
	{"docs/brakes.md", "", "it is for a mailbox that has run away; TestBrakes has one"},
	{"docs/cli.md", "mailkin review edit ID", "it needs a message that is held; a script of cmd/mailkin has one"},
	{"docs/operations.md", "useradd", "it needs root and systemd; cmd/mailkin reads the units and tries their commands"},
	{"docs/operations.md", "docker compose", "it needs Docker and a cluster; cmd/mailkin reads the files and tries " +
		"their settings"},
	{"docs/deploy.md", "sudo -u mailkin", "it needs root and systemd"},
	{"docs/deploy.md", "docker compose", "it needs Docker; cmd/mailkin reads the files and tries their settings"},
	{"docs/deploy.md", "helm install", "it needs a cluster; \"make chart\" renders the chart"},
	{"docs/deploy.md", "curl -N", "it needs a proxy"},
	{"docs/operations.md", "relay_domains", "settings of another program; TestPostfix has them"},
	{"docs/measurements/receiving.md", "", "measurements take minutes, or tools of their own"},
	{"docs/measurements/searching.md", "", "measurements take minutes"},
	{"docs/scale.md", "", "measurements take minutes"},
	{"docs/console.md", "MAILKIN_TEST_SCALE", "measurements take minutes; the first of them is a test of its own"},
	{"docs/mailpit.md", "", "the ports may be taken; TestMailpitClient has others"},
	{"CONTRIBUTING.md", "make test", "it is what runs this test"},
	{"docs/tour.md", "go build -o bin/mailkin", "the tests have built it, and TestFirstFiveMinutes has started it"},
	{"README.md", "go install", "it needs a release; the tests have built it"},
	{"docs/api.md", "EventSource", "it needs a package from npm"},
}

// manualPages are all pages, by their path from the root.
func manualPages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../docs/*.md")
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d pages, %v", len(paths), err)
	}
	decisions, err := filepath.Glob("../docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	measurements, err := filepath.Glob("../docs/measurements/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Concat(paths, decisions, measurements, []string{"../README.md", "../CONTRIBUTING.md",
		"../SECURITY.md"}) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[strings.TrimPrefix(path, "../")] = string(text)
	}
	return pages
}

// Every decision says whether it holds, and since when.
func TestManualDecisions(t *testing.T) {
	status := regexp.MustCompile(`^# \d+\. .+\n\nStatus: (accepted|superseded by decision \d+), \d{4}-\d\d-\d\d\.\n\n`)
	for page, text := range manualPages(t) {
		if strings.HasPrefix(page, "docs/decisions/") && !status.MatchString(text) {
			t.Errorf("%s does not begin with a title and a status", page)
		}
	}
}

// Every block of the manual is run, read by what it is for, or in the table with the reason why not.
func TestManualBlocks(t *testing.T) {
	used := make([]bool, len(elsewhere))
	for page, text := range manualPages(t) {
		for _, b := range blocksOf(page, text) {
			if i := leftTo(b); i >= 0 {
				used[i] = true
				continue
			}
			checkBlock(t, b)
		}
	}
	for i, e := range elsewhere {
		if !used[i] {
			t.Errorf("%s has no block with %q any more", e.page, e.word)
		}
	}
}

// leftTo finds a block in the table.
func leftTo(b block) int {
	for i, e := range elsewhere {
		if b.page == e.page && strings.Contains(b.text, e.word) {
			return i
		}
	}
	return -1
}

// aCommand is a line that somebody may type.
var aCommand = regexp.MustCompile(`(?m)^(\$ )?([A-Z_]+=\S+ )*(mailkin|curl|go|make|systemctl|docker|kubectl|psql|pg_dump|npm|npx|sudo|export|for|git) `)

// samples are where programs of the first page stand a second time, as something that tests run.
var samples = map[string]string{"python": "sdk/python/README.md", "ts": "sdk/typescript/README.md",
	"go": "client/example_test.go"}

// isSample tells whether a file has the lines of a program, in their order. There may be lines of the test's own in
// between, and another address.
func isSample(t *testing.T, file, program string) bool {
	t.Helper()
	text, err := os.ReadFile("../" + file)
	if err != nil {
		t.Fatal(err)
	}
	rest := strings.ReplaceAll(string(text), "serviceURL()", `"http://127.0.0.1:8025"`)
	for line := range strings.Lines(program) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") {
			continue
		}
		_, after, ok := strings.Cut(rest, line)
		if !ok {
			return false
		}
		rest = after
	}
	return true
}

func checkBlock(t *testing.T, b block) {
	t.Helper()
	kind, name, _ := strings.Cut(b.info, " ")
	switch {
	case kind == "sh" && name == "":
		if runners[b.page] == nil && !inTour(t, b) {
			t.Errorf("%s: nothing runs these commands", b)
		}
	case kind == "toml":
		file := filepath.Join(t.TempDir(), "mailkin.toml")
		if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := run(t, nil, "config", "--config", file); status != 0 {
			t.Errorf("%s: status %d: %s", b, status, stderr)
		}
	case kind == "json":
		checkServers(t, b)
	case name == "" && samples[kind] != "":
		if !isSample(t, samples[kind], b.text) {
			t.Errorf("%s: it is not in %s, whose tests run it", b, samples[kind])
		}
	case name != "": // a program
		if !inTests(t, "../internal/webhook", regexp.QuoteMeta(`"`+name+`"`)) {
			t.Errorf("%s: no test runs %s", b, name)
		}
	case kind == "":
		if line := aCommand.FindString(b.text); line != "" && !generated(b) {
			t.Errorf("%s: %q is a command, so the block is sh", b, line)
		}
	default:
		t.Errorf("%s: nothing is known of %q", b, b.info)
	}
}

// inTour tells a block that is in one of the parts that TestFirstFiveMinutes, TestTour and TestReadmeFirstCode run.
func inTour(t *testing.T, b block) bool {
	t.Helper()
	return b.page == "docs/tour.md" && (strings.Contains(tourPart(t, "The first five minutes"), b.text) ||
		strings.Contains(tourPart(t, "On with curl"), b.text)) ||
		b.page == "README.md" && strings.Contains(pagePart(t, "README.md", firstCode), b.text)
}

// firstCode is the part of the README with the first commands.
const firstCode = "Your first code"

// tourPart is what stands below a heading of the tour.
func tourPart(t *testing.T, heading string) string {
	t.Helper()
	return pagePart(t, "docs/tour.md", heading)
}

// pagePart is what stands below a heading of a page.
func pagePart(t *testing.T, page, heading string) string {
	t.Helper()
	text, err := os.ReadFile("../" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, part, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no %q", page, heading)
	}
	part, _, _ = strings.Cut(part, "\n## ")
	return part
}

// generated tells a block of docs/cli.md that is the form of a command, which cmd/mailkin compares with the program.
func generated(b block) bool {
	return b.page == "docs/cli.md" && strings.HasPrefix(b.text, "mailkin ") && !strings.Contains(b.text, "\n")
}

// checkServers wants a block to tell an MCP client where the tools are.
func checkServers(t *testing.T, b block) {
	t.Helper()
	var settings struct {
		Servers map[string]struct {
			Command string
			Args    []string
			URL     string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(b.text), &settings); err != nil || len(settings.Servers) != 1 {
		t.Errorf("%s: %v, %d servers", b, err, len(settings.Servers))
	}
	for _, s := range settings.Servers {
		if s.URL == "" {
			status, _, stderr := run(t, nil, append(s.Args, "--help")...)
			if s.Command != "mailkin" || status != 0 {
				t.Errorf("%s: %s %q: status %d: %s", b, s.Command, s.Args, status, stderr)
			}
		} else if !strings.HasSuffix(s.URL, "/mcp") {
			t.Errorf("%s: %s", b, s.URL)
		}
	}
}

// inTests tells whether the tests in a folder have something.
func inTests(t *testing.T, dir, pattern string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", dir, err)
	}
	want := regexp.MustCompile(pattern)
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && want.Match(source)
	})
}

// The commands of each page run as they are printed, and end well.
func TestManualCommands(t *testing.T) {
	embedded(t)
	pages := manualPages(t)
	for page, runPage := range runners {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			var commands []block
			for _, b := range blocksOf(page, pages[page]) {
				if b.info == "sh" && leftTo(b) < 0 {
					commands = append(commands, b)
				}
			}
			if len(commands) == 0 {
				t.Fatal("it has no commands")
			}
			runPage(t, commands)
		})
	}
}
