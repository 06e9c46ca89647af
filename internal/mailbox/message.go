package mailbox

import (
	"slices"
	"strings"
	"time"
)

// Direction is which way a message went.
type Direction string

const (
	Inbound  Direction = "inbound"
	Outbound Direction = "outbound"
)

// Address is a person in a header.
type Address struct{ Name, Address string }

// Has reports whether the address or the name contains a text, which is given in lower case.
func (a Address) Has(part string) bool {
	return strings.Contains(strings.ToLower(a.Address), part) || strings.Contains(strings.ToLower(a.Name), part)
}

// Clone returns a copy of the address that shares no memory.
func (a Address) Clone() Address {
	return Address{Name: strings.Clone(a.Name), Address: strings.Clone(a.Address)}
}

// Text writes an address as a draft may hold it.
func (a Address) Text() string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, a.Name)
	if strings.TrimSpace(name) == "" {
		return a.Address
	}
	return `"` + quoted.Replace(name) + `" <` + a.Address + `>`
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Message is a message as lists show it. Its bodies are in Detail, which lists never touch.
type Message struct {
	ID        ID
	Mailbox   Num
	Seq       int64 // place in the mailbox: grows with each message and event
	Thread    ID
	Direction Direction
	Status    string // "received" for inbound
	From      Address
	To        string // the first recipient's address
	Subject   string
	Snippet   string
	Code      string // verification code, empty if none
	Taken     bool   // the code was handed out to a call that consumes it
	MessageID string // without angle brackets

	ReceivedAt  time.Time
	Size        int64 // raw bytes
	Attachments int
	Seen        bool
	Labels      []string // sorted
	Recipient   string   // the address of this mailbox it was delivered to, as the sender wrote it

	Verdict  Verdict // about the sender
	Screened string  // the verdict of its screening, where a list was asked for that; it is not stored

	Held bool // it waits for approval: its event is message.held, not message.sent

	// Digest recognises a message that is delivered twice (API 5). Only messages with a Message-ID are compared.
	Digest Digest
}

// Digest is the beginning of a SHA-256: enough to tell one sender's messages apart. It is zero where it was not worked
// out, because it is only needed when two messages have the same Message-ID, which is rare.
type Digest [16]byte

// Detail is what only the message's own page shows.
type Detail struct {
	To, Cc, Bcc, ReplyTo []Address
	Author               Address // the first that From names, whether it counts or not
	Subject              string  // whole; a list's may be cut
	Text, HTML           string
	TextFromHTML         bool   // some of Text was made from HTML
	Alternative          bool   // Text is another form of HTML, and mail programs show the HTML
	Compared             int    // version of the rules that found Text and HTML to agree; 0: none did
	PlainPart            string // the plain part of a body, where it contradicts HTML and so is not Text
	TextTruncated        bool
	HTMLTruncated        bool
	Headers              []Field
	InReplyTo            string
	References           []string
	Date                 time.Time // as the sender says; zero if not said
	Parts                []Part
	Defects              []string // what was wrong with the message's form
	Envelope             Trace
	Tags                 []string // that the sender gave a message that was sent

	// What was understood of the message. It is not stored: it is worked out when it is asked for.
	ReplyText      string
	InlineReply    bool // the answer is between the quoted lines
	Links          []Link
	CodeCandidates []CodeCandidate
	Screening      Screening
	Texts          map[int]PartText  // of attachments, by their index
	TextScreenings map[int]Screening // of these texts
	Deliveries     []Delivery        // of a message that was sent
	Review         *Review           // of one that was held; nil: it was not
	Report         *Report           // what a mail system says about a message that was sent; nil: it is none

	view func() any
}

// View is what a person sees of HTML, as package view reads it; nil where nobody has set it. It is not stored.
func (d *Detail) View() any {
	if d.view == nil {
		return nil
	}
	return d.view()
}

// SetView says how to read HTML. It is asked when somebody wants to know, and should remember the answer.
func (d *Detail) SetView(read func() any) { d.view = read }

// Screening is whether a message tries to give orders to a model that reads it.
type Screening struct {
	Verdict  string // "clean", "flagged", "dangerous"; empty: not screened
	Findings []Finding
}

// With joins the screening of a message with that of something it carries: the worse verdict, and all findings.
func (s Screening) With(other Screening) Screening {
	if slices.Index(verdicts, other.Verdict) > slices.Index(verdicts, s.Verdict) {
		s.Verdict = other.Verdict
	}
	room := max(0, maxFindings-len(s.Findings))
	s.Findings = append(slices.Clip(s.Findings), other.Findings[:min(len(other.Findings), room)]...)
	return s
}

