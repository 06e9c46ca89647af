package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// reindexLook is how often the server is asked how far it is.
const reindexLook = 500 * time.Millisecond

func (p *program) reindexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reindex",
		Short: "Make the index of words anew, while the server runs",
		Long: `Have the running server make its index of words anew, mailbox by mailbox, and wait until
it is done. Searches are answered as ever meanwhile. The command may be ended: the server
goes on, also after a restart.

The server is found by MAILKIN_URL, else by the setting http_addr; the operator token is
MAILKIN_API_KEY, else AUTH_TOKEN, else the one in the data folder. With --offline, or where
no server answers at http_addr, the index is thrown away, and the next start makes it.`,
		Args: cobra.NoArgs,
	}
	settingFlags(cmd)
	offline := cmd.Flags().Bool("offline", false, "Throw the index away; the server must be stopped.")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := config.Load(p.source(cmd))
		if err != nil {
			return err
		}
		if *offline {
			return p.dropIndex(cfg)
		}
		return p.reindex(cfg)
	}
	return cmd
}

func (p *program) dropIndex(cfg config.Config) error {
	if err := app.DropIndex(cfg); err != nil {
		return failure{fmt.Errorf("throw the index away: %w", err)}
	}
	fmt.Fprintln(p.stdout, "The index is gone; the next start makes it anew.")
	return nil
}

func (p *program) reindex(cfg config.Config) error {
	at, err := p.operatorPlace(cfg)
	if err != nil {
		return failure{err}
	}
	c, err := client.New(at.url, at.key, client.WithUserAgent("Mailkin-CLI/"+app.Version()))
	if err != nil {
		return usage("%s: %s", wrongPart(at, err), strings.TrimPrefix(err.Error(), "client: "))
	}
	ctx, stop := p.untilSignal()
	defer stop()
	s := &session{p: p, at: at, c: c, ctx: ctx}
	_, err = c.Reindex(ctx)
	switch {
	case err == nil:
		return explain(s.watchReindex(), s)
	case at.urlFrom == httpSetting && errors.Is(err, syscall.ECONNREFUSED): // it is not running, which the lock of the data folder proves
		return p.dropIndex(cfg)
	}
	return explain(err, s)
}

// watchReindex shows how far the server is until it is done.
func (s *session) watchReindex() error {
	bar := &progressBar{w: s.p.stderr, began: time.Now()}
	defer bar.end()
	for {
		state, err := s.c.Reindexing(s.ctx)
		if err != nil {
			return err
		}
		bar.show(app.Progress{Done: state.Done, Total: state.Total})
		if !state.Running {
			bar.end()
			fmt.Fprintln(s.p.stdout, "The index was made anew.")
			return nil
		}
		select {
		case <-s.ctx.Done():
			return &fault{status: exitInterrupted, text: "the server goes on making the index anew"}
		case <-time.After(reindexLook):
		}
	}
}

// httpSetting is where the address of the deployment's own server comes from.
const httpSetting = "the setting http_addr"

// operatorPlace is the deployment's own server, or the one that MAILKIN_URL names, with the operator's token.
func (p *program) operatorPlace(cfg config.Config) (place, error) {
	at := place{url: baseURL(cfg, cfg.HTTPAddr), urlFrom: httpSetting, key: p.variable(keyVariable), keyFrom: keyVariable}
	if named := p.variable(urlVariable); named != "" {
		at.url, at.urlFrom = named, urlVariable
	}
	if at.key != "" {
		return at, nil
	}
	var err error
	at.key, err = secretValue(cfg, "token")
	at.keyFrom = "the operator's token"
	return at, err
}
