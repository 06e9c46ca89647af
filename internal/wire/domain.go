package wire

import (
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/zone"
)

// Domain is a domain that a mailbox's owner brought (API 10).
type Domain struct {
	ID     ID     `json:"id"`
	Domain string `json:"domain"`
	Status string `json:"status"` // pending, dns_verified or lapsed
	DomainMarks
	CreatedAt  Time `json:"created_at"`
	VerifiedAt Time `json:"verified_at"` // null: never
	LapsedAt   Time `json:"lapsed_at"`   // null: it has not
}

// DomainMarks are which records of a domain were there when they were last looked up.
type DomainMarks struct {
	MX    bool `json:"mx_verified"`
	SPF   bool `json:"spf_verified"`
	DKIM  bool `json:"dkim_verified"`
	DMARC bool `json:"dmarc_verified"`
}

// Domains is a mailbox's domains, all of them.
type Domains struct {
	Domains []Domain `json:"domains"`
	Next    Cursor   `json:"next_cursor"`
}

// DomainRecord is a domain with the DNS records that it needs.
type DomainRecord struct {
	Domain
	Records      DNSRecords `json:"dns_records"`
	Ownership    *DNSRecord `json:"ownership,omitempty"` // also in dns_records
	Instructions string     `json:"instructions"`
	Problem      string     `json:"problem,omitempty"` // why the records of the keys are missing
}

// DNSRecords are those of a domain by what they are for. The deployment's own domains need no proof of ownership.
type DNSRecords struct {
	MX          *DNSRecord `json:"mx"`
	SPF         *DNSRecord `json:"spf"`
	DKIM        *DNSRecord `json:"dkim"`
	DMARC       *DNSRecord `json:"dmarc"`
	DKIMEd25519 *DNSRecord `json:"dkim_ed25519,omitempty"`
	Ownership   *DNSRecord `json:"ownership,omitempty"`
}

// DNSRecord is one record to publish.
type DNSRecord struct {
	Type     string  `json:"type"`
	Host     string  `json:"host"`
	Value    string  `json:"value"`
	Purpose  string  `json:"purpose"`
	Priority *uint16 `json:"priority,omitempty"` // of an MX
}

// DomainCheck is what the DNS has of a domain's records.
type DomainCheck struct {
	ID     ID     `json:"id"`
	Domain string `json:"domain"`
	Status string `json:"status"`
	DomainMarks
	Message string     `json:"message"`
	Records []DNSFound `json:"records"`
}

// DNSFound is one record with what is published in its place.
type DNSFound struct {
	DNSRecord
	Found    []string `json:"found"`
	Verified bool     `json:"verified"`
}

// Done is the answer to what has nothing else to tell.
type Done struct {
	OK bool `json:"ok"`
}

func newDomain(d mailbox.Domain) Domain {
	return Domain{ID: ID(d.ID), Domain: d.Name, Status: d.Status(), DomainMarks: domainMarks(d),
		CreatedAt: Time(d.CreatedAt), VerifiedAt: Time(d.VerifiedAt), LapsedAt: Time(d.LapsedAt)}
}

func domainMarks(d mailbox.Domain) DomainMarks {
	return DomainMarks{MX: d.MX, SPF: d.SPF, DKIM: d.DKIM, DMARC: d.DMARC}
}

// NewDomains gives a list of domains.
func NewDomains(list []mailbox.Domain) Domains { return Domains{Domains: each(list, newDomain)} }

// NewDomainRecord gives a domain with the records that it needs.
func NewDomainRecord(d mailbox.Domain, records []zone.Record, instructions, problem string) DomainRecord {
	out := DomainRecord{Domain: newDomain(d), Instructions: instructions, Problem: problem}
	for _, r := range records {
		made := newDNSRecord(r)
		switch r.Kind {
		case zone.KindMX:
			out.Records.MX = &made
		case zone.KindSPF:
			out.Records.SPF = &made
		case zone.KindDKIM:
			out.Records.DKIM = &made
		case zone.KindDMARC:
			out.Records.DMARC = &made
		case zone.KindDKIMEd25519:
			out.Records.DKIMEd25519 = &made
		case zone.KindOwnership:
			out.Records.Ownership, out.Ownership = &made, &made
		}
	}
	return out
}

func newDNSRecord(r zone.Record) DNSRecord {
	out := DNSRecord{Type: r.Type, Host: r.Host, Value: r.Value, Purpose: r.Purpose}
	if r.Kind == zone.KindMX {
		out.Priority = &r.Priority
	}
	return out
}

// NewDomainCheck gives a domain with what was found of its records, and a sentence on it.
func NewDomainCheck(d mailbox.Domain, found zone.Findings, message string) DomainCheck {
	return DomainCheck{ID: ID(d.ID), Domain: d.Name, Status: d.Status(), DomainMarks: domainMarks(d), Message: message,
		Records: each(found, func(f zone.Finding) DNSFound {
			return DNSFound{DNSRecord: newDNSRecord(f.Record), Found: listed(f.Found), Verified: f.Verified}
		})}
}
