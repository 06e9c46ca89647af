package transport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// Usages, selectors and matchings of TLSA records (RFC 6698 2.1, RFC 7672 3.1).
const (
	usageAnchor = 2 // DANE-TA: a certificate of the chain
	usageServer = 3 // DANE-EE: the server's own

	selectWhole = 0
	selectKey   = 1

	matchExact  = 0
	matchSHA256 = 1
	matchSHA512 = 2
)

// maxAssociations is how many TLSA records of a server are looked at.
const maxAssociations = 30

// anchors are the TLSA records of a server.
type anchors struct {
	records []dns.Association // those that can be used
	names   []string          // that a certificate may be for
	now     func() time.Time
}

// findAnchors looks for TLSA records (RFC 7672 2.2). ok is false where the server must not be used, since nobody can
// say whether it has some. found is whether it has any at all, if only some that cannot be used.
func findAnchors(ctx context.Context, r *dns.Resolver, h Host, port uint16) (records []dns.Association, base string,
	found, ok bool) {
	if !h.secure {
		return nil, "", false, true
	}
	bases := []string{h.base, h.Name}
	if h.base == h.Name {
		bases = bases[:1]
	}
	for _, base := range bases { // the end of the aliases first: 2.2.2
		a := r.Lookup(ctx, fmt.Sprintf("_%d._tcp.%s", port, base), dns.TLSA)
		switch {
		case a.Outcome == dns.Failed:
			return nil, "", false, false // 2.1.2
		case a.Outcome == dns.Found && a.Authentic:
			records = a.TLSA[:min(len(a.TLSA), maxAssociations)]
			return slices.DeleteFunc(slices.Clone(records), func(r dns.Association) bool { return !usable(r) }), base,
				true, true
		}
	}
	return nil, "", false, true
}

// usable says whether anything could match a record. Usages 0 and 1 need authorities that both sides trust, and mail
// servers have no such (RFC 7672 3.1.3).
func usable(r dns.Association) bool {
	if r.Usage != usageAnchor && r.Usage != usageServer || r.Selector > selectKey {
		return false
	}
	switch r.Matching {
	case matchExact:
		return len(r.Data) > 0
	case matchSHA256:
		return len(r.Data) == sha256.Size
	case matchSHA512:
		return len(r.Data) == sha512.Size
	}
	return false
}

var errNoAnchor = errors.New("the certificate is none of those that the DNS names")

// verify checks a chain. A certificate that the DNS names itself needs neither a name nor to be in its time: the DNS
// has said both (RFC 7672 3.1.1). One that is signed by what the DNS names needs both (3.1.2).
func (a anchors) verify(chain []*x509.Certificate) error {
	for _, r := range a.records {
		if r.Usage == usageServer && matches(r, chain[0]) {
			return nil
		}
	}
	err := errNoAnchor
	for _, r := range a.records {
		if r.Usage != usageAnchor {
			continue
		}
		roots := x509.NewCertPool()
		found := false
		for _, c := range chain[1:] {
			if matches(r, c) {
				roots.AddCert(c)
				found = true
			}
		}
		if r.Selector == selectWhole && r.Matching == matchExact && !found {
			if c, bad := x509.ParseCertificate(r.Data); bad == nil { // the server need not send it
				roots.AddCert(c)
				found = true
			}
		}
		if !found {
			continue
		}
		if err = byAuthorities(roots, a.now, a.names...)(chain); err == nil {
			return nil
		}
	}
	return err
}

// matches says whether a certificate is the one that a record names.
func matches(r dns.Association, c *x509.Certificate) bool {
	data := c.Raw
	if r.Selector == selectKey {
		data = c.RawSubjectPublicKeyInfo
	}
	switch r.Matching {
	case matchSHA256:
		sum := sha256.Sum256(data)
		data = sum[:]
	case matchSHA512:
		sum := sha512.Sum512(data)
		data = sum[:]
	}
	return bytes.Equal(data, r.Data)
}