// maxFindings is how many of a message and its attachments are listed.
const maxFindings = 60

// verdicts are those of a screening, the worst last.
var verdicts = []string{"", "clean", "flagged", "dangerous"}

// Finding is one such attempt.
type Finding struct {
	Rule    string
	Layer   string // where it stands: "text", "hidden", …
	Excerpt string
	Part    int // the index of the attachment in whose text it stands; 0: of none
}

// Report is what a mail says about another one: a bounce, a delay, a complaint, an automatic answer. Anyone can write
// such a mail, so it is only a claim.
type Report struct {
	Class      string // "bounce", "delayed", "delivered", "complaint", "autoreply"
	MessageID  string // of the original, without angle brackets; empty if not said
	Feedback   string // of a complaint: "abuse", …
	Recipients []ReportedRecipient
}

// ReportedRecipient is what is said about one recipient.
type ReportedRecipient struct {
	Address string
	Status  string // enhanced status code, empty if not said
	Hard    bool   // it will never work
	Text    string // the other server's words
}

// Link is a link of a message and what it is for.
type Link struct {
	URL, Text, Kind string
	Mismatch        bool // the visible text names another domain
}

// Line shows a person the text of a link and its target.
func (l Link) Line() string {
	line := l.URL
	if l.Text != "" && l.Text != l.URL {
		line = l.Text + " → " + l.URL
	}
	if l.Mismatch {
		line += " (its text names another domain)"
	}
	return line
}

// CodeCandidate is something that could be the message's verification code.
type CodeCandidate struct {
	Code  string
	Score float64
	Why   []string // the evidence
}

// Header is the first value of a header field, empty if there is none.
func (d Detail) Header(name string) string {
	for _, f := range d.Headers {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Field is one header field, unfolded and decoded.
type Field struct{ Name, Value string }

// Part is an attachment: an extent of the raw message and how to decode it.
type Part struct {
	Index       int // from 1; the attachment's id is the message's with this part
	ContentType string
	Charset     string
	Filename    string // empty: unnamed
	Disposition string
	ContentID   string
	Offset      int64
	Length      int64
	Encoding    uint8   // of package rfc822
	Inner       *Window // where the part lies inside something that is encoded as a whole
	Size        int64
	SHA256      [32]byte
}

// PartText is the text of an attachment.
type PartText struct {
	Status string // "done", "pending", "unsupported", "failed", "too_large"
	Text   string
}

// Window is a range of decoded bytes which are encoded once more.
type Window struct {
	Offset, Length int64
	Encoding       uint8
}

// Trace is how a message came in.
type Trace struct {
	From   string // envelope sender, empty for the null sender
	Remote string // address of the client
	Helo   string
	Proto  string // ESMTP, ESMTPS, LMTP, HTTP
	TLS    string // version and cipher suite; empty: none, or not known
	By     string // who sent it from here, as the audit log has it; empty: nobody, or not known

	// Of mail that was captured: everybody it was for, as the sender wrote them, and the name that the client logged
	// in with.
	Captured *Capture
}

// Capture is what is known of captured mail beyond its bytes.
type Capture struct {
	Recipients []string
	User       string
}

// Envelope is a message on its way in: who it is from, for whom, and how it came.
type Envelope struct {
	Trace
	Recipients []Recipient
	Size       int64 // as declared with SIZE; 0: unknown
}

// Recipient is an address that mail is taken for, and the mailbox it reaches. It is decided once, at RCPT.
type Recipient struct {
	Address string // as the sender wrote it
	Mailbox Mailbox
	Return  ID // the delivery whose return path it is; zero: an ordinary address
	// Alone says that the mailbox may refuse a message for its author, which others take. SMTP has one answer for all
	// recipients of a message, so it takes its mail in messages of its own.
	Alone bool
}

// Receipt is what became of one recipient's copy.
type Receipt struct {
	Recipient   string
	Mailbox     string // the mailbox's own address
	ID          ID
	Duplicate   bool
	Quarantined bool  // it is kept apart, until a person releases it
	Held        bool  // of mail that is handed in to be sent: a person has to approve it first
	Err         error // this recipient's copy was not stored; the others' may be
}

// Thread is a conversation as the list of threads shows it.
type Thread struct {
	ID           ID
	Latest       Message
	Count        int
	Attachments  bool
	Participants []Address
	Labels       []string
}

// Reject is a mail that was not taken, and why.
type Reject struct {
	At        time.Time
	Stage     string // "rcpt" or "data"
	Sender    string
	Recipient string // as the sender wrote it
	Address   string // the same in its canonical form, without tag
	Remote    string
	Reply     string // as sent: "550 5.1.1 …"
}
