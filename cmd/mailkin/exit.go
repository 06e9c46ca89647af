package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// Exit statuses. A supervisor may try again after exitFailed; after exitUsage somebody must change something first.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNothing     = 3
	exitNoKey       = 4
	exitRefused     = 5
	exitUnreachable = 6
	exitInterrupted = 130
)

// exitCodes is what each of them means: the table of "mailkin help exit-codes" and of docs/cli.md.
var exitCodes = []struct {
	status  int
	meaning string
}{
	{exitOK, "done"},
	{exitFailed, "something failed on this machine or in the server: a file, a disk, a listener; \"doctor\" found a " +
		"failure"},
	{exitUsage, "the command line, a setting or the profile is not right"},
	{exitNothing, "nothing was found, or nothing came in time"},
	{exitNoKey, "there is no key, it is wrong or has ended, or it may not do this"},
	{exitRefused, "the service refused: something in the request is wrong, a limit is reached, the mailbox is paused " +
		"or full"},
	{exitUnreachable, "the service cannot be reached, or is not available now; try again later"},
	{exitInterrupted, "a signal ended the command before it was done"},
}

func exitCodesTopic() *cobra.Command {
	var text strings.Builder
	text.WriteString("The exit status says what a program that runs mailkin has to know:\n\n")
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, e := range exitCodes {
		fmt.Fprintf(w, "  %d\t%s\n", e.status, e.meaning)
	}
	_ = w.Flush() // into memory
	return &cobra.Command{Use: "exit-codes", Short: "What the exit statuses mean",
		Long: strings.TrimRight(text.String(), "\n")}
}

// fault is an error with the status that the program ends with, and with what to do next.
type fault struct {
	status int
	text   string // one sentence
	next   string // may be empty
	err    error  // may be nil
}

func (f *fault) Error() string {
	if f.next == "" {
		return f.text
	}
	return strings.TrimRight(f.text, ".") + ". " + f.next
}

func (f *fault) Unwrap() error { return f.err }

// failure is an error of the work itself. What cobra refuses (a command, an argument) and a wrong setting are not.
type failure struct{ error }

func (e failure) Unwrap() error { return e.error }

// fileTrouble is what an error of the system means.
var fileTrouble = []struct {
	err  error
	text string
}{
	{fs.ErrNotExist, "%s is not there"},
	{fs.ErrPermission, "this user may not use %s; run it as the server's user"},
	{syscall.ENOTDIR, "%s is a file, or below one"},
	{syscall.ENOSPC, "there is no room left on the disk for %s"},
	{syscall.EDQUOT, "this user has no room left on the disk for %s"},
	{syscall.EROFS, "the disk of %s can only be read"},
	{syscall.EIO, "the disk of %s fails"},
}

// inWords says what was wrong with a file, in the place of what the system says.
func inWords(err error) error {
	var file *fs.PathError
	if !errors.As(err, &file) {
		return err
	}
	for _, t := range fileTrouble {
		if errors.Is(file, t.err) {
			text := strings.ReplaceAll(err.Error(), file.Error(), fmt.Sprintf(t.text, file.Path))
			return &fault{status: statusOf(failure{err}), text: text, err: err}
		}
	}
	return err
}

// statusOf is the status for an error.
func statusOf(err error) int {
	var f *fault
	var wrong *config.SettingError
	var mismatch *app.MismatchError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		return f.status
	case errors.As(err, &wrong), errors.As(err, &mismatch): // a supervisor that tries again helps nobody
		return exitUsage
	case errors.As(err, new(failure)):
		return exitFailed
	}
	return exitUsage
}

// usage is what is wrong with a command line.
func usage(format string, args ...any) error {
	return &fault{status: exitUsage, text: fmt.Sprintf(format, args...)}
}

// nothing is that nothing was found, or came.
func nothing(format string, args ...any) error {
	return &fault{status: exitNothing, text: fmt.Sprintf(format, args...)}
}

