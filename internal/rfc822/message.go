package rfc822

import (
	"time"

	"github.com/mailkin/mailkin/internal/view"
)

// Message is what a parse found. All its strings are valid UTF-8 without NUL; line ends in Text and HTML are
// "\n".
type Message struct {
	Header Header // the top header

	From, Sender, ReplyTo, To, Cc, Bcc []Address

	Subject   string
	MessageID string // without angle brackets

	// InReplyTo and References hold ids without brackets, each once, at most 100: the first and the last 99.
	InReplyTo, References []string

	Date time.Time // zero where there is none that can be read

	Text, HTML    string
	TextFromHTML  bool // some of Text was made from HTML
	Alternative   bool // Text is another form of HTML, and mail programs show the HTML
	TextTruncated bool
	HTMLTruncated bool

	Parts   []Part // attachments and inline parts, in order of appearance; body texts are not among them
	Defects []Defect

	Size        int64 // raw bytes
	DecodedSize int64 // decoded bytes of all leaf parts, bodies included

	// Digest is the same for a message that is delivered twice: it covers Message-ID, From, To, Cc, Subject,
	// Date and the raw body, not what relays add on the way. Zero where Limits do not ask for it.
	Digest [32]byte

	html *node      // HTML is of it alone
	view *view.View // once it was asked for
}

// View is HTML as a person sees it, nil where there is none. It is read once.
func (m *Message) View() *view.View {
	switch {
	case m.view != nil || m.HTML == "":
	case m.html != nil:
		m.view = m.html.seen()
	default:
		m.view = view.ReadString(m.HTML)
	}
	return m.view
}

// Defect names one way in which a message breaks the rules.
type Defect string

// The defects a parse reports.
const (
	DefectMboxLine          Defect = "mbox-from-line"
	DefectHeaderMissing     Defect = "header-missing"
	DefectHeaderLine        Defect = "header-line-without-colon"
	DefectHeaderUnended     Defect = "header-end-missing"
	DefectHeaderSize        Defect = "header-too-large"
	DefectHeaderFields      Defect = "too-many-header-fields"
	DefectBoundaryMissing   Defect = "boundary-missing"   // none was declared
	DefectBoundaryGuessed   Defect = "boundary-guessed"   // another than declared is in use
	DefectBoundaryNotFound  Defect = "boundary-not-found" // the declared one never occurs
	DefectBoundaryGlued     Defect = "boundary-not-on-own-line"
	DefectEndMissing        Defect = "end-boundary-missing"
	DefectPartAfterEnd      Defect = "part-after-end-boundary"
	DefectTooDeep           Defect = "too-deep"
	DefectTooManyParts      Defect = "too-many-parts"
	DefectEncodingUnknown   Defect = "transfer-encoding-unknown"
	DefectEncodingWrong     Defect = "transfer-encoding-wrong" // the body is not in the declared encoding
	DefectEncodedContainer  Defect = "encoded-container"       // a multipart or message in base64 or quoted-printable
	DefectBase64            Defect = "base64-garbage"
	DefectUUEncode          Defect = "uuencode-broken"
	DefectCharsetUnknown    Defect = "charset-unknown"
	DefectContentType       Defect = "content-type-malformed"
	DefectDate              Defect = "date-malformed"
	DefectFromMissing       Defect = "from-missing"
	DefectBareCarriageLines Defect = "bare-cr-line-ends"
)

// Address is one mailbox of an address field. Address keeps its case.
type Address struct{ Name, Address string }
