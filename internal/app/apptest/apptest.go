// Package apptest starts a Mailkin inside of a test.
package apptest

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// Token is the operator's.
const Token = "an-operator-token-for-tests"

// Service is a Mailkin as users have it, on a port and with a folder of its own.
type Service struct {
	URL  string
	Stop func() error // ends it and removes the folder
}

// Start runs one that asks no DNS and listens for HTTP alone, unless change says otherwise.
func Start(change func(*config.Config)) (*Service, error) {
	dir, err := os.MkdirTemp("", "mailkin-test-")
	if err != nil {
		return nil, err
	}
	cfg := config.Default()
	cfg.DataDir, cfg.DNS, cfg.AuthToken = dir, config.DNSOff, mailbox.Secret(Token)
	cfg.HTTPAddr, cfg.SMTPAddr, cfg.LMTPAddr, cfg.SubmitAddr, cfg.MetricsAddr = "127.0.0.1:0", "", "", "", ""
	cfg.MinFree = config.FreeSpace{}
	change(&cfg)
	a, err := app.Open(context.Background(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	return &Service{URL: "http://" + a.Addrs().HTTP, Stop: func() error {
		cancel()
		return errors.Join(<-done, a.Close(), os.RemoveAll(dir))
	}}, nil
}
