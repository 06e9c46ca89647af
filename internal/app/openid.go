package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/httpapi"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/openid"
)

// openIDProvider is the provider of the settings; nil: there is none. It is not asked anything yet.
func openIDProvider(cfg config.Config, log *slog.Logger) *openid.Provider {
	o := cfg.OIDC
	if o.Issuer == "" {
		return nil
	}
	return openid.New(openid.Options{Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret,
		Scopes: o.Scopes, Claim: o.Claim, Redirect: cfg.PublicURL + httpapi.SignInCallback,
		After: cfg.PublicURL + "/console", Now: time.Now, Log: log})
}

// openID is that provider for the interface, which knows nil for none.
func (a *App) openID() httpapi.OpenID {
	if p := openIDProvider(a.cfg, a.log); p != nil {
		return p
	}
	return nil
}

func signIns(o config.OIDC) mailbox.SignIns {
	return mailbox.SignIns{Issuer: o.Issuer, Roles: o.Roles, Lasts: o.Session}
}

// CheckOpenID asks the OpenID provider of the settings where its pages are.
func CheckOpenID(ctx context.Context, cfg config.Config) error {
	return openIDProvider(cfg, slog.New(slog.DiscardHandler)).Check(ctx)
}
