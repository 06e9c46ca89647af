package wire

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Email is the detail form of a message: the list form and what only the message's own page shows (API 5).
type Email struct {
	Message
	To              []Address      `json:"to"`
	Cc              []Address      `json:"cc"`
	Bcc             []Address      `json:"bcc"`
	ReplyTo         []Address      `json:"reply_to"`
	BodyText        string         `json:"body_text"`
	BodyHTML        string         `json:"body_html"`
	BodyTruncated   bool           `json:"body_truncated"`
	ReplyText       string         `json:"reply_text"`
	InlineReply     bool           `json:"inline_reply"`
	Links           []Link         `json:"links"`
	CodeCandidates  []Candidate    `json:"code_candidates"`
	Headers         Headers        `json:"headers"`
	Metadata        Metadata       `json:"metadata"`
	InReplyTo       string         `json:"in_reply_to"`
	References      []string       `json:"references"`
	AttachmentNames []string       `json:"attachment_names"`
	AttachmentText  string         `json:"attachment_search_text"`
	RawStorageKey   string         `json:"raw_storage_key"`
	SizeBytes       int64          `json:"size_bytes"`
	CreatedAt       Time           `json:"created_at"`
	Attachments     []Attachment   `json:"attachments"`
	Auth            Authentication `json:"auth"`
	Screening       *Screening     `json:"screening"` // null: not screened
	Captured        bool           `json:"captured"`
	Deliveries      []Delivery     `json:"deliveries,omitzero"` // outbound only
}

// Address is a person in a header.
type Address struct {
	Address string `json:"address"`
	Name    string `json:"name"`
}

// Authentication is what SPF, DKIM, DMARC and ARC say about the sender.
type Authentication struct {
	SPF         string `json:"spf"`
	DKIM        string `json:"dkim"`
	DMARC       string `json:"dmarc"`
	ARC         string `json:"arc"`
	FromAligned bool   `json:"from_aligned"`
}

func newAuthentication(a mailbox.Auth) Authentication {
	if !a.Checked {
		return Authentication{SPF: "none", DKIM: "none", DMARC: "none", ARC: "none"}
	}
	return Authentication{SPF: a.SPF, DKIM: a.DKIM, DMARC: a.DMARC, ARC: a.ARC, FromAligned: a.FromAligned}
}

// Screening is whether a message tries to give orders to a model that reads it.
type Screening struct {
	Verdict  string    `json:"verdict"`
	Findings []Finding `json:"findings"`
}

// Finding is one such attempt.
type Finding struct {
	Rule    string `json:"rule"`
	Layer   string `json:"layer"`
	Excerpt string `json:"excerpt"`
}

func newScreening(s mailbox.Screening) *Screening {
	if s.Verdict == "" {
		return nil
	}
	return &Screening{Verdict: s.Verdict, Findings: each(s.Findings, func(f mailbox.Finding) Finding { return Finding(f) })}
}

// Metadata is how a message came in, and what the sender says of it.
type Metadata struct {
	EnvelopeFrom string   `json:"envelope_from"`
	EnvelopeTo   string   `json:"envelope_to"`
	Tag          string   `json:"tag,omitempty"` // of name+tag@
	RemoteAddr   string   `json:"remote_addr"`
	Helo         string   `json:"helo"`
	Protocol     string   `json:"protocol"`
	Date         Time     `json:"date"` // null: the message has none
	Defects      []string `json:"defects"`
	Tags         []string `json:"tags,omitempty"` // of a message that was sent
	Report       *Report  `json:"report,omitempty"`
}

// Report is what a mail system says about a message that was sent: a bounce, a delay, a complaint, an automatic answer.
type Report struct {
	Class      string              `json:"class"`
	MessageID  string              `json:"message_id"`
	Feedback   string              `json:"feedback_type,omitempty"`
	Recipients []ReportedRecipient `json:"recipients"`
}

// ReportedRecipient is what is said about one recipient.
type ReportedRecipient struct {
	Address string `json:"address"`
	Status  string `json:"status"`
	Hard    bool   `json:"hard"`
	Text    string `json:"text"`
}

func newReport(r *mailbox.Report) *Report {
	if r == nil {
		return nil
	}
	out := &Report{Class: r.Class, MessageID: messageID(r.MessageID), Feedback: r.Feedback, Recipients: make([]ReportedRecipient, len(r.Recipients))}
	for i, to := range r.Recipients {
		out.Recipients[i] = ReportedRecipient(to)
	}
	return out
}

// NewEmail gives the detail form of a message in the mailbox of that address. A key that may not download attachments
// sees them as such.
func NewEmail(m mailbox.Message, d mailbox.Detail, address string, downloadable bool) Email {
	e := Email{
		Message: NewMessage(m, address),
		To:      addresses(d.To), Cc: addresses(d.Cc), Bcc: addresses(d.Bcc), ReplyTo: addresses(d.ReplyTo),
		BodyText: d.Text, BodyHTML: d.HTML, BodyTruncated: d.TextTruncated || d.HTMLTruncated,
		ReplyText: beginning(d.ReplyText), InlineReply: d.InlineReply,
		Links: links(d.Links), CodeCandidates: each(d.CodeCandidates, newCandidate),
		Headers: d.Headers, Metadata: metadata(m, d),
		InReplyTo: messageID(d.InReplyTo), References: messageIDs(d.References),
		AttachmentNames: each(d.Parts, Filename),
		RawStorageKey:   rawKey(m.ID), SizeBytes: m.Size, CreatedAt: Time(m.ReceivedAt),
		Attachments: make([]Attachment, len(d.Parts)),
		Auth:        newAuthentication(m.Verdict.Auth), Screening: newScreening(d.Screening),
	}
	for i, p := range d.Parts {
		e.Attachments[i] = newAttachment(m, p, downloadable)
		if t, ok := d.Texts[p.Index]; ok && downloadable {
			e.Attachments[i].TextContent, e.Attachments[i].TextExtractionStatus = t.Text, t.Status
			e.AttachmentText = joinText(e.AttachmentText, t.Text)
		}
	}
	if m.Direction == mailbox.Outbound {
		e.Deliveries = each(d.Deliveries, newDelivery)
		e.Captured = slices.ContainsFunc(d.Deliveries, mailbox.Delivery.Simulated)
	}
	return e
}

// joinText puts texts under one another.
func joinText(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func metadata(m mailbox.Message, d mailbox.Detail) Metadata {
	return Metadata{
		EnvelopeFrom: d.Envelope.From, EnvelopeTo: m.Recipient, Tag: tag(m.Recipient),
		RemoteAddr: d.Envelope.Remote, Helo: d.Envelope.Helo, Protocol: d.Envelope.Proto,
		Date: Time(d.Date), Defects: listed(d.Defects), Tags: d.Tags, Report: newReport(d.Report),
	}
}

// replyMost is how much of a long body is shown a second time.
const replyMost = 1_000_000

// beginning cuts a text that was asked for whole.
func beginning(text string) string {
	if len(text) <= replyMost {
		return text
	}
	return strings.ToValidUTF8(text[:replyMost], "")
}

// tag is what stands after the plus of a recipient's local part.
func tag(recipient string) string {
	local := recipient[:max(strings.LastIndexByte(recipient, '@'), 0)]
	_, tag, _ := strings.Cut(strings.Trim(local, `"`), "+")
	return tag
}

func addresses(list []mailbox.Address) []Address {
	return each(list, func(a mailbox.Address) Address { return Address{Address: a.Address, Name: a.Name} })
}

func rawKey(id mailbox.ID) string { return "raw/" + id.String() }
