// Package wire holds the JSON of the interface: one tagged struct for each object that goes out, and the conversion
// from the nouns of package mailbox. No other package has JSON tags, so what callers see is all here.
//
// Strings are never null, and lists are never null, except where a comment says so. Times are ISO 8601 in UTC with
// milliseconds. The list form of a message and the event, which are by far the most often written, have encoders of
// their own (AppendEmails, AppendEvent); tests hold them to what encoding/json makes of the same struct.
package wire
