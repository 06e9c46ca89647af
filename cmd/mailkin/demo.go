package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/smtp"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show what Mailkin does, on a temporary server, in a few seconds",
		Long: `Start a server in a temporary folder on free ports, get a mailbox, send it a mail with a code by SMTP,
wait for the code, read, search, claim, reply, and look at the events; then take everything away
again. Each step is a command of this program, printed as it is run. Nothing leaves the machine.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := p.demo(); err != nil {
				return failure{err}
			}
			return nil
		},
	}
}

// demo is the server of a demonstration, and the program that shows it.
type demo struct {
	p       *program
	out     screen
	dir     string
	at      app.Addrs
	token   string
	mailbox string
}

// temporaryFolder makes one for data that goes with the end of the command.
func temporaryFolder() (string, error) {
	dir, err := os.MkdirTemp("", "mailkin-")
	if err != nil {
		return "", &fault{status: exitFailed, text: "no folder can be made in " + os.TempDir(),
			next: "Set TMPDIR to a folder that can be written to.", err: err}
	}
	return dir, nil
}

func (p *program) demo() (err error) {
	dir, err := temporaryFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	cfg, err := config.Load(config.Source{Flags: map[string]string{
		"data-dir": filepath.Join(dir, "data"), "http-addr": "127.0.0.1:0", "smtp-addr": "127.0.0.1:0",
	}})
	if err != nil {
		return err
	}
	ctx, stop := p.untilSignal()
	defer stop()
	a, err := app.Open(ctx, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return fmt.Errorf("start a server: %w", err)
	}
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ran, a.Close())
	}()
	token, err := os.ReadFile(cfg.TokenFile())
	if err != nil {
		return err
	}
	d := &demo{p: p, out: p.screen(p.stdout), dir: dir, at: a.Addrs(), token: strings.TrimSpace(string(token))}
	return d.tell(ctx)
}

// tell runs one step after the other.
func (d *demo) tell(ctx context.Context) error {
	d.head("A server: HTTP on " + d.at.HTTP + ", SMTP on " + d.at.SMTP + ", everything in " + d.dir)
	for _, step := range []func() error{d.getMailbox, d.receive, d.read, d.claim, d.answer} {
		if ctx.Err() != nil {
			return errors.New("the demonstration was ended by a signal")
		}
		if err := step(); err != nil {
			return err
		}
	}
	d.head("That was all. The server stops, and the folder is taken away.")
	return nil
}

func (d *demo) head(text string) {
	// a demonstration that nobody sees has not failed
	_ = d.out.trusted("\n" + d.out.styled(bold, "# "+line(text)) + "\n")
}

// command runs a command of this program against the server, shows it, and returns what it printed.
func (d *demo) command(args ...string) (string, error) { return d.as("", args...) }

// as is command with another key than that of the profile.
func (d *demo) as(key string, args ...string) (string, error) {
	shown := "mailkin"
	for _, a := range args {
		shown += " " + quote(a)
	}
	if key != "" {
		shown = "MAILKIN_API_KEY=$(mailkin secret show token) " + shown
	}
	_ = d.out.trusted(d.out.styled(dim, "$ "+line(shown)) + "\n") // as above
	printed := &bytes.Buffer{}
	status := d.program(key, io.MultiWriter(printed, d.p.stdout), args).run()
	if status != exitOK {
		return "", fmt.Errorf("%q ended with status %d", strings.Join(args, " "), status)
	}
	return strings.TrimSpace(printed.String()), nil
}

// program is this program as the owner of the mailbox runs it.
func (d *demo) program(key string, stdout io.Writer, args []string) *program {
	sub := &program{args: args, stdout: stdout, stderr: d.p.stderr, terminal: func(io.Writer) (int,
		bool) {
		return d.out.width, d.out.isTerminal()
	},
		environ: []string{"XDG_CONFIG_HOME=" + d.dir, urlVariable + "=http://" + d.at.HTTP}}
	if key != "" {
		sub.environ = append(sub.environ, keyVariable+"="+key)
	}
	if !d.out.colours {
		sub.environ = append(sub.environ, "NO_COLOR=1")
	}
	return sub
}

func (d *demo) getMailbox() (err error) {
	d.head("An agent gets a mailbox by asking for one")
	d.mailbox, err = d.command("bootstrap")
	return err
}

// receive waits for a code while somebody sends it.
func (d *demo) receive() error {
	d.head("It waits for a code, while a shop sends one by SMTP")
	_ = d.out.trusted(d.out.styled(dim, "$ mailkin code --timeout 1m") + "\n")
	var printed bytes.Buffer
	waiting, status, enough := d.program("", &printed, []string{"code", "--timeout", "1m"}), make(chan int, 1),
		make(chan os.Signal, 1)
	waiting.signals = enough
	go func() { status <- waiting.run() }()
	mail := "From: Shop <hello@shop.example>\r\nTo: " + d.mailbox + "\r\nSubject: Your sign-in code\r\n" +
		"Message-ID: <demo-1@shop.example>\r\nDate: " + time.Now().Format(time.RFC1123Z) + "\r\n\r\n" +
		"Hello,\r\n\r\nyour verification code is 482915. It is valid for ten minutes.\r\n\r\nThe shop\r\n"
	err := bring(d.at.SMTP, "hello@shop.example", d.mailbox, mail)
	taken := time.Now()
	if err != nil {
		enough <- os.Interrupt // it would wait in vain
	}
	if s := <-status; err == nil && s != exitOK {
		err = fmt.Errorf("waiting for the code ended with status %d", s)
	}
	if err != nil {
		return fmt.Errorf("receive a code: %w", err)
	}
	_ = d.out.text(printed.String())
	d.out.say("(%d ms after the server had taken the mail)", time.Since(taken).Milliseconds())
	return nil
}

// bring hands a message to a mail server on this machine, in the clear: its certificate is of its own making.
func bring(addr, from, to, mail string) error {
	conn, err := net.DialTimeout("tcp", addr, 10*time.Second)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	c, err := smtp.NewClient(conn, "127.0.0.1")
	if err != nil {
		return err
	}
	if err := errors.Join(c.Mail(from), c.Rcpt(to)); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, mail); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.Quit()
}

func (d *demo) read() error {
	d.head("It reads the message, and finds it again")
	if _, err := d.command("read", "latest"); err != nil {
		return err
	}
	_, err := d.command("search", "from:shop code")
	return err
}

func (d *demo) claim() error {
	d.head("A temporary mailbox only receives. A person makes it permanent: here the operator, without a browser")
	started, err := d.command("claim", "robin", "--no-wait", "--json")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(started, `"session_id"`)
	parts := strings.SplitN(rest, `"`, 3)
	if len(parts) < 3 {
		return errors.New("the claim has no session")
	}
	session := parts[1]
	if _, err := d.as(d.token, "claim", "confirm", session); err != nil {
		return err
	}
	_, err = d.command("claim", "--session", session)
	return err
}

func (d *demo) answer() error {
	d.head("Now it can answer. Without a setting that says otherwise mail to others is captured: kept and shown, and " +
		"not sent")
	id, err := d.command("reply", "latest", "--force", "Thank you, it worked.")
	if err != nil {
		return err
	}
	d.head("Everything that happened, as any number of programs can follow it")
	if _, err := d.command("events", "--since", "1h", "--types", "message.received,message.sent", "--count", "2",
		"--for", "1m"); err != nil {
		return err
	}
	for range 100 { // what is sent leaves the queue a moment later
		var status bytes.Buffer
		if d.program("", &status, []string{"read", id, "--jq", ".status"}).run() != exitOK ||
			!strings.Contains(status.String(), "queued") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	_, err = d.command("read", id)
	return err
}
