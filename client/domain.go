package client

import (
	"context"
	"net/http"
	"net/url"
)

// Domain is a domain that a mailbox's owner brought.
type Domain struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	Status string `json:"status"` // pending, dns_verified or lapsed
	DomainMarks
	CreatedAt  Time `json:"created_at"`
	VerifiedAt Time `json:"verified_at"`
	LapsedAt   Time `json:"lapsed_at"` // when the record of ownership was found to be gone; zero: it is there
}

// DomainMarks are which records of a domain were there when they were last looked up.
type DomainMarks struct {
	MX    bool `json:"mx_verified"`
	SPF   bool `json:"spf_verified"`
	DKIM  bool `json:"dkim_verified"`
	DMARC bool `json:"dmarc_verified"`
}

// Domains are the domains of a mailbox, all of them.
type Domains struct {
	Domains []Domain   `json:"domains"`
	Next    NullString `json:"next_cursor"`
}

// DomainRecord is a domain with the DNS records that it needs.
type DomainRecord struct {
	Domain
	Records      DNSRecords `json:"dns_records"`
	Ownership    *DNSRecord `json:"ownership,omitempty"`
	Instructions string     `json:"instructions"`
	Problem      string     `json:"problem,omitempty"` // why the records of the keys are missing
}

// DNSRecords are the records of a domain by what they are for. Those that it does not need are nil.
type DNSRecords struct {
	MX          *DNSRecord `json:"mx"`
	SPF         *DNSRecord `json:"spf"`
	DKIM        *DNSRecord `json:"dkim"`
	DMARC       *DNSRecord `json:"dmarc"`
	DKIMEd25519 *DNSRecord `json:"dkim_ed25519,omitempty"`
	Ownership   *DNSRecord `json:"ownership,omitempty"`
}

// DNSRecord is a record to publish.
type DNSRecord struct {
	Type     string  `json:"type"`
	Host     string  `json:"host"`
	Value    string  `json:"value"`
	Purpose  string  `json:"purpose"`
	Priority *uint16 `json:"priority,omitempty"` // of an MX
}

// DomainCheck is what the DNS has of a domain's records.
type DomainCheck struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	Status string `json:"status"`
	DomainMarks
	Message string     `json:"message"` // says what is missing
	Records []DNSFound `json:"records"`
}

// DNSFound is a record with what is published in its place.
type DNSFound struct {
	DNSRecord
	Found    []string `json:"found"`
	Verified bool     `json:"verified"`
}

const domainsPath = "/v1/domains"

func domainPath(id string) string { return domainsPath + "/" + url.PathEscape(id) }

// Domains lists the domains that the mailbox brought.
func (c *Client) Domains(ctx context.Context) (*Domains, error) {
	return fetch[Domains](ctx, c, get(domainsPath, nil))
}

// AddDomain brings a domain, and gives the DNS records to publish. One that somebody else has verified is ErrConflict.
func (c *Client) AddDomain(ctx context.Context, domain string) (*DomainRecord, error) {
	return fetch[DomainRecord](ctx, c, post(domainsPath, struct {
		Domain string `json:"domain"`
	}{domain}))
}

// Domain is a domain with the records that it needs.
func (c *Client) Domain(ctx context.Context, id string) (*DomainRecord, error) {
	return fetch[DomainRecord](ctx, c, get(domainPath(id), nil))
}

// VerifyDomain looks the records of a domain up now.
func (c *Client) VerifyDomain(ctx context.Context, id string) (*DomainCheck, error) {
	return fetch[DomainCheck](ctx, c, post(domainPath(id)+"/verify", nil))
}

// RenewDomainKeys makes new keys for a domain, and gives the records to publish. Its mail is not signed until they are.
func (c *Client) RenewDomainKeys(ctx context.Context, id string) (*DomainRecord, error) {
	return fetch[DomainRecord](ctx, c, post(domainPath(id)+"/keys", nil))
}

// DeleteDomain gives a domain up: mail for it is refused from then on, and nothing can be sent from it.
func (c *Client) DeleteDomain(ctx context.Context, id string) error {
	_, err := fetch[struct{}](ctx, c, change(http.MethodDelete, domainPath(id), nil))
	return err
}
