package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"mailkin": main}) }

// Every command, as somebody would run it, against a server of the script's own.
func TestScripts(t *testing.T) {
	zone := dnstest.New(t)
	served := zone.Serve(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("DNS", served)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": run, "eventually": eventually, "server": startServer, "deliver": deliver, "status": wantStatus,
			"capture": capture, "receiver": receiver,
			"publish": func(ts *testscript.TestScript, _ bool, _ []string) { publish(t, ts, zone) },
		},
	})
}

// startServer is "server [flag=value...]": it starts a server in $WORK/data on free ports, and sets MAILKIN_URL, SMTP
// and TOKEN.
func startServer(ts *testscript.TestScript, _ bool, args []string) {
	flags := map[string]string{"data-dir": ts.MkAbs("data"), "http-addr": "127.0.0.1:0", "smtp-addr": "127.0.0.1:0"}
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		flags[name] = value
	}
	cfg, err := config.Load(config.Source{Flags: flags})
	ts.Check(err)
	ctx, stop := context.WithCancel(context.Background())
	a, err := app.Open(ctx, cfg, slog.New(slog.DiscardHandler))
	ts.Check(err)
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	ts.Defer(func() {
		stop()
		if err := errors.Join(<-ran, a.Close()); err != nil {
			ts.Logf("stop the server: %v", err)
		}
	})
	ts.Setenv("MAILKIN_URL", "http://"+a.Addrs().HTTP)
	ts.Setenv("HTTP_ADDR", a.Addrs().HTTP)
	ts.Setenv("SMTP", a.Addrs().SMTP)
	ts.Setenv("TOKEN", strings.TrimSpace(ts.ReadFile("data/token")))
}

// deliver is "deliver FILE RECIPIENT": it brings a file, in which $NAME are variables, to the server by SMTP.
func deliver(ts *testscript.TestScript, refused bool, args []string) {
	mail := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	mail = strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n", "<ESC>", "\x1b", "<BEL>", "\a", "<CSI>", "\u009b", "<RLO>",
		"\u202e").Replace(mail)
	err := bring(ts.Getenv("SMTP"), "kim@example.com", args[1], mail)
	if refused && err != nil {
		return
	}
	ts.Check(err)
	if refused {
		ts.Fatalf("the server took the mail")
	}
}

// run is "run args...": it runs a command in this process, which is many times faster than to start one. What works on
// the current folder or on standard input needs "exec mailkin args...".
func run(ts *testscript.TestScript, fails bool, args []string) {
	if status := runHere(ts, args); (status != exitOK) != fails {
		ts.Fatalf("status %d", status)
	}
}

func runHere(ts *testscript.TestScript, args []string) int {
	p := program{args: args, stdout: ts.Stdout(), stderr: ts.Stderr()}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", urlVariable, keyVariable, "WEBHOOK_SECRET"} {
		if value := ts.Getenv(name); value != "" {
			p.environ = append(p.environ, name+"="+value)
		}
	}
	return p.run()
}

// eventually is "eventually PATTERN args...": it runs a command until what it prints fits.
func eventually(ts *testscript.TestScript, _ bool, args []string) {
	pattern, err := regexp.Compile(args[0])
	ts.Check(err)
	deadline, again := time.After(30*time.Second), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for {
		var out bytes.Buffer
		p := program{args: args[1:], stdout: &out, stderr: &out, environ: []string{"HOME=" + ts.Getenv("HOME"),
			urlVariable + "=" + ts.Getenv(urlVariable)}}
		if p.run(); pattern.Match(out.Bytes()) {
			return
		}
		select {
		case <-again.C:
		case <-deadline:
			ts.Fatalf("it still prints %s", out.String())
		}
	}
}

// wantStatus is "status N run args..." or "status N program args...": it must end with that status.
func wantStatus(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if args[1] == "run" {
		got = runHere(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}

// capture is "capture NAME [n]": it sets a variable to what the last command printed, or to a cell of its first line.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.TrimSpace(ts.ReadFile("stdout"))
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		first, _, _ := strings.Cut(text, "\n")
		text = strings.Split(first, "\t")[n]
	}
	ts.Setenv(args[0], text)
}

// publish puts the records that the last command printed into the DNS at $DNS.
func publish(t *testing.T, ts *testscript.TestScript, zone *dnstest.Zone) {
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		cells := strings.Split(line, "\t")
		switch kind, host, value := cells[0], cells[1], cells[2]; kind {
		case "TXT":
			zone.Text(host, value)
		case "MX":
			zone.Add(t, host+". MX "+value+".")
		default:
			ts.Fatalf("a record of type %s", kind)
		}
	}
}

// hook is a program that webhooks are posted to.
type hook struct {
	mu     sync.Mutex
	secret string
	answer int
	kinds  []string
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, err := client.ReadWebhook(r, h.secret)
	if h.secret != "" && err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	kind := "unverified"
	if err == nil {
		kind = e.Event
	}
	h.kinds = append(h.kinds, kind)
	w.WriteHeader(h.answer)
	_, _ = io.WriteString(w, "noted")
}

// receiver is "receiver start [STATUS]", which sets HOOK, and "receiver secret SECRET", from when on signatures are
// checked, and "receiver got KIND...": these and no others were posted, with a right signature where the secret is
// known.
func receiver(ts *testscript.TestScript, _ bool, args []string) {
	switch args[0] {
	case "start":
		h := &hook{answer: http.StatusOK}
		if len(args) > 1 {
			var err error
			h.answer, err = strconv.Atoi(args[1])
			ts.Check(err)
		}
		srv := httptest.NewServer(h)
		ts.Defer(srv.Close)
		ts.Setenv("HOOK", srv.URL)
		hooks.Store(ts, h)
	case "secret":
		theHook(ts, func(h *hook) { h.secret = args[1] })
	case "got":
		theHook(ts, func(h *hook) {
			if got, want := strings.Join(h.kinds, " "), strings.Join(args[1:], " "); got != want {
				ts.Fatalf("posted: %q, want %q", got, want)
			}
		})
	}
}

var hooks sync.Map // of scripts

func theHook(ts *testscript.TestScript, do func(*hook)) {
	v, ok := hooks.Load(ts)
	if !ok {
		ts.Fatalf("no receiver was started")
	}
	h := v.(*hook)
	h.mu.Lock()
	defer h.mu.Unlock()
	do(h)
}
