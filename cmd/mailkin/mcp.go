package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/mcpserver"
)

func (p *program) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Give a model the mailbox as tools, over the Model Context Protocol on standard input and output",
		Long: `Give a model the mailbox as tools, over the Model Context Protocol on standard input and
output. An MCP client starts this command; by hand there is nothing to see.

The service is found by --url, MAILKIN_URL or the profile, the mailbox by MAILKIN_API_KEY
or the profile. Where there is no mailbox, the first tool that needs one makes a
temporary one and keeps it in the profile. Nothing is asked of the network before that.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().String("url", "", "address of the service (default: "+urlVariable+", the profile, "+defaultURL+")")
	cmd.Flags().String("profile", "", "name of the profile to use instead of \"config\"")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		text := func(name string) string { return cmd.Flags().Lookup(name).Value.String() }
		keep := mcpProfile{p, text("url"), text("profile")}
		if _, err := keep.Load(); err != nil { // what is wrong is told at once, and not by the first tool
			return err
		}
		return p.serveTools(keep)
	}
	return cmd
}

// serveTools answers until the input ends, or a signal comes.
func (p *program) serveTools(keep mcpserver.Keep) error {
	ctx, stop := p.untilSignal()
	defer stop()
	version := app.Version()
	server := mcpserver.New(mcpserver.Config{Version: version, Source: mcpserver.NewKeeper(keep,
		"Mailkin-MCP/"+version)})
	err := server.Run(ctx, mcpserver.Stdio(p.stdin, p.stdout))
	if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
		return failure{err}
	}
	return nil
}

// mcpProfile keeps the tools' mailbox in a profile of the command line. It is read again for every call: "mailkin
// claim" may have changed it.
type mcpProfile struct {
	p         *program
	url, name string // flags
}

// Load implements mcpserver.Keep.
func (k mcpProfile) Load() (mcpserver.Account, error) {
	at, err := k.p.place(k.url, k.name)
	if err != nil {
		return mcpserver.Account{}, err
	}
	a := mcpserver.Account{URL: at.url, Key: at.key, Given: at.keyFrom == keyVariable}
	if a.Key != "" && !a.Given {
		a.Mailbox, a.ExpiresAt = at.profile.Mailbox, at.profile.ExpiresAt
	}
	return a, nil
}

// Save implements mcpserver.Keep. A permanent mailbox and one at another service keep their place, and so does a key of
// the environment, which would win anyway.
func (k mcpProfile) Save(a mcpserver.Account) (bool, error) {
	at, err := k.p.place(k.url, k.name)
	if err != nil {
		return false, err
	}
	permanent := at.profile.APIKey != "" && at.profile.ExpiresAt.IsZero()
	elsewhere := at.profile.APIKey != "" && !sameService(at.profile.URL, a.URL)
	if permanent || elsewhere || at.keyFrom == keyVariable || at.path == "" {
		return false, nil
	}
	if err := saveProfile(at.path, profile{URL: a.URL, APIKey: a.Key, Mailbox: a.Mailbox,
		ExpiresAt: a.ExpiresAt}); err != nil {
		return false, err
	}
	return true, nil
}
