package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/move"
)

// moveFlags are where a move goes from and to.
type moveFlags struct{ from, to, blobs string }

func (p *program) moveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "move",
		Short: "Move a deployment from its data folder to PostgreSQL and S3",
		Long: `Copy everything that the embedded store in a data folder has to an empty PostgreSQL
database, and large messages to an S3 bucket, and compare both sides when it is done. Ids,
keys, the numbers of events and cursors stay as they are: agents notice nothing.

The server must be stopped. The folder is only read. A move that was interrupted goes on
where it was when the command is run again; until it is done no node starts on the database.

MAILKIN_SECRET must be the folder's, such as by MAILKIN_SECRET_FILE=DIR/secret. A URL on a
command line can be seen by others on the machine: MAILKIN_DATABASE_URL and MAILKIN_BLOB_URL
cannot.`,
		Args: cobra.NoArgs,
	}
	var f moveFlags
	flags := cmd.Flags()
	p.settingFlags(cmd)
	flags.StringVar(&f.from, "from", "", "sqlite:DIR, the data folder (default: the setting data_dir)")
	flags.StringVar(&f.to, "to", "", "postgres://user:password@host/database (default: MAILKIN_DATABASE_URL)")
	flags.StringVar(&f.blobs, "blobs", "", "s3://… for large messages (default: MAILKIN_BLOB_URL; without it they "+
		"stay in the folder)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, from, err := p.moveSettings(cmd, f)
		if err != nil {
			return err
		}
		if err := p.move(cfg, from); err != nil {
			return failure{err}
		}
		return nil
	}
	return cmd
}

const (
	databaseVariable = "MAILKIN_DATABASE_URL"
	blobVariable     = "MAILKIN_BLOB_URL"
	tokenVariable    = "AUTH_TOKEN"
)

// moveSettings are those of the nodes to come, and the folder to move. They are looked at twice: what is said about a
// missing secret of several nodes is how to make one, and here it must be the one there is.
func (p *program) moveSettings(cmd *cobra.Command, f moveFlags) (cfg config.Config, from string, err error) {
	src := p.source(cmd)
	before := config.Source{Flags: src.Flags, Environ: set(src.Environ, databaseVariable, "")}
	if cfg, err = config.Load(before); err != nil {
		return cfg, "", err
	}
	if from, err = moveFrom(f.from, cfg.DataDir); err != nil {
		return cfg, "", err
	}
	if err := (config.Config{DataDir: from}).CheckDataDir(); err != nil {
		return cfg, "", err
	}
	if err := move.CheckSecret(cfg, from); err != nil {
		return cfg, "", usage("%s", err)
	}
	if f.to != "" {
		src.Environ = set(src.Environ, databaseVariable, f.to)
	}
	if f.blobs != "" {
		src.Environ = set(src.Environ, blobVariable, f.blobs)
	}
	if file := filepath.Join(from, "token"); cfg.AuthToken == "" && exists(file) { // it is not needed for this
		src.Environ = set(src.Environ, tokenVariable, "")
		src.Environ = append(src.Environ, tokenVariable+"_FILE="+file)
	}
	if cfg, err = config.Load(src); err != nil {
		return cfg, "", err
	}
	if cfg.Database.URL == "" {
		return cfg, "", usage("say where to: --to postgres://user:password@host/database, or %s", databaseVariable)
	}
	return cfg, from, nil
}

// moveFrom is the data folder that is named.
func moveFrom(flag, dataDir string) (string, error) {
	if flag == "" {
		return dataDir, nil
	}
	dir, ok := strings.CutPrefix(flag, "sqlite:")
	if !ok || dir == "" {
		return "", usage("--from is sqlite:DIR, the data folder of a deployment")
	}
	return dir, nil
}

