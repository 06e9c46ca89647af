package service_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// An address in whatever spelling is refused where it is not everyone's to reach, and taken where that is allowed.
func TestWebhookURL(t *testing.T) {
	type row struct{ name, url string }
	public := []row{
		{"https", "https://example.com/hook"},
		{"http", "http://example.com"},
		{"port", "https://example.com:8443/a?b=c#d"},
		{"upper case", "HTTPS://EXAMPLE.COM/"},
		{"userinfo", "https://user:pass@example.com/"},
		{"userinfo that looks like an address", "https://127.0.0.1@example.com/"},
		{"international name", "https://bücher.example/hook"},
		{"public address", "https://8.8.8.8/"},
		{"public IPv6 address", "https://[2606:4700::1111]/"},
		{"public decimal", "http://134744072/"},
		{"name that begins like an address", "https://127.0.0.1.example.com/"},
		{"name that ends like localhost", "https://notlocalhost.com/"},
		{"spaces around", "  https://example.com/hook\n"},
	}
	private := []row{
		{"localhost", "http://localhost/"},
		{"localhost with a dot", "http://localhost./"},
		{"LOCALHOST", "http://LocalHost:8080/"},
		{"under localhost", "http://a.b.localhost/"},
		{"loopback", "http://127.0.0.1/"},
		{"loopback with a dot", "http://127.0.0.1./"},
		{"other loopback", "http://127.255.255.254/"},
		{"short loopback", "http://127.1/"},
		{"shorter", "http://127.0.1/"},
		{"decimal", "http://2130706433/"},
		{"octal", "http://0177.0.0.1/"},
		{"octal whole", "http://017700000001/"},
		{"hexadecimal", "http://0x7f.0.0.1/"},
		{"hexadecimal whole", "http://0x7f000001/"},
		{"hexadecimal in upper case", "http://0X7F000001/"},
		{"mixed", "http://0x7f.1/"},
		{"full-width digits", "http://１２７.0.0.1/"},
		{"ideographic dots", "http://127。0。0。1/"},
		{"circled digits", "http://①②⑦.⓪.⓪.①/"},
		{"full-width localhost", "http://ｌｏｃａｌｈｏｓｔ/"},
		{"userinfo that looks public", "http://example.com@127.0.0.1/"},
		{"zero", "http://0.0.0.0/"},
		{"zero, short", "http://0/"},
		{"this network", "http://0.1.2.3/"},
		{"private 10", "http://10.1.2.3/"},
		{"private 172", "http://172.16.0.1/"},
		{"private 192", "http://192.168.1.1/"},
		{"private as a number", "http://3232235777/"},
		{"carrier NAT", "http://100.64.0.1/"},
		{"link-local", "http://169.254.1.1/"},
		{"metadata", "http://169.254.169.254/latest/meta-data/"},
		{"metadata as a number", "http://2852039166/"},
		{"metadata by name", "http://metadata.google.internal/"},
		{"another cloud's", "http://100.100.100.200/"},
		{"yet another cloud's", "http://168.63.129.16/"},
		{"multicast", "http://224.0.0.1/"},
		{"broadcast", "http://255.255.255.255/"},
		{"documentation", "http://192.0.2.1/"},
		{"benchmark", "http://198.18.0.1/"},
		{"IPv6 loopback", "http://[::1]/"},
		{"IPv6 loopback, long", "http://[0:0:0:0:0:0:0:1]:80/"},
		{"IPv6 zero", "http://[::]/"},
		{"IPv6 unique local", "http://[fd00:ec2::254]/"},
		{"IPv6 link-local", "http://[fe80::1]/"},
		{"IPv6 with a zone", "http://[fe80::1%25eth0]/"},
		{"IPv6 multicast", "http://[ff02::1]/"},
		{"IPv6 documentation", "http://[2001:db8::1]/"},
		{"v4-mapped", "http://[::ffff:127.0.0.1]/"},
		{"v4-mapped in hexadecimal", "http://[::ffff:7f00:1]/"},
		{"v4-mapped private", "http://[::ffff:10.0.0.1]/"},
		{"v4-compatible", "http://[::127.0.0.1]/"},
		{"NAT64", "http://[64:ff9b::7f00:1]/"},
		{"6to4", "http://[2002:7f00:1::]/"},
		{"Teredo", "http://[2001:0:7f00:1::]/"},
		{"one label", "http://intranet/"},
		{"local", "http://printer.local/"},
		{"internal", "http://db.internal:5432/"},
		{"lan", "http://nas.lan/"},
	}
	broken := []row{
		{"no URL", "example.com/hook"},
		{"relative", "/hook"},
		{"no scheme", "//example.com/hook"},
		{"ftp", "ftp://example.com/"},
		{"file", "file:///etc/passwd"},
		{"gopher", "gopher://example.com/"},
		{"javascript", "javascript:alert(1)"},
		{"data", "data:text/plain,hi"},
		{"opaque", "https:example.com"},
		{"no host", "https:///hook"},
		{"only a port", "https://:443/"},
		{"port 0", "https://example.com:0/"},
		{"port too high", "https://example.com:65536/"},
		{"port no number", "https://example.com:http/"},
		{"negative port", "https://example.com:-1/"},
		{"a space in the host", "https://exa mple.com/"},
		{"a new line", "https://example.com/\r\nHost: x"},
		{"a zero byte", "https://example.com/\x00"},
		{"a broken bracket", "https://[::1/"},
		{"number too large", "http://4294967296/"},
		{"octet too large", "http://256.256.256.256/"},
		{"five numbers", "http://1.2.3.4.5/"},
		{"escaped host", "http://127%2e0%2e0%2e1/"},
		{"empty label", "http://a..b/"},
		{"empty first label", "http://.example.com/"},
		{"only a dot", "http://./"},
		{"too long", "https://example.com/" + strings.Repeat("a", 2100)},
	}
	for _, allow := range []bool{false, true} {
		k := newService(t, func(o *service.Options) { o.AllowPrivate = func(netip.Addr) bool { return allow } })
		in := k.permanent("own").in(mailbox.ManageMailbox)
		for _, set := range []struct {
			rows []row
			ok   bool
		}{{public, true}, {private, allow}, {broken, false}} {
			for _, c := range set.rows {
				r, err := k.svc.ChangeMailbox(t.Context(), in, service.MailboxChange{WebhookURL: &c.url})
				switch {
				case !set.ok:
					if mailbox.KindOf(err) != mailbox.Invalid {
						t.Errorf("%s: %q is taken (%v), private allowed: %v", c.name, c.url, err, allow)
					}
				case err != nil || r.Webhook.URL != strings.TrimSpace(c.url):
					t.Errorf("%s: %q: %v, private allowed: %v", c.name, c.url, err, allow)
				}
			}
		}
	}
}

