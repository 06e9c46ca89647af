package draft

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func notObject() error {
	return mailbox.Errorf(mailbox.Invalid, "invalid_body", "The body is not a JSON object.")
}

func tooDeep() error {
	return mailbox.Errorf(mailbox.Invalid, "invalid_body",
		"The body is nested too deeply: at most %d levels are taken.", skipDepth)
}

// invalid is a wrong field. The code has the field of the body, whichever of its parts is wrong.
func invalid(field, format string, args ...any) error {
	top, _, _ := strings.Cut(field, "[")
	return &mailbox.Error{Kind: mailbox.Invalid, Code: "invalid_" + top, Field: field, Message: fmt.Sprintf(format,
		args...)}
}

func wrongType(field, want string) error {
	return invalid(field, "The field %q must be %s.", field, want)
}

func tooLong(field string, most int) error {
	return invalid(field, "The field %q is too long: at most %d bytes are taken.", field, most)
}

func tooMany(field string, most int) error {
	return invalid(field, "The field %q has too many entries: at most %d are taken.", field, most)
}

// tooLarge is a field above a limit of the deployment.
func tooLarge(field, code string, most int64) error {
	return &mailbox.Error{Kind: mailbox.TooLarge, Code: code, Field: field,
		Message: fmt.Sprintf("The field %q is too large: at most %d bytes are taken.", field, most)}
}

// messageTooLarge is a draft whose parts are too large together.
func messageTooLarge(most int64) error {
	return mailbox.Errorf(mailbox.TooLarge, "message_too_large",
		"The message is too large: its text, HTML and attachments may have %d bytes together.", most)
}

// noSpace is a spool that cannot be written.
func noSpace(doing string, err error) error {
	e := &mailbox.Error{Kind: mailbox.DiskFull, Code: "storage_unavailable",
		Message: "Nothing can be stored right now; try again later.", Err: fmt.Errorf("%s: %w", doing, err)}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		e.Code, e.Message = "disk_full", "The disk is full, so nothing can be stored; deleting mail makes room. Try "+
			"again later."
	}
	return e
}
