package main

import (
	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/config"
)

// asOperator makes a command one that asks the server of the settings with the operator's token.
func (p *program) asOperator(cmd *cobra.Command, run func(*session, []string) error) *cobra.Command {
	p.settingFlags(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print the answer as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := config.Load(p.source(cmd))
		if err != nil {
			return err
		}
		s, stop, err := p.operatorSession(cfg)
		if err != nil {
			return err
		}
		defer stop()
		s.cmd, s.asJSON = cmd, *asJSON
		return explain(run(s, args), s)
	}
	return cmd
}

// operatorSession is a session with the server of the settings, with the operator's token, until a signal or stop.
func (p *program) operatorSession(cfg config.Config) (s *session, stop func(), err error) {
	at, err := p.operatorPlace(cfg)
	if err != nil {
		return nil, nil, failure{err}
	}
	c, err := newClient(at)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := p.untilSignal()
	return &session{p: p, at: at, c: c, ctx: ctx, out: p.screen(p.stdout), err: p.screen(p.stderr)}, stop, nil
}

// httpSetting is where the address of the deployment's own server comes from.
const httpSetting = "the setting http_addr"

// operatorPlace is the deployment's own server, or the one that MAILKIN_URL names, with the operator's token.
func (p *program) operatorPlace(cfg config.Config) (place, error) {
	at := place{url: baseURL(cfg, cfg.HTTPAddr), urlFrom: httpSetting, key: p.variable(keyVariable),
		keyFrom: keyVariable}
	if named := p.variable(urlVariable); named != "" {
		at.url, at.urlFrom = named, urlVariable
	}
	if at.key != "" {
		return at, nil
	}
	var err error
	at.key, err = secretValue(cfg, "token")
	at.keyFrom = "the operator's token"
	return at, err
}
