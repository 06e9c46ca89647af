package sender

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

func TestHostOf(t *testing.T) {
	z := newZone(t, "4.3.2.1.in-addr.arpa. PTR mx.example.", "mx.example. A 1.2.3.4",
		"5.3.2.1.in-addr.arpa. PTR bank.example.", "bank.example. A 192.0.2.1",
		"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. PTR six.example.",
		"six.example. AAAA 2001:db8::1")
	r := z.checker(t).dns
	for addr, want := range map[string]string{"1.2.3.4": "mx.example", "::ffff:1.2.3.4": "mx.example", "1.2.3.5": "",
		"1.2.3.6": "", "2001:db8::1": "six.example"} {
		if got := HostOf(t.Context(), r, netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s is %q, want %q", addr, got, want)
		}
	}
}

// Lists are asked over a real network, and their answers are remembered.
func TestBlocklists(t *testing.T) {
	z := newZone(t, "2.0.0.127.zen.example. A 127.0.0.2",
		"4.3.2.1.zen.example. A 127.0.0.4", "4.3.2.1.other.example. A 127.0.0.2",
		"5.3.2.1.zen.example. A 127.255.255.254", "6.3.2.1.zen.example. A 192.0.2.80",
		"7.3.2.1.zen.example. A 127.0.0.1", "8.3.2.1.zen.example SILENT", "8.3.2.1.other.example. A 127.0.0.2",
		"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.zen.example. A 127.0.0.3",
	).text("4.3.2.1.zen.example", "Listed, see\r\nhttps://zen.example/1.2.3.4")
	r := served(t, z.Serve(t), 500*time.Millisecond).dns
	b := NewBlocklists(r, []string{"zen.example", "other.example"},
		func(a netip.Addr) bool { return a == netip.MustParseAddr("1.2.3.9") })
	for _, tt := range []struct{ name, addr, want string }{
		{"on both", "1.2.3.4", "[{zen.example } {other.example }]"},
		{"mapped into IPv6", "::ffff:1.2.3.4", "[{zen.example } {other.example }]"},
		{"IPv6", "2001:db8::1", "[{zen.example }]"},
		{"on none", "1.2.3.10", "[]"},
		{"an error code", "1.2.3.5", "[]"},
		{"a resolver that answers everything", "1.2.3.6", "[]"},
		{"the code of some errors", "1.2.3.7", "[]"},
		{"one list is silent", "1.2.3.8", "[{other.example }]"},
		{"exempt", "1.2.3.9", "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				if got := fmt.Sprint(b.Listings(t.Context(), netip.MustParseAddr(tt.addr))); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
			}
		})
	}
	if n := z.Count("4.3.2.1.zen.example A"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if n := z.Count("9.3.2.1.zen.example A"); n != 0 {
		t.Error("an exempt address was asked about")
	}
	addr := netip.MustParseAddr("1.2.3.4")
	if got := b.Explain(t.Context(), addr, b.Listings(t.Context(), addr)); got != (Listing{"zen.example",
		"Listed, seehttps://zen.example/1.2.3.4"}) {
		t.Errorf("%+v", got)
	}
	if c := b.Counts(); c["listed"] != 9 || c["asked"] != 17 || c["failed"] != 4 {
		t.Errorf("%v", c)
	}
}
