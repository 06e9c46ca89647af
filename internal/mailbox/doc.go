// Package mailbox holds the nouns of Mailkin (Mailbox, Key, Message, Thread, Event, Reject, Limits, Error) and the
// rules about them that need no I/O: who may do what, what a name may look like, which state follows which.
//
// It imports the standard library alone, so that every other package can share its words.
package mailbox
