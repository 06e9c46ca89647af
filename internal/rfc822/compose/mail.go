package compose

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Address is a mailbox with the name that is shown for it. Address is as typed: "jö@exämple.com".
type Address struct{ Name, Address string }

// Field is a header field that is added as it is.
type Field struct{ Name, Value string }

// Attachment is a file that goes with the message.
type Attachment struct {
	Filename    string // made safe when it is written
	ContentType string // empty: by the filename; what is not a type is application/octet-stream
	ContentID   string // without angle brackets; empty for an ordinary attachment
	Inline      bool   // it is to be shown where the text ends, also where the HTML does not name it
	Size        int64  // decoded bytes; a stream that gives more or fewer fails
	// Open returns the decoded bytes. It may be called more than once.
	Open func() (io.ReadCloser, error)
}

// Mail describes a message.
type Mail struct {
	From       Address
	To, Cc     []Address // who gets a blind copy is told to the transport and never written
	ReplyTo    []Address
	Subject    string
	Text, HTML string
	// HasText and HasHTML say which of the two there are: an empty text is a text.
	HasText, HasHTML bool
	MessageID        string // without angle brackets
	Date             time.Time
	InReplyTo        string   // without angle brackets
	References       []string // without angle brackets, oldest first
	Fields           []Field  // further fields, in this order
	Attachments      []Attachment
	// Report makes a message with attachments a report of this type (RFC 6522); empty: it is none.
	Report string
	// OpenEnd leaves a text without the end of its last line where it has none: in a message that no server transports.
	OpenEnd bool
	// Boundary is what boundaries are made of; empty, they are made of MessageID.
	Boundary string
}

// NeedsUTF8 says whether an address in the header has a local part beyond ASCII, which only servers with SMTPUTF8
// take (RFC 6531 3.1).
func (m Mail) NeedsUTF8() bool {
	for _, list := range m.addressLists() {
		for _, a := range list {
			if at := strings.LastIndexByte(a.Address, '@'); at >= 0 && !isASCII(a.Address[:at]) {
				return true
			}
		}
	}
	return false
}

func (m Mail) addressLists() [4][]Address {
	return [4][]Address{{m.From}, m.To, m.Cc, m.ReplyTo}
}

// Check says what of the message cannot be written. It opens no attachment.
func (m Mail) Check() error {
	for _, list := range m.addressLists() {
		for _, a := range list {
			if _, err := splitAddress(a.Address); err != nil {
				return err
			}
		}
	}
	if m.MessageID != "" && !isID(m.MessageID) {
		return fmt.Errorf("%q is not a message id: it has a blank, a bracket or a character beyond ASCII, or is "+
			"too long", clip(m.MessageID))
	}
	if y := m.Date.UTC().Year(); y < 1900 || y > 9999 { // RFC 5322 3.3
		return fmt.Errorf("a message cannot have the date %s", m.Date.UTC().Format(time.RFC3339))
	}
	for _, f := range m.Fields {
		if err := checkAdded(f); err != nil {
			return err
		}
	}
	for _, a := range m.Attachments {
		if err := a.check(); err != nil {
			return err
		}
	}
	return nil
}

func (a Attachment) check() error {
	switch {
	case a.Open == nil:
		return fmt.Errorf("the attachment %q has no content", clip(a.Filename))
	case a.Size < 0:
		return fmt.Errorf("the attachment %q cannot have %d bytes", clip(a.Filename), a.Size)
	// what looks encoded is decoded by some
	case a.ContentID != "" && (!isID(a.ContentID) || strings.Contains(a.ContentID, "=?")):
		return fmt.Errorf("%q is not a content id: it has a blank, a bracket, =? or a character beyond ASCII, or is "+
			"too long", clip(a.ContentID))
	}
	return nil
}

// maxID is how long an id may be so that it fits on a line with its brackets: it cannot be folded.
const maxID = 990

// isID says whether an id can be written between angle brackets. Ids in the wild break the grammar of RFC 5322 3.6.4
// in every other way, and a reference to one has to keep it as it is.
func isID(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for i := range len(id) {
		if c := id[i]; c <= ' ' || c >= 0x7f || c == '<' || c == '>' {
			return false
		}
	}
	return true
}

// clip shortens what a caller gave, to be quoted in an error.
func clip(s string) string { return mailbox.Clip(s, 60) }
