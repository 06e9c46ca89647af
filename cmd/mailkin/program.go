package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// program is one run of the binary.
type program struct {
	args    []string
	environ []string
	stdout  io.Writer
	stderr  io.Writer
	signals <-chan os.Signal
}

// Exit statuses. A supervisor may try again after exitFailed; after exitUsage somebody must change something first.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// run gives the exit status. An error is one line on stderr.
func (p *program) run() int {
	root := p.root()
	root.SetArgs(p.args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.Execute()
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(p.stderr, "mailkin: "+strings.Join(strings.Fields(err.Error()), " "))
	if errors.As(err, new(failure)) {
		return exitFailed
	}
	return exitUsage
}

// failure is an error of the work itself. What cobra refuses (a command, an argument) and a wrong setting are not.
type failure struct{ error }

func (e failure) Unwrap() error { return e.error }

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "mailkin",
		Short:         "Mailboxes for software agents: mail server, mailbox store and HTTP API in one program",
		Version:       app.Version(),
		SilenceErrors: true, // run prints them, on one line
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return explainFlag(err) })
	root.AddCommand(p.serveCommand(), p.configCommand(), p.secretCommand(), p.reprocessCommand(), p.versionCommand())
	return root
}

// settingFlags gives a command a flag for each setting that has one, in the order of the table.
func settingFlags(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for _, s := range config.Settings() {
		if s.Flag != "" {
			cmd.Flags().String(s.Flag, s.Default, s.Help)
		}
	}
}

// source is where a command's settings come from: its flags that were given, and the environment.
func (p *program) source(cmd *cobra.Command) config.Source {
	given := map[string]string{}
	for _, s := range config.Settings() {
		if f := cmd.Flags().Lookup(s.Flag); s.Flag != "" && f != nil && f.Changed {
			given[s.Flag] = f.Value.String()
		}
	}
	return config.Source{Flags: given, Environ: p.environ}
}

// explainFlag adds what was probably meant to a flag that does not exist.
func explainFlag(err error) error {
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		if s := config.SuggestFlag(missing.GetSpecifiedName()); s != "" {
			return fmt.Errorf("%w: did you mean %s?", err, s)
		}
	}
	return err
}
