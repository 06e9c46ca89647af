package mailbox_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want mailbox.Kind
	}{
		{"ours", mailbox.Errorf(mailbox.Conflict, "taken", "Taken."), mailbox.Conflict},
		{"wrapped", fmt.Errorf("create: %w", mailbox.InvalidField("name", "Too long.")), mailbox.Invalid},
		{"joined", errors.Join(fs.ErrNotExist, mailbox.Errorf(mailbox.Limited, "slow_down", "Slow down.")),
			mailbox.Limited},
		{"another's", fs.ErrNotExist, mailbox.Internal},
		{"none", nil, mailbox.Internal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mailbox.KindOf(tt.err); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestErrorKeepsItsCause(t *testing.T) {
	err := error(&mailbox.Error{Kind: mailbox.Unavailable, Code: "store", Message: "Try again.", Err: fs.ErrClosed})
	if !errors.Is(err, fs.ErrClosed) {
		t.Error("the cause is lost")
	}
	if got, want := err.Error(), "store: Try again.: file already closed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
