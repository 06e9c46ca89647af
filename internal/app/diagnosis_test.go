package app

import (
	"errors"
	"net"
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

// Everything is asked of the resolver of the settings: neither of another one nor of the machine's list of hosts.
func TestNamesAskTheResolverOfTheSettings(t *testing.T) {
	z := dnstest.New(t, "example.com. 60 IN MX 10 mx.example.com.", "mx.example.com. 60 IN A 192.0.2.1",
		"mx.example.com. 60 IN AAAA 2001:db8::1",
		"1.2.0.192.in-addr.arpa. 60 IN PTR mx.example.com.",
		"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. 60 IN PTR mx6.example.com.")
	z.Text("example.com", "v=spf1 a:mx.example.com ~all")
	cfg := config.Default()
	cfg.DNS = z.Serve(t)
	n, err := NewNames(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if mx, err := n.LookupMX(t.Context(), "example.com"); err != nil || len(mx) != 1 ||
		mx[0].Host != "mx.example.com." {
		t.Errorf("MX %v, %v", mx, err)
	}
	if hosts, err := n.LookupHost(t.Context(), "mx.example.com"); err != nil ||
		!slices.Equal(hosts, []string{"192.0.2.1", "2001:db8::1"}) {
		t.Errorf("hosts %v, %v", hosts, err)
	}
	for addr, want := range map[string]string{"192.0.2.1": "mx.example.com", "2001:db8::1": "mx6.example.com"} {
		if names, err := n.LookupAddr(t.Context(), addr); err != nil || !slices.Equal(names, []string{want}) {
			t.Errorf("PTR of %s: %v, %v", addr, names, err)
		}
	}
	var missing *net.DNSError
	if hosts, err := n.LookupHost(t.Context(), "localhost"); !errors.As(err, &missing) || !missing.IsNotFound {
		t.Errorf("localhost is %v, %v", hosts, err)
	}
	found := map[string]string{}
	for _, r := range n.Sender(t.Context(), "example.com", "mx.example.com",
		map[string]string{"mk._domainkey.example.com": "v=DKIM1; k=rsa; p=AAAA"}) {
		found[r.Record] = r.Problem
	}
	if len(found) != 3 || found["SPF"] != "" || found["DKIM"] == "" || found["DMARC"] == "" {
		t.Errorf("records %v", found)
	}
}
