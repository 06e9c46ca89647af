package mailbox

import (
	"errors"
	"fmt"
	"time"
)

// Kind sorts errors by what the caller can do about them. Each edge has one table from Kind to its reply.
type Kind uint8

const (
	Internal        Kind = iota // our fault; the caller is told nothing else
	Invalid                     // the request is wrong: a field, a parameter, an address
	Unauthorized                // no key, or not one of ours
	Forbidden                   // the key is for another mailbox: the exact body of SPEC 7
	Denied                      // the key's scope may not do this
	Paused                      // the mailbox is paused: the exact body of SPEC 7
	NotFound                    // no such thing, or not yours
	Conflict                    // taken, or changed meanwhile
	TooLarge                    // above a size limit
	Limited                     // above a rate limit; RetryAfter says when to come back
	Unimplemented               // not in this deployment
	Unavailable                 // a part we need does not answer now; try again
	DiskFull                    // too little free disk for new mail; try again later
	QuotaFull                   // this mailbox holds as much as it may
	NoRoom                      // the caller's own mailbox does, and cannot keep what is to be sent
	NoSuchRecipient             // mail for an address that is not here
	TooManyHops                 // a mail loop
	Lapsed                      // mail for a domain that is not known to be its owner's any more; try again later
	KeyLost                     // the key that the mailbox is encrypted with is not there; an operator puts it back
	kindCount
)

// Kinds lists every kind, for the tests that walk the edges' tables.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// Error is what a verb of the service answers when it cannot do as asked. Message may be shown to the caller; Err is
// only for the log.
type Error struct {
	Kind    Kind
	Code    string // snake_case, for programs
	Message string // one clear sentence, for people
	Field   string // the field or parameter that is wrong, where it is one
	Err     error

	RetryAfter time.Duration // when it is worth trying again; zero: not known
	Version    int64         // the current version of the thing, where the request named another one; 0: none
	Quota      *Quota        // the limit that was reached; nil: none that can be counted
}

// Quota is how much of a limit is used, and when that starts over.
type Quota struct {
	Limit, Used int64
	ResetsAt    time.Time
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return e.Code + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an error of a kind with a sentence for the caller.
func Errorf(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// InvalidField is a request whose field or parameter is wrong.
func InvalidField(field, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Code: "invalid_" + field, Field: field, Message: fmt.Sprintf(format, args...)}
}

// InvalidAs is a request whose field is wrong for a reason found elsewhere; only the reason's message is shown.
func InvalidAs(field string, err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return InvalidField(field, "%s", known.Message)
	}
	return InvalidField(field, "%v", err)
}

// KindOf tells the kind of any error: Internal for one that is not ours.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
