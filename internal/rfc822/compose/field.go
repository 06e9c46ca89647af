package compose

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of an added field. maxPlain is also the longest word in one that is left as it is: folded, it fits on a line
// with room to spare.
const (
	maxFieldName  = 76
	maxFieldValue = 8000
	maxPlain      = 900
)

// CheckField says whether a caller may add such a header field, whatever its name means.
func CheckField(name, value string) error {
	switch {
	case !isToken(name):
		return fmt.Errorf("%q is not the name of a header field: letters, digits and hyphens are", clip(name))
	case len(name) > maxFieldName:
		return fmt.Errorf("the name of the header field %q has %d characters, and %d is the most", clip(name),
			len(name), maxFieldName)
	case len(value) > maxFieldValue:
		return fmt.Errorf("the header field %s has %d bytes, and %d is the most", name, len(value), maxFieldValue)
	case !utf8.ValidString(value):
		return fmt.Errorf("the header field %s is not UTF-8: %q", name, clip(value))
	case strings.IndexFunc(value, isBreak) >= 0:
		return fmt.Errorf("the header field %s has a line break or control character in it: %q", name, clip(value))
	}
	if isStructured(name) {
		return checkStructured(name, value)
	}
	return nil
}

// checkStructured refuses what could only be written as encoded words, which have no place in such a field (RFC 2047
// 5).
func checkStructured(name, value string) error {
	if !isASCII(value) {
		return fmt.Errorf("the header field %s takes ASCII only: %q", name, clip(value))
	}
	for value != "" {
		n := wordLength(value)
		if n > maxPlain {
			return fmt.Errorf("the header field %s has %d characters without a blank, and %d is the most: %q", name, n,
				maxPlain, clip(value))
		}
		value = value[min(n+1, len(value)):]
	}
	return nil
}

// isStructured says whether a field has a grammar that programs read.
func isStructured(name string) bool {
	switch name = strings.ToLower(name); name {
	case "auto-submitted", "in-reply-to", "references", "precedence", "feedback-id":
		return true
	}
	return strings.HasPrefix(name, "list-")
}

// checkAdded is for fields of a Mail: those that the composer writes itself may not come a second time, and a Bcc not
// at all.
func checkAdded(f Field) error {
	name := strings.ToLower(f.Name)
	switch name {
	case "date", "message-id", "from", "reply-to", "to", "cc", "bcc", "resent-bcc", "subject", "in-reply-to",
		"references",
		"mime-version":
		return fmt.Errorf("the header field %s cannot be added", f.Name)
	}
	if strings.HasPrefix(name, "content-") {
		return fmt.Errorf("the header field %s cannot be added", clip(f.Name))
	}
	return CheckField(f.Name, f.Value)
}

// added writes an added field.
func (h *header) added(f Field) {
	h.begin(f.Name)
	value := oneLine(f.Value)
	if isStructured(f.Name) {
		for value != "" {
			n := wordLength(value)
			h.word(value[:n])
			value = value[min(n+1, len(value)):]
		}
	} else {
		h.text(value, maxPlain)
	}
	h.end()
}
