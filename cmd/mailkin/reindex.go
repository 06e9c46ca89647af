package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

const (
	reindexPath = "/v1/reindex"
	// reindexLook is how often the server is asked how far it is, and reindexCall how long an answer may take.
	reindexLook = 500 * time.Millisecond
	reindexCall = 30 * time.Second
)

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
			err = p.dropIndex(cfg)
		} else {
			err = p.reindex(cfg)
		}
		if err != nil {
			return failure{err}
		}
		return nil
	}
	return cmd
}

func (p *program) dropIndex(cfg config.Config) error {
	if err := app.DropIndex(cfg); err != nil {
		return fmt.Errorf("throw the index away: %w", err)
	}
	fmt.Fprintln(p.stdout, "The index is gone; the next start makes it anew.")
	return nil
}

func (p *program) reindex(cfg config.Config) error {
	ctx, stop := p.untilSignal()
	defer stop()
	server, named := p.serverURL(cfg)
	token, err := p.operatorToken(cfg)
	if err != nil {
		return err
	}
	call := reindexer{url: server + reindexPath, token: token}
	if _, err := call.do(ctx, http.MethodPost); err != nil {
		if !named && errors.Is(err, syscall.ECONNREFUSED) { // it is not running, which the lock of the data folder proves
			return p.dropIndex(cfg)
		}
		return err
	}
	return p.watchReindex(ctx, call)
}

// watchReindex shows how far the server is until it is done.
func (p *program) watchReindex(ctx context.Context, call reindexer) error {
	bar := &progressBar{w: p.stderr, began: time.Now()}
	defer bar.end()
	for {
		state, err := call.do(ctx, http.MethodGet)
		if err != nil {
			return err
		}
		bar.show(app.Progress{Done: state.Done, Total: state.Total})
		if !state.Running {
			bar.end()
			fmt.Fprintln(p.stdout, "The index was made anew.")
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("the server goes on making the index anew")
		case <-time.After(reindexLook):
		}
	}
}

// serverURL is where the server is, and whether somebody said so.
func (p *program) serverURL(cfg config.Config) (url string, named bool) {
	if url := p.variable("MAILKIN_URL"); url != "" {
		return strings.TrimRight(url, "/"), true
	}
	scheme := "http"
	if cfg.TLS.Mode != config.TLSOff {
		scheme = "https"
	}
	return scheme + "://" + cfg.HTTPAddr, false
}

// operatorToken finds the credential that the server wants.
func (p *program) operatorToken(cfg config.Config) (string, error) {
	if key := p.variable("MAILKIN_API_KEY"); key != "" {
		return key, nil
	}
	if cfg.AuthToken != "" {
		return string(cfg.AuthToken), nil
	}
	b, err := os.ReadFile(cfg.TokenFile())
	if err != nil {
		return "", fmt.Errorf("the operator token: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// reindexer asks the server.
type reindexer struct{ url, token string }

// reindexing is its answer: how far it is, or what is wrong.
type reindexing struct {
	Running     bool
	Done, Total int64
	Error       string
	Message     string
}

func (r reindexer) do(ctx context.Context, method string) (state reindexing, err error) {
	ctx, cancel := context.WithTimeout(ctx, reindexCall)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, r.url, nil)
	if err != nil {
		return state, err
	}
	request.Header.Set("Authorization", "Bearer "+r.token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return state, fmt.Errorf("ask the server: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // only read from
	_ = json.NewDecoder(io.LimitReader(answer.Body, 64<<10)).Decode(&state)
	if answer.StatusCode/100 != 2 {
		return state, fmt.Errorf("the server answers %d %s", answer.StatusCode, strings.TrimSpace(state.Error+" "+state.Message))
	}
	return state, nil
}
