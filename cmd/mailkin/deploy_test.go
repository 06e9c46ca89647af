package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mailkin/mailkin/internal/config"
)

// What deploy holds is read by other programs. So that it does not fall behind this one, every setting and command in
// it is tried here.
const deploy = "../../deploy/"

func deployFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(deploy + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// documents reads a file of YAML, which refuses a key that is there twice.
func documents(t *testing.T, name string) (docs []map[string]any) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(deployFile(t, name)))
	for {
		var doc map[string]any
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		docs = append(docs, doc)
	}
}

// at follows a path of keys into a document; nil where it ends.
func at(doc any, path ...string) any {
	for _, key := range path {
		m, _ := doc.(map[string]any)
		doc = m[key]
	}
	return doc
}

// placeholder is ${NAME:-value} or ${NAME:?what it is} in compose's language.
var placeholder = regexp.MustCompile(`\$\{(\w+)(:[-?][^}]*)?\}`)

// environ is a map of settings as variables, with something for what is to be filled in.
func environ(t *testing.T, settings any, fill map[string]string) (list []string) {
	t.Helper()
	m, ok := settings.(map[string]any)
	if !ok || len(m) == 0 {
		t.Fatalf("no settings: %v", settings)
	}
	for name, value := range m {
		text, ok := value.(string)
		if !ok {
			t.Errorf("%s is not a string: %v", name, value)
		}
		list = append(list, name+"="+placeholder.ReplaceAllStringFunc(text, func(s string) string {
			key := placeholder.FindStringSubmatch(s)[1]
			if fill[key] == "" {
				t.Errorf("%s: nothing fills %s", name, key)
			}
			return fill[key]
		}))
	}
	return list
}

// wantSettings wants every variable to be a setting, and all of them to be right together.
func wantSettings(t *testing.T, environ []string) config.Config {
	t.Helper()
	known := map[string]bool{}
	for _, s := range config.Settings() {
		known[s.Variable] = true
	}
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); !known[name] {
			t.Errorf("there is no setting %s", name)
		}
	}
	cfg, err := config.Load(config.Source{Environ: environ})
	if err != nil {
		t.Error(err)
	}
	return cfg
}

// variables reads a file of them, with a secret where one is to be filled in.
func variables(t *testing.T, name string) map[string]string {
	t.Helper()
	fill := map[string]string{}
	for line := range strings.Lines(deployFile(t, name)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			if fill[name] = value; value == "" {
				fill[name] = strings.Repeat("0a", 32) // as "openssl rand -hex 32" makes it
			}
		}
	}
	return fill
}

// imageSettings are the variables of the image.
func imageSettings(t *testing.T) (environ []string) {
	t.Helper()
	image := strings.ReplaceAll(deployFile(t, "Dockerfile"), "\\\n", "")
	for line := range strings.Lines(image) {
		if set, ok := strings.CutPrefix(line, "ENV "); ok {
			environ = append(environ, strings.Fields(set)...)
		}
	}
	return environ
}

func TestDeployCompose(t *testing.T) {
	docs := documents(t, "compose.yaml")
	if len(docs) != 1 {
		t.Fatalf("%d documents", len(docs))
	}
	fill := variables(t, "example.env")
	balancer := at(docs[0], "services", "balancer", "networks", "inside", "ipv4_address")
	for _, node := range []string{"node1", "node2", "node3"} {
		cfg := wantSettings(t, environ(t, at(docs[0], "services", node, "environment"), fill))
		if cfg.Database.URL == "" || cfg.BlobURL == "" {
			t.Errorf("%s keeps something by itself", node)
		}
		if len(cfg.TrustedProxies) != 1 || cfg.TrustedProxies[0].Addr().String() != balancer {
			t.Errorf("%s trusts %v, and the balancer is %v", node, cfg.TrustedProxies, balancer)
		}
		for _, listener := range cfg.ProxyProtocol {
			if !strings.Contains(deployFile(t, "haproxy.cfg"), "listen "+listener+"\n") {
				t.Errorf("the balancer has no listener for %s", listener)
			}
		}
	}
	if n := strings.Count(deployFile(t, "haproxy.cfg"), " send-proxy-v2 "); n != 2 {
		t.Errorf("%d of the balancer's listeners say who the client is", n)
	}
}

