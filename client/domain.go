package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/api"
)

const domainsPath = "/v1/domains"

func domainPath(id string) string { return domainsPath + "/" + url.PathEscape(id) }

// Domains lists the domains that the mailbox brought.
func (c *Client) Domains(ctx context.Context) (*api.Domains, error) {
	return fetch[api.Domains](ctx, c, get(domainsPath, nil))
}

// AddDomain brings a domain, and returns the DNS records to publish. One that somebody else has verified is
// ErrConflict.
func (c *Client) AddDomain(ctx context.Context, domain string) (*api.DomainRecord, error) {
	return fetch[api.DomainRecord](ctx, c, post(domainsPath, texts{"domain": domain}))
}

// Domain is a domain with the records that it needs.
func (c *Client) Domain(ctx context.Context, id string) (*api.DomainRecord, error) {
	return fetch[api.DomainRecord](ctx, c, get(domainPath(id), nil))
}

// DNSSheet looks up all records that a domain and its mail host should have.
func (c *Client) DNSSheet(ctx context.Context, id string) (*api.DNSSheet, error) {
	return fetch[api.DNSSheet](ctx, c, get(domainPath(id)+"/dns", nil))
}

// ReportFilter says which reports about a domain are wanted; what is empty does not matter.
type ReportFilter struct {
	Kind        string // dmarc or tls
	Reporter    string // domain
	From, Until time.Time
	Limit       int
	Cursor      string
}

// DomainReports lists what other mail systems reported about a domain, newest first, with sums of all of them.
func (c *Client) DomainReports(ctx context.Context, id string, f ReportFilter) (*api.DomainReports, error) {
	q := url.Values{}
	for name, value := range map[string]string{"kind": f.Kind, "reporter": f.Reporter, "cursor": f.Cursor} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for name, at := range map[string]time.Time{"from": f.From, "until": f.Until} {
		if !at.IsZero() {
			q.Set(name, at.UTC().Format(time.RFC3339Nano))
		}
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	return fetch[api.DomainReports](ctx, c, get(domainPath(id)+"/reports", q))
}

// VerifyDomain looks the records of a domain up now.
func (c *Client) VerifyDomain(ctx context.Context, id string) (*api.DomainCheck, error) {
	return fetch[api.DomainCheck](ctx, c, post(domainPath(id)+"/verify", nil))
}

// ReplaceDomainKeys makes new keys for a domain that replace those in use at once. Its mail is not signed until their
// records are published.
func (c *Client) ReplaceDomainKeys(ctx context.Context, id string) (*api.DomainRecord, error) {
	return fetch[api.DomainRecord](ctx, c, post(domainPath(id)+"/keys", map[string]any{"now": true}))
}

// RenewDomainKeys makes new keys for a domain, and gives the records to publish. Its mail is signed with them from when
// they are published.
func (c *Client) RenewDomainKeys(ctx context.Context, id string) (*api.DomainRecord, error) {
	return fetch[api.DomainRecord](ctx, c, post(domainPath(id)+"/keys", nil))
}

// DeleteDomain gives a domain up: mail for it is refused from then on, and nothing can be sent from it.
func (c *Client) DeleteDomain(ctx context.Context, id string) error {
	_, err := fetch[struct{}](ctx, c, change(http.MethodDelete, domainPath(id), nil))
	return err
}
