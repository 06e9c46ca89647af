package service

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// checkWebhook refuses an address to which events could not or must not be sent (API 4). What a name resolves to is
// checked again at every connection; this is for a clear answer at once.
func (s *Service) checkWebhook(raw string) error {
	if len(raw) > 2048 {
		return mailbox.InvalidField("webhook_url", "The URL is too long: at most 2048 bytes.")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "" {
		return mailbox.InvalidField("webhook_url", "webhook_url must be an absolute URL, such as "+
			"https://example.com/hook.")
	}
	if u.Scheme != "https" && u.Scheme != "http" {
		return mailbox.InvalidField("webhook_url", "webhook_url must begin with https:// or http://.")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return mailbox.InvalidField("webhook_url", "The port of webhook_url must be a number from 1 to 65535.")
		}
	}
	addr, kind := readHost(u.Hostname())
	switch {
	case kind == hostBroken:
		return mailbox.InvalidField("webhook_url", "The host of webhook_url is not a host name or address.")
	case kind == hostAddress && !mailbox.Public(addr) && !s.opt.AllowPrivate(addr),
		kind == hostLocal && !s.opt.AllowPrivate(netip.AddrFrom4([4]byte{127, 0, 0, 1})):
		return mailbox.InvalidField("webhook_url", "webhook_url must be publicly reachable: loopback and private "+
			"addresses are not allowed here.")
	}
	return nil
}

type hostKind uint8

const (
	hostName hostKind = iota
	hostLocal
	hostAddress
	hostBroken
)

// readHost tells what the host of a URL is: an address in any spelling that a resolver takes, a name that only means
// something on this machine or network, or another name.
func readHost(host string) (netip.Addr, hostKind) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return a, hostAddress
	}
	ascii, err := hostnames.ToASCII(host)
	if err != nil || ascii == "" || strings.Contains("."+ascii, "..") {
		return netip.Addr{}, hostBroken
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if a, numeric, ok := looseIPv4(ascii); numeric {
		if !ok {
			return netip.Addr{}, hostBroken
		}
		return a, hostAddress
	}
	for _, local := range []string{"localhost", "local", "internal", "localdomain", "home.arpa", "lan"} {
		if ascii == local || strings.HasSuffix(ascii, "."+local) {
			return netip.Addr{}, hostLocal
		}
	}
	if !strings.Contains(ascii, ".") {
		return netip.Addr{}, hostLocal
	}
	return netip.Addr{}, hostName
}

// looseIPv4 reads the spellings of an IPv4 address that inet_aton takes: fewer than four numbers, hexadecimal, octal.
// numeric says that the host is meant as one: its last label is a number.
func looseIPv4(host string) (a netip.Addr, numeric, ok bool) {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if _, err := parseNumber(last); err != nil && strings.Trim(last, "0123456789") != "" {
		return a, false, false
	}
	if len(labels) > 4 {
		return a, true, false
	}
	var value uint64
	for i, l := range labels {
		n, err := parseNumber(l)
		bits := 8
		if i == len(labels)-1 {
			bits = 8 * (5 - len(labels))
		}
		if err != nil || n >= 1<<bits {
			return a, true, false
		}
		value = value<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true, true
}

func parseNumber(s string) (uint64, error) {
	switch {
	case strings.HasPrefix(s, "0x"):
		return strconv.ParseUint(s[2:], 16, 40)
	case len(s) > 1 && s[0] == '0':
		return strconv.ParseUint(s, 8, 40)
	}
	return strconv.ParseUint(s, 10, 40)
}
