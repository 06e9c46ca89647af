package app

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/mailkin/mailkin/internal/mcpserver"
)

// tools makes what serves /mcp. It calls the interface that it is a part of, which is there when the first request is.
func (a *App) tools(api func() http.Handler) http.Handler {
	hosts := append(slices.Clone(a.cfg.Domains), a.cfg.Hostname)
	if u, err := url.Parse(a.cfg.PublicURL); err == nil && u.Host != "" {
		hosts = append(hosts, u.Host)
	}
	return mcpserver.Handler(mcpserver.HandlerConfig{
		API:     http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { api().ServeHTTP(w, r) }),
		Version: Version(), Hosts: hosts, Log: a.log,
	})
}
