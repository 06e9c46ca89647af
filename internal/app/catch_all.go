package app

import (
	"crypto/tls"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/service"
)

// catchAll is how the settings say that mail for every address is taken; nil: it is not.
func catchAll(c config.CatchAll) *service.CatchAll {
	if !c.On {
		return nil
	}
	return &service.CatchAll{Messages: c.Messages, Age: c.Age}
}

// startTLS is what mail is taken with after STARTTLS; nil: it is not offered.
func (a *App) startTLS() *tls.Config {
	if a.cfg.CatchAll.On && !a.cfg.CatchAll.StartTLS {
		return nil
	}
	return a.certs.config(false)
}
