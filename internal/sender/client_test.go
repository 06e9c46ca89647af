package sender

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// TestCheck goes over a real network to a real DNS server.
func TestCheck(t *testing.T) {
	z := keyZone(t, "example.com. MX 10 mx.example.com.", "mx.example.com. A 192.0.2.1",
		"alias.example.net. CNAME example.com.").
		text("example.com", "v=spf1 mx -all").
		text("_dmarc.example.com", "v=DMARC1; p=quarantine")
	for i := range 40 { // more than one packet
		z.text("example.com", "verification="+strings.Repeat("x", i))
	}
	c := served(t, z.Serve(t), 0)
	raw := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{})
	for _, tt := range []struct {
		name string
		mail Mail
		want Result
	}{
		{"good", mailOf(raw, "x@example.com", "ann@example.com"),
			Result{pass, pass, pass, none, true, "quarantine", []string{"example.com"}, true, nil}},
		{"changed", mailOf(raw+"x", "x@example.net", "ann@example.com"),
			Result{none, fail, fail, none, false, "quarantine", nil, true, nil}},
		{"alias", mailOf(plainMail, "x@alias.example.net", "ann@example.com"),
			Result{pass, none, fail, none, false, "quarantine", nil, true, nil}},
		{"no mail at all", Mail{}, Result{none, none, none, none, false, "", nil, true, nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // asked, and remembered
				got := c.Check(t.Context(), tt.mail)
				if !slices.Equal(got.Domains, tt.want.Domains) {
					t.Errorf("domains %v", got.Domains)
				}
				got.Domains = tt.want.Domains
				if got.SPF != tt.want.SPF || got.DKIM != tt.want.DKIM || got.DMARC != tt.want.DMARC ||
					got.FromAligned != tt.want.FromAligned ||
					got.Policy != tt.want.Policy || got.ARC != none || !got.Checked {
					t.Errorf("%+v, want %+v", got, tt.want)
				}
			}
		})
	}
	if n := z.Count("example.com TXT"); n != 2 { // over UDP, then over TCP
		t.Errorf("the policy was asked for %d times", n)
	}
}

func TestOff(t *testing.T) {
	r := New(Options{}).Check(t.Context(), mailOf(plainMail, "x@example.com", "ann@example.com"))
	if r.Checked || r.SPF != none || r.DKIM != none || r.DMARC != none || r.ARC != none || r.FromAligned {
		t.Errorf("%+v", r)
	}
}

// A port where nobody is says so: that takes no time.
func TestClosedPort(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := conn.LocalAddr().String()
	conn.Close()
	c := served(t, addr, time.Minute)
	start := time.Now()
	r := c.Check(t.Context(), mailOf(plainMail, "x@example.com", "x@example.com"))
	if took := time.Since(start); r.SPF != temperror || r.DMARC != temperror || took > 10*time.Second {
		t.Errorf("%+v after %s", r, took)
	}
}

// A server that says nothing to some names, over a real network.
func TestSilentServer(t *testing.T) {
	z := newZone(t, "example.com SILENT").text("_dmarc.example.com", "v=DMARC1; p=reject")
	c := served(t, z.Serve(t), 500*time.Millisecond)
	if r := c.Check(t.Context(), mailOf(plainMail, "x@example.com", "x@example.com")); r.SPF != temperror ||
		r.DMARC != temperror || r.Policy != "reject" {
		t.Errorf("%+v", r)
	}
	if n := z.Count("example.com TXT"); n < 2 || n > 3 {
		t.Errorf("asked %d times", n)
	}
}
