package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// Outcome is how an attempt went.
type Outcome struct {
	Status   int // of the answer; 0: there was none
	Duration time.Duration
	Error    string // what went wrong, in one sentence for the mailbox's owner; empty on success
	Response string // the beginning of the answer's body, at most 1 KB, printable
}

// OK tells whether the event was delivered: any 2xx, whole and in time, and nothing else (SPEC 6.1).
func (o Outcome) OK() bool { return success(o.Status) && o.Error == "" }

func success(status int) bool { return status >= 200 && status <= 299 }

// refusal says what an answer other than 2xx means.
func refusal(status int) string {
	if status >= 300 && status <= 399 {
		return fmt.Sprintf("The receiver answered %d: redirects are not followed.", status)
	}
	return fmt.Sprintf("The receiver answered %d.", status)
}

// explain says why there was no whole answer. It never quotes err, which may name addresses of this network.
func explain(err error, timeout time.Duration) string {
	var (
		forbidden *forbiddenError
		dns       *net.DNSError
		slow      net.Error
		op        *net.OpError
	)
	switch {
	case errors.Is(err, errURL):
		return "The webhook URL cannot be posted to."
	case errors.Is(err, errSecret):
		return "The event could not be signed."
	case errors.As(err, &forbidden):
		return "The receiver is not publicly reachable: loopback and private addresses are not allowed here."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return fmt.Sprintf("The receiver did not answer within %s.", timeout)
	case errors.As(err, &dns) && dns.IsNotFound:
		return "The receiver's host name does not exist."
	case errors.As(err, &dns):
		return "The receiver's host name could not be looked up."
	case errors.Is(err, syscall.ECONNREFUSED):
		return "The receiver refused the connection."
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF):
		return "The receiver closed the connection without an answer."
	}
	if said := explainTLS(err); said != "" {
		return said
	}
	if errors.As(err, &op) && op.Op == "dial" {
		return "The receiver could not be reached."
	}
	return "The receiver's answer could not be read."
}

// explainTLS says what is wrong with a receiver's TLS, or nothing where it is something else.
func explainTLS(err error) string {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		alert   *net.OpError
	)
	switch {
	case errors.As(err, &unknown):
		return "The receiver's TLS certificate is not signed by a known authority."
	case errors.As(err, &name):
		return "The receiver's TLS certificate is for another host name."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "The receiver's TLS certificate has expired or is not valid yet."
	case errors.As(err, &verify), errors.As(err, &invalid):
		return "The receiver's TLS certificate is not valid."
	case errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/":
		return "The receiver speaks HTTP and not HTTPS on this port."
	// TLS alerts
	case errors.As(err, &record), errors.As(err, &alert) && (alert.Op == "remote error" || alert.Op == "local error"):
		return "The receiver and we could not agree on TLS."
	}
	return ""
}

// printable is the text in b on one line, without anything that a page or a terminal would act on.
func printable(b []byte) string {
	for n := 1; n < utf8.UTFMax && len(b) == maxKept; n++ { // a character that was cut off at the end
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				b = b[:len(b)-n]
			}
			break
		}
	}
	text := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return '?' // one byte, so that the text does not grow
		}
		return r
	}, string(b))
	return strings.TrimSpace(text)
}
