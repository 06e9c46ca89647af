package sender

import (
	"context"
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
)

// maxWalk is how many names of a tree walk are asked (RFC 9989 4.10).
const maxWalk = 8

// step is a name on the way up the tree, and its record if it has one.
type step struct {
	name   string
	record *dmarcRecord
	failed bool
}

// walk goes up from a domain to the top, or to a record that says where it ends. The names are known before, so they
// are all asked at once: what takes long is waiting.
func walk(ctx context.Context, resolver *dns.Resolver, domain string) []step {
	names := walkNames(domain)
	qs := make([]dns.Question, len(names))
	for i, name := range names {
		qs[i] = dns.Question{Name: "_dmarc." + name, Type: dns.TXT}
	}
	var steps []step
	for i, a := range resolver.LookupAll(ctx, qs...) {
		s := step{name: names[i], record: recordOf(a), failed: a.Outcome == dns.Failed}
		steps = append(steps, s)
		if s.record != nil && s.record.psd != "u" {
			break
		}
	}
	return steps
}

// walkNames are the names of a walk: of a long one the first and the last seven.
func walkNames(domain string) []string {
	names := []string{domain}
	for n := strings.Count(domain, "."); n > 0; n-- {
		domain = domain[strings.IndexByte(domain, '.')+1:]
		if n < maxWalk {
			names = append(names, domain)
		}
	}
	return names
}

// recordOf is the record in an answer. Several are as good as none.
func recordOf(a dns.Answer) *dmarcRecord {
	var record *dmarcRecord
	for _, txt := range a.Texts {
		if r, ok := parseDMARC(txt); ok {
			if record != nil {
				return nil
			}
			record = &r
		}
	}
	return record
}

// organization is the Organizational Domain of the domain that a walk began with (4.10.2). It is not ok where a name on
// the way could not be asked.
func organization(steps []step) (domain string, ok bool) {
	start := steps[0].name
	domain = start
	for i, s := range steps {
		if s.failed {
			return "", false
		}
		if s.record == nil {
			continue
		}
		if domain = s.name; s.record.psd == "y" && i > 0 {
			domain = below(start, s.name)
		}
	}
	return domain, true
}

// below is the name one label under a parent on the way to a domain.
func below(domain, parent string) string {
	rest := strings.TrimSuffix(domain, "."+parent)
	return domain[strings.LastIndexByte(rest, '.')+1:]
}
