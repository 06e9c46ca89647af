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
	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) backupCommand() *cobra.Command {
	cmd := p.onData(&cobra.Command{
		Use:   "backup FOLDER|FILE.tar",
		Short: "Copy everything that is kept, while the server runs or not",
		Long: `Copy the data folder's database, messages, secrets and certificates to a folder that is
empty or not there yet, or to one new file whose name ends in .tar. The server may run.
Everything that was acknowledged before the command began is in the copy.

A backup that was interrupted is none: "mailkin restore" refuses it. Settings are not part
of it, nor is the index of words, which is made again from the messages.

"mailkin backup run" keeps several generations, encrypted, and writes only what has changed.`,
		Args: onePlace,
	}, func(cfg config.Config, args []string) error { return p.backup(cfg, args[0]) })
	cmd.AddCommand(p.backupRunCommand(), p.backupListCommand(), p.backupVerifyCommand())
	return cmd
}

// onePlace wants a folder or a file that cannot be meant as a command.
func onePlace(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] != "" && !strings.Contains(args[0], "/") && !strings.HasSuffix(args[0], ".tar") {
		return fmt.Errorf("%q is no command of %s; for a folder of that name write ./%[1]s", args[0], cmd.CommandPath())
	}
	return oneArgument("say where to: a new folder, or a new file that ends in .tar")(cmd, args)
}

// oneArgument wants a command to have one.
func oneArgument(missing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return fmt.Errorf("%s", missing)
		}
		return nil
	}
}

func (p *program) backup(cfg config.Config, to string) error {
	ctx, stop := p.untilSignal()
	defer stop()
	bar := &copyBar{progressBar{w: p.stderr, began: time.Now()}}
	done, err := backup.Make(ctx, cfg, to, backup.Options{Version: app.Version(), Log: logger(p.stderr, cfg),
		Report: bar.show})
	bar.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Backed up %s to %s.\n", summary(done), to)
	return nil
}

// count is a number of things, in words: 1 message, 2 messages.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// summary says what was copied.
func summary(c backup.Copied) string {
	text := fmt.Sprintf("%s, %d of them large, %s in all", count(c.Messages, "message"), c.Blobs, megabytes(c.Bytes))
	if len(c.Lost) > 0 {
		text += fmt.Sprintf(" (the bytes of %d more are missing in the data folder)", len(c.Lost))
	}
	return text
}

// leftOut says what a backup has that a restore of it has not.
func leftOut(c backup.Copied) string {
	if c.Deleted == 0 {
		return ""
	}
	return fmt.Sprintf("Left out %s of mailboxes that were deleted after the backup.\n", count(c.Deleted, "message"))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// untilSignal returns a context that the first signal ends.
func (p *program) untilSignal() (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		select {
		case <-p.signals:
			stop()
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}

// copyBar is a progress bar in megabytes.
type copyBar struct{ progressBar }

func (b *copyBar) show(c backup.Copied) {
	if !watched(b.w) || time.Since(b.last) < 100*time.Millisecond {
		return
	}
	b.last = time.Now()
	if c.Checking {
		fmt.Fprintf(b.w, "\rreading back: %d of %d large messages \x1b[K", c.Blobs, c.Named)
		return
	}
	const width = 30
	full := int(width * c.Bytes / max(c.Total, c.Bytes, 1))
	left := time.Duration(float64(time.Since(b.began)) * float64(c.Total-c.Bytes) / float64(max(c.Bytes, 1)))
	fmt.Fprintf(b.w, "\r[%s%s] %s of %s, %s left \x1b[K", strings.Repeat("#", full), strings.Repeat(".", width-full),
		megabytes(c.Bytes), megabytes(c.Total), max(0, left).Round(time.Second))
}

// watched tells whether somebody is looking.
func watched(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
