package test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// SIGHUP has the settings read again: what can be changed counts, the rest is named, and a file that is wrong changes
// nothing. A certificate in files is read again at once.
func TestReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "mailkin.toml")
	certFile, keyFile := filepath.Join(dir, "c.pem"), filepath.Join(dir, "k.pem")
	settings := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	renew := func() {
		t.Helper()
		_, cert, key := certificate(t, "127.0.0.1")
		for from, to := range map[string]string{cert: certFile, key: keyFile} {
			text, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(to, text, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	renew()
	settings("bootstrap = \"off\"\nlog_level = \"info\"\n")
	srv := newServer(t, "MAILKIN_CONFIG="+file, "MAILKIN_TLS=files:"+certFile+","+keyFile)
	srv.expectErrors = true // of a setting that is wrong
	srv.start(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.http, "https://"), ":")
	trusting := &tls.Config{InsecureSkipVerify: true}
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: trusting}}
	t.Cleanup(c.CloseIdleConnections)
	bootstrap := func() int {
		t.Helper()
		resp, err := c.Post("https://127.0.0.1:"+port+"/v1/bootstrap", "application/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	hangUp := func(logged ...string) {
		t.Helper()
		before := len(srv.stderr.String())
		srv.signal(t, syscall.SIGHUP)
		eventually(t, func() error {
			for _, want := range logged {
				if text := srv.stderr.String()[before:]; !strings.Contains(text, want) {
					return fmt.Errorf("no %q in %s", want, text)
				}
			}
			return nil
		})
	}
	shown := func() string {
		t.Helper()
		conn, err := tls.Dial("tcp", "127.0.0.1:"+port, trusting)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return string(conn.ConnectionState().PeerCertificates[0].Raw)
	}
	if status := bootstrap(); status == http.StatusCreated {
		t.Fatal("a mailbox was given out")
	}
	first := shown()
	renew()
	settings("bootstrap = \"on\"\nlog_level = \"debug\"\nsmtp_max_conns = 7\n")
	hangUp("setting=bootstrap value=on", "that needs a restart\" setting=smtp_max_conns", "changed=2 restart=1")
	if status := bootstrap(); status != http.StatusCreated {
		t.Errorf("after the change: %d", status)
	}
	if shown() == first {
		t.Error("the certificate of before is shown")
	}
	if text := srv.stderr.String(); !strings.Contains(text, "level=DEBUG") {
		t.Errorf("the level of the log is not debug: %s", text)
	}
	settings("bootstrap = \"perhaps\"\nlog_level = \"info\"\n")
	hangUp("reload: nothing was changed", "bootstrap")
	if status := bootstrap(); status != http.StatusCreated {
		t.Errorf("after a wrong setting: %d", status)
	}
	settings("bootstrap = \"off\"\n")
	if err := os.WriteFile(certFile, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	hangUp("the earlier one stays in use", "setting=bootstrap value=off", "changed=2 restart=0")
	if status := bootstrap(); status == http.StatusCreated {
		t.Error("a mailbox was given out at the end")
	}
	shown()
}
