package label

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// view is a mail as the rules ask for it. What several rules ask is worked out once.
type view struct {
	Mail
	newsletter bool // a rule has found that it is one
	null       bool // it has the null sender, or what stands for it where an address is needed
	names      names

	autoSubmitted string // lower case
	precedence    string // lower case
	subject       lexicon.Set
	who           lexicon.Set // of the sender; these are 0 until asked for
	first, last   lexicon.Set // of the text
}

func newView(m Mail) *view {
	v := &view{Mail: m}
	for i := range m.Fields {
		v.names.add(m.Fields[i].Name)
	}
	v.null = m.EnvelopeFrom == "" || m.EnvelopeFrom == "<>" || strings.HasPrefix(strings.ToLower(m.EnvelopeFrom),
		"mailer-daemon")
	v.autoSubmitted = strings.ToLower(v.field("Auto-Submitted"))
	v.precedence = strings.ToLower(v.field("Precedence"))
	const longest = 400
	v.subject = subjects().In(m.Subject[:min(len(m.Subject), longest)])
	return v
}

// field is the first value of a header field, empty if there is none.
func (v *view) field(name string) string {
	if v.Header != nil && v.Fields == nil {
		return strings.TrimSpace(v.Header(name))
	}
	if !v.names.mayHave(name) {
		return ""
	}
	for i := range v.Fields {
		if strings.EqualFold(v.Fields[i].Name, name) {
			return strings.TrimSpace(v.Fields[i].Value)
		}
	}
	return ""
}

// mayHave tells whether one of some fields may be there.
func (v *view) mayHave(f *fields) bool { return v.Fields == nil || v.names.meets(&f.names) }

func (v *view) anyField(f *fields) bool {
	return v.mayHave(f) && slices.ContainsFunc(f.list, func(name string) bool { return v.field(name) != "" })
}

// anyField is a rule on fields that say it by being there, unless they say no.
func anyField(list ...string) func(*view) bool {
	f := fieldsOf(list...)
	return func(v *view) bool {
		return v.mayHave(f) && slices.ContainsFunc(f.list, func(name string) bool {
			value := v.field(name)
			return value != "" && !strings.EqualFold(value, "no") && !strings.EqualFold(value, "false")
		})
	}
}

// fieldIs is a rule on a field that says it with one of some values.
func fieldIs(name string, values ...string) func(*view) bool {
	return func(v *view) bool { return isOneOf(strings.ToLower(v.field(name)), values...) }
}

func isOneOf(s string, of ...string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}

// hasToken tells whether a value begins with a word, which parameters or comments may follow (RFC 3834 5).
func hasToken(value, word string) bool {
	rest, ok := strings.CutPrefix(value, word)
	return ok && (rest == "" || strings.IndexByte(" ;(\t,", rest[0]) >= 0)
}

func (v *view) hasType(t string) bool {
	for _, have := range v.Types {
		if strings.EqualFold(have, t) {
			return true
		}
	}
	return false
}

// report tells whether the mail is a report of a type; "" is any.
func (v *view) report(kind string) bool {
	if len(v.Types) == 0 || !strings.EqualFold(v.Types[0], "multipart/report") {
		return false
	}
	if kind == "" || v.hasType("message/"+kind) || v.hasType("message/global-"+kind) {
		return true
	}
	_, after, ok := strings.Cut(strings.ToLower(v.field("Content-Type")), "report-type=")
	return ok && strings.HasPrefix(strings.TrimLeft(after, " \""), kind)
}

func (v *view) hasStatus() bool {
	return v.hasType("message/delivery-status") || v.hasType("message/global-delivery-status")
}

// system tells whether it comes from the mail system, by its envelope or its sender.
func (v *view) system() bool { return v.null || v.daemon() }

func (v *view) daemon() bool { return v.sender().Any(daemonSender) }

// generated tells whether it says that a program made it (RFC 3834 5), for which some put "Precedence: bulk" as well.
func (v *view) generated() bool {
	return hasToken(v.autoSubmitted, "auto-generated") || hasToken(v.autoSubmitted, "auto-notified")
}

// listed tells whether it came through a list.
func (v *view) listed() bool { return v.field("List-Id") != "" || v.field("List-Unsubscribe") != "" }

// answer tells whether it answers another mail, or passes one on.
func (v *view) answer() bool {
	return v.replies() || v.field("In-Reply-To") != "" || v.field("References") != ""
}

// head and tail are what a text means where it says what it is, of what is in texts.
func (v *view) head() lexicon.Set {
	if v.first == 0 {
		v.first = seen | texts().In(v.Text[:min(len(v.Text), headSize)])
	}
	return v.first
}

func (v *view) tail() lexicon.Set {
	if v.last == 0 {
		v.last = seen | texts().In(v.Text[max(0, len(v.Text)-tailSize):])
	}
	return v.last
}

const (
	headSize = 300 // bytes
	tailSize = 500
)

// failedSubject tells whether the subject says that a mail was not delivered.
func (v *view) failedSubject() bool { return v.subject.Any(failure) && !v.replies() }

// failed is the same for the subject or the text.
func (v *view) failed() bool {
	return v.subject.Any(failure) || v.head().Any(failure)
}

// delivered tells of a report of success.
func (v *view) delivered() bool {
	if v.subject.Any(success) || v.subject.Any(done) && subjects().AtStart(v.Subject).Any(done) {
		return true
	}
	text := v.head()
	return text.Any(success) && !(text | v.subject).Any(failure)
}

