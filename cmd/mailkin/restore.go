package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) restoreCommand() *cobra.Command {
	return p.onData(&cobra.Command{
		Use:   "restore FOLDER|FILE.tar",
		Short: "Put a backup into an empty data folder",
		Long: `Put a backup into the data folder, which must be empty, after reading all of it back: each
page of the database, and each byte of every large message. The server must be stopped.

Mail that waited to be sent when the backup was made is sent again after a restore. Start
with --outbound=off first if that must not be.`,
		Args: oneArgument("say where from: the folder or the .tar file of a backup"),
	}, func(cfg config.Config, args []string) error { return p.restore(cfg, args[0]) })
}

func (p *program) restore(cfg config.Config, from string) error {
	ctx, stop := p.untilSignal()
	defer stop()
	bar := &copyBar{progressBar{w: p.stderr, began: time.Now()}}
	done, err := backup.Restore(ctx, cfg, from, bar.show)
	bar.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Restored %s into %s.\n", summary(done), cfg.DataDir)
	return nil
}