// One node takes its secrets from its volume, and certificates by the ports that are published.
func TestDeployComposeOne(t *testing.T) {
	doc := documents(t, "compose-one.yaml")[0]
	cfg := wantSettings(t, append(environ(t, at(doc, "services", "mailkin", "environment"), variables(t, "one.env")),
		imageSettings(t)...))
	if cfg.TLS.Mode != config.TLSACME || cfg.Database.URL != "" || cfg.DataDir != "/var/lib/mailkin" {
		t.Errorf("one node: %+v", cfg)
	}
	want := []string{"25" + cfg.SMTPAddr, "80" + cfg.ACME.HTTPAddr, "443" + cfg.HTTPAddr}
	if got := words(at(doc, "services", "mailkin", "ports")); !slices.Equal(got, want) {
		t.Errorf("ports %q, want %q", got, want)
	}
	volumes := words(at(doc, "services", "mailkin", "volumes"))
	if !slices.Equal(volumes, []string{"mail:" + cfg.DataDir}) {
		t.Errorf("volumes %q", volumes)
	}
}

const chart = "helm/mailkin/"

// The chart's values are settings, and its table of them is up to date. "make chart" renders it.
func TestDeployChart(t *testing.T) {
	values := documents(t, chart+"values.yaml")[0]
	var environ []string
	for name, value := range at(values, "settings").(map[string]any) {
		environ = append(environ, "MAILKIN_"+strings.ToUpper(name)+"="+value.(string))
	}
	for _, m := range regexp.MustCompile(`(?m)^  (MAILKIN_\w+): "(.*)"$`).FindAllStringSubmatch(
		deployFile(t, chart+"templates/settings.yaml"), -1) {
		environ = append(environ, m[1]+"="+m[2])
	}
	cfg := wantSettings(t, environ)
	pod := deployFile(t, chart+"templates/_node.tpl")
	for name, addr := range map[string]string{"smtp": cfg.SMTPAddr, "http": cfg.HTTPAddr, "metrics": cfg.MetricsAddr} {
		if !strings.Contains(pod, "{name: "+name+", containerPort: "+strings.TrimPrefix(addr, ":")+"}") {
			t.Errorf("%s is not at %s", name, addr)
		}
	}
	if grace, ok := at(values, "terminationGracePeriodSeconds").(int); !ok ||
		float64(grace) <= cfg.ShutdownGrace.Seconds()+5 {
		t.Errorf("%v s are too few for a stop", grace)
	}
	wantCommand(t, "serve")
	page := deployFile(t, chart+"README.md")
	intro, made, _ := strings.Cut(page, chartMarker)
	want := chartTable(t)
	if *update {
		if err := os.WriteFile(deploy+chart+"README.md", []byte(intro+chartMarker+want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if made != want {
		t.Error("the chart's README is not up to date; go test ./cmd/mailkin -run TestDeployChart -update")
	}
}

const chartMarker = "<!-- From here on this page is made from values.yaml: go test ./cmd/mailkin -run TestDeployChart " +
	"-update -->\n"

// chartTable has a row for each value that has a comment.
func chartTable(t *testing.T) string {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(deployFile(t, chart+"values.yaml")), &doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| value | without it | |\n|---|---|---|\n")
	var walk func(prefix string, n *yaml.Node)
	walk = func(prefix string, n *yaml.Node) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			name := prefix + key.Value
			said := strings.Join(strings.Fields(strings.ReplaceAll(key.HeadComment, "#", "")), " ")
			inner := value.Kind == yaml.MappingNode && len(value.Content) > 0 && value.Content[0].HeadComment != ""
			switch {
			case said == "" && !inner:
				t.Errorf("%s is not explained", name)
			case inner && said != "":
				fmt.Fprintf(&b, "| `%s` | | %s |\n", name, said)
			case !inner:
				var v any
				if err := value.Decode(&v); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", name, jsonText(t, v), said)
			}
			if inner {
				walk(name+".", value)
			}
		}
	}
	walk("", doc.Content[0])
	return b.String()
}

// What GitHub reads is YAML, and what a workflow makes is a target. "make workflows" knows more.
func TestDeployWorkflows(t *testing.T) {
	makefile := deployFile(t, "../Makefile")
	files, err := filepath.Glob("../../.github/*/*.yml")
	if err != nil || len(files) < 6 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, file := range append(files, "../../.github/dependabot.yml") {
		name, _ := filepath.Rel(deploy, file)
		if docs := documents(t, filepath.ToSlash(name)); len(docs) != 1 {
			t.Errorf("%s has %d documents", file, len(docs))
		}
		for _, m := range regexp.MustCompile(`run: make ([a-z ]+)`).FindAllStringSubmatch(
			deployFile(t, filepath.ToSlash(name)), -1) {
			for _, target := range strings.Fields(m[1]) {
				if !strings.Contains(makefile, "\n"+target+":") {
					t.Errorf("%s makes %s, which is no target", file, target)
				}
			}
		}
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func words(v any) (list []string) {
	items, _ := v.([]any)
	for _, item := range items {
		list = append(list, item.(string))
	}
	return list
}

// wantCommand wants a command line of ours to be one.
func wantCommand(t *testing.T, line string) {
	t.Helper()
	p := program{stdout: io.Discard, stderr: io.Discard}
	cmd, args, err := p.root().Find(strings.Fields(line))
	if err != nil || cmd == cmd.Root() {
		t.Fatalf("there is no command %q: %v", line, err)
	}
	if err := cmd.ParseFlags(args); err != nil {
		t.Errorf("%q: %v", line, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%q: %v", line, err)
	}
}

func TestDeployUnits(t *testing.T) {
	units, err := filepath.Glob(deploy + "*.service")
	if err != nil || len(units) != 2 {
		t.Fatalf("units %v, %v", units, err)
	}
	for _, unit := range units {
		started := false
		for line := range strings.Lines(deployFile(t, filepath.Base(unit))) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "ExecStart=/usr/local/bin/mailkin ")
			if ok {
				wantCommand(t, command)
				started = true
			}
			if head, _, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") &&
				!regexp.MustCompile(`^[A-Za-z]+$`).MatchString(head) {
				t.Errorf("%s: %q", unit, line)
			}
		}
		if !started {
			t.Errorf("%s starts nothing", unit)
		}
	}
	timer := deployFile(t, "mailkin-backup.timer")
	if !strings.Contains(timer, "OnCalendar=") || !slices.Contains(units, deploy+"mailkin-backup.service") {
		t.Error("nothing starts the backup")
	}
}

// The settings file of the unit is right, and so is the image.
func TestDeployFiles(t *testing.T) {
	cfg, err := config.Load(config.Source{Flags: map[string]string{"config": deploy + "mailkin.toml"}})
	if err != nil || cfg.TLS.Mode != config.TLSACME || cfg.DataDir != "/var/lib/mailkin" {
		t.Errorf("mailkin.toml: %+v, %v", cfg.TLS, err)
	}
	image := deployFile(t, "Dockerfile")
	for _, form := range []string{`(?m)^CMD (\[.*\])$`, `(?m)^HEALTHCHECK .*CMD \["/mailkin", (.*)\]$`} {
		m := regexp.MustCompile(form).FindStringSubmatch(image)
		if m == nil {
			t.Fatalf("the image has no %s", form)
		}
		var list []string
		if err := json.Unmarshal([]byte("["+strings.Trim(m[1], "[]")+"]"), &list); err != nil {
			t.Error(err)
		}
		wantCommand(t, strings.Join(list, " "))
	}
	if cfg := wantSettings(t, imageSettings(t)); cfg.DataDir != "/var/lib/mailkin" ||
		!strings.Contains(image, "\nUSER 65532:65532\n") {
		t.Errorf("the image: %+v", cfg)
	}
}

// The ports of the image are those that it says it has, that the balancer asks, and that compose publishes.
func TestDeployPorts(t *testing.T) {
	image, balancer := deployFile(t, "Dockerfile"), deployFile(t, "haproxy.cfg")
	published := strings.Join(words(at(documents(t, "compose.yaml")[0], "services", "balancer", "ports")), " ")
	for listener, variable := range map[string]string{"smtp": "MAILKIN_SMTP_ADDR", "http": "MAILKIN_HTTP_ADDR"} {
		_, rest, _ := strings.Cut(image, variable+"=:")
		port := regexp.MustCompile(`^\d+`).FindString(rest)
		_, section, _ := strings.Cut(balancer, "\nlisten "+listener+"\n")
		section, _, _ = strings.Cut(section, "\nlisten ")
		asked := regexp.MustCompile(`(?m)^    (?:bind |server \w+ \w+):(\d+)`).FindAllStringSubmatch(section, -1)
		if port == "" || len(asked) != 4 || !regexp.MustCompile(`(?m)^EXPOSE .*\b`+port+`\b`).MatchString(image) ||
			!strings.Contains(published+" ", ":"+port+" ") {
			t.Errorf("%s: port %q, balancer %v, published %s", listener, port, asked, published)
		}
		for _, m := range asked {
			if m[1] != port {
				t.Errorf("%s: the balancer has port %s, the image %s", listener, m[1], port)
			}
		}
	}
}
