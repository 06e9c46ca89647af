package resend

import "github.com/mailkin/mailkin/internal/mailbox"

// HookBody is an event as it is posted to programs that were written for Resend, and its name there.
func HookBody(mailbox.Event) (name string, body []byte) { return "", nil }
