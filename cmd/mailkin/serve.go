package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Take mail and serve the API until a signal ends it",
		Long: `Take mail and serve the API.

The first SIGINT or SIGTERM stops taking new work and finishes what is in flight. A
second one, or the end of shutdown_grace, ends it at once with a status that is not 0.

Secrets have no flags: set them by variable or in the settings file. "mailkin config
help" lists every setting.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, values, err := config.Explain(p.source(cmd))
			if err != nil {
				return err
			}
			if err := cfg.CheckDataDir(); err != nil {
				return err
			}
			again := func() (config.Config, []config.Value, error) { return config.Explain(p.source(cmd)) }
			if err := p.serve(cfg, values, again); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	p.settingFlags(cmd)
	return cmd
}

// errForced is a stop that did not wait for what was in flight.
var errForced = errors.New("stopped by a second signal before everything in flight was finished")

// startGC is how much garbage, in percent of what is in use, may be left before it is collected, for the time of a
// start: little is in use by then, and looking for it again and again takes a tenth of the time.
const (
	startGC   = 400
	startTime = time.Second
)

// lazyGC leaves more garbage for the time of a start. The function that it returns ends that.
func lazyGC() (end func()) {
	usual := debug.SetGCPercent(startGC)
	timer := time.AfterFunc(startTime, func() { debug.SetGCPercent(usual) })
	return func() {
		timer.Stop()
		debug.SetGCPercent(usual)
	}
}

// serve runs the server. again reads the settings once more; nil: they stay as they are.
func (p *program) serve(cfg config.Config, values []config.Value,
	again func() (config.Config, []config.Value, error)) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	lines := newLogQueue(p.stderr, func(n int) {
		logger(p.stderr, cfg).Warn("log lines were dropped: the reader of the log is too slow", "lines", n)
	})
	defer lines.Close()
	r := &reloading{again: again, values: values, level: new(slog.LevelVar)}
	r.level.Set(cfg.LogLevel)
	to := loggerAt(lines, cfg.LogFormat, r.level)
	r.log = to
	defer adopt(to)()
	a, err := app.Open(ctx, cfg, to)
	if err != nil {
		return explainListen(err, cfg)
	}
	// More places than there are processors: indexing, vectors and a search, which have the lowest priority or take
	// long, each have one that nobody waits for. What is opened has been sized by the processors.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 3))

	p.announce(cfg, a, values, to)

	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	var hangups <-chan os.Signal
	if again != nil && p.onHangup != nil {
		var done func()
		hangups, done = p.onHangup()
		defer done()
	}
	for asked := false; ; {
		select {
		case err := <-ran:
			return errors.Join(err, a.Close())
		case <-hangups:
			r.reload(a)
			continue
		case <-p.signals:
			if asked {
				return errForced // the process ends now; closing the store could wait for what hangs
			}
			asked = true
			stop()
		}
	}
}

// announce says that the server is running: to people on standard output, and where everything is JSON in the log.
func (p *program) announce(cfg config.Config, a *app.App, values []config.Value, to *slog.Logger) {
	at, secret := a.Addrs(), tokenIn(a.TokenSource(), values)
	if cfg.LogFormat == config.LogJSON {
		running := "running"
		if cfg.CatchAll.On {
			running += ", accessible via " + baseURL(cfg, at.HTTP) + "/"
		}
		to.Info(running, "http", at.HTTP, "url", baseURL(cfg, at.HTTP), "smtp", at.SMTP, "lmtp", at.LMTP,
			"submission", at.Submission,
			"metrics", at.Metrics, "domains", cfg.Domains, "outbound", string(cfg.Outbound.Mode), "token", secret.place,
			"version", app.Version())
		return
	}
	if cfg.CatchAll.On {
		key, _ := os.ReadFile(a.TokenSource()) // where it is not a file, whoever set it knows it
		welcomeCapture(p.stdout, cfg, at, secret, strings.TrimSpace(string(key)))
		return
	}
	link := ""
	if p.screen(p.stdout).isTerminal() { // anywhere else it would stay in a log
		link = a.SignIn()
	}
	welcome(p.stdout, cfg, at, secret, link)
}

// loggedError is an error that the log has, in the form of the log.
type loggedError struct{ error }

func (e loggedError) Unwrap() error { return e.error }

// inLog writes the error that ends the server to the log, where everything is JSON.
func (p *program) inLog(cmd *cobra.Command, err error) error {
	src := p.source(cmd)
	for i, arg := range p.args { // flags behind one that is wrong were not read
		if value, ok := strings.CutPrefix(arg, "--log-format="); ok {
			src.Flags["log-format"] = value
		} else if arg == "--log-format" && i+1 < len(p.args) {
			src.Flags["log-format"] = p.args[i+1]
		}
	}
	format := config.LogFormatOf(src)
	if format != config.LogJSON {
		return err
	}
	logger(p.stderr, config.Config{LogFormat: format}).Error("ended", "error", err.Error())
	return loggedError{err}
}

// adopt writes what the standard library logs to our logger: net/http has things to say there
// about servers that answer before they are asked. The function that it returns undoes that.
func adopt(logger *slog.Logger) (undo func()) {
	before, flags := log.Writer(), log.Flags()
	log.SetFlags(0)
	log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelDebug).Writer())
	return func() {
		log.SetFlags(flags)
		log.SetOutput(before)
	}
}

func logger(w io.Writer, cfg config.Config) *slog.Logger {
	return loggerAt(w, cfg.LogFormat, cfg.LogLevel)
}

// loggerAt is logger with a level that may change.
func loggerAt(w io.Writer, format string, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: inMilliseconds}
	if format == config.LogJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// inMilliseconds writes every duration in the log as a number of milliseconds, whatever the form of the log.
func inMilliseconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.Float64Value(float64(a.Value.Duration().Microseconds()) / 1000)
	}
	return a
}

// explainListen names the setting to change where a listener's address cannot be had.
func explainListen(err error, cfg config.Config) error {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "listen" || op.Addr == nil {
		return err
	}
	reason := "cannot be listened on"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		reason = "is already in use by another program"
	case errors.Is(err, syscall.EACCES):
		reason = "may not be listened on by this user"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		reason = "is not an address of this machine"
	}
	for _, s := range config.Settings() {
		if listensOn(cfg, s.Key, op.Addr) {
			return fmt.Errorf("setting %s: %s %s; choose another with --%s or %s", s.Key, op.Addr, reason, s.Flag,
				s.Variable)
		}
	}
	return err
}

// listensOn tells whether the setting is the one that gave the address.
func listensOn(cfg config.Config, key string, addr net.Addr) bool {
	set := map[string]string{
		"http_addr": cfg.HTTPAddr, "smtp_addr": cfg.SMTPAddr, "lmtp_addr": cfg.LMTPAddr,
		"submission_addr": cfg.SubmitAddr, "metrics_addr": cfg.MetricsAddr, "acme_http_addr": cfg.ACME.HTTPAddr,
	}[key]
	if set == "" {
		return false
	}
	if addr.Network() == "unix" {
		return set == "unix:"+addr.String()
	}
	resolved, err := net.ResolveTCPAddr("tcp", set)
	return err == nil && resolved.String() == addr.String()
}
