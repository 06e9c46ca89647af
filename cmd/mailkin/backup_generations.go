package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) backupRunCommand() *cobra.Command {
	var init bool
	cmd := p.onData(&cobra.Command{
		Use:   "run [REPOSITORY]",
		Short: "Add a generation to an encrypted repository of backups",
		Long: `Add a generation to a repository of backups: a folder, or a bucket as
s3://key:secret@bucket/prefix?endpoint=https://host; without an argument the one of the
setting backup_to. It is made where there is none; where there was one that is gone, because
its disk is not mounted or the folder was deleted, only with --init. The server may run.

Only what has changed since the earlier generations is written. Everything is encrypted with
the key in backup_key_file, which the first backup makes; it is in no backup: keep a copy of
it elsewhere. All but the newest backup_keep generations are removed. A run that is
interrupted leaves the earlier generations as they were.`,
		Args: atMostOneRepository,
	}, func(cfg config.Config, args []string) error { return p.backupRun(cfg, args, init) })
	cmd.Flags().BoolVar(&init, "init", false, "Begin a new repository where there was one before.")
	return cmd
}

func (p *program) backupRun(cfg config.Config, args []string, init bool) error {
	to, err := repositoryOf(cfg, args)
	if err != nil {
		return err
	}
	ctx, stop := p.untilSignal()
	defer stop()
	bar := &copyBar{progressBar{w: p.stderr, began: time.Now()}}
	done, err := backup.Add(ctx, cfg, to, backup.Options{Version: app.Version(), Log: logger(p.stderr, cfg),
		Report: bar.show, Init: init})
	bar.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Backed up %s as generation %s: %s written.\n", summary(done.Copied), done.Name,
		megabytes(done.New))
	if done.Dropped > 0 {
		fmt.Fprintf(p.stdout, "Removed %d older.\n", done.Dropped)
	}
	if done.First {
		fmt.Fprintf(p.stdout, "The key is in %s. Keep a copy elsewhere: without it no generation can be read.\n",
			done.KeyFile)
	}
	return nil
}

func (p *program) backupListCommand() *cobra.Command {
	return p.onData(&cobra.Command{
		Use:   "list [REPOSITORY]",
		Short: "List the generations of a repository of backups",
		Long: `List the generations of a repository of backups, the oldest first. In a pipe each is a line
with tabs: its name, how many messages it has, its size, and what was written for it.`,
		Args: atMostOneRepository,
	}, func(cfg config.Config, args []string) error {
		where, err := repositoryOf(cfg, args)
		if err != nil {
			return err
		}
		ctx, stop := p.untilSignal()
		defer stop()
		list, err := backup.Generations(ctx, cfg, where)
		t := newTable(0, "generation", "messages", "size", "written").uncut(0)
		for _, g := range list {
			t.add(g.Name, strconv.FormatInt(g.Messages, 10), megabytes(g.Bytes), megabytes(g.New))
		}
		if len(list) == 0 && err == nil {
			p.screen(p.stderr).say("There are none.")
		}
		return errors.Join(p.screen(p.stdout).table(t), err)
	})
}

func (p *program) backupVerifyCommand() *cobra.Command {
	var generation, temp string
	cmd := p.onData(&cobra.Command{
		Use:   "verify [REPOSITORY|FOLDER|FILE.tar]",
		Short: "Rehearse a restore",
		Long: `Restore a backup into a temporary folder, check all of it as a restore does, also that it has
the secrets and keys that a server needs, and remove the folder again. Mail that is encrypted
needs the master key for that: the one in the data folder, or that of the settings. The server
may run, and nothing of it is touched. The temporary folder needs as much room as the data.`,
		Args: atMostOneRepository,
	}, func(cfg config.Config, args []string) error {
		where, err := repositoryOf(cfg, args)
		if err != nil {
			return err
		}
		ctx, stop := p.untilSignal()
		defer stop()
		bar := &copyBar{progressBar{w: p.stderr, began: time.Now()}}
		done, err := backup.Verify(ctx, cfg, backup.Source{Path: where, Generation: generation}, temp,
			restoreOptions(cfg, bar))
		bar.end()
		if err != nil {
			return err
		}
		what := "It"
		if done.Generation != "" {
			what = "Generation " + done.Generation
		}
		fmt.Fprintf(p.stdout, "%s can be restored: %s.\n%s", what, summary(done), leftOut(done))
		p.warn(done.Unchecked)
		return nil
	})
	cmd.Flags().StringVar(&generation, "generation", "", "Generation of a repository; empty for the newest.")
	cmd.Flags().StringVar(&temp, "temp", "", "Folder in which the temporary folder is made; empty for the system's.")
	return cmd
}

func atMostOneRepository(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return errors.New("name one place at most")
	}
	return nil
}

// repositoryOf is the place that was named, or that of the settings.
func repositoryOf(cfg config.Config, args []string) (string, error) {
	if len(args) == 1 && args[0] != "" {
		return args[0], nil
	}
	if cfg.Backup.To == "" {
		return "", usage("say where the backups are, or set backup_to")
	}
	return string(cfg.Backup.To), nil
}
