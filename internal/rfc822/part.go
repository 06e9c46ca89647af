package rfc822

// Part is an attachment, an inline object, or a nested message.
type Part struct {
	Index       int    // 1, 2, 3… among Message.Parts
	Path        string // as in IMAP: "1.2"
	ContentType string // lower-case type/subtype; application/octet-stream where unknown
	Charset     string // as declared, lower-case
	Filename    string // a bare file name that is safe to store under; "" where unnamed
	Disposition string // "attachment" or "inline"
	ContentID   string // without angle brackets

	Offset, Length int64 // where the encoded body lies in the raw message
	Encoding       Encoding
	// Inner is set for the few parts that lie inside something encoded as a whole: a base64 message, or
	// uuencode inside quoted-printable. It is the range within what Offset, Length and Encoding give.
	Inner *Window

	Size   int64 // decoded bytes
	SHA256 [32]byte
}

// Window is a range of decoded bytes which are encoded once more.
type Window struct {
	Offset, Length int64
	Encoding       Encoding
}

// Encoding is how a part's bytes lie in the message.
type Encoding uint8

// The encodings; 7bit, 8bit and binary are all Identity.
const (
	Identity Encoding = iota
	Base64
	QuotedPrintable
	UUEncode
)