// explain says what an error of a call means for the user of the command, and what to do about it.
func explain(err error, s *session) error {
	var known *fault
	var refused *client.Error
	var file *fs.PathError
	switch {
	case err == nil || errors.As(err, &known) || errors.As(err, new(failure)):
		return err
	case s.ctx.Err() != nil || errors.Is(err, context.Canceled):
		return &fault{status: exitInterrupted, text: "it was ended before it was done", err: err}
	case errors.Is(err, client.ErrTimedOut):
		return &fault{status: exitNothing, text: "nothing came in time", next: "Wait longer with --timeout, or look " +
			"with \"mailkin inbox\".", err: err}
	case errors.As(err, &refused):
		return explainRefusal(refused, s)
	case errors.Is(err, client.ErrNotMail):
		return &fault{status: exitUnreachable, text: "what answers at " + s.at.url + " is not a Mailkin",
			next: "Is the address right? " + s.at.hint(), err: err}
	case errors.As(err, &file), errors.Is(err, os.ErrClosed):
		return failure{err}
	}
	return explainSilence(err, s)
}

// interrupted says in a command's own words that a signal ended it; else it is the error that there was.
func (s *session) interrupted(text string, err error) error {
	if s.ctx.Err() == nil {
		return err
	}
	return &fault{status: exitInterrupted, text: text, err: err}
}

// explainRefusal is explain for what the service answered.
func explainRefusal(e *client.Error, s *session) error {
	f := &fault{status: exitRefused, text: namingCommands(strings.TrimPrefix(e.Message, e.Code+": ")), err: e}
	if f.text == "" {
		f.text = e.Error()
	}
	switch {
	case errors.Is(e, client.ErrPaused):
		f.next = "Run \"mailkin mailbox resume\"."
	case errors.Is(e, client.ErrUnauthorized):
		f.status, f.text = exitNoKey, "the service at "+s.at.url+" does not know the key from "+s.at.keyFrom+
			": it is wrong, has ended, or is for another service"
		f.next = "Run \"mailkin login\" with another, or \"mailkin bootstrap --new\" for a new mailbox."
		if s.forOperators() {
			f.next = operatorsKey
		}
		if s.at.key == "" {
			f = s.noKey()
		}
	case errors.Is(e, client.ErrForbidden):
		f.status = exitNoKey
		switch {
		case e.Upgrade != nil:
			f.next = "Run \"mailkin claim\"."
		case strings.Contains(f.text, "that needs the role"):
			f.next = "An operator with the role admin gives it: \"mailkin operator change NAME --role ROLE\"."
		case strings.Contains(f.text, "operator credential"):
			f.next = "On the server's machine \"mailkin secret show token\" prints that; \"mailkin login\" keeps it."
		}
	case errors.Is(e, client.ErrNotFound):
		f.status = exitNothing
	case errors.Is(e, client.ErrRateLimited):
		if e.RetryAfter > 0 {
			f.next = "Try again in " + roundly(e.RetryAfter) + "."
		}
	case e.Code == "mailbox_key_lost": // which does not pass by itself
		f.status = exitUnreachable
	case errors.Is(e, client.ErrUnavailable):
		f.status, f.next = exitUnreachable, "Try again in a moment."
	case e.Status >= 500 && !errors.Is(e, client.ErrFull) && !errors.Is(e, client.ErrUnsupported):
		f.status = exitFailed
		if e.RequestID != "" {
			f.next = "The server's log has it as request " + e.RequestID + "."
		}
	}
	return f
}

