package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) reprocessCommand() *cobra.Command {
	return p.onData(&cobra.Command{
		Use:   "reprocess",
		Short: "Apply the rules of this version to mail that is already stored",
		Long: `Find the verification code, the automatic labels and the snippet of every stored message
again, with the rules of this version, and have the index of words rebuilt when the server
starts. Text, links and records are read with the rules of this version in any case. Labels
that agents set stay. The server must be stopped: the data folder has one user at a time.`,
		Args: cobra.NoArgs,
	}, func(cfg config.Config, _ []string) error { return p.reprocess(cfg) })
}

func (p *program) reprocess(cfg config.Config) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-p.signals:
			stop()
		case <-ctx.Done():
		}
	}()
	bar := &progressBar{w: p.stderr, began: time.Now()}
	done, err := app.Reprocess(ctx, cfg, logger(p.stderr, cfg), bar.show)
	bar.end()
	if err != nil && done.Total == 0 {
		return err // it did not begin
	}
	fmt.Fprintf(p.stdout, "%d of %d messages were looked at, %d changed.\n", done.Done, done.Total, done.Changed)
	return err
}

// progressBar shows how far a long command has come, where somebody is looking.
type progressBar struct {
	w     io.Writer
	began time.Time
	last  time.Time
}

func (b *progressBar) show(p app.Progress) {
	f, ok := b.w.(*os.File)
	if !ok || time.Since(b.last) < 100*time.Millisecond {
		return
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	b.last = time.Now()
	const width = 30
	full := int(width * p.Done / max(p.Total, p.Done, 1))
	left := time.Duration(float64(time.Since(b.began)) * float64(p.Total-p.Done) / float64(max(p.Done, 1)))
	fmt.Fprintf(b.w, "\r[%s%s] %d of %d, %s left \x1b[K", strings.Repeat("#", full), strings.Repeat(".", width-full),
		p.Done, p.Total, left.Round(time.Second))
}

func (b *progressBar) end() {
	if !b.last.IsZero() {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
