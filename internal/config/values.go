package config

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The kinds of values. Each is a flag.Value that writes to a field of Config; the error of Set says what is right, and
// the caller puts the setting's name before it.

// text is any string.
type text struct {
	to    *string
	want  string // what an empty value lacks
	empty bool   // may be empty
}

func (t text) Set(s string) error {
	if s == "" && !t.empty {
		return fmt.Errorf("it is empty: give %s", t.want)
	}
	*t.to = s
	return nil
}

func (t text) String() string { return *t.to }

// optional is a value that may be empty, and is then what it was at first.
type optional struct{ flag.Value }

func (o optional) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return o.Value.Set(s)
}

// choice is one of a few words.
type choice struct {
	to *string
	of []string
}

func (c choice) Set(s string) error {
	word := strings.ToLower(s)
	if !slices.Contains(c.of, word) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(c.of, ", "))
	}
	*c.to = word
	return nil
}

func (c choice) String() string  { return *c.to }
func (c choice) words() []string { return c.of }

// secret is a credential. No error repeats it.
type secret struct {
	to  *mailbox.Secret
	min int
}

func (v secret) Set(s string) error {
	switch {
	case s == "": // as if it were not set: compose files pass empty variables on
	case len(s) < v.min:
		return fmt.Errorf("it has %d characters: give at least %d, such as from \"openssl rand -hex 32\"", len(s),
			v.min)
	case strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("it has a space or a character that is not printable ASCII: such a secret cannot be sent " +
			"in a header")
	}
	*v.to = mailbox.Secret(s)
	return nil
}

// CheckSecret says what is wrong with a secret that is kept in a file: what is wrong with one that its setting has.
func (c Config) CheckSecret(key, file string, value mailbox.Secret) error {
	for _, r := range table(&c) {
		if r.Key != key {
			continue
		}
		if err := r.value.Set(string(value)); err != nil {
			return &SettingError{Key: key, Err: fmt.Errorf("the secret in %s cannot be used: %w", file, err)}
		}
	}
	return nil
}

// String tells only whether there is one.
func (v secret) String() string {
	if *v.to == "" {
		return ""
	}
	return "(set)"
}

// count is a whole number.
type count struct {
	to  *int
	min int
}

func (c count) Set(s string) error {
	n, err := parseCount(s, int64(c.min))
	*c.to = int(n)
	return err
}

func (c count) String() string { return strconv.Itoa(*c.to) }

// authFailures is a count, or auto.
type authFailures AuthFailures

const authAuto = "auto"

// autoAuth: over HTTP a wrong key is always answered with 401 (SPEC 5.2), unless the operator wants it otherwise.
var autoAuth = authFailures{Login: 20}

func (a *authFailures) Set(s string) error {
	if strings.EqualFold(s, authAuto) {
		*a = autoAuth
		return nil
	}
	n, err := parseCount(s, 0)
	if err != nil {
		return fmt.Errorf("%w, or %s", err, authAuto)
	}
	*a = authFailures{HTTP: int(n), Login: int(n)}
	return nil
}

func (a *authFailures) String() string {
	if *a == autoAuth {
		return authAuto
	}
	return strconv.Itoa(a.HTTP)
}

// count64 is a count in a field that a store fills too.
type count64 struct {
	to  *int64
	min int64
}

func (c count64) Set(s string) (err error) {
	*c.to, err = parseCount(s, c.min)
	return err
}

func (c count64) String() string { return strconv.FormatInt(*c.to, 10) }

// maxCount keeps counts inside an int on every platform, and far from overflow in sums.
const maxCount = 1_000_000_000

func parseCount(s string, least int64) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < least || n > maxCount {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", s, least, maxCount)
	}
	return n, nil
}

// duration is a time above zero in Go's form.
type duration struct {
	to   *time.Duration
	zero bool // may be zero
}

func (d duration) Set(s string) error {
	v, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil || v < 0 || v == 0 && !d.zero {
		return fmt.Errorf("%q is not a length of time: use a number with ms, s, m or h, such as 30s or 1h30m", s)
	}
	*d.to = v
	return nil
}

// String leaves out the zero units that Duration.String writes: 72h, not 72h0m0s.
func (d duration) String() string {
	s := d.to.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// logLevel is the least level that is logged.
type logLevel slog.Level

var logLevels = []string{"debug", "info", "warn", "error"}

func (l *logLevel) Set(s string) error {
	if !slices.Contains(logLevels, strings.ToLower(s)) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(logLevels, ", "))
	}
	return (*slog.Level)(l).UnmarshalText([]byte(s))
}

func (l *logLevel) String() string  { return strings.ToLower(slog.Level(*l).String()) }
func (l *logLevel) words() []string { return logLevels }

// onOff is a switch.
type onOff bool

func (o *onOff) Set(s string) error {
	switch strings.ToLower(s) {
	case "on", "true":
		*o = true
	case "off", "false":
		*o = false
	default:
		return fmt.Errorf("%q is not on or off", s)
	}
	return nil
}

func (o *onOff) String() string {
	if *o {
		return "on"
	}
	return "off"
}

func (o *onOff) words() []string { return []string{"on", "off"} }

// webAddress is the beginning of the URLs of a service.
type webAddress string

func (w *webAddress) Set(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" ||
		u.Fragment != "" || u.User != nil) {
		return fmt.Errorf("%q is not the address of a web service: give it like https://mail.example.com", s)
	}
	*w = webAddress(strings.TrimRight(s, "/"))
	return nil
}

func (w *webAddress) String() string { return string(*w) }

// resolver is a DNS server, the system's, or none.
type resolver string

func (r *resolver) Set(s string) error {
	switch word := strings.ToLower(strings.TrimSpace(s)); word {
	case DNSSystem, DNSOff, dnsAuto:
		*r = resolver(word)
	default:
		if _, err := netip.ParseAddr(word); err == nil {
			word = net.JoinHostPort(word, "53")
		}
		if _, err := netip.ParseAddrPort(word); err != nil {
			return fmt.Errorf("%q is not a resolver: use system, off, auto, or an address such as 127.0.0.1:53", s)
		}
		*r = resolver(word)
	}
	return nil
}

func (r *resolver) String() string { return string(*r) }
