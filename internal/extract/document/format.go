package document

import (
	"bytes"
	"path"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/document/pdf"
)

// Cost is roughly what reading takes.
type Cost uint8

// The costs.
const (
	Unreadable Cost = iota // nothing to read
	Cheap                  // microseconds: can be done while the mail comes in
	Slow                   // milliseconds, at worst all of Limits.Time
)

// Kind tells from what the mail says whether an attachment can be read, and what that takes. An attachment the mail
// says nothing of may be anything, and is Slow until its bytes were seen.
func Kind(p Part) Cost { return formatOf(p).cost() }

// Glance is Kind for an attachment whose first bytes are at hand, HeadBytes of them if it has as many.
func Glance(p Part, head []byte) Cost {
	f := formatOf(p)
	if f == unreadable {
		return Unreadable
	}
	return sniff(f, head).cost()
}

// HeadBytes is how many bytes the first look takes.
const HeadBytes = 1024

// format is a kind of document.
type format uint8

const (
	unreadable format = iota
	unknown           // the bytes have to say
	plain
	html
	xmlText
	calendar // and cards
	rtf
	message
	zipped // what is in the archive says what it is
	portable
)

func (f format) cost() Cost {
	switch f {
	case unreadable:
		return Unreadable
	case plain, html, xmlText, calendar, rtf:
		return Cheap
	}
	return Slow
}

// need is how many bytes of an attachment are read.
func (f format) need(lim Limits) int64 {
	text := int64(lim.Text)
	switch f {
	case plain:
		return min(lim.Size, 4*text+4) // the widest characters have four bytes
	case html, xmlText, calendar, rtf:
		return min(lim.Size, max(16*text, 1<<20)) // markup and pictures are most of it
	}
	return lim.Size
}

// formatOf decides by the type, and by the file name where the type says nothing.
func formatOf(p Part) format {
	t := strings.ToLower(p.ContentType)
	if end := strings.IndexByte(t, ';'); end >= 0 {
		t = t[:end]
	}
	t = strings.TrimSpace(t)
	if isVague(t) {
		return byName(p.Filename)
	}
	if f, ok := types[t]; ok {
		return f
	}
	switch major, minor, _ := strings.Cut(t, "/"); {
	case strings.HasSuffix(minor, "+json"):
		return plain
	case strings.HasSuffix(minor, "+xml") && major != "image":
		return xmlText
	case strings.HasPrefix(minor, "vnd.openxmlformats-officedocument."),
		strings.HasPrefix(minor, "vnd.oasis.opendocument."):
		return zipped
	case major == "text":
		return plain
	}
	return unreadable
}

// isVague says whether a type is what senders write who know none, or often write wrong.
func isVague(t string) bool {
	switch t {
	case "", "application/octet-stream", "binary/octet-stream", "application/binary", "application/unknown",
		"application/x-download", "application/download", "application/force-download", "application/save",
		"application/zip", "application/x-zip", "application/x-zip-compressed",
		"application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/excel":
		return true // QUIRK: .csv is sent as Excel, .rtf and .docx as Word
	}
	return false
}

var types = map[string]format{
	"text/html": html, "application/xhtml+xml": html,
	"application/json": plain, "application/x-ndjson": plain, "application/ld+json": plain, "application/csv": plain,
	"application/yaml": plain, "application/x-yaml": plain, "application/toml": plain, "application/sql": plain,
	"application/javascript": plain, "application/x-sh": plain, "application/x-tex": plain,
	"application/pgp-signature": unreadable,
	"application/xml":           xmlText, "text/xml": xmlText,
	"text/calendar": calendar, "application/ics": calendar, "text/vcard": calendar, "text/x-vcard": calendar,
	"text/directory": calendar, "text/x-vcalendar": calendar,
	"text/rtf": rtf, "application/rtf": rtf, "application/x-rtf": rtf,
	"message/rfc822": message, "message/global": message,
	"application/pdf": portable, "application/x-pdf": portable, "application/acrobat": portable, "text/pdf": portable,
}

// byName decides by the ending of a file name.
func byName(n string) format {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(n), "."))
	if f, ok := extensions[ext]; ok {
		return f
	}
	return unknown
}

var extensions = map[string]format{
	"txt": plain, "text": plain, "md": plain, "markdown": plain, "csv": plain, "tsv": plain, "json": plain,
	"log":  plain,
	"yaml": plain, "yml": plain, "toml": plain, "ini": plain, "conf": plain, "sql": plain, "tex": plain, "diff": plain,
	"patch": plain, "jsonl": plain,
	"html": html, "htm": html, "xhtml": html, "xml": xmlText,
	"ics": calendar, "ical": calendar, "vcf": calendar, "rtf": rtf, "eml": message, "pdf": portable,
	"docx": zipped, "docm": zipped, "dotx": zipped, "xlsx": zipped, "xlsm": zipped, "pptx": zipped, "ppsx": zipped,
	"odt": zipped, "ods": zipped, "odp": zipped, "ott": zipped,
	"png": unreadable, "jpg": unreadable, "jpeg": unreadable, "gif": unreadable, "webp": unreadable, "mp3": unreadable,
	"mp4": unreadable, "mov": unreadable, "exe": unreadable, "gz": unreadable, "tgz": unreadable, "rar": unreadable,
	"7z": unreadable, "p7s": unreadable,
}

// sniff corrects the format by the first bytes, where these leave no doubt.
func sniff(f format, head []byte) format {
	switch {
	case pdf.Is(head) && (f == unknown || bytes.HasPrefix(head, []byte("%PDF-"))):
		return portable
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return zipped
	case bytes.HasPrefix(head, []byte(`{\rtf`)):
		return rtf
	case f == unknown:
		return unreadable
	}
	return f
}
