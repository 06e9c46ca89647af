package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A watched inbox shows what is there, the newest last, and then what comes, until a signal ends it with status 0.
func TestWatch(t *testing.T) {
	run, smtp, token := screenKit(t)
	key := found(t, `(mk_\w+)`, run(token, "mailbox", "create", "wren"))
	service := found(t, `service +(\S+)`, run(key, "whoami"))
	deliverText := func(subject string) {
		t.Helper()
		if err := bring(smtp, "kim@example.com", "wren@mailkin.localhost", "From: kim@example.com\r\nSubject: "+subject+
			"\r\n\r\nHello\r\n"); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"lines", nil, "\tkim@example.com\t"},
		{"JSON", []string{"--json"}, `{"id":"`},
		{"jq", []string{"--jq", ".subject"}, "apples"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			deliverText("apples")
			read, write := io.Pipe()
			signals := make(chan os.Signal, 1)
			ended := make(chan int, 1)
			var stderr bytes.Buffer
			p := program{args: append([]string{"inbox", "--watch", "--query", "subject:apples", "-n", "1"}, tt.args...),
				stdout: write, stderr: &stderr, signals: signals, environ: []string{"XDG_CONFIG_HOME=" + t.TempDir(),
					urlVariable + "=" + service, keyVariable + "=" + key}}
			go func() {
				ended <- p.run()
				_ = write.Close()
			}()
			lines := bufio.NewScanner(read)
			next := func(want string) {
				t.Helper()
				if !lines.Scan() || !strings.Contains(lines.Text(), want) || !strings.Contains(lines.Text(), "apples") {
					t.Fatalf("got %q, want %q; %s", lines.Text(), want, stderr.String())
				}
			}
			next(tt.want)
			deliverText("pears") // does not fit
			deliverText("more apples")
			next("more apples")
			signals <- os.Interrupt
			select {
			case status := <-ended:
				if status != exitOK {
					t.Errorf("status %d: %s", status, stderr.String())
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it goes on")
			}
		})
	}
}
