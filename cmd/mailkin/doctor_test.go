package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// zone is a DNS of a test's own.
type zone struct {
	mx    map[string]string
	hosts map[string][]string
	names map[string]string

	records bool // SPF, DKIM and DMARC are published
	silent  bool // nobody can say
}

func (z zone) Sender(_ context.Context, domain, _ string, keys map[string]string) (list []app.Published) {
	for _, record := range []string{"SPF", "DKIM", "DMARC"} {
		if record == "DKIM" && keys == nil {
			continue
		}
		one := app.Published{Record: record, Host: domain, Value: "v", Unknown: z.silent}
		if !z.records {
			one.Problem = "There is no TXT record there."
		}
		list = append(list, one)
	}
	return list
}

func missing(name string) error {
	return &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

func (z zone) LookupMX(_ context.Context, name string) ([]*net.MX, error) {
	if host, ok := z.mx[name]; ok {
		return []*net.MX{{Host: host + ".", Pref: 10}}, nil
	}
	return nil, missing(name)
}

func (z zone) LookupHost(_ context.Context, name string) ([]string, error) {
	if z.silent {
		return nil, &net.DNSError{Err: "no answer", Name: name, IsTemporary: true}
	}
	if list, ok := z.hosts[name]; ok {
		return list, nil
	}
	return nil, missing(name)
}

func (z zone) LookupAddr(_ context.Context, addr string) ([]string, error) {
	if name, ok := z.names[addr]; ok {
		return []string{name + "."}, nil
	}
	return nil, missing(addr)
}

// wires answer those who dial, by address.
type wires map[string]func(net.Conn)

func (w wires) dial(_ context.Context, _, address string) (net.Conn, error) {
	serve, ok := w[address]
	if !ok {
		return nil, errors.New("connection refused")
	}
	near, far := net.Pipe()
	go func() {
		defer func() { _ = far.Close() }()
		serve(far)
	}()
	return near, nil
}

// mailServer greets, offers what it is told to, and takes a QUIT and nothing else.
func mailServer(offers string) func(net.Conn) {
	return func(c net.Conn) {
		in := bufio.NewReader(c)
		_, _ = io.WriteString(c, "220 mx.example.com ESMTP\r\n")
		for {
			command, err := in.ReadString('\n')
			if err != nil || strings.HasPrefix(command, "QUIT") {
				return
			}
			_, _ = io.WriteString(c, "250-mx.example.com\r\n250 "+offers+"\r\n")
		}
	}
}

// timeServer is as far ahead as it is told to be.
func timeServer(ahead time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		packet := make([]byte, 48)
		if _, err := io.ReadFull(c, packet); err != nil {
			return
		}
		packet[0], packet[1] = 4<<3|4, 2
		binary.BigEndian.PutUint32(packet[40:], uint32(time.Now().Add(ahead).Unix()+2208988800))
		_, _ = c.Write(packet)
	}
}

func TestDoctorLocal(t *testing.T) {
	right := zone{
		mx:      map[string]string{"example.com": "mx.example.com", "gmail.com": "in.gmail.example"},
		hosts:   map[string][]string{"mx.example.com": {"192.0.2.1"}, "in.gmail.example": {"192.0.2.99", "192.0.2.25"}},
		records: true, names: map[string]string{"192.0.2.1": "mx.example.com"},
	}
	open := wires{"192.0.2.1:25": mailServer("STARTTLS"), "192.0.2.25:25": mailServer("STARTTLS"),
		"ntp:123": timeServer(0)}
	for _, tt := range []struct {
		name  string
		zone  zone
		wires wires
		want  []string // "grade what", each a beginning of a line
	}{
		{"all is well", right, open, []string{"ok mail for example.com: its MX is", "ok name of the server",
			"ok PTR of 192.0.2.1", "ok port 25 inwards", "ok sending: port 25 is open", "ok clock",
			"ok SPF of example.com", "ok DMARC of example.com", "warn DKIM of example.com: only the server knows"}},
		{"no records for senders", zone{mx: right.mx, hosts: right.hosts, names: right.names}, open,
			[]string{"fail SPF of example.com: There is no", "warn DMARC of example.com: There is no"}},
		{"a DNS that is silent", zone{mx: right.mx, hosts: right.hosts, names: right.names, silent: true}, open,
			[]string{"warn SPF of example.com: the DNS did not",
				"warn name of the server: the DNS did not answer"}},
		{"nothing published", zone{}, open, []string{"fail mail for example.com: there is no MX",
			"fail name of the server", "warn sending: the DNS has no mail server"}},
		{"another server", zone{mx: map[string]string{"example.com": "other.example.com"}, hosts: right.hosts}, open,
			[]string{"fail mail for example.com: its MX is other", "warn PTR of 192.0.2.1"}},
		{"blocked", right, wires{}, []string{"fail port 25 inwards: no mail server", "fail sending: port 25 cannot " +
			"be reached", "warn clock: the time server"}},
		{"another mail server", right, wires{"192.0.2.1:25": mailServer("HELP")},
			[]string{"warn port 25 inwards: it answers"}},
		{"clock", right, wires{"ntp:123": timeServer(-time.Hour)}, []string{"fail clock: it is off by 1 hour"}},
		{"clock, a little", right, wires{"ntp:123": timeServer(30 * time.Second)},
			[]string{"warn clock: it is off by"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &doctor{p: &program{}, dns: tt.zone, dial: tt.wires.dial, now: time.Now, ntp: "ntp:123",
				probe: "gmail.com"}
			d.local(t.Context(), config.Source{Flags: map[string]string{"domain": "example.com",
				"hostname": "mx.example.com", "data-dir": t.TempDir(),
				"http-addr": "127.0.0.1:1", "dns": "system", "outbound": "direct"}})
			var got []string
			for _, c := range d.checks {
				got = append(got, c.grade+" "+c.what+": "+c.found)
				if (c.grade == fine) != (c.next == "") {
					t.Errorf("%s %s says %q as what to do", c.grade, c.what, c.next)
				}
			}
			for _, want := range tt.want {
				if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
					t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
				}
			}
		})
	}
}