// set returns an environment in which a variable has this value, and no file gives it another.
func set(environ []string, name, value string) []string {
	rest := slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		n, _, _ := strings.Cut(entry, "=")
		return n == name || n == name+"_FILE"
	})
	return append(rest, name+"="+value)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (p *program) move(cfg config.Config, from string) error {
	ctx, stop := p.untilSignal()
	defer stop()
	bar := &moveBar{w: p.stderr, watched: watched(p.stderr), began: time.Now(), last: time.Now()}
	done, err := move.Run(ctx, cfg, from, logger(p.stderr, cfg), bar.show)
	bar.end()
	if err != nil && ctx.Err() != nil {
		return &fault{status: exitInterrupted, text: "the move was interrupted", next: "Run it again: it goes on " +
			"where it was.", err: context.Cause(ctx)}
	}
	if err != nil {
		return err
	}
	return p.moveSummary(cfg, from, done)
}

// moveSummary says what was moved, and what to do now.
func (p *program) moveSummary(cfg config.Config, from string, done move.Progress) error {
	secrets, err := move.Secrets(cfg, from)
	if err != nil {
		return err
	}
	out := p.stdout
	fmt.Fprintf(out, "Moved %d mailboxes with %d messages, %d of them large: %d rows in all. Every row was read back "+
		"and compared.\n",
		done.Mailboxes, done.Messages, done.Blobs+len(done.Lost), done.Rows)
	if len(done.Lost) > 0 {
		fmt.Fprintf(out, "The bytes of %d large messages were missing in the data folder before.\n", len(done.Lost))
	}
	fmt.Fprintf(out, "\nOn every node set %s to this database, and\n\n", databaseVariable)
	for _, s := range secrets {
		fmt.Fprintf(out, "  %-17s %s\n", s.Variable, secretLine(s))
	}
	if cfg.BlobURL != "" {
		fmt.Fprintf(out, "  %-17s to the bucket that was used here\n", blobVariable)
	} else {
		fmt.Fprintf(out, "\nLarge messages were not moved: they stay in %s, which the one node must have as its "+
			"data_dir.\n", filepath.Join(from, "blobs"))
		fmt.Fprintf(out, "For several nodes empty the database and move again with %s.\n", blobVariable)
	}
	fmt.Fprintf(out, "\nThen start them. They rebuild the index of words; searches read what is not yet in it.\n")
	fmt.Fprintf(out, "%s is as it was: do not serve it again, but keep it until you are content.\n", from)
	return nil
}

// secretLine says where a secret's value is, never what it is.
func secretLine(s move.Secret) string {
	switch {
	case s.File == "":
		return "to what the folder was served with"
	case s.Same:
		return "to what is in " + s.File
	}
	return "to what is in " + s.File + " (here it is another, or not set)"
}

// moveBar shows how far a move has come: a bar on a terminal, otherwise a line every few seconds.
type moveBar struct {
	w       io.Writer
	watched bool
	began   time.Time // of the step
	last    time.Time
	step    move.Step
}

const (
	moveLook = 100 * time.Millisecond
	moveLine = 5 * time.Second
)

func (b *moveBar) show(m move.Progress) {
	now := time.Now()
	if m.Step != b.step {
		if b.step == "" && m.Again {
			fmt.Fprintln(b.w, "Going on with a move that was interrupted.")
		}
		b.step, b.began = m.Step, now
	}
	pause := moveLine
	if b.watched {
		pause = moveLook
	}
	if now.Sub(b.last) < pause {
		return
	}
	b.last = now
	what := strings.TrimSpace(string(m.Step) + " " + m.Table)
	left := time.Duration(float64(now.Sub(b.began)) * float64(m.Total-m.Done) / float64(max(m.Done, 1))).Round(
		time.Second)
	if !b.watched {
		fmt.Fprintf(b.w, "%s: %d of %d, %s left\n", what, m.Done, m.Total, left)
		return
	}
	const width = 30
	full := int(width * m.Done / max(m.Total, m.Done, 1))
	fmt.Fprintf(b.w, "\r[%s%s] %s: %d of %d, %s left \x1b[K", strings.Repeat("#", full),
		strings.Repeat(".", width-full), what, m.Done, m.Total, left)
}

func (b *moveBar) end() {
	if b.watched && b.step != "" {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
