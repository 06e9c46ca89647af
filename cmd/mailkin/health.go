package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) healthCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Ask the server on this machine whether it works, for the health check of a container",
		Long: `Ask the server on this machine for /health, at the address that it has by its settings. Status 0:
it answers, and its store can be read and written. Status 1: it does not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Load(p.source(cmd))
			if err != nil {
				return err
			}
			ctx, stop := p.untilSignal()
			defer stop()
			return p.askHealth(ctx, cfg)
		},
	}
	p.settingFlags(cmd)
	return cmd
}

func (p *program) askHealth(ctx context.Context, cfg config.Config) error {
	address := baseURL(cfg, cfg.HTTPAddr)
	c, err := client.New(address, "", client.WithRetries(0),
		client.WithTransport(app.LocalTransport(cfg, reachable(cfg.HTTPAddr))))
	if err != nil {
		return failure{err}
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	health, err := c.Health(ctx)
	if err != nil {
		return failure{err}
	}
	p.screen(p.stdout).say("version %s answers at %s", health.Version, address)
	return nil
}