func (v *view) replies() bool {
	return v.subject.Any(replies) && subjects().AtStart(v.Subject).Any(replies)
}

// awaySubject tells whether the subject begins as those of automatic replies do.
func (v *view) awaySubject() bool {
	return v.subject.Any(automatic) && subjects().AtStart(v.Subject).Any(automatic)
}

// absent tells whether somebody says to be away at the beginning of the text.
func (v *view) absent() bool { return v.head().Any(automatic | away) }

// leaves tells whether a text ends with how to unsubscribe. Answers may do so because they quote, invitations and
// notices because their programs send other mail too.
func (v *view) leaves() bool {
	return len(v.Text) > 0 && !v.answer() && !v.calendar() && !v.notice() && v.tail().Any(leave) && !v.asks()
}

// asks tells of a few words by a person, who may want to unsubscribe, or ask how.
func (v *view) asks() bool {
	return len(v.Text) < headSize && (strings.ContainsAny(v.Text, "?？") || v.subject.Any(leave)) &&
		!strings.Contains(v.Text, "://") &&
		!v.sender().Any(roleSender|noReplySender|noticeSender|bulkSender) && !v.relayed()
}

func (v *view) calendar() bool {
	return v.hasType("text/calendar") || v.hasType("application/ics") || v.hasType("text/x-vcalendar") ||
		v.hasType("application/calendar")
}

// robot tells whether a text says that nobody wrote it.
func (v *view) robot() bool {
	return !v.answer() && (v.head() | v.tail()).Any(unanswered)
}

// advertises tells whether subject and text have several phrases of advertising, from a sender that is no person.
func (v *view) advertises() bool {
	if v.answer() || v.calendar() || v.notice() || v.sender().Any(freeSender|noticeSender) || v.isPerson() {
		return false
	}
	const several, longest = 2, 1500
	text := v.Text[:min(len(v.Text), longest)]
	if !v.subject.Any(advert) && !texts().In(text).Any(advert) {
		return false // as most, and counting takes longer
	}
	n := subjects().Count(v.Subject[:min(len(v.Subject), headSize)], advert, several)
	if n > 0 && v.relayed() {
		n++
	}
	n += texts().Count(text, advert, several+1)
	if n > 0 && n <= several && (hasOffer(v.Subject) || hasOffer(text)) {
		n++
	}
	if !v.sender().Any(roleSender|bulkSender|noReplySender) && !v.isCompany() {
		n--
	}
	return n >= several
}

// machine tells whether the subject is one that only programs write. People who write about them do so from addresses
// of their own.
func (v *view) machine() bool {
	if v.answer() || v.calendar() || v.sender().Any(freeSender) && !v.sender().Any(noticeSender) {
		return false
	}
	return v.subject.Any(machine) && !v.isPerson() || isProxied(v.Name) ||
		v.From != "" && !v.isPerson() && (senderWords(v.Name).Any(noticeSender) || isForm(v.Text))
}

// tracked tells whether the subject begins with the number of an entry in a tracker: "[Bug 1021]", also where a list
// passes it on and where it answers an earlier entry.
func (v *view) tracked() bool {
	const longest = 40
	rest, ok := strings.CutPrefix(v.Subject, "[")
	word, _, closed := strings.Cut(rest[:min(len(rest), longest)], "]")
	_, number, _ := strings.Cut(word, " ")
	return ok && closed && number != "" && strings.Trim(number, "#0123456789") == "" && v.subject.Any(tracker)
}

// notice tells whether the subject is that of a receipt, a shipment, a security alert and the like, from a sender that
// is not a person.
func (v *view) notice() bool {
	if !v.subject.Any(trade|alert) || v.answer() {
		return false
	}
	return v.sender().Any(roleSender|noReplySender|noticeSender) || hasNumber(v.Subject) && !v.sender().Any(freeSender)
}

// hasNumber tells whether a subject has a number as of orders and invoices: longer than a year.
func hasNumber(s string) bool {
	const digits = 5
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			n = 0
		} else if n++; n == digits {
			return true
		}
	}
	return false
}

// hasOffer tells whether a text has a percentage or an amount of money, which an advertisement has as well.
func hasOffer(s string) bool {
	for i, c := range s {
		switch c {
		case '%', '٪', '％', '€', '$', '£', '¥', '₩', '円', '원', '元', '₽', '₹', '₺':
			if hasDigit(s[max(0, i-offerReach):min(len(s), i+offerReach)]) {
				return true
			}
		}
	}
	return false
}

const offerReach = 6 // bytes between a sign and a digit: "€ 20", "20 %"

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// isForm tells whether a text begins as programs fill in forms: a line each with a name, a colon and a value.
func isForm(text string) bool {
	const least, lines, longestName = 3, 8, 24
	n, seen := 0, 0
	for line := range strings.Lines(text[:min(len(text), 2*headSize)]) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if seen++; seen > lines {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			name, value, ok = strings.Cut(line, "：")
		}
		if ok && strings.Contains(value, "@") {
			return false // the header of a mail that is passed on, or a signature
		}
		if ok && name != "" && len(name) <= longestName && strings.TrimSpace(value) != "" &&
			!strings.HasPrefix(value, "//") && !strings.ContainsAny(name, ",.?!") && strings.Count(name, " ") <= 2 {
			n++
		}
	}
	return n >= least && 2*n >= seen
}
