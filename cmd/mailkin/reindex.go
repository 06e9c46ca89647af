package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// reindexLook is how often the server is asked how far it is.
const reindexLook = 500 * time.Millisecond

func (p *program) reindexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reindex",
		Short: "Rebuild the index of words, while the server runs",
		Long: `Have the running server rebuild its index of words, mailbox by mailbox, and wait until
it is done. Searches are answered as ever meanwhile. The command may be ended: the server
goes on, also after a restart.

The server is found by MAILKIN_URL, else by the setting http_addr; the operator token is
MAILKIN_API_KEY, else AUTH_TOKEN, else the one in the data folder. With --offline, or where
no server answers at http_addr, the index is thrown away, and the next start makes it.`,
		Args: cobra.NoArgs,
	}
	p.settingFlags(cmd)
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
	if err := cfg.CheckDataDir(); err != nil {
		return err
	}
	if err := app.DropIndex(cfg); err != nil {
		return failure{fmt.Errorf("throw the index away: %w", err)}
	}
	fmt.Fprintln(p.stdout, "The index is gone; the next start rebuilds it.")
	return nil
}

func (p *program) reindex(cfg config.Config) error {
	s, stop, err := p.operatorSession(cfg)
	if err != nil {
		return err
	}
	defer stop()
	_, err = s.c.Reindex(s.ctx)
	switch {
	case err == nil:
		return explain(s.watchReindex(), s)
	// it is not running, which the lock of the data folder proves
	case s.at.urlFrom == httpSetting && errors.Is(err, syscall.ECONNREFUSED):
		return p.dropIndex(cfg)
	}
	return explain(err, s)
}

// watchReindex shows how far the server is until it is done.
func (s *session) watchReindex() error {
	bar := &reindexBar{w: s.p.stderr, watched: watched(s.p.stderr)}
	defer bar.end()
	for {
		state, err := s.c.Reindexing(s.ctx)
		if err != nil {
			return err
		}
		if !state.Running {
			bar.end()
			fmt.Fprintln(s.p.stdout, "The index was rebuilt.")
			return nil
		}
		bar.show(state, time.Now())
		select {
		case <-s.ctx.Done():
			return &fault{status: exitInterrupted, text: "the server goes on rebuilding the index"}
		case <-time.After(reindexLook):
		}
	}
}

// reindexBar is a progress bar in messages, because one mailbox may have most of them. It shows where somebody is
// looking.
type reindexBar struct {
	w       io.Writer
	watched bool
	shown   bool
	began   time.Time
	first   int64 // what was done already then
}

func (b *reindexBar) show(r *api.Reindex, now time.Time) {
	if !b.watched {
		return
	}
	done, total, what := r.MessagesDone, r.MessagesTotal, fmt.Sprintf(" messages, %d of %d mailboxes", r.Done, r.Total)
	if total == 0 { // there are none, or the server is older and does not count them
		done, total, what = r.Done, r.Total, " mailboxes"
	}
	if !b.shown {
		b.shown, b.began, b.first = true, now, done
	}
	b.first = min(b.first, done)
	if more := done - b.first; more > 0 { // otherwise nobody knows
		left := time.Duration(float64(now.Sub(b.began)) * float64(total-done) / float64(more))
		what += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	const width = 10 // the line must fit into 80 columns
	full := int(width * done / max(total, done, 1))
	fmt.Fprintf(b.w, "\r[%s%s] %d of %d%s \x1b[K", strings.Repeat("#", full), strings.Repeat(".", width-full), done,
		total, what)
}

func (b *reindexBar) end() {
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.shown = false
}
