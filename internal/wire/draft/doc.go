// Package draft reads the JSON body of POST /v1/send, /v1/reply, /v1/forward and /v1/drafts (API 7) while it comes in.
//
// Such a body may have 140 MB, nearly all of it attachments in base64. Nothing of it is held that need not be: the
// content of an attachment is decoded as it is read and goes to a Spool, which keeps small ones in memory and the rest
// in a file; every other field has a bound, and reading stops at the first byte above it. A body with one attachment of
// 100 MB takes about 150 KB of memory.
//
// A body means what encoding/json would make of it, and so the same as everywhere else in the interface: names are
// exact, unknown ones are ignored, the last of several members with the same name counts, null counts as not given,
// invalid UTF-8 and half surrogate pairs become U+FFFD, and a string with a NUL is refused. There are three
// differences, all because nothing is read twice. What is not known may be nested 64 deep and not 10,000. A member of
// the wrong type is refused at once, even if another of its name would follow. And where a body has several faults, the
// first is told.
//
// What the fields say is not judged here: whether an address is one, whether there is a recipient, a subject or a body,
// and which headers may be set, is for the service.
//
// Errors are of type *mailbox.Error: Invalid for what the caller got wrong, TooLarge above a size limit, DiskFull where
// the spool cannot be written. An error of the body's own reader is wrapped and returned.
package draft
