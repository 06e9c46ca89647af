package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// listener is where a server listens.
type listener struct {
	to       *string
	optional bool // empty and off are allowed, and the same
	unix     bool // unix:/path is allowed
}

func address(to *string) listener         { return listener{to: to} }
func optionalAddress(to *string) listener { return listener{to: to, optional: true} }
func socketAddress(to *string) listener   { return listener{to: to, optional: true, unix: true} }

func (l listener) Set(s string) error {
	s = strings.TrimSpace(s)
	path, isPath := strings.CutPrefix(s, "unix:")
	switch {
	case l.optional && (s == "" || s == "off"):
		*l.to = ""
		return nil
	case l.unix && isPath:
		if path == "" {
			return errors.New("unix: needs a path after it, such as unix:/run/mailkin/lmtp.sock")
		}
	case !hostPort(s):
		return fmt.Errorf("%q is not host:port: write it such as 127.0.0.1:8025, or :8025 for every interface", s)
	}
	*l.to = s
	return nil
}

func (l listener) String() string { return *l.to }

func hostPort(s string) bool {
	host, port, err := net.SplitHostPort(s)
	if err != nil || strings.ContainsAny(host, " /@") {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// domains are the mail domains.
type domains []string

func (d *domains) Set(s string) error {
	var out domains
	for item := range strings.SplitSeq(s, ",") {
		name, err := parseDomain(item)
		if err != nil {
			return err
		}
		out = append(out, name)
	}
	*d = out
	return nil
}

func (d *domains) String() string { return strings.Join(*d, ",") }

// hostname is a domain, or empty for the first mail domain.
type hostname string

func (h *hostname) Set(s string) (err error) {
	if s != "" {
		s, err = parseDomain(s)
	}
	*h = hostname(s)
	return err
}

func (h *hostname) String() string { return string(*h) }

// parseDomain returns a domain in its one spelling: lower case, ASCII form, no final dot.
func parseDomain(s string) (string, error) {
	trimmed := strings.TrimSuffix(strings.TrimSpace(s), ".")
	name, err := idna.Lookup.ToASCII(trimmed)
	_, notAddress := netip.ParseAddr(trimmed)
	if err != nil || name == "" || len(name) > 253 || notAddress == nil || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("%q is not a domain name: write it such as agents.example.com", s)
	}
	return name, nil
}

// mailboxAddress is the configured mailbox, or empty for ops@ the first mail domain. Names that are reserved for
// others are the owner's to use.
type mailboxAddress string

func (m *mailboxAddress) Set(s string) error {
	if s == "" {
		return nil
	}
	local, domain, ok := strings.Cut(s, "@")
	if !ok {
		return fmt.Errorf("%q is not an address: write all of it, such as ops@agents.example.com", s)
	}
	name := strings.ToLower(strings.TrimSpace(local))
	if _, err := mailbox.ParseName(name); err != nil && !mailbox.Reserved(name) {
		var e *mailbox.Error
		errors.As(err, &e)
		return errors.New(strings.TrimSuffix(e.Message, "."))
	}
	domain, err := parseDomain(domain)
	if err != nil {
		return err
	}
	*m = mailboxAddress(name + "@" + domain)
	return nil
}

func (m *mailboxAddress) String() string { return string(*m) }

// reviewers are addresses of people.
type reviewers []string

func (r *reviewers) Set(s string) error {
	var out reviewers
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item == "" && strings.TrimSpace(s) == "" {
			continue
		}
		at := strings.LastIndexByte(item, '@')
		if at < 1 || strings.ContainsAny(item, " <>\"\t\r\n") {
			return fmt.Errorf("%q is not an address: write all of it, such as ann@example.com", item)
		}
		domain, err := parseDomain(item[at+1:])
		if err != nil {
			return err
		}
		out = append(out, item[:at]+"@"+domain)
	}
	if len(out) > mailbox.MaxReviewers {
		return fmt.Errorf("%d addresses are too many: at most %d", len(out), mailbox.MaxReviewers)
	}
	*r = out
	return nil
}

func (r *reviewers) String() string { return strings.Join(*r, ",") }
