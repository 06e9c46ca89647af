package api

// Attachment is a part of a message that can be downloaded.
type Attachment struct {
	ID                   string `json:"id"`
	EmailID              string `json:"email_id"`
	Filename             string `json:"filename"` // as the sender wrote it: not one to save a file under
	ContentType          string `json:"content_type"`
	SizeBytes            int64  `json:"size_bytes"`
	ContentDisposition   string `json:"content_disposition"`
	ContentID            string `json:"content_id"`
	MimePartIndex        int    `json:"mime_part_index"`
	TextContent          string `json:"text_content"`
	TextExtractionStatus string `json:"text_extraction_status"` // done, pending, unsupported, failed or too_large
	StorageKey           string `json:"storage_key"`
	CreatedAt            Time   `json:"created_at"`
	Downloadable         bool   `json:"downloadable"` // by this key
	SHA256               string `json:"sha256"`       // of the content, in hexadecimal

	Screening *Screening `json:"screening,omitempty"` // of TextContent; nil: it has none
}

// Email is a message, whole.
type Email struct {
	Message
	To              []Address       `json:"to"`
	Cc              []Address       `json:"cc"`
	Bcc             []Address       `json:"bcc"`
	ReplyTo         []Address       `json:"reply_to"`
	BodyText        string          `json:"body_text"` // made from the HTML where there is no plain part
	BodyHTML        string          `json:"body_html"`
	BodyTruncated   bool            `json:"body_truncated"` // cut at 1 MB; EmailOptions.Full gives it whole
	ReplyText       string          `json:"reply_text"`     // BodyText without quoted history and signature
	InlineReply     bool            `json:"inline_reply"`   // the answer is between the quoted lines
	Links           []Link          `json:"links"`
	CodeCandidates  []CodeCandidate `json:"code_candidates"`
	Headers         Headers         `json:"headers"`
	Metadata        Metadata        `json:"metadata"`
	InReplyTo       string          `json:"in_reply_to"`
	References      []string        `json:"references"`
	AttachmentNames []string        `json:"attachment_names"`
	AttachmentText  string          `json:"attachment_search_text"`
	RawStorageKey   string          `json:"raw_storage_key"`
	SizeBytes       int64           `json:"size_bytes"`
	CreatedAt       Time            `json:"created_at"`
	Attachments     []Attachment    `json:"attachments"`
	Auth            Authentication  `json:"auth"`
	Screening       *Screening      `json:"screening"`           // nil: it was not screened
	Scan            *Scan           `json:"scan,omitempty"`      // nil: no scanner and no block list had a say
	Captured        bool            `json:"captured"`            // it did not leave the machine
	Deliveries      []Delivery      `json:"deliveries,omitzero"` // of one that was sent
	SendAt          Time            `json:"send_at,omitzero"`    // of one that waits until then
	Review          *Review         `json:"review,omitempty"`    // of one that was held
}

// Address is a person in a header.
type Address struct {
	Address string `json:"address"`
	Name    string `json:"name"`
}

// Link is a link of a message and what it is for. With Mismatch its text names another domain than it leads to.
type Link struct {
	URL      string `json:"url"`
	Text     string `json:"text"`
	Kind     string `json:"kind"`
	Mismatch bool   `json:"mismatch,omitempty"`
}

// CodeCandidate is something that could be a message's verification code. Score and Reason say the same as Confidence
// and Why, under their older names.
type CodeCandidate struct {
	Code       string   `json:"code"`
	Score      float64  `json:"score"`
	Reason     string   `json:"reason"`
	Confidence float64  `json:"confidence"` // 0 to 1; from 0.5 it is taken for the code
	Why        []string `json:"why"`        // the evidence for and against it
}

// Authentication is what SPF, DKIM, DMARC and ARC say about the sender.
type Authentication struct {
	SPF         string `json:"spf"`
	DKIM        string `json:"dkim"`
	DMARC       string `json:"dmarc"`
	ARC         string `json:"arc"`
	FromAligned bool   `json:"from_aligned"`
}

// Scan is what a spam and virus scanner and DNS block lists said about a message when it came.
type Scan struct {
	Verdict    string       `json:"verdict"` // clean, spam, virus or unscanned; empty: no scanner was asked
	Action     string       `json:"action"`  // in the scanner's own words
	Score      float64      `json:"score"`
	Required   float64      `json:"required_score"` // from which the scanner wants mail refused
	Symbols    []ScanSymbol `json:"symbols"`        // rules that matched, the weightiest first
	Blocklists []string     `json:"blocklists"`     // zones that list the client's address
}

// ScanSymbol is a rule of a scanner that matched.
type ScanSymbol struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Screening is whether a message tries to give orders to a model that reads it.
type Screening struct {
	Verdict  string    `json:"verdict"` // clean, flagged or dangerous
	Findings []Finding `json:"findings"`
}

// Finding is one such attempt.
type Finding struct {
	Rule    string `json:"rule"`
	Layer   string `json:"layer"`
	Excerpt string `json:"excerpt"`

	AttachmentID string `json:"attachment_id,omitempty"` // in whose text it stands
}

// Metadata is how a message came in, and what the sender says of it.
type Metadata struct {
	EnvelopeFrom string   `json:"envelope_from"`
	EnvelopeTo   string   `json:"envelope_to"`
	Tag          string   `json:"tag,omitempty"` // of name+tag@
	RemoteAddr   string   `json:"remote_addr"`
	Helo         string   `json:"helo"`
	Protocol     string   `json:"protocol"`
	Date         Time     `json:"date"`
	Defects      []string `json:"defects"`
	Tags         []string `json:"tags,omitempty"` // of one that was sent
	Report       *Report  `json:"report,omitempty"`
}

// Report is what a mail system says about a message that was sent: a bounce, a delay, a complaint, an automatic answer.
type Report struct {
	Class      string              `json:"class"`
	MessageID  string              `json:"message_id"`
	Feedback   string              `json:"feedback_type,omitempty"`
	Recipients []ReportedRecipient `json:"recipients"`
}

// ReportedRecipient is what it says about one recipient.
type ReportedRecipient struct {
	Address string `json:"address"`
	Status  string `json:"status"`
	Hard    bool   `json:"hard"`
	Text    string `json:"text"`
}

// EmailChange is what is to be changed of a message.
type EmailChange struct {
	Seen         *bool    `json:"seen,omitempty"` // nil: as it is
	AddLabels    []string `json:"add_labels,omitempty"`
	RemoveLabels []string `json:"remove_labels,omitempty"`
	SendAt       Time     `json:"send_at,omitzero"` // of a message that waits to be sent; zero: as it is
}

// DeletedEmail is the answer to deleting a message.
type DeletedEmail struct {
	Deleted bool `json:"deleted"`
}
