package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) restoreCommand() *cobra.Command {
	var generation string
	cmd := p.onData(&cobra.Command{
		Use:   "restore FOLDER|FILE.tar|REPOSITORY",
		Short: "Put a backup into an empty data folder",
		Long: `Put a backup into the data folder, which must be empty, after reading all of it back: each
page of the database, and each byte of every large message. The server must be stopped.
Of a repository ("mailkin backup run") it is the newest generation, or the one that is named.
Put backup-key, the key of the repository, into the data folder before, and master-key where
mail is encrypted; or name the files with backup_key_file and master_key_file.

Mail that waited to be sent when the backup was made is sent again after a restore. Start
with --outbound=off first if that must not be.`,
		Args: oneArgument("say where from: the folder or the .tar file of a backup, or a repository"),
	}, func(cfg config.Config, args []string) error {
		return p.restore(cfg, backup.Source{Path: args[0], Generation: generation})
	})
	cmd.Flags().StringVar(&generation, "generation", "", "Generation of a repository; empty for the newest.")
	return cmd
}

func (p *program) restore(cfg config.Config, from backup.Source) error {
	ctx, stop := p.untilSignal()
	defer stop()
	bar := &copyBar{progressBar{w: p.stderr, began: time.Now()}}
	done, err := backup.Restore(ctx, cfg, from, restoreOptions(cfg, bar))
	bar.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Restored %s into %s.\n%s", summary(done), cfg.DataDir, leftOut(done))
	if done.Generation != "" && cfg.Backup.KeyFile != "" {
		fmt.Fprintf(p.stdout, "The next backup needs %s, too: as backup_key_file, or as backup-key in the data folder.\n",
			cfg.Backup.KeyFile)
	}
	p.warn(done.Unreadable)
	p.warn(done.Unchecked)
	if len(done.Missing) > 0 {
		return fmt.Errorf("the backup is in place, but do not start the server yet: put back what is missing: %s",
			strings.Join(done.Missing, "; "))
	}
	return nil
}

func restoreOptions(cfg config.Config, bar *copyBar) backup.RestoreOptions {
	return backup.RestoreOptions{Report: bar.show,
		Check: func(ctx context.Context, folder string) (backup.Findings, error) {
			return app.CheckRestored(ctx, cfg, folder)
		}}
}

func (p *program) warn(text string) {
	if text != "" {
		fmt.Fprintf(p.stderr, "Warning: %s.\n", text)
	}
}
