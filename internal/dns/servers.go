package dns

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"
)

const dnsPort = "53"

// serversOf returns the servers that a setting names: none means those of the system.
func serversOf(setting string) (func() []string, error) {
	if setting == "" {
		s := &systemServers{file: "/etc/resolv.conf"}
		return s.list, nil
	}
	server := setting
	if _, err := netip.ParseAddr(setting); err == nil {
		server = net.JoinHostPort(setting, dnsPort)
	}
	if host, port, err := net.SplitHostPort(server); err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("resolver %q: %w", setting, errNoAddress)
	}
	return func() []string { return []string{server} }, nil
}

var errNoAddress = errors.New("not host:port of a DNS server")

// systemServers are those of the machine. They change while we run, when the machine moves to another network.
type systemServers struct {
	file string

	mu      sync.Mutex
	read    time.Time
	servers []string
}

// reread is how old the list may be.
const reread = 30 * time.Second

func (s *systemServers) list() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.servers == nil || time.Since(s.read) > reread {
		s.servers, s.read = nameservers(s.file), time.Now()
	}
	return s.servers
}

// nameservers reads a resolv.conf: three servers at most, and without any the one on this machine, as resolv.conf(5)
// says.
func nameservers(file string) []string {
	var out []string
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan() && len(out) < tries; {
			words := strings.Fields(lines.Text())
			if len(words) < 2 || words[0] != "nameserver" {
				continue
			}
			if addr, err := netip.ParseAddr(words[1]); err == nil {
				out = append(out, net.JoinHostPort(addr.String(), dnsPort))
			}
		}
	}
	if out == nil {
		out = []string{net.JoinHostPort("127.0.0.1", dnsPort)}
	}
	return out
}
