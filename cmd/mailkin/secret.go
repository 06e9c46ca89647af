package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func (p *program) secretCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "secret",
		Short: "Secrets of this deployment",
	}
	show := &cobra.Command{
		Use:   "show webhook|token",
		Short: "Print the webhook secret or the operator token",
		Long: `Print the secret in force: the one that is set, else the one that the first start
made. That one is kept in the data folder with mode 0600, so only the server's own
user (or root) can show it.`,
		ValidArgs: []string{"webhook", "token"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(cmd.ValidArgs, args[0]) {
				return errors.New("say which secret to show: webhook or token")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config.Load(p.source(cmd))
			if err != nil {
				return err
			}
			if err := cfg.CheckDataDir(); err != nil {
				return err
			}
			value, err := secretValue(cfg, args[0])
			if err != nil {
				return failure{err}
			}
			fmt.Fprintln(p.stdout, value)
			return nil
		},
	}
	p.settingFlags(show)
	cmd.AddCommand(show, p.secretListCommand(), p.secretRotateCommand(), p.secretEndCommand())
	return cmd
}

func secretValue(cfg config.Config, name string) (string, error) {
	place := map[string]struct {
		set  mailbox.Secret
		file string
	}{
		"webhook": {cfg.WebhookSecret, cfg.WebhookSecretFile()},
		"token":   {cfg.AuthToken, cfg.TokenFile()},
	}[name]
	if place.set != "" {
		return string(place.set), nil
	}
	data, err := os.ReadFile(place.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no %s: the first start of \"mailkin serve\" makes it. Where the server has "+
			"another data folder, name it with --data-dir, or its settings with --config", place.file)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s may be read only by the user that the server runs as: run this command as that user",
			place.file)
	case err != nil:
		return "", fmt.Errorf("read secret: %w", err)
	}
	value := strings.TrimSpace(string(data))
	if value == "" {
		return "", fmt.Errorf("%s is empty: put back the secret that it had, such as from a backup", place.file)
	}
	return value, nil
}
