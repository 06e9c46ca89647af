package wire

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func newAuthentication(a mailbox.Auth) api.Authentication {
	if !a.Checked {
		return api.Authentication{SPF: "none", DKIM: "none", DMARC: "none", ARC: "none"}
	}
	return api.Authentication{SPF: a.SPF, DKIM: a.DKIM, DMARC: a.DMARC, ARC: a.ARC, FromAligned: a.FromAligned}
}

// NewScreening returns what was found in a message, or in what it carries.
func NewScreening(id mailbox.ID, s mailbox.Screening) *api.Screening {
	if s.Verdict == "" {
		return nil
	}
	return &api.Screening{Verdict: s.Verdict, Findings: each(s.Findings, func(f mailbox.Finding) api.Finding {
		out := api.Finding{Rule: f.Rule, Layer: f.Layer, Excerpt: f.Excerpt}
		if f.Part > 0 {
			out.AttachmentID = id.Part(f.Part).String()
		}
		return out
	})}
}

func newScan(s mailbox.Scan) *api.Scan {
	if s.IsZero() {
		return nil
	}
	return &api.Scan{Verdict: s.Verdict, Action: s.Action, Score: s.Score, Required: s.Required,
		Symbols:    each(s.Symbols, func(y mailbox.ScanSymbol) api.ScanSymbol { return api.ScanSymbol(y) }),
		Blocklists: listed(s.Blocklists)}
}

func newReport(r *mailbox.Report) *api.Report {
	if r == nil {
		return nil
	}
	return &api.Report{Class: r.Class, MessageID: messageID(r.MessageID), Feedback: r.Feedback,
		Recipients: each(r.Recipients, func(to mailbox.ReportedRecipient) api.ReportedRecipient {
			return api.ReportedRecipient(to)
		})}
}

// NewEmail returns the detail form of a message in the mailbox of that address. A key that may not download attachments
// sees them as such.
func NewEmail(m mailbox.Message, d mailbox.Detail, address string, downloadable bool) api.Email {
	e := api.Email{
		Message: NewMessage(m, address),
		To:      addresses(d.To), Cc: addresses(d.Cc), Bcc: addresses(d.Bcc), ReplyTo: addresses(d.ReplyTo),
		BodyText: d.Text, BodyHTML: d.HTML, BodyTruncated: d.TextTruncated || d.HTMLTruncated,
		ReplyText: beginning(d.ReplyText), InlineReply: d.InlineReply,
		Links: NewLinks(d.Links), CodeCandidates: each(d.CodeCandidates, newCandidate),
		Headers: headers(d.Headers), Metadata: metadata(m, d),
		InReplyTo: messageID(d.InReplyTo), References: each(d.References, messageID),
		AttachmentNames: each(d.Parts, Filename),
		RawStorageKey:   rawKey(m.ID), SizeBytes: m.Size, CreatedAt: at(m.ReceivedAt),
		Attachments: make([]api.Attachment, len(d.Parts)),
		Auth:        newAuthentication(m.Verdict.Auth), Screening: NewScreening(m.ID, d.Screening),
		Scan: newScan(m.Verdict.Scan),
	}
	for i, p := range d.Parts {
		e.Attachments[i] = newAttachment(m, p, downloadable)
		if t, ok := d.Texts[p.Index]; ok && downloadable {
			e.Attachments[i].TextContent, e.Attachments[i].TextExtractionStatus = t.Text, t.Status
			e.Attachments[i].Screening = NewScreening(m.ID, d.TextScreenings[p.Index])
			e.AttachmentText = joinText(e.AttachmentText, t.Text)
		}
	}
	if m.Direction == mailbox.Outbound {
		e.Deliveries = each(d.Deliveries, newDelivery)
		e.Review, e.SendAt = newReview(d.Review), at(m.SendAt(d.Deliveries))
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

func metadata(m mailbox.Message, d mailbox.Detail) api.Metadata {
	return api.Metadata{
		EnvelopeFrom: d.Envelope.From, EnvelopeTo: m.Recipient, Tag: tag(m.Recipient),
		RemoteAddr: d.Envelope.Remote, Helo: d.Envelope.Helo, Protocol: d.Envelope.Proto,
		Date: at(d.Date), Defects: listed(d.Defects), Tags: d.Tags, Report: newReport(d.Report),
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

func addresses(list []mailbox.Address) []api.Address {
	return each(list, func(a mailbox.Address) api.Address { return api.Address{Address: a.Address, Name: a.Name} })
}

func rawKey(id mailbox.ID) string { return "raw/" + id.String() }
