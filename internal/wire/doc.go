// Package wire makes the JSON of the interface: it converts the nouns of package mailbox to the types of package api.
// Its own types with JSON tags are what older clients are answered, and what providers are told and tell.
//
// Strings are never null, and lists are never null, except where a type says so. The list form of a message and the
// event, which are by far the most often written, have encoders of their own (AppendEmails, AppendEvent); tests hold
// them to what encoding/json makes of the same struct.
package wire
