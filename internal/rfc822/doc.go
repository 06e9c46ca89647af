// Package rfc822 reads a mail message, whatever its bytes are.
//
// A [Parser] is fed with Write and makes one pass. It never holds the message: what it keeps are the header
// blocks, the text of the body up to [Limits], and for every attachment where its still encoded bytes lie in
// the raw message, how large it is decoded and its SHA-256. [Part.Decode] later turns that range of the raw
// message into the same bytes.
//
// A parse never fails. Mail is written by programs of forty years, and by people who wish the reader ill, so
// every rule has a second half that says what to do when it is broken; what was broken is named in
// [Message.Defects]. Bombs (nesting, part counts, endless headers) stop the reading of structure, never the
// reading of the message.
//
// How the bytes flow:
//
//	Write ─► lines of a header block ─► entity opened: multipart, message or leaf
//	      └► body bytes, cut at boundary lines ─► leaf: transfer decoding ─► hash, or text kept
//
// and at the end the kept texts, which form a tree of alternatives and sequences, become Text and HTML.
//
// The reader works on RFC 5322, 2045 to 2049, 2231, 3676 and 6532. Where mail in the wild does something
// else, the code says QUIRK.
package rfc822
