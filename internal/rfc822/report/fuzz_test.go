package report

import (
	"bytes"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

func read(raw string) Report {
	return Read(rfc822.Parse([]byte(raw), rfc822.Limits{}), bytes.NewReader([]byte(raw)))
}

func FuzzRead(f *testing.F) {
	for _, raw := range []string{
		oneDSN("failed", "5.1.1", "smtp; 550 5.1.1 <nobody@example.com>: user unknown"),
		oneDSN("delayed", "4.4.1", ""),
		oneDSN("delivered", "2.0.0", "smtp; 250 ok"),
		mixed("MAILER-DAEMON@mx.example.net", "Undelivered Mail", "<nobody@example.com>: mailbox full\n"),
		typed("From: fbl@example.org", "message/feedback-report", "Abuse.", "Feedback-Type: abuse\nOriginal-Rcpt-To: "+
			"<a@example.com>\n"),
		typed("From: a@example.org", "message/disposition-notification", "Read.",
			"Final-Recipient: rfc822;a@example.com\nDisposition: x; displayed\n"),
		null("MAILER-DAEMON", "failure notice", "<a@example.com>:\n>>> DATA\n<<< 550 no\n554 <b@example.com>... 550 "+
			"Host unknown\n\n--- Below this line\n\n"+original),
		plain("no-reply@sns.amazonaws.com", "x", `{"notificationType":"Bounce","bounce":{"bouncedRecipients":[{"emailAddress":"a@b.c","status":"5"}]}}`),
		"Auto-Submitted: auto-replied\r\n" + plain("a@example.com", "Automatic reply: x", "away\n"),
		"X-Failed-Recipients: a@b.example, <c@d.example>\nFrom: <>\n\nFinal-Recipient: x\nStatus: 4\n\nAction: " +
			"delayed\n",
		"From: mailer-daemon\nSubject: [x] undeliverable\nContent-Type: message/rfc822\n\nFrom: " +
			"mailer-daemon\n\na@b.example... no\n",
	} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, lim := range []rfc822.Limits{{}, {Skim: true}} {
			checkReport(t, Read(rfc822.Parse(raw, lim), bytes.NewReader(raw)))
		}
		// The bytes may be gone by the time they are read.
		checkReport(t, Read(rfc822.Parse(raw, rfc822.Limits{}), bytes.NewReader(nil)))
	})
}