// inCommands are the words of the service's messages that name its interface, and what a command calls them: first
// whole sentences and routes, then members of the JSON.
var inCommands = []struct{ theirs, ours string }{
	{"GET /v1/me", `"mailkin whoami"`},
	{"A name is needed for a new mailbox; or send the key of a temporary one to keep its address.",
		`A new mailbox needs a name: "mailkin claim NAME". With the key of a temporary one, it keeps its address.`},
	{"is a setting of the deployment and is not rotated here", `is replaced by "mailkin secret rotate token"`},
	{"DELETE /v1/suppressions?address=", `"mailkin mailbox unsuppress"`},
	{"POST /v1/mailbox/resume-sending", `"mailkin mailbox resume-sending"`},
	{"no webhook; set one with PATCH /v1/mailbox", `no webhook; set one with "mailkin webhook set"`},
	{"mailkin mailbox limits, or limits in PATCH /v1/mailboxes/{address}", `"mailkin mailbox limits"`},
	{"POST /v1/claim/start", `"mailkin claim"`},
	{"Change email_id, or set it to null to send the draft as a message of its own.",
		`Write another with "mailkin draft new".`},
	{"There is nothing to change: give a member.", "There is nothing to change: say with a flag what is new."},
	{"or null for what the deployment does", "or default for what the deployment does"},
	{"change both, or take one away with null", `change both, or take one away with --html "" or an empty text`},
	{`end both at once with "overlap_seconds": 0 (mailkin webhook secret rotate --now)`, "end both at once with --now"},
	{"overlap_seconds is a number from 0 to 7776000", "--overlap is at most 90d"},
	{"limits.retention_days.labels:", "--keep-label:"},
	{"limits.retention_days has", "--keep-label has"},
	{"limits.retention_days are", "--keep-inbound, --keep-outbound and --keep-label are"},
	{"undo_seconds is 0", "The seconds are 0"},
	{"send_policy is", "The policy is"},
	{"receive_action is", "The action is"},
	{"of webhook_url", "of the URL"},
	{"webhook_url", "The URL"},
	{"expires_at", "--expires"},
	{"send_at", "--at"},
	{"thread_id", "--thread"},
	{"in_reply_to", "--in-reply-to"},
}

// namingCommands is a message of the service for somebody who knows commands, and no routes.
func namingCommands(message string) string {
	for _, c := range inCommands {
		message = strings.ReplaceAll(message, c.theirs, c.ours)
	}
	return message
}

// noKey is that a command needs a key and has none.
var noKey = fault{status: exitNoKey, text: "there is no key",
	next: "Run \"mailkin bootstrap\" for a temporary mailbox, \"mailkin login\" for one that you have, or set " +
		"MAILKIN_API_KEY."}

// operatorsKey says where the keys of operators come from.
const operatorsKey = "It takes the operator's token, which \"mailkin secret show token\" prints on the server's machine, or " +
	"the key of an operator: set " + keyVariable + ", or run \"mailkin login\"."

// forOperators tells whether only operators have use for the command.
func (s *session) forOperators() bool {
	if s.cmd == nil {
		return false
	}
	path := strings.Fields(s.cmd.CommandPath())
	return len(path) > 1 && (slices.Contains([]string{"operator", "secret", "queue", "audit"}, path[1]) ||
		path[1] == "mailbox" && slices.Contains([]string{"list", "create"}, path[len(path)-1]))
}

// profileFlag is the flag that names a profile, where it was given.
func (s *session) profileFlag() *pflag.Flag {
	if s.cmd == nil {
		return nil
	}
	if f := s.cmd.Flags().Lookup("profile"); f != nil && f.Changed {
		return f
	}
	return nil
}

// noKey is that the session has no key.
func (s *session) noKey() *fault {
	missing := noKey
	if s.forOperators() {
		missing.next = operatorsKey
	}
	if f := s.profileFlag(); f != nil {
		missing.text = "there is no key in the profile " + f.Value.String()
		missing.next = "\"mailkin login --profile " + f.Value.String() + "\" puts one there."
	}
	return &missing
}

// explainSilence is explain for when there was no answer.
func explainSilence(err error, s *session) error {
	f := &fault{status: exitUnreachable, text: "no answer from " + s.at.url + ": " + silence(err), err: err,
		next: s.at.hint()}
	if errors.Is(err, syscall.ECONNREFUSED) {
		f.text, f.next = "nothing listens at "+s.at.url, "Is \"mailkin serve\" running there? "+f.next
	}
	return f
}
