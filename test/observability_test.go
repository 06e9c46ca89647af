package test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A real Prometheus reads a real server: it takes every rule, and answers every question of the dashboard. For "make
// observability", which says where Prometheus is.
func TestObservability(t *testing.T) {
	programs := os.Getenv("MAILKIN_TEST_PROMETHEUS")
	if programs == "" {
		t.Skip("MAILKIN_TEST_PROMETHEUS is not set: make observability")
	}
	srv := start(t, "MAILKIN_METRICS_ADDR="+freeAddr(t))
	b := srv.mailbox(t, "robin")
	srv.deliver(t, mail("one"), b.address)
	scraped := srv.ask(t, request{path: "/metrics", key: srv.token})
	promtool(t, programs, string(scraped.body), "check", "metrics")
	rules, err := filepath.Abs("../deploy/grafana/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	promtool(t, programs, "", "check", "rules", rules)

	dir, addr := t.TempDir(), freeAddr(t)
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%q]\nscrape_configs:\n"+
		"  - job_name: mailkin\n    static_configs: [{targets: [%q]}]\n", rules, settingOf(srv, "MAILKIN_METRICS_ADDR"))
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(programs, "prometheus"), "--config.file="+filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+addr)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	eventually(t, func() error {
		if !strings.Contains(string(asked(t, addr, "query?query="+url.QueryEscape(`mailkin_mail_accepted_total`))), `"1"`) {
			return fmt.Errorf("nothing was scraped yet")
		}
		return nil
	})
	eventually(t, func() error {
		if s := string(asked(t, addr, "rules")); strings.Count(s, `"health":"ok"`) < 15 || strings.Contains(s, `"err"`) {
			return fmt.Errorf("rules: %s", s)
		}
		return nil
	})
	for _, expr := range dashboardQueries(t) {
		if s := string(asked(t, addr, "query?query="+url.QueryEscape(expr))); !strings.Contains(s, `"status":"success"`) {
			t.Errorf("%s\n%s", expr, s)
		}
	}
}

func settingOf(s *server, name string) string {
	for _, e := range s.environ {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

func promtool(t *testing.T, programs, stdin string, args ...string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs, "promtool"), args...)
	cmd.Stdin = strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
}

func asked(t *testing.T, addr, path string) []byte {
	resp, err := http.Get("http://" + addr + "/api/v1/" + path)
	if err != nil {
		return nil // it is starting
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dashboardQueries are those of the dashboard, with values for its variables.
func dashboardQueries(t *testing.T) (list []string) {
	text, err := os.ReadFile("../deploy/grafana/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("$job", ".*", "$instance", ".*", "$__rate_interval", "1m")
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			list = append(list, fill.Replace(target.Expr))
		}
	}
	if len(list) < 20 {
		t.Fatalf("only %d questions", len(list))
	}
	return list
}
