package main

import (
	"context"
	"errors"

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
	var refused *client.Error
	switch {
	case errors.As(err, &refused), errors.Is(err, client.ErrNotMail):
		return &fault{status: exitFailed, text: "what answers at " + address + " does not work as a Mailkin",
			next: "\"mailkin doctor\" says more.", err: err}
	case err != nil:
		return &fault{status: exitFailed, text: "no answer from " + address + ": " + silence(err),
			next: "Is \"mailkin serve\" running with these settings? \"mailkin doctor\" says more.", err: err}
	}
	p.screen(p.stdout).say("version %s answers at %s", health.Version, address)
	return nil
}
