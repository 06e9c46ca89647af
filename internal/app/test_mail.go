package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"time"
)

// knockTime is how long a test mail may take.
const knockTime = 10 * time.Second

// knock sends an address a test mail through the listener that mail from outside comes in by.
func (a *App) knock(ctx context.Context, to string) (reply string, taken bool) {
	ctx, cancel := context.WithTimeout(ctx, knockTime)
	defer cancel()
	err := a.sendTest(ctx, to)
	var refused *textproto.Error
	switch {
	case err == nil:
		return "250", true
	case errors.As(err, &refused):
		return fmt.Sprintf("%d %s", refused.Code, refused.Msg), false
	}
	a.log.Warn("test mail failed", "error", err)
	return "The SMTP server of this service did not answer; its log says more.", false
}

func (a *App) sendTest(ctx context.Context, to string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", a.addrs.SMTP)
	if err != nil {
		return err
	}
	defer conn.Close()
	until, _ := ctx.Deadline()
	if err := conn.SetDeadline(until); err != nil {
		return err
	}
	c, err := smtp.NewClient(conn, a.cfg.Hostname)
	if err != nil {
		return err
	}
	from := "test-mail@" + a.cfg.Hostname
	for _, step := range []func() error{func() error { return c.Mail(from) }, func() error { return c.Rcpt(to) }} {
		if err := step(); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	_, _ = fmt.Fprintf(w, "From: Mailkin <%s>\r\nTo: <%s>\r\nSubject: A test mail\r\nDate: %s\r\n"+
		"Message-ID: <%d@%s>\r\n\r\nThis mail came by SMTP, as mail from anybody does.\r\n",
		from, to, now.Format(time.RFC1123Z), now.UnixNano(), a.cfg.Hostname) // Close says what went wrong
	if err := w.Close(); err != nil {
		return err
	}
	_ = c.Quit() // it is taken
	return nil
}
