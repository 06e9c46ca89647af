package main

import (
	"errors"
	"fmt"
	"io"
	"net/mail"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// draftFlags are a message to be sent.
type draftFlags struct {
	draft   client.Draft
	to, cc  []string
	bcc     []string
	answers []string
	html    string
	attach  []string
	headers []string
	at      moment
	dryRun  bool

	unfinished bool // it may have no text: it is kept as a draft, or has that of another message
}

const textLimit = 16 << 20 // bytes of a text that is read; the service takes less

// add gives a command the flags of what is sent at once.
func (f *draftFlags) add(cmd *cobra.Command) {
	f.addStored(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.draft.IdempotencyKey, "idempotency-key", "", "name of this message: under it, it is sent once")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be sent, and to whom; send nothing")
}

// addStored gives it those of what is kept.
func (f *draftFlags) addStored(cmd *cobra.Command) {
	f.at.ahead = true
	flags := cmd.Flags()
	d := &f.draft
	flags.StringArrayVar(&f.to, "to", nil, "recipient, a@b or Name <a@b>; several with commas, or again")
	flags.StringArrayVar(&f.cc, "cc", nil, "recipient of a copy")
	flags.StringArrayVar(&f.bcc, "bcc", nil, "recipient of a copy that others do not see")
	flags.StringVarP(&d.Subject, "subject", "s", "", "subject")
	flags.StringVar(&d.From, "from", "", "sender, with a name if you like (default: the mailbox)")
	flags.StringArrayVar(&f.answers, "reply-to", nil, "where answers go")
	flags.StringVar(&f.html, "html", "", "file with the HTML part")
	flags.StringArrayVarP(&f.attach, "attach", "a", nil, "file to attach; again for more")
	flags.StringArrayVar(&f.headers, "header", nil, "one more header, as Name: value")
	flags.StringSliceVar(&d.Tags, "tag", nil, "word that is kept with the message")
	flags.Var(&f.at, "at", "send it then: a time, or a duration from now; up to 30 days ahead")
}

// build makes the draft of the flags and the text. What it opens is to be closed.
func (f *draftFlags) build(s *session, text []string) (client.Draft, func(), error) {
	d := f.draft
	d.SendAt = f.at.Time
	d.To, d.Cc, d.Bcc, d.ReplyTo = addresses(f.to), addresses(f.cc), addresses(f.bcc), addresses(f.answers)
	var err error
	if d.Text, err = s.bodyText(text); err != nil {
		return d, func() {}, err
	}
	if f.html != "" {
		b, err := readBounded(f.html)
		if err != nil {
			return d, func() {}, err
		}
		d.HTML = string(b)
	}
	if d.Text == "" && d.HTML == "" && !f.unfinished {
		return d, func() {}, usage("there is no text: give it as an argument, say - to read it from standard input, " +
			"or use --html")
	}
	if d.Headers, err = headerFlags(f.headers); err != nil {
		return d, func() {}, err
	}
	files, closeAll, err := s.openFiles(f.attach)
	d.Files = files
	return d, closeAll, err
}

// addresses takes lists of addresses apart. What is not a list is left to the service to judge.
func addresses(given []string) (out []string) {
	for _, g := range given {
		list, err := mail.ParseAddressList(g)
		if err != nil || len(list) < 2 {
			out = append(out, g)
			continue
		}
		for _, a := range list {
			if a.Name == "" {
				out = append(out, a.Address)
				continue
			}
			out = append(out, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a.Name)+`" <`+a.Address+">")
		}
	}
	return out
}

// bodyText is the text of a message: the argument, or with - standard input.
func (s *session) bodyText(args []string) (string, error) {
	text := strings.Join(args, " ")
	if text != "-" {
		return text, nil
	}
	if s.p.stdin == nil {
		return "", nil
	}
	b, err := io.ReadAll(io.LimitReader(s.p.stdin, textLimit+1))
	if err != nil {
		return "", failure{fmt.Errorf("read standard input: %w", err)}
	}
	if len(b) > textLimit {
		return "", usage("the text on standard input is larger than %s: attach it as a file", bytesText(textLimit))
	}
	return string(b), nil
}

// readBounded reads a file that is a text.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, failure{err}
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, textLimit+1))
	if err != nil {
		return nil, failure{fmt.Errorf("read %s: %w", path, err)}
	}
	if len(b) > textLimit {
		return nil, usage("%s is larger than %s", path, bytesText(textLimit))
	}
	return b, nil
}

func headerFlags(list []string) (map[string]string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for _, h := range list {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, usage("--header %q is not a name, a colon and a value", h)
		}
		out[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return out, nil
}

// openFiles opens what is to be attached, with a bar over all of it.
func (s *session) openFiles(paths []string) ([]client.File, func(), error) {
	bar := s.newBar("sending")
	var files []client.File
	var opened []*os.File
	closeAll := func() {
		bar.end()
		for _, f := range opened {
			_ = f.Close() // it was only read
		}
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, closeAll, failure{err}
		}
		opened = append(opened, f)
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return nil, closeAll, failure{errors.Join(fmt.Errorf("%s cannot be attached: it is not a file", path), err)}
		}
		bar.total += info.Size()
		files = append(files, client.File{Name: filepath.Base(path), Content: &barFile{f, bar}})
	}
	return files, closeAll, nil
}

