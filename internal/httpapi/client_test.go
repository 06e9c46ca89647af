package httpapi

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func networks(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

func TestClient(t *testing.T) {
	none := []string{}
	inside := []string{"10.0.0.0/8", "fd00::/8", "127.0.0.1/32"}
	for _, tt := range []struct {
		name    string
		trusted []string
		peer    string
		headers []string // lines of X-Forwarded-For
		want    string
	}{
		{"peer", none, "192.0.2.1:1234", nil, "192.0.2.1"},
		{"peer over IPv6", none, "[2001:db8::1]:1234", nil, "2001:db8::1"},
		{"peer over both", none, "[::ffff:192.0.2.1]:1234", nil, "192.0.2.1"},
		{"peer with a zone", none, "[fe80::1%eth0]:1234", nil, "fe80::1"},
		{"socket", none, "@", nil, "127.0.0.1"},
		{"socket without a name", none, "", nil, "127.0.0.1"},

		{"nobody is trusted", none, "192.0.2.1:1", []string{"198.51.100.7"}, "192.0.2.1"},
		{"loopback is not trusted by itself", none, "127.0.0.1:1", []string{"198.51.100.7"}, "127.0.0.1"},
		{"a socket is not trusted by itself", none, "@", []string{"198.51.100.7"}, "127.0.0.1"},
		{"somebody else is trusted", inside, "192.0.2.1:1", []string{"198.51.100.7"}, "192.0.2.1"},
		{"somebody else is trusted, and said to be in between", inside, "192.0.2.1:1",
			[]string{"198.51.100.7, 10.0.0.1"}, "192.0.2.1"},

		{"proxy", inside, "10.0.0.1:1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"proxy without a word", inside, "10.0.0.1:1", nil, "10.0.0.1"},
		{"proxy at a socket", inside, "@", []string{"198.51.100.7"}, "198.51.100.7"},
		{"proxy over both", inside, "[::ffff:10.0.0.1]:1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"proxy over IPv6", inside, "[fd00::1]:1", []string{"2001:db8::7"}, "2001:db8::7"},
		{"network given inside IPv6", []string{"::ffff:10.0.0.0/104"}, "10.0.0.1:1", []string{"198.51.100.7"},
			"198.51.100.7"},
		{"network given with host bits", []string{"10.0.0.99/8"}, "10.0.0.1:1", []string{"198.51.100.7"},
			"198.51.100.7"},
		{"all of IPv6 is not IPv4", []string{"::/0"}, "10.0.0.1:1", []string{"198.51.100.7"}, "10.0.0.1"},
		{"two proxies", inside, "10.0.0.1:1", []string{"198.51.100.7, 10.0.0.2"}, "198.51.100.7"},
		{"two proxies on two lines", inside, "10.0.0.1:1", []string{"198.51.100.7", "10.0.0.2"}, "198.51.100.7"},
		{"client inside", inside, "10.0.0.1:1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"client written inside IPv6", inside, "10.0.0.1:1", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"proxy written inside IPv6", inside, "10.0.0.1:1", []string{"198.51.100.7, ::ffff:10.0.0.2"}, "198.51.100.7"},
		{"proxy with a zone", inside, "10.0.0.1:1", []string{"198.51.100.7, fd00::2%eth0"}, "198.51.100.7"},

		{"spoofed, one proxy", inside, "10.0.0.1:1", []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		{"spoofed on a line of its own", inside, "10.0.0.1:1", []string{"203.0.113.9", "198.51.100.7"}, "198.51.100.7"},
		{"spoofed as a proxy", inside, "10.0.0.1:1", []string{"203.0.113.9, 10.0.0.9, 198.51.100.7"}, "198.51.100.7"},
		{"spoofed, two proxies", inside, "10.0.0.1:1", []string{"203.0.113.9, 198.51.100.7, 10.0.0.2"}, "198.51.100.7"},
		{"spoofed as loopback", inside, "10.0.0.1:1", []string{"127.0.0.1, 198.51.100.7"}, "198.51.100.7"},
		{"spoofed as loopback from inside", inside, "10.2.3.4:1", []string{"127.0.0.1"}, "10.2.3.4"},
		{"spoofed as loopback over IPv6 from inside", inside, "10.2.3.4:1", []string{"::1"}, "10.2.3.4"},
		{"spoofed as loopback from inside, behind a proxy here", inside, "127.0.0.1:1", []string{"127.0.0.1, 10.2.3.4"},
			"10.2.3.4"},
		{"spoofed as nobody", inside, "10.2.3.4:1", []string{"0.0.0.0"}, "10.2.3.4"},
		{"spoofed as many", inside, "10.2.3.4:1", []string{"224.0.0.1"}, "10.2.3.4"},
		{"two proxies here", inside, "127.0.0.1:1", []string{"198.51.100.7, 127.0.0.1"}, "198.51.100.7"},
		{"spoofed with rubbish", inside, "10.0.0.1:1", []string{"%$, 198.51.100.7"}, "198.51.100.7"},
		{"spoofed with commas", inside, "10.0.0.1:1", []string{",,,203.0.113.9,,,", "198.51.100.7"}, "198.51.100.7"},
		{"spoofed with a line break", inside, "10.0.0.1:1", []string{"198.51.100.7\r\n10.0.0.9"}, "10.0.0.1"},

		{"rubbish", inside, "10.0.0.1:1", []string{"unknown"}, "10.0.0.1"},
		{"rubbish behind a proxy", inside, "10.0.0.1:1", []string{"198.51.100.7, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"nothing", inside, "10.0.0.1:1", []string{""}, "10.0.0.1"},
		{"nothing at the end", inside, "10.0.0.1:1", []string{"198.51.100.7,"}, "10.0.0.1"},
		{"nothing on the last line", inside, "10.0.0.1:1", []string{"198.51.100.7", ""}, "10.0.0.1"},
		{"nothing at the beginning", inside, "10.0.0.1:1", []string{",10.0.0.2"}, "10.0.0.2"},

		{"port", inside, "10.0.0.1:1", []string{"198.51.100.7:5"}, "198.51.100.7"},
		{"port of a proxy", inside, "10.0.0.1:1", []string{"198.51.100.7, 10.0.0.2:80"}, "198.51.100.7"},
		{"brackets and port", inside, "10.0.0.1:1", []string{"[2001:db8::7]:123"}, "2001:db8::7"},
		{"brackets", inside, "10.0.0.1:1", []string{"[2001:db8::7]"}, "2001:db8::7"},
		{"blanks", inside, "10.0.0.1:1", []string{" \t198.51.100.7 ,\t10.0.0.2 "}, "198.51.100.7"},
		{"brackets around IPv4", inside, "10.0.0.1:1", []string{"[198.51.100.7]"}, "10.0.0.1"},
		{"half a bracket", inside, "10.0.0.1:1", []string{"[2001:db8::7"}, "10.0.0.1"},
		{"quotes", inside, "10.0.0.1:1", []string{`"198.51.100.7"`}, "10.0.0.1"},
		{"name", inside, "10.0.0.1:1", []string{"localhost"}, "10.0.0.1"},
		{"zeros before a number", inside, "10.0.0.1:1", []string{"198.051.100.007"}, "10.0.0.1"},
		{"number", inside, "10.0.0.1:1", []string{"3325256711"}, "10.0.0.1"},
		{"port too large", inside, "10.0.0.1:1", []string{"198.51.100.7:99999"}, "10.0.0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := New(&fake{}, func() Config {
				c := newConfig(t.Output())
				c.TrustedProxies = networks(
					tt.trusted...)
				return c
			}())
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tt.peer
			r.Header["X-Forwarded-For"] = tt.headers
			r.Header.Set("Forwarded", "for=203.0.113.99")
			r.Header.Set("X-Real-Ip", "203.0.113.99")
			if got := api.client(r); got.String() != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
		})
	}
}

// Whatever is forwarded: an untrusted peer is the client, and nobody can change by what they send themselves what a
// trusted proxy says of them.
func FuzzClient(f *testing.F) {
	f.Add("10.0.0.1", "198.51.100.7, 10.0.0.2", "203.0.113.9")
	f.Add("192.0.2.1", "[::1]:123", "a,b\n,c")
	f.Add("fd00::1", "fe80::1%eth0, ::ffff:10.1.2.3", "10.0.0.1,,")
	f.Add("10.0.0.1", "", "unknown")
	trusted := newProxies(networks("10.0.0.0/8", "fd00::/8", "::ffff:172.16.0.0/108"))
	f.Fuzz(func(t *testing.T, peer, forwarded, spoofed string) {
		addr, err := netip.ParseAddr(peer)
		if err != nil {
			return
		}
		addr = plainAddr(addr)
		lines := strings.Split(forwarded, "\n")
		got := trusted.client(addr, lines)
		switch {
		case !got.IsValid() || got.Zone() != "" || got.Is4In6():
			t.Errorf("%v is no way to write a client", got)
		case !trusted.trust(addr) && got != addr:
			t.Errorf("%v is believed that it is %v", addr, got)
		case trusted.trust(got):
			return // more may follow to the left
		}
		longer := append(strings.Split(spoofed, "\n"), lines...)
		if other := trusted.client(addr, longer); other != got {
			t.Errorf("%v becomes %v on lines of its own", got, other)
		}
		lines[0] = spoofed + "," + lines[0]
		if other := trusted.client(addr, lines); other != got {
			t.Errorf("%v becomes %v on the same line", got, other)
		}
	})
}

func TestAddress(t *testing.T) {
	proto := func(v string) []string { return []string{v} }
	for _, tt := range []struct {
		name, public, host string
		peer               string
		tls                bool
		proto              []string
		want               string
	}{
		{name: "as asked", host: "mail.example", want: "http://mail.example/x"},
		{name: "port", host: "127.0.0.1:8025", want: "http://127.0.0.1:8025/x"},
		{name: "IPv6", host: "[::1]:8025", want: "http://[::1]:8025/x"},
		{name: "TLS", host: "mail.example", tls: true, want: "https://mail.example/x"},
		{name: "set", public: "https://mail.example", host: "evil.example", want: "https://mail.example/x"},
		{name: "set with a folder and a slash", public: "https://mail.example/kin/", host: "evil.example",
			want: "https://mail.example/kin/x"},
		{name: "forwarded by the proxy", host: "mail.example", peer: "10.0.0.1:1", proto: proto("https"),
			want: "https://mail.example/x"},
		{name: "forwarded in capitals", host: "mail.example", peer: "10.0.0.1:1", proto: proto(" HTTPS, http"),
			want: "https://mail.example/x"},
		{name: "forwarded by anybody", host: "mail.example", proto: proto("https"), want: "http://mail.example/x"},
		{name: "the proxy has TLS to us", host: "mail.example", peer: "10.0.0.1:1", tls: true, proto: proto("http"),
			want: "http://mail.example/x"},
		{name: "forwarded rubbish", host: "mail.example", peer: "10.0.0.1:1", proto: proto("javascript"),
			want: "http://mail.example/x"},
		{name: "no host", host: "", want: "/x"},
		{name: "user in the host", host: "a@evil.example", want: "/x"},
		{name: "path in the host", host: "evil.example/y", want: "/x"},
		{name: "tag in the host", host: "<b>", want: "/x"},
		{name: "two ports", host: "a:1:2", want: "/x"},
		{name: "port that is none", host: "a:b", want: "/x"},
		{name: "line break", host: "a\n", want: "/x"},
		{name: "bracket that stays open", host: "[::1", want: "/x"},
		{name: "more behind the bracket", host: "[::1]a", want: "/x"},
		{name: "name in brackets", host: "[localhost]", want: "/x"},
		{name: "long", host: strings.Repeat("a", 254), want: "/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := newConfig(t.Output())
			cfg.PublicURL, cfg.TrustedProxies = tt.public, networks("10.0.0.0/8")
			r := httptest.NewRequest("GET", "/", nil)
			r.Host = tt.host
			if tt.peer != "" {
				r.RemoteAddr = tt.peer
			}
			if tt.tls {
				r.TLS = new(tls.ConnectionState)
			}
			r.Header["X-Forwarded-Proto"] = tt.proto
			r.Header.Set("X-Forwarded-Host", "evil.example")
			if got := New(&fake{}, cfg).address(r, "/x"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// behind makes a request come over a trusted proxy.
func behind(proxy, client string) func(*Config, *http.Request) {
	return func(cfg *Config, r *http.Request) {
		cfg.TrustedProxies = networks(proxy + "/32")
		r.RemoteAddr = proxy + ":1"
		r.Header.Set("X-Forwarded-For", client)
		r.Header.Set("X-Forwarded-Proto", "https")
	}
}
