package httpapi

import (
	"net"
	"net/http"
	"strconv"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

func (a *API) domainSheet(c *call) error {
	return answerTo(a, c, c.domainID, a.svc.DomainSheet, func(d service.DomainSheet) api.DNSSheet {
		return wire.NewDNSSheet(d.Domain, d.Hostname, d.Findings, d.ZoneFile)
	})
}

// transportPolicy answers other mail servers (RFC 8461 3.2).
func (a *API) transportPolicy(c *call) error {
	host := c.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	text, err := a.svc.TransportPolicy(host)
	if err != nil {
		return err
	}
	h := c.out.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	c.out.WriteHeader(http.StatusOK)
	_, _ = c.out.Write([]byte(text)) // a client that is gone is nobody's error
	return nil
}