// draftCommand makes a command one that sends.
func (p *program) draftCommand(cmd *cobra.Command, f *draftFlags, args int, way sendWay) *cobra.Command {
	run := func(s *session, given []string) error {
		id, text := "", given
		if args == 1 {
			id, text = given[0], given[1:]
		}
		d, closeAll, err := f.build(s, text)
		defer closeAll()
		if err != nil {
			return err
		}
		if f.dryRun {
			preview, err := way.preview(s, id, d)
			if err != nil {
				return err
			}
			return s.show(preview, func() error { return s.preview(preview) })
		}
		sent, err := way.send(s, id, d)
		closeAll()
		if err != nil {
			return err
		}
		return s.show(sent, func() error {
			s.err.say("It is %s. \"mailkin read %s\" says what becomes of it.", sent.Status, sent.ID)
			return s.out.text(sent.ID)
		})
	}
	if args == 1 {
		return p.onIDs(messages, false, cmd, run)
	}
	return p.remote(cmd, run)
}

// sendWay is how a draft is sent: as it is, as an answer, or with another message.
type sendWay struct {
	send    func(*session, string, client.Draft) (*api.Sending, error)
	preview func(*session, string, client.Draft) (*api.Preview, error)
}

func (s *session) preview(v *api.Preview) error {
	list := []field{{"from", v.From}, {"to", people(v.To)}, {"cc", people(v.Cc)}, {"bcc", people(v.Bcc)},
		{"subject", v.Subject},
		{"size", bytesText(v.SizeBytes)}, {"at", s.out.when(v.SendAt)}}
	for _, why := range v.Reasons {
		list = append(list, field{"held because", why})
	}
	for _, d := range v.Deliveries {
		list = append(list, field{"route", d.Recipient + ": " + d.Route})
	}
	s.err.say("Nothing was sent. This would be:")
	return s.out.fields(list...)
}

func (p *program) sendCommand() *cobra.Command {
	var f draftFlags
	cmd := &cobra.Command{
		Use:   "send --to ADDRESS [TEXT|-]",
		Short: "Send a message",
		Long: `Send a message, and print its id. The text is the argument, or with - what comes on standard
input. A temporary mailbox cannot send: "mailkin claim" makes it permanent.`,
		Example: "  mailkin send --to kim@example.com -s Hello 'It works.'\n  date | mailkin send --to " +
			"kim@example.com -s Report --attach report.pdf -",
		Args: cobra.ArbitraryArgs,
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.draft.InReplyTo, "in-reply-to", "", "id or Message-ID of a message whose conversation "+
		"this continues")
	cmd.Flags().BoolVar(&f.draft.Unsubscribe, "unsubscribe", false, "add a link with which the one recipient "+
		"unsubscribes")
	return p.draftCommand(cmd, &f, 0, sendWay{
		func(s *session, _ string, d client.Draft) (*api.Sending, error) { return s.c.Send(s.ctx, d) },
		func(s *session, _ string, d client.Draft) (*api.Preview, error) { return s.c.Preview(s.ctx, d) },
	})
}

// idAndText wants a command to have the id of a message, and perhaps a text.
func idAndText(_ *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "" {
		return idArgument(nil, nil)
	}
	return nil
}

func (p *program) replyCommand() *cobra.Command {
	var f draftFlags
	cmd := &cobra.Command{
		Use:   "reply ID|latest [TEXT|-]",
		Short: "Answer a message",
		Long: `Answer a message: recipients, subject and conversation are made from it. A message that a
program sent is not answered, unless --force says so.`,
		Example: "  mailkin reply latest 'I will be there.'",
		Args:    idAndText,
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.draft.All, "reply-all", false, "answer everybody on it")
	cmd.Flags().BoolVar(&f.draft.Force, "force", false, "answer also what a program sent")
	return p.draftCommand(cmd, &f, 1, sendWay{
		func(s *session, id string, d client.Draft) (*api.Sending, error) { return s.c.Reply(s.ctx, id, d) },
		func(s *session, id string, d client.Draft) (*api.Preview, error) {
			return s.c.PreviewReply(s.ctx, id, d)
		},
	})
}

func (p *program) forwardCommand() *cobra.Command {
	var f draftFlags
	cmd := &cobra.Command{
		Use:     "forward ID|latest --to ADDRESS [TEXT|-]",
		Short:   "Forward a message, with its attachments",
		Long:    "Forward a message, with its attachments. TEXT comes before it; there may be none.",
		Example: "  mailkin forward latest --to kim@example.com 'For you.'",
		Args:    idAndText,
	}
	f.add(cmd)
	f.unfinished = true
	return p.draftCommand(cmd, &f, 1, sendWay{
		func(s *session, id string, d client.Draft) (*api.Sending, error) { return s.c.Forward(s.ctx, id, d) },
		func(s *session, id string, d client.Draft) (*api.Preview, error) {
			return s.c.PreviewForward(s.ctx, id, d)
		},
	})
}
