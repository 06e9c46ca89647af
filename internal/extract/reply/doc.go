// Package reply finds what somebody wrote in a mail, without the quoted history and the signature.
//
// A mail is read as lines. History begins at a line that says so: an attribution ("On Monday Ann wrote:", in some
// fifty languages, broken over several lines or not), the head of an older message (From, Sent, To, Subject), a
// separator ("-----Original Message-----") or the beginning of a forward. What decides is mostly the shape of the line
// (an address, a date, a time, a colon at the end, quoted lines below it), so that a language without a word in the
// tables is still read right most of the time. HTML says more than text: there the elements that clients put around
// history and signatures become marks between the lines, and the same rules read the result.
//
//	Mail ─► lines with their depth of quotation ─► history marked ─► signatures dropped ─► composed
//
// What comes out:
//
//   - an answer above or below the history is given alone;
//   - answers between quoted lines are given with the quoted lines they answer, without the ones at the end, and are
//     called inline. So are quotations that nothing introduces: somebody chose them;
//   - a forward gives the note above it, and without a note what was forwarded;
//   - a greeting and a name at the end ("Best regards, Bob") are part of what was written. A signature begins at its
//     delimiter, at the element a client puts it into, or where a name is followed by addresses and phone numbers;
//     lines that devices and programs add, footers of lists, legal notices and warnings of gateways go as well.
//
// When in doubt a line is kept: a line too much can be read over, a line too few is not seen by anybody.
//
// Time and memory are linear in the size of the mail.
package reply
