package test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rspamd is a real one, as Debian has it, with its own rules. What asks the network is off, and one rule of ours finds
// a virus, as its antivirus module would with ClamAV.
type rspamd struct {
	url, dir string
	cmd      *exec.Cmd
}

const rspamdRule = `rspamd_config.TEST_VIRUS = {
  callback = function(task)
    return tostring(task:get_content()):find('EICAR-STANDARD-ANTIVIRUS-TEST-FILE', 1, true) ~= nil
  end,
  score = 20,
}
`

// newRspamd starts one, or skips the test where there is none.
func newRspamd(t *testing.T) *rspamd {
	t.Helper()
	if _, err := exec.LookPath("rspamd"); err != nil || os.Getenv("MAILKIN_TEST_RSPAMD") == "" {
		t.Skip("make scanners runs this with rspamd")
	}
	dir, err := os.MkdirTemp("", "rspamd") // the path of its socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	files := map[string]string{
		"tld": "com\norg\ntest\nexample\n", "conf/rspamd.local.lua": rspamdRule,
		"conf/local.d/worker-normal.inc": fmt.Sprintf("bind_socket = %q;\ncount = 1;\n", addr),
		"conf/local.d/logging.inc":       "type = \"console\";\nlevel = \"error\";\n",
		"conf/local.d/options.inc": fmt.Sprintf("dns { nameserver = [\"127.0.0.1:9\"]; timeout = 0.1s; "+
			"retransmits = 1; }\nurl_tld = %q;\ndisable_hyperscan = true;\n", filepath.Join(dir, "tld")),
	}
	for _, worker := range []string{"controller", "proxy", "fuzzy"} {
		files["conf/local.d/worker-"+worker+".inc"] = "enabled = false;\n"
	}
	for _, module := range strings.Fields("fuzzy_check rbl surbl asn dkim spf dmarc arc phishing mx_check") {
		files["conf/local.d/"+module+".conf"] = "enabled = false;\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &rspamd{url: "http://" + addr, dir: dir}
	r.start(t)
	t.Cleanup(func() { r.kill() })
	return r
}

// start returns when it answers.
func (r *rspamd) start(t *testing.T) {
	t.Helper()
	r.cmd = exec.Command("rspamd", "--no-fork", "--insecure", "--config", "/etc/rspamd/rspamd.conf",
		"--var=DBDIR="+r.dir, "--var=RUNDIR="+r.dir, "--var=LOGDIR="+r.dir, "--var=LOCAL_CONFDIR="+r.dir+"/conf")
	log, err := os.Create(filepath.Join(r.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log.Close()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get(r.url + "/ping"); err == nil {
			resp.Body.Close()
			return
		}
	}
	text, _ := os.ReadFile(filepath.Join(r.dir, "log"))
	t.Fatalf("rspamd does not answer: %s", text)
}

// kill ends it and its workers, which notice that their parent is gone.
func (r *rspamd) kill() {
	workers, _ := exec.Command("pgrep", "--parent", fmt.Sprint(r.cmd.Process.Pid)).Output()
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	for _, pid := range strings.Fields(string(workers)) {
		_ = exec.Command("kill", "-9", pid).Run()
	}
}
