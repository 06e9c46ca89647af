package service

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/zone"
)

// DomainSheet is a domain with all DNS records that it and its mail host should have, and what the DNS has of them.
type DomainSheet struct {
	mailbox.Domain
	Hostname string
	Findings zone.Findings
	ZoneFile string
}

// DomainSheet looks the records up now. Nothing changes by it: VerifyDomain is what makes a domain served.
func (s *Service) DomainSheet(ctx context.Context, in Access, id mailbox.ID) (DomainSheet, error) {
	found, err := s.Domain(ctx, in, id)
	if err != nil {
		return DomainSheet{}, err
	}
	p, err := s.plan(found.Domain)
	if err != nil && !errors.Is(err, ErrSealed) {
		return DomainSheet{}, err
	}
	var resolver zone.Resolver = noDNS{}
	if s.opt.Zones != nil {
		resolver = s.opt.Zones()
	}
	out := DomainSheet{Domain: found.Domain, Hostname: p.Hostname, Findings: p.Sheet(ctx, resolver)}
	for i, f := range out.Findings {
		switch {
		case errors.Is(f.Err, errNoDNS):
			out.Findings[i].Problem = noDNSProblem
		case f.Err != nil:
			out.Findings[i].Problem = "It could not be looked up; try again later."
		}
	}
	out.ZoneFile = p.ZoneFile(out.Findings)
	return out, nil
}

// webHost is the host of the pages of the service, where the settings name one.
func (s *Service) webHost() string {
	if s.opt.PublicURL == nil {
		return ""
	}
	u, err := url.Parse(s.opt.PublicURL())
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" {
		return ""
	}
	return host
}

var errNoSTS = mailbox.Errorf(mailbox.NotFound, "not_found", "There is no MTA-STS policy for this host")

// TransportPolicy is the MTA-STS policy that is served under the name of a host (RFC 8461 3.3).
func (s *Service) TransportPolicy(host string) (string, error) {
	domain, ok := strings.CutPrefix(strings.ToLower(host), zone.PolicyHost(""))
	if !ok || s.opt.STS == "" || !s.serves(domain) {
		return "", errNoSTS
	}
	return zone.Policy(s.opt.Hostname, s.opt.STS), nil
}

// noDNS stands for a DNS that is not asked.
type noDNS struct{}

var errNoDNS = errors.New("this service does not ask the DNS (setting dns)")

const noDNSProblem = "It was not looked up: this service does not ask the DNS (setting dns)."

func (noDNS) TXT(context.Context, string) ([]string, error)        { return nil, errNoDNS }
func (noDNS) MX(context.Context, string) ([]zone.MX, error)        { return nil, errNoDNS }
func (noDNS) Addrs(context.Context, string) ([]netip.Addr, error)  { return nil, errNoDNS }
func (noDNS) Names(context.Context, netip.Addr) ([]string, error)  { return nil, errNoDNS }
func (noDNS) Policy(ctx context.Context, _ string) (string, error) { return "", errNoDNS }
