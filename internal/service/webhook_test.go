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
