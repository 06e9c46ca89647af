// Package document reads the text of attachments, so that they can be searched and read without being opened.
//
// [Read] never fails and never panics: what cannot be read has a [Status] that says why. It reads text in any character
// set, JSON, CSV, HTML, XML, calendars and cards, RTF, nested messages, the zipped XML of word processors, spreadsheets
// and slides (OOXML and OpenDocument), and PDF.
//
//	Part (what the mail says) ─► format: type, else file name, else the first bytes ─► reader ─► plain text, cut
//
// Attachments are the most hostile bytes there are. A reader holds no more than Limits.Memory, works no longer than
// Limits.Time and unpacks a bounded amount; it opens nothing the document refers to. When a limit ends the reading,
// what was read until then is given and marked as truncated.
//
// Plain formats cost microseconds and only their beginning is read; archives and PDF cost milliseconds, at worst
// Limits.Time. [Kind] tells them apart by what the mail says, so that the first can be read while the mail comes in and
// the others later.
package document
