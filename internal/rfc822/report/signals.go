package report

import (
	"strings"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// signals are what the header of a mail says about who wrote it and why.
type signals struct {
	daemon      bool // a mail system sends it
	null        bool // it came with the empty return path
	report      bool // it calls itself a delivery report
	subject     bool // its subject is one that mail systems write
	autoSubject bool // its subject is that of an automatic answer
	autoHeader  bool // a field says that it is an automatic answer
	generated   bool // a field says that a program wrote it
	ses         bool // it comes from Amazon's notification service
	failed      []string
}

// signals looks at the header.
func (d *document) signals() (s signals) {
	h := d.m.Header
	from := lower(h.Raw("From"))
	s.daemon = has(from, daemonName) || from == "<>"
	s.ses = strings.Contains(from, "@sns.amazonaws.com")
	path := lower(h.Raw("Return-Path"))
	s.null = path == "<>" || strings.HasPrefix(path, "<mailer-daemon") || strings.HasPrefix(path, "mailer-daemon")
	ct := lower(h.Raw("Content-Type"))
	s.report = strings.Contains(ct, "delivery-status") || strings.HasPrefix(ct, "multipart/report") &&
		!strings.Contains(ct, "report-type")
	subject := bareSubject(d.m.Subject)
	s.subject = begins(subject, bounceSubject) || s.daemon && has(subject, daemonSubject)
	s.autoSubject = !s.subject && (isAutoSubject(subject) || isAutoTag(d.m.Subject))
	auto := lower(h.Raw("Auto-Submitted"))
	s.generated = strings.HasPrefix(auto, "auto-generated")
	s.autoHeader = strings.HasPrefix(auto, "auto-replied") || hasAutoHeader(h)
	if h.Raw("X-Failed-Recipients") != "" {
		for _, f := range h.Fields() {
			if strings.EqualFold(f.Name, "X-Failed-Recipients") {
				for _, a := range addresses(f.Value) {
					s.failed = appendAddress(s.failed, a)
				}
			}
		}
	}
	return s
}

// bareSubject is a subject in lower case without decoration and a tag: "[Postmaster] Email Delivery Failure".
func bareSubject(s string) string {
	s = strings.ToLower(s)
	if strings.HasPrefix(s, "[") {
		if tag, rest, ok := strings.Cut(s, "]"); ok && len(tag) < 40 && strings.TrimSpace(rest) != "" {
			s = rest
		}
	}
	return strings.TrimLeft(s, " *[(<\"'!")
}

// any says whether it may be a report about delivery. A person may attach one to a mail.
func (s signals) any() bool {
	return s.daemon || s.null || s.report || s.subject || len(s.failed) > 0
}

// isReport decides whether a mail without a part for programs is a report. returns says whether it holds an original
// message.
func (s signals) isReport(h rfc822.Header, said string, returns bool) bool {
	if len(s.failed) > 0 || s.report && (s.daemon || s.null || s.subject) {
		return true
	}
	const top = 8 << 10
	words := func() bool { return has(said[:min(len(said), top)], bounceText) }
	refused := func() bool { return findReply(said).code != 0 }
	switch {
	case h.Raw("List-Unsubscribe") != "" || h.Raw("List-Id") != "":
		// A list may pass on to its owner a report that it got, with its own fields in the header. Of what it sends to
		// its members, nothing comes from a mail system with such a subject.
		return s.daemon && s.subject && (returns || refused() || words())
	case s.daemon && s.subject:
		return true
	case s.daemon && returns && refused():
		return true
	case s.daemon && s.null:
		return words()
	case s.daemon, s.null:
		return words() && (s.subject || returns || refused())
	case s.subject:
		return returns && words()
	}
	return false
}
