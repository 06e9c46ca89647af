package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/zone"
)

func newDomain(d mailbox.Domain) api.Domain {
	return api.Domain{ID: d.ID.String(), Domain: d.Name, Status: d.Status(), DomainMarks: domainMarks(d),
		CreatedAt: at(d.CreatedAt), VerifiedAt: at(d.VerifiedAt), LapsedAt: at(d.LapsedAt),
		Problem: d.Problem}
}

func domainMarks(d mailbox.Domain) api.DomainMarks {
	return api.DomainMarks{MX: d.MX, SPF: d.SPF, DKIM: d.DKIM, DMARC: d.DMARC}
}

// NewDomains returns a list of domains.
func NewDomains(list []mailbox.Domain) api.Domains {
	return api.Domains{Domains: each(list, newDomain)}
}

// NewDomainRecord returns a domain with the records that it needs, and those of the keys that are to follow.
func NewDomainRecord(d mailbox.Domain, records, next []zone.Record, instructions string) api.DomainRecord {
	out := api.DomainRecord{Domain: newDomain(d), Instructions: instructions, KeysCreatedAt: at(d.KeysMadeAt())}
	if d.NextSelector != "" {
		out.NextKeys = &api.NewKeys{Selector: d.NextSelector, CreatedAt: at(d.NextAt), Records: each(next,
			newDNSRecord)}
	}
	for _, k := range d.Old {
		out.FormerKeys = append(out.FormerKeys, api.OldKeys{Selector: k.Selector, Hosts: k.Hosts(d.Name),
			KeepUntil: at(k.Until), Removable: k.Removable})
	}
	if len(out.FormerKeys) > 0 {
		out.OldKeys = &out.FormerKeys[0]
	}
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

func newDNSRecord(r zone.Record) api.DNSRecord {
	out := api.DNSRecord{Type: r.Type, Host: r.Host, Value: r.Value, Purpose: r.Purpose}
	if r.Kind == zone.KindMX {
		out.Priority = &r.Priority
	}
	return out
}

// NewDomainCheck returns a domain with what was found of its records, and a sentence on it.
func NewDomainCheck(d mailbox.Domain, found zone.Findings, former int64, message string) api.DomainCheck {
	return api.DomainCheck{ID: d.ID.String(), Domain: d.Name, Status: d.Status(), DomainMarks: domainMarks(d),
		Former: former, Message: message,
		Records: each(found, func(f zone.Finding) api.DNSFound {
			return api.DNSFound{DNSRecord: newDNSRecord(f.Record), Found: listed(f.Found), Verified: f.Verified,
				Unknown: f.Err != nil}
		})}
}

// NewDNSSheet returns the sheet of a domain.
func NewDNSSheet(d mailbox.Domain, hostname string, found zone.Findings, file string) api.DNSSheet {
	return api.DNSSheet{ID: d.ID.String(), Domain: d.Name, Hostname: hostname, ZoneFile: file,
		Records: each(found, func(f zone.Finding) api.DNSEntry {
			return api.DNSEntry{Kind: f.Record.Kind, DNSRecord: newDNSRecord(f.Record), Needed: f.Record.Needed(),
				Found: listed(f.Found), State: f.State(), Problem: f.Problem}
		})}
}
