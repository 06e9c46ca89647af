package zone

import (
	"net/netip"
	"strings"
	"testing"
)

// sheetPlan is one on a host in its own domain, with a key that is longer than a string of a TXT record.
func sheetPlan() Plan {
	p := testPlan()
	p.Hostname, p.Addresses = "mail.example.com", []netip.Addr{netip.MustParseAddr("192.0.2.1"),
		netip.MustParseAddr("2001:db8::1")}
	p.Selectors[0].Record = "v=DKIM1; k=rsa; p=" + strings.Repeat("AAECAwQF", 50)
	return p
}

// sheetZone has everything that a plan wants.
func sheetZone(p Plan) []string {
	return append(published(p), "mail.example.com A 192.0.2.1", "mail.example.com A 2001:db8::1",
		ReverseName(p.Addresses[0])+" PTR mail.example.com.", ReverseName(p.Addresses[1])+" PTR MAIL.example.com",
		"_mta-sts.example.com TXT v=STSv1; id=1;", "mta-sts.example.com A 192.0.2.1",
		"mta-sts.example.com HTTPS version: STSv1|mode: enforce|mx: *.example.com|max_age: 1",
		"_smtp._tls.example.com TXT v=TLSRPTv1; rua=https://reports.example/x")
}

func TestSheet(t *testing.T) {
	for _, tt := range []struct {
		name         string
		add          string
		remove       string // what begins so
		kind, state  string
		problem      string
		withoutAddrs bool
	}{
		{name: "complete", kind: KindPTR, state: StateOK},
		{name: "no TLSRPT", remove: "_smtp", kind: KindTLSRPT, state: StateMissing, problem: "nothing there"},
		{name: "TLSRPT without an address", remove: "_smtp", add: "_smtp._tls.example.com TXT v=TLSRPTv1; rua=",
			kind: KindTLSRPT, state: StateDiffers, problem: "does not ask"},
		{name: "TLSRPT twice", add: "_smtp._tls.example.com TXT v=TLSRPTv1; rua=mailto:x@y.example", kind: KindTLSRPT,
			state: StateDiffers, problem: "more than one"},
		{name: "something else with TLSRPT", add: "_smtp._tls.example.com TXT hello", kind: KindTLSRPT, state: StateOK},
		{name: "TLSRPT fails", add: "_smtp._tls.example.com FAIL", kind: KindTLSRPT, state: StateUnknown},
		{name: "no PTR", remove: "1.2.0.192", kind: KindPTR, state: StateMissing},
		{name: "another PTR", remove: "1.2.0.192", add: "1.2.0.192.in-addr.arpa PTR host1.isp.example", kind: KindPTR,
			state: StateDiffers, problem: "another name"},
		{name: "PTR of the address that is found", withoutAddrs: true, kind: KindPTR, state: StateOK},
		{name: "another address", remove: "mail.example.com A", add: "mail.example.com A 192.0.2.9", kind: KindHost,
			state: StateDiffers, problem: "another address"},
		{name: "no address", remove: "mail.example.com A", kind: KindHost, state: StateMissing},
		{name: "nothing known", remove: "mail.example.com A", withoutAddrs: true, kind: KindHost, state: StateMissing},
		{name: "no policy", remove: "mta-sts.example.com HTTPS", kind: KindPolicy, state: StateMissing},
		{name: "policy of others", remove: "mta-sts.example.com HTTPS",
			add: "mta-sts.example.com HTTPS version: STSv1|mx: mx.other.example", kind: KindPolicy, state: StateDiffers,
			problem: "does not name mail.example.com"},
		{name: "no policy at all", remove: "mta-sts.example.com HTTPS", add: "mta-sts.example.com HTTPS hello",
			kind: KindPolicy, state: StateDiffers, problem: "not an MTA-STS policy"},
		{name: "policy elsewhere", remove: "mta-sts.example.com A", add: "mta-sts.example.com A 192.0.2.7",
			kind: KindSTSHost, state: StateOK},
		{name: "no STS record", remove: "_mta-sts", kind: KindSTS, state: StateMissing},
		{name: "no MX", remove: "example.com MX", kind: KindMX, state: StateMissing},
		{name: "DMARC", kind: KindDMARC, state: StateOK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := sheetPlan()
			var w world
			for _, line := range sheetZone(p) {
				if tt.remove == "" || !strings.HasPrefix(line, tt.remove) {
					w.lines = append(w.lines, line)
				}
			}
			if tt.add != "" {
				w.lines = append(w.lines, tt.add)
			}
			if tt.withoutAddrs {
				p.Addresses = nil
			}
			got := p.Sheet(t.Context(), &w)
			f := got.of(t, tt.kind)
			if f.State() != tt.state || !strings.Contains(f.Problem, tt.problem) {
				t.Errorf("%s is %s: %s, found %q", tt.kind, f.State(), f.Problem, f.Found)
			}
			if tt.name == "complete" {
				for _, f := range got {
					if f.State() != StateOK {
						t.Errorf("%s at %s is %s: %s", f.Record.Kind, f.Record.Host, f.State(), f.Problem)
					}
				}
			}
		})
	}
}

func TestZoneFile(t *testing.T) {
	p := sheetPlan()
	var w world
	got := p.ZoneFile(p.Sheet(t.Context(), &w))
	for _, want := range []string{"$ORIGIN example.com.\n$TTL 3600\n", "\nexample.com. IN MX 10 mail.example.com.\n",
		"\nmail.example.com. IN A 192.0.2.1\n", "\nmail.example.com. IN AAAA 2001:db8::1\n",
		"\n; In another zone: 1.2.0.192.in-addr.arpa. IN PTR mail.example.com.\n",
		"\nmta-sts.example.com. IN CNAME mail.example.com.\n", "\n;   mode: testing\n",
		`rua=mailto:tls-reports@example.com"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for line := range strings.Lines(got) {
		for _, s := range strings.Split(line, `"`) {
			if !strings.HasPrefix(line, ";") && len(s) > maxString {
				t.Errorf("a string of %d bytes: %s", len(s), s)
			}
		}
	}
	p.Hostname, p.Addresses = "mx.elsewhere.example", nil
	if got := p.ZoneFile(p.Sheet(t.Context(), &w)); !strings.Contains(got,
		"; mx.elsewhere.example. IN A (not known here)") {
		t.Error(got)
	}
}
