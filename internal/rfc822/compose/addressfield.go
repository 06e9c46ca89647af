package compose

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// addresses writes an address list, nothing where it is empty.
func (h *header) addresses(name string, list []Address) error {
	if len(list) == 0 {
		return nil
	}
	h.begin(name)
	for i, a := range list {
		if i > 0 {
			h.mark(',')
		}
		spec, err := splitAddress(a.Address)
		if err != nil {
			return err
		}
		h.name(a.Name, spec)
	}
	h.end()
	return nil
}

const (
	maxPlainName = 70   // that is written as it is
	maxName      = 1000 // bytes
)

// name writes one mailbox (RFC 5322 3.4).
func (h *header) name(name string, spec addrSpec) {
	name = cleanName(name)
	switch plain := isPlain(name, maxPlainName); {
	case name == "" && spec.local[0] != '"':
		h.word(spec.header())
		return
	case name == "":
	case plain && isPhrase(name):
		for w := range strings.SplitSeq(name, " ") {
			h.word(w)
		}
	case plain:
		h.word(quote(name))
	default:
		h.encoded(name)
	}
	h.word("<" + spec.header() + ">")
}

// cleanName makes a name of what came from elsewhere. What is too long is cut, so that the answer to a hostile message
// has no hostile header.
func cleanName(s string) string {
	s = collapse(oneLine(s))
	if len(s) <= maxName {
		return s
	}
	return strings.Trim(mailbox.Cut(s, maxName), " ")
}

// collapse makes one blank of several: a name has no others.
func collapse(s string) string {
	if !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ")
}

// isPhrase says whether a name is atoms with blanks between them.
func isPhrase(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && !isAtext(s[i]) {
			return false
		}
	}
	return true
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote makes a quoted string (RFC 5322 3.2.4).
func quote(s string) string { return `"` + quoted.Replace(s) + `"` }
