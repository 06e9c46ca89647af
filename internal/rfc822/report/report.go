// Package report reads what mail systems say about mail that was sent: bounces, delays, complaints, automatic answers.
//
// Mail systems say it in three ways, and they are tried in this order:
//
//	a part made for programs: message/delivery-status (RFC 3464), message/feedback-report (RFC 5965),
//	  message/disposition-notification (RFC 8098)
//	the same fields written into the text
//	words for people, which every mail system has its own of
//
// In the last case a mail is only taken for a report where its header says that a mail system wrote it, or where
// its subject, its words and a returned message agree; a person who writes about a failed delivery is not one.
//
// What a report returns of the original message is evidence of which message it was. Its words are never read as
// the report's: what lies inside a returned part is left out, and a text is cut where the original begins.
//
// A report is a claim. Anyone can write one; whether to believe it is for the caller to decide.
package report

import (
	"io"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// Class is what kind of report a mail is.
type Class string

// The classes.
const (
	None      Class = ""          // not a report
	Bounce    Class = "bounce"    // not delivered
	Delayed   Class = "delayed"   // not yet delivered; still being tried
	Delivered Class = "delivered" // a success DSN (or relayed, expanded), or a read receipt
	Complaint Class = "complaint" // ARF, RFC 5965
	AutoReply Class = "autoreply" // vacation and such, RFC 3834
)

// Recipient is what is said about one recipient.
type Recipient struct {
	Address string // original or final recipient, as written, without angle brackets
	Status  string // enhanced status code "5.1.1", empty if none is known or derivable
	Hard    bool   // permanent and worth suppressing: no such user or domain; false: full, disabled, policy, temporary
	Text    string // the remote server's words, one line, at most 500 bytes
}

// Report is what a mail says about another one. Recipients are those that the class holds for: those that got the
// message are not among them in a bounce. The recipient of an AutoReply is who answers.
type Report struct {
	Class      Class
	Recipients []Recipient // at most 100
	MessageID  string      // of the original message, without angle brackets; empty if not given
	Feedback   string      // ARF feedback type: "abuse", …
}

const (
	maxPart       = 256 << 10 // bytes read of one part
	maxHead       = 64 << 10  // bytes read of a returned header
	maxRecipients = 100
	maxWords      = 500 // bytes of Recipient.Text
	maxFeedback   = 64  // bytes of Report.Feedback
	maxAddress    = 320 // bytes of an address: RFC 5321 4.5.3.1 allows 64 + 1 + 255
)

// Read reads a parsed message. raw returns its original bytes: parts are read from it.
func Read(m *rfc822.Message, raw io.ReaderAt) Report {
	d := document{m: m, raw: raw, shape: shapeOf(m.Parts)}
	s := d.signals()
	switch {
	case d.feedback != nil:
		return d.complaint()
	case d.status != nil && s.any():
		if r := d.statusReport(); r.Class != None {
			return r
		}
	case d.disposition != nil:
		return d.receipt()
	}
	return d.withoutFields(s)
}

// withoutFields reads a mail that has no part for programs, or an empty one.
func (d *document) withoutFields(s signals) Report {
	if s.autoSubject && !s.daemon {
		return d.autoReply()
	}
	if s.ses {
		if r := sesReport(d.text()); r.Class != None {
			return r
		}
	}
	if r := d.bareComplaint(); r.Class != None {
		return r
	}
	if r := d.freeForm(s); r.Class != None {
		return r
	}
	if (s.autoHeader || (s.generated || s.null) && d.answers(s) && isAway(d.m.Text)) && !s.daemon {
		return d.autoReply()
	}
	return Report{}
}
