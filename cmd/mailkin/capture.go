package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// captureFlags are the flags of capture, each with the setting that it is. The other settings of "serve" can be given
// by variable or in the settings file.
var captureFlags = []struct{ flag, setting string }{
	{"smtp-addr", "smtp_addr"}, {"http-addr", "http_addr"}, {"data-dir", "data_dir"},
	{"max-messages", "catch_all_messages"}, {"max-age", "catch_all_age"}, {"catch-all-hosts", "catch_all_hosts"},
	{"catch-all-starttls", "catch_all_starttls"},
	{"log-level", "log_level"}, {"log-format", "log_format"}, {"config", "config"},
}

// captureWords are the words of an error with the flags of capture.
func captureWords(text string) string {
	for _, f := range captureFlags {
		text = strings.ReplaceAll(text, "flag --"+strings.ReplaceAll(f.setting, "_", "-"), "flag --"+f.flag)
	}
	return text
}

// captureDefaults are what is different from "serve" where nothing is set.
func captureDefaults(dir string) map[string]string {
	return map[string]string{
		"catch_all": "on", "smtp_addr": "127.0.0.1:1025", "data_dir": dir, "log_level": "warn",
		"daily_send_limit": "0", "loop_thread_limit": "0", "loop_peer_limit": "0",
	}
}

func (p *program) captureCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capture",
		Short: "Take mail for every address and show it, as a test server does, until a signal ends it",
		Long: `Take mail for every address of every domain, with any log-in or none, and show it: to tests that wait for
it, to programs written for Mailpit or MailHog, and to people in the console. Nothing leaves the machine.

Each address has a mailbox of its own from its first mail, or the first wait for it, on. What was captured is kept
in a temporary folder that goes with the end of the command, or with --data-dir in that folder. Mailpit's routes
need no key; /v1 needs the key that is printed, which is also in the file "token" of the folder. AUTH_TOKEN sets
another one.`,
		Example: `  mailkin capture
  mailkin capture --max-messages 500 --data-dir ./captured`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.capture(cmd) },
	}
	presets, settings := captureDefaults(""), config.Settings()
	for _, f := range captureFlags {
		for _, s := range settings {
			if s.Key != f.setting {
				continue
			}
			preset, changed := presets[s.Key]
			if !changed {
				preset = s.Default
			}
			cmd.Flags().String(f.flag, preset, s.Help)
		}
	}
	cmd.Flags().SortFlags = false
	return cmd
}

// capture serves, in a folder that it takes away again unless one was named.
func (p *program) capture(cmd *cobra.Command) (err error) {
	dir, err := temporaryFolder()
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.RemoveAll(dir); gone != nil && err == nil {
			err = failure{gone}
		}
	}()
	cfg, values, err := config.Explain(p.captureSource(cmd, filepath.Join(dir, "data")))
	if err != nil {
		return usage("%s", captureWords(err.Error()))
	}
	if !cfg.CatchAll.On {
		err = errors.New("setting catch_all: it is off, and this command captures; leave it out")
	}
	if err == nil {
		err = cfg.CheckDataDir()
	}
	if err != nil {
		return err
	}
	if err := p.serve(cfg, values, nil); err != nil {
		return failure{err}
	}
	return nil
}

// mailpitVariables are those of Mailpit's that say the same as a setting. They count where the setting is not given.
// Any log-in or none is taken here, so its variables for that are taken without a warning.
var mailpitVariables = map[string]string{
	"MP_SMTP_BIND_ADDR": "smtp_addr", "MP_UI_BIND_ADDR": "http_addr", "MP_MAX_MESSAGES": "catch_all_messages",
	"MP_MAX_AGE": "catch_all_age",
}

// mailpitDefaults adds what Mailpit's variables say to the defaults, and returns which of them said it. Mailpit counts
// ages in days, too.
func mailpitDefaults(environ []string, to map[string]string) (variables map[string]string) {
	variables = make(map[string]string)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		setting, known := mailpitVariables[name]
		if !known || value == "" {
			continue
		}
		if days, err := strconv.Atoi(strings.TrimSuffix(value, "d")); err == nil && setting == "catch_all_age" &&
			strings.HasSuffix(value, "d") {
			value = strconv.Itoa(24*days) + "h"
		}
		to[setting], variables[setting] = value, name
	}
	return variables
}

func (p *program) captureSource(cmd *cobra.Command, dir string) config.Source {
	src := config.Source{Flags: map[string]string{}, Environ: p.environ, Defaults: captureDefaults(dir)}
	src.Foreign = mailpitDefaults(p.environ, src.Defaults)
	for _, f := range captureFlags {
		if given := cmd.Flags().Lookup(f.flag); given.Changed {
			src.Flags[strings.ReplaceAll(f.setting, "_", "-")] = given.Value.String()
		}
	}
	return src
}

// welcomeCapture prints what a person who has just started a test server needs, and the line that programs wait for
// which start one (QUIRK: "accessible via", testcontainers for Python).
func welcomeCapture(w io.Writer, cfg config.Config, at app.Addrs, t token, key string) {
	fmt.Fprintf(w, "Mailkin captures mail for every address. Nothing leaves this machine.\n\n")
	fmt.Fprintf(w, "  SMTP            %s, any log-in or none\n", at.SMTP)
	if at.LMTP != "" {
		fmt.Fprintf(w, "  LMTP            %s\n", at.LMTP)
	}
	fmt.Fprintf(w, "  Mailpit's API   %s/api/v1, without a key\n", baseURL(cfg, at.HTTP))
	fmt.Fprintf(w, "  HTTP API        %s\n", baseURL(cfg, at.HTTP))
	fmt.Fprintf(w, "  Console         %s/console\n", baseURL(cfg, at.HTTP))
	if key != "" {
		fmt.Fprintf(w, "  Operator key    %s\n", key)
	}
	fmt.Fprintf(w, "  Operator token  %s\n", t.place)
	fmt.Fprintf(w, "  Kept            %s\n\n", keptText(cfg.CatchAll))
	fmt.Fprintf(w, "Wait for the next mail to an address, which need not have had any:\n\n")
	fmt.Fprintf(w, "  curl -s -H \"Authorization: Bearer %s\" '%s/v1/wait?mailbox=wren@example.test&timeout=30'\n\n",
		t.shell, baseURL(cfg, at.HTTP))
	fmt.Fprintf(w, "[http] accessible via %s/\n", baseURL(cfg, at.HTTP))
}

// keptText says how much mail stays.
func keptText(c config.CatchAll) string {
	text := "all messages"
	if c.Messages > 0 {
		text = "the last " + strconv.Itoa(c.Messages) + " messages"
	}
	if c.Age > 0 {
		text += fmt.Sprintf(", none for longer than %s", c.Age)
	}
	return text
}
