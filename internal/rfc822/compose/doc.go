// Package compose writes a mail message: a described [Mail] becomes its bytes, the same ones each time.
//
// What comes out can go to any server: lines end with CR LF and have at most 998 characters (78 where that is
// possible), and all of it is ASCII, except addresses with a local part that is not, for which [Mail.NeedsUTF8]
// says so. There is no Bcc.
//
//	Mail ─► Check ─► plan: header lines, texts, attachments, in order ─► Reader encodes one piece at a time
//
// Nothing that a caller gives can become a header field or a part of its own. Where a value can be written without
// what is wrong in it, it is: control characters in subjects, names and file names become blanks or vanish, bytes
// that are no UTF-8 become U+FFFD, and ids of other people's messages that cannot be written are left out. Where it
// cannot (addresses, our own id, added fields, content ids), [Mail.Check] refuses it in one sentence.
//
// The tree of parts has only the levels that are needed:
//
//	mixed
//	├── alternative
//	│   ├── text/plain
//	│   └── related
//	│       ├── text/html
//	│       └── attachments that the HTML shows by cid:
//	└── the other attachments
//
// HTML alone stays alone: a text that is made from it says nothing that a reader could not make better for itself.
//
// A text is 7bit if it is plain ASCII with lines that fit, else quoted-printable, or base64 if much of it is not ASCII.
// A text always ends with a line end; one is added where it is missing. Attachments are base64. Boundaries begin with
// "=_", which neither encoding can produce; what is not encoded is searched for the boundary first.
//
// The writer follows RFC 5322, 2045 to 2047, 2049, 2231, 2387 and 6532. [ParseAddress] is the strict reading of what a
// caller returns as an address.
package compose