// Every range that is set apart is told from the addresses right next to it.
func TestPublic(t *testing.T) {
	for _, tt := range []struct {
		name string
		no   []string // in the range: its first, its last
		yes  []string // next to it
	}{
		{name: "none", no: []string{""}},
		{name: "this network", no: []string{"0.0.0.0", "0.255.255.255"}, yes: []string{"1.0.0.0"}},
		{name: "private 10", no: []string{"10.0.0.0", "10.255.255.255"}, yes: []string{"9.255.255.255", "11.0.0.0"}},
		{name: "carrier NAT", no: []string{"100.64.0.0", "100.127.255.255"}, yes: []string{"100.63.255.255",
			"100.128.0.0"}},
		{name: "loopback", no: []string{"127.0.0.0", "127.255.255.255"}, yes: []string{"126.255.255.255", "128.0.0.0"}},
		{name: "link-local, metadata", no: []string{"169.254.0.0", "169.254.169.254", "169.254.255.255"},
			yes: []string{"169.253.255.255", "169.255.0.0"}},
		{name: "a cloud's services", no: []string{"168.63.129.16"}, yes: []string{"168.63.129.15", "168.63.129.17"}},
		{name: "private 172", no: []string{"172.16.0.0", "172.31.255.255"}, yes: []string{"172.15.255.255",
			"172.32.0.0"}},
		{name: "special", no: []string{"192.0.0.0", "192.0.0.192", "192.0.0.255"}, yes: []string{"191.255.255.255",
			"192.0.1.0"}},
		{name: "documentation 1", no: []string{"192.0.2.0", "192.0.2.255"}, yes: []string{"192.0.1.255", "192.0.3.0"}},
		{name: "6to4 relays", no: []string{"192.88.99.0", "192.88.99.255"}, yes: []string{"192.88.98.255",
			"192.88.100.0"}},
		{name: "private 192", no: []string{"192.168.0.0", "192.168.255.255"}, yes: []string{"192.167.255.255",
			"192.169.0.0"}},
		{name: "benchmarks", no: []string{"198.18.0.0", "198.19.255.255"}, yes: []string{"198.17.255.255",
			"198.20.0.0"}},
		{name: "documentation 2", no: []string{"198.51.100.0", "198.51.100.255"}, yes: []string{"198.51.99.255",
			"198.51.101.0"}},
		{name: "documentation 3", no: []string{"203.0.113.0", "203.0.113.255"}, yes: []string{"203.0.112.255",
			"203.0.114.0"}},
		{name: "multicast and the rest", no: []string{"224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"},
			yes: []string{"223.255.255.255"}},
		{name: "unspecified, loopback, v4-compatible", no: []string{"::", "::1", "::8.8.8.8", "::ffff:0:8.8.8.8"}},
		{name: "v4-mapped", no: []string{"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"},
			yes: []string{"::ffff:8.8.8.8"}},
		{name: "NAT64", no: []string{"64:ff9b::808:808", "64:ff9b::7f00:1", "64:ff9b:1::1", "64:ff9b:1:ffff::1"}},
		{name: "discard", no: []string{"100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::"}},
		{name: "protocol assignments, Teredo", no: []string{"2001::", "2001:0:808:808::1", "2001:1ff:ffff::"},
			yes: []string{"2001:200::"}},
		{name: "IPv6 documentation", no: []string{"2001:db8::", "2001:db8:ffff::1", "3fff::", "3fff:fff::1"},
			yes: []string{"2001:db7::", "2001:db9::", "2a00:1450::1"}},
		{name: "6to4", no: []string{"2002::", "2002:7f00:1::", "2002:808:808::"}, yes: []string{"2003::"}},
		{name: "segment routing", no: []string{"5f00::", "5f00:ffff::1"}},
		{name: "not given out", no: []string{"1fff::", "4000::", "8000::1", "e000::1"},
			yes: []string{"2600::", "3ffe:ffff::1"}},
		{name: "unique local", no: []string{"fc00::", "fd00:ec2::254", "fdff::1"}},
		{name: "link-local, site-local", no: []string{"fe80::1", "febf::1", "fec0::1", "feff::1"}},
		{name: "IPv6 multicast", no: []string{"ff00::", "ff02::1", "ffff::1"}},
		{name: "zones", no: []string{"fe80::1%eth0", "::1%lo", "fd00::1%1"}},
	} {
		for _, text := range tt.no {
			if a, _ := netip.ParseAddr(text); mailbox.Public(a) {
				t.Errorf("%s: %q is public", tt.name, text)
			}
		}
		for _, text := range tt.yes {
			if !mailbox.Public(netip.MustParseAddr(text)) {
				t.Errorf("%s: %s is not public", tt.name, text)
			}
		}
	}
}
