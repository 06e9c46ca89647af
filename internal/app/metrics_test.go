package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/smtp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
)

var update = flag.Bool("update", false, "write docs/metrics.md")

const metricsPage = "../../docs/metrics.md"

// metric is what a scrape says of one.
type metric struct {
	name, kind, help string
	labels           []string
}

// startUsed runs an app with every listener, and uses what begins to count with its first use.
func startUsed(t *testing.T) *App {
	t.Helper()
	cfg := config.Default()
	cfg.DataDir, cfg.DNS, cfg.Mailbox = t.TempDir(), config.DNSOff, "ops@mailkin.localhost"
	for _, addr := range []*string{&cfg.HTTPAddr, &cfg.SMTPAddr, &cfg.LMTPAddr, &cfg.SubmitAddr, &cfg.MetricsAddr} {
		*addr = "127.0.0.1:0"
	}
	cfg.MinFree = config.FreeSpace{}
	cfg.Trace.URL, cfg.Trace.Ratio = "http://127.0.0.1:1", 1
	cfg.Scanner.URL, cfg.DNSBL.Zones = "http://127.0.0.1:1", []string{"list.example"} // neither answers
	log := slog.New(slog.DiscardHandler)
	a, err := Open(t.Context(), cfg, log)
	must(t, err)
	run(t, a)
	sendMail(t, a.Addrs().SMTP, cfg.Mailbox)
	body(t, "http://"+a.Addrs().HTTP+"/health")
	_, err = backup.Make(t.Context(), cfg, filepath.Join(t.TempDir(), "copy"), backup.Options{Log: log,
		Report: func(backup.Copied) {}})
	must(t, err)
	a.workers.Worker("retain").Finished() // the chores begin a moment after the start
	return a
}

// sendMail sends a mail over plain SMTP.
func sendMail(t *testing.T, addr, to string) {
	t.Helper()
	c, err := smtp.Dial(addr)
	must(t, err)
	defer c.Close()
	must(t, c.Mail("wren@example.com"))
	must(t, c.Rcpt(to))
	w, err := c.Data()
	must(t, err)
	_, err = io.WriteString(w, "Subject: one\r\n\r\nHello.\r\n")
	must(t, errors.Join(err, w.Close(), c.Quit()))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func body(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	must(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(t, err)
	return string(b)
}

var sampleLabel = regexp.MustCompile(`([a-z_]+)="`)

// scrape reads the metrics as Prometheus does.
func scrape(t *testing.T, a *App) map[string]*metric {
	all := make(map[string]*metric)
	of := func(name string) *metric {
		if all[name] == nil {
			all[name] = &metric{name: name}
		}
		return all[name]
	}
	text := body(t, "http://"+a.Addrs().Metrics+"/metrics")
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		words := strings.SplitN(line, " ", 4)
		switch {
		case strings.HasPrefix(line, "# HELP "):
			of(words[2]).help = words[3]
		case strings.HasPrefix(line, "# TYPE "):
			of(words[2]).kind = words[3]
		default:
			name, labels, _ := strings.Cut(line, "{")
			m := all[base(name)]
			if m == nil {
				continue // a sample of a summary, or without labels
			}
			for _, l := range sampleLabel.FindAllStringSubmatch(labels, -1) {
				if l[1] != "le" && !slices.Contains(m.labels, l[1]) {
					m.labels = append(m.labels, l[1])
				}
			}
		}
	}
	return all
}

// base is the name of a histogram, of one of its series.
func base(series string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if name, ok := strings.CutSuffix(series, suffix); ok && strings.HasSuffix(name, "_seconds") {
			return name
		}
	}
	return series
}

// The page has every metric of a server that is used, and the source has no other.
func TestMetricsManual(t *testing.T) {
	all := scrape(t, startUsed(t))
	maps.DeleteFunc(all, func(name string, _ *metric) bool { return !strings.HasPrefix(name, "mailkin_") })
	got := manualOf(all)
	if *update {
		must(t, os.WriteFile(metricsPage, []byte(got), 0o644))
	}
	want, err := os.ReadFile(metricsPage)
	must(t, err)
	if got != string(want) {
		t.Error("docs/metrics.md is behind the metrics: run go test ./internal/app -run TestMetricsManual -update")
	}
	for _, name := range named(t, regexp.MustCompile(`(?:Name: +|\{)"(mailkin_[a-z0-9_]+)"`), "*.go", "../httpapi/*.go") {
		if all[name] == nil {
			t.Errorf("%s is in the source, and not in a scrape: use it in startUsed", name)
		}
	}
}

// The dashboard and the alert rules ask for metrics that there are.
func TestMetricsOfDashboard(t *testing.T) {
	page, err := os.ReadFile(metricsPage)
	must(t, err)
	const files = "../../deploy/grafana/"
	names := named(t, regexp.MustCompile(`\b(mailkin_[a-z0-9_]+)`), files+"dashboard.json", files+"alerts.yaml")
	if len(names) < 20 {
		t.Fatalf("only %d metrics are asked for: %v", len(names), names)
	}
	for _, name := range names {
		if !strings.Contains(string(page), "\n| `"+base(name)+"` |") {
			t.Errorf("there is no metric %s", name)
		}
	}
	dashboard, err := os.ReadFile(files + "dashboard.json")
	must(t, err)
	if !json.Valid(dashboard) {
		t.Error("dashboard.json is not JSON")
	}
}

// named lists what a pattern finds in files.
func named(t *testing.T, pattern *regexp.Regexp, globs ...string) (names []string) {
	t.Helper()
	for _, glob := range globs {
		files, err := filepath.Glob(glob)
		must(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			must(t, err)
			for _, m := range pattern.FindAllSubmatch(text, -1) {
				if name := string(m[1]); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

func manualOf(all map[string]*metric) string {
	var b strings.Builder
	b.WriteString(`# Metrics

This page is generated by ` + "`go test ./internal/app -run TestMetricsManual -update`" + ` from what a server answers.

Prometheus reads them at ` + "`GET /metrics`" + ` with the operator token, or without one at the address that
the setting ` + "`metrics_addr`" + ` names. [deploy/grafana](../deploy/grafana/README.md) has a dashboard and alert rules.

- Counters begin at 0 with the start of the process, and count what this node did. What is said to be "over all nodes"
  is the same on each of them: take the maximum, not the sum.
- The series of a route, and those of a listener's ingest time, begin with the first thing that they count, so that a
  fresh server has few. Ask with ` + "`or vector(0)`" + ` where a missing series is to be read as 0.
- What has to be looked up, such as the size of the store, is looked up when somebody asks, at most every two seconds. A
  value that cannot be had, because the database does not answer within a second, is missing.
- ` + "`go_…` and `process_…`" + ` are those of the Go runtime and of the process: memory, goroutines, open
  files, CPU.

| metric | type | labels | meaning |
|---|---|---|---|
`)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		m := all[name]
		slices.Sort(m.labels)
		labels := ""
		if len(m.labels) > 0 {
			labels = "`" + strings.Join(m.labels, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.name, m.kind, labels, m.help)
	}
	return b.String()
}
