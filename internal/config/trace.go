package config

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Trace is where traces are sent.
type Trace struct {
	URL     string                    // of the collector; empty: nowhere
	Headers map[string]mailbox.Secret // of requests to it
	Ratio   float64                   // of traces that begin here
}

// collectorURL is the address of an OTLP collector.
type collectorURL string

func (c *collectorURL) Set(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil) {
		return fmt.Errorf("%q is not the address of a collector: give it like http://127.0.0.1:4318", s)
	}
	*c = collectorURL(s)
	return nil
}

func (c *collectorURL) String() string { return string(*c) }

// traceHeaders are name=value, with values as in a URL (OpenTelemetry, OTLP exporter, headers).
type traceHeaders struct{ to *map[string]mailbox.Secret }

func (h traceHeaders) Set(s string) error {
	var all map[string]mailbox.Secret
	for pair := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			return errors.New("it is not name=value, separated by commas")
		}
		if all == nil {
			all = make(map[string]mailbox.Secret)
		}
		all[name] = mailbox.Secret(value)
	}
	*h.to = all
	return nil
}

func (h traceHeaders) String() string {
	if h.to == nil {
		return ""
	}
	var parts []string
	for name, value := range *h.to {
		parts = append(parts, name+"="+url.PathEscape(string(value)))
	}
	return strings.Join(parts, ",")
}

// ratio is a share.
type ratio float64

func (r *ratio) Set(s string) error {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return fmt.Errorf("%q is not a number from 0 to 1", s)
	}
	*r = ratio(f)
	return nil
}

func (r *ratio) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }
