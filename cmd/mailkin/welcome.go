package main

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"strings"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// token is where the operator credential is, for a person and for a shell. Never the credential itself.
type token struct{ place, shell string }

// tokenIn finds it from what the app says (a path, or AUTH_TOKEN) and, where a setting gave it, which one.
func tokenIn(source string, values []config.Value) token {
	if source != "AUTH_TOKEN" {
		if abs, err := filepath.Abs(source); err == nil {
			source = abs // so that the command works in any folder
		}
		return token{source, "$(cat " + quote(source) + ")"}
	}
	for _, v := range values {
		if v.Variable != "AUTH_TOKEN" {
			continue
		}
		if v.From == "variable AUTH_TOKEN_FILE" {
			return token{"the file that AUTH_TOKEN_FILE names", `$(cat "$AUTH_TOKEN_FILE")`}
		}
		if v.From != "variable AUTH_TOKEN" {
			return token{v.From, "$AUTH_TOKEN"}
		}
	}
	return token{"the variable AUTH_TOKEN", "$AUTH_TOKEN"}
}

// welcome prints what a person who has just started the server needs: where it is, a link to the console that works
// once (where there is a token for it), and a command to try.
func welcome(w io.Writer, cfg config.Config, at app.Addrs, t token, signIn string) {
	fmt.Fprintf(w, "Mailkin is running.\n\n")
	fmt.Fprintf(w, "  HTTP API        %s\n", baseURL(cfg, at.HTTP))
	fmt.Fprintf(w, "  Console         %s/console\n", baseURL(cfg, at.HTTP))
	fmt.Fprintf(w, "  SMTP            %s\n", smtpLine(at.SMTP, cfg.Domains))
	if at.LMTP != "" {
		fmt.Fprintf(w, "  LMTP            %s\n", at.LMTP)
	}
	if at.Submission != "" {
		fmt.Fprintf(w, "  Submission      %s\n", at.Submission)
	}
	if at.Metrics != "" {
		fmt.Fprintf(w, "  Metrics         http://%s/metrics\n", reachable(at.Metrics))
	}
	fmt.Fprintf(w, "  Sending         %s\n", sending(cfg.Outbound))
	fmt.Fprintf(w, "  Operator token  %s\n\n", t.place)
	if signIn != "" {
		fmt.Fprintf(w, "Open the console signed in, once, within ten minutes, in a browser on this machine:\n\n")
		fmt.Fprintf(w, "  %s/console#signin=%s\n\n", baseURL(cfg, at.HTTP), signIn)
	}
	if cfg.Onboarding.Bootstrap {
		fmt.Fprintf(w, "Get a temporary mailbox, without a key:\n\n")
		fmt.Fprintf(w, "  curl -s -X POST %s/v1/bootstrap\n\n", baseURL(cfg, at.HTTP))
	}
	fmt.Fprintf(w, "Make a permanent mailbox and its key:\n\n")
	fmt.Fprintf(w, "  curl -s -H \"Authorization: Bearer %s\" -H 'Content-Type: application/json' \\\n", t.shell)
	fmt.Fprintf(w, "    -d '{\"name\":\"wren\"}' %s/v1/mailboxes\n\n", baseURL(cfg, at.HTTP))
}

// sending says what becomes of mail that agents send.
func sending(o config.Outbound) string {
	switch o.Mode {
	case config.OutboundOff:
		return "off"
	case config.OutboundCapture:
		return "captured: mail is kept and shown, and does not leave this machine (setting outbound)"
	case config.OutboundRelay:
		return "through " + o.Relay.Host
	case config.OutboundResend:
		return "through the provider Resend"
	}
	return "to the recipients' mail servers"
}

// baseURL is the API's address for someone on this machine.
func baseURL(cfg config.Config, addr string) string {
	if cfg.TLS.Mode == config.TLSOff {
		return "http://" + reachable(addr)
	}
	_, port, _ := net.SplitHostPort(addr)
	return "https://" + net.JoinHostPort(cfg.Hostname, port) // the name that the certificate is for
}

// reachable returns an address a client can connect to: a listener on every interface is reached on loopback.
func reachable(addr string) string {
	ap, err := netip.ParseAddrPort(addr)
	if err != nil || !ap.Addr().IsUnspecified() {
		return addr
	}
	return fmt.Sprintf("127.0.0.1:%d", ap.Port())
}

func smtpLine(addr string, domains []string) string {
	if addr == "" {
		return "off"
	}
	return addr + ", for mail to " + strings.Join(domains, ", ")
}

// quote makes a path one word of a shell command.
func quote(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
