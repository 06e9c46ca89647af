package report

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/costtest"
)

// costUnits are lines of reports.
var costUnits = []string{
	"a: b\n", " b\n", "Final-Recipient:\n", "Final-Recipient: rfc822; a@b.c\n", "Final-Recipient: rfc822; a@b.c\n\n",
	"Original-Rcpt-To: <a@b.c>\n", "\n", "--\n", ">",
	"Diagnostic-Code: smtp; 550 x\n y\n", "Message-ID: <a>\n", " c\n\n", "a@b.c\n", "<a@b.c>: 550 no\n",
	"554 <a@b.c>... no\n", "a@b.c a@b.c ", "@", "a@", "From: a@b.c\n", "To: a@b.c\n",
	"----- Below this line is a copy\n", "while talking to\n", "x\n", "\t", "(", "<", "550 ", "5.1.1 ", "{", `{"a":`,
	"[", "=\n", "\xff",
}

// costBytes is as much as is read of a part.
const costBytes = 64 << 10

// costMails are reports of all kinds, with a place for what is repeated.
func costMails(body string) []string {
	const junk = 20 << 10
	return []string{
		typed("From: mailer-daemon@example.org", "message/delivery-status", "No.", body),
		typed("From: mailer-daemon@example.org", "message/delivery-status", "No.", strings.Repeat("a:b\n", junk/4)+
			body),
		typed("From: fbl@example.org", "message/feedback-report", "Abuse.", "Feedback-Type: abuse\n"+body),
		typed("From: a@example.org", "message/disposition-notification", "Read.", body),
		typed("From: fbl@example.org", "message/feedback-report", "Abuse.", "Feedback-Type: abuse\n") +
			"--b\nContent-Type: message/rfc822\n\n" + body,
		null("MAILER-DAEMON", "failure notice", body),
		null("MAILER-DAEMON", "failure notice", "<a@example.com>:\n550 no\n\n--- Below this line\n\n"+body),
		plain("no-reply@sns.amazonaws.com", "x", body),
	}
}

// No report costs much more than its bytes.
func TestReportCost(t *testing.T) {
	for _, unit := range append(costUnits, costtest.Units...) {
		for i, raw := range costMails(costtest.Long("", unit, "\n", costBytes)) {
			if why := costtest.Excess(len(raw), func() { read(raw) }); why != "" {
				t.Errorf("report %d: %q again and again: %s", i, unit, why)
			}
		}
	}
}

// FuzzReportCost looks for a report that costs more than its bytes.
func FuzzReportCost(f *testing.F) {
	for _, unit := range costUnits {
		f.Add("", unit, "\n")
	}
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		if len(unit) > 64 || len(before)+len(after) > 200 {
			return
		}
		for i, raw := range costMails(costtest.Long(before, unit, after, costBytes)) {
			if why := costtest.Excess(len(raw), func() { read(raw) }); why != "" {
				t.Errorf("report %d: %s", i, why)
			}
		}
	})
}
