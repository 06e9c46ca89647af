package service

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Knock hands in a small mail for an address where mail from outside comes in, by SMTP, and returns what was answered.
type Knock func(ctx context.Context, to string) (reply string, taken bool)

// Knocked is what became of a test mail.
type Knocked struct {
	Taken bool
	Reply string // in the words of SMTP, or why there was none
}

// TestMail sends a mailbox a mail on the way that mail from strangers takes.
func (s *Service) TestMail(ctx context.Context, in Access) (k Knocked, err error) {
	if s.opt.Knock == nil {
		return k, mailbox.Errorf(mailbox.Unimplemented, "no_smtp", "This service does not take mail by SMTP.")
	}
	k.Reply, k.Taken = s.opt.Knock(ctx, in.Box.Address)
	return k, nil
}
