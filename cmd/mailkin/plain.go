package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mailkin/mailkin/internal/config"
)

// What the libraries say of a command line and of a connection, in words that say what to do.

// libraryWords are what cobra says of a command line, and what is said instead: $COMMAND is how the command is written,
// $PATH its name.
var libraryWords = []struct {
	theirs string // a regular expression
	ours   string
}{
	{`^if any flags in the group \[.*\] are set none of the others can be; \[(\S+) (\S+).*\] were all set$`,
		"--$1 and --$2 cannot go together: leave one out"},
	{`^(requires at least|accepts) \d+ arg\(s\), (only )?received \d+$`,
		`that is not how the command is written: "$COMMAND"`},
	{`^accepts at most \d+ arg\(s\), received \d+$`,
		`there are too many words: the command is "$COMMAND"`},
}

// plainly is an error of a command line in words that know nothing of libraries. Everything else stays as it is.
func plainly(cmd *cobra.Command, err error) error {
	if statusOf(err) != exitUsage {
		return err
	}
	form := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	if word, ok := strings.CutPrefix(err.Error(), "unknown command "); ok {
		word, rest, _ := strings.Cut(word, " for ")
		if cmd.HasParent() && !cmd.HasSubCommands() {
			return usage("%s is too much: the command is \"%s\"", word, form)
		}
		if _, meant, ok := strings.Cut(rest, "Did you mean this?"); ok {
			return usage("unknown command %s: did you mean %s?", word, strings.Join(strings.Fields(meant), " or "))
		}
		return usage("unknown command %s: \"%s --help\" lists those there are", word, cmd.CommandPath())
	}
	for _, w := range libraryWords {
		if theirs := regexp.MustCompile(w.theirs); theirs.MatchString(err.Error()) {
			ours := strings.ReplaceAll(w.ours, "$COMMAND", strings.ReplaceAll(form, "$", "$$"))
			return usage("%s", theirs.ReplaceAllString(err.Error(), ours))
		}
	}
	return err
}

// explainFlag says what is wrong with a flag, and what was probably meant by one that does not exist.
func explainFlag(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var alone *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing):
		name := "--" + missing.GetSpecifiedName()
		if missing.GetSpecifiedShortnames() != "" {
			name = name[1:]
		}
		if s := config.SuggestFlag(missing.GetSpecifiedName()); s != "" && cmd.Flags().Lookup("data-dir") != nil {
			return usage("unknown flag %s: did you mean %s?", name, s)
		}
		return usage("unknown flag %s: \"%s --help\" lists those there are", name, cmd.CommandPath())
	case errors.As(err, &alone):
		return usage("--%s needs a value: %s", alone.GetFlag().Name, alone.GetFlag().Usage)
	case errors.As(err, &wrong):
		return usage("--%s cannot be %q: %s", wrong.GetFlag().Name, wrong.GetValue(), wanted(wrong))
	}
	return err
}

// wanted is what a flag takes.
func wanted(wrong *pflag.InvalidValueError) string {
	switch wrong.GetFlag().Value.Type() {
	case "bool":
		return "it is true or false, or is given alone"
	case "int", "int64":
		if errors.Is(wrong, strconv.ErrRange) {
			return "the number is too large"
		}
		return "it is a whole number"
	case "float64":
		return "it is a number"
	case "stringSlice":
		return "a value with quotes or line breaks in it cannot be read"
	}
	return wrong.Unwrap().Error()
}

// silence says why there is no answer from an address.
func silence(err error) string {
	var name *net.DNSError
	var untrusted x509.UnknownAuthorityError
	var otherName x509.HostnameError
	var invalid x509.CertificateInvalidError
	var noTLS tls.RecordHeaderError
	var slow net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there"
	case errors.As(err, &name) && name.IsNotFound:
		return "the name " + name.Name + " is not found in the DNS"
	case errors.As(err, &name):
		return "the DNS does not answer for " + name.Name
	case errors.As(err, &untrusted):
		return "its certificate is from nobody that this machine trusts"
	case errors.As(err, &otherName):
		return "its certificate is not for " + otherName.Host
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired, or is not valid yet"
	case errors.As(err, &noTLS), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return "it does not speak TLS: an address of it begins with http://"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return "it did not answer in time"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "there is no way to it on the network"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		strings.Contains(err.Error(), "malformed HTTP"):
		return "it ended the connection without an answer"
	}
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	var network *net.OpError
	if errors.As(err, &network) {
		err = network.Err
	}
	var system *os.SyscallError
	if errors.As(err, &system) {
		err = system.Err
	}
	return err.Error()
}
