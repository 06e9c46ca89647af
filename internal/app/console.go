package app

import (
	"net/http"
	"time"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/console"
)

// console makes the pages. A start can be followed by a link that signs a person on this machine in, once. There is none where
// the deployment brings its own token: then its log is not a place for anything that stands for it; and none over TLS, where
// the link's name may lead to another machine.
func (a *App) console() http.Handler {
	if a.secrets.tokenSource == a.cfg.TokenFile() && a.cfg.TLS.Mode == config.TLSOff {
		a.signIn = console.NewSignIn(a.secrets.token, time.Now)
	}
	return console.Handler(console.Config{Log: a.log, SignIn: a.signIn, TrustedProxies: a.cfg.TrustedProxies})
}

// SignIn gives the token with which the console is opened once, signed in as the operator; empty: there is none.
func (a *App) SignIn() string {
	if a.signIn == nil {
		return ""
	}
	return a.signIn.Token()
}
