package report

import (
	"strings"
	"testing"
)

// TestDeliveryStatus is about reports with a part for programs.
func TestDeliveryStatus(t *testing.T) {
	const id = "; original@example.net"
	checkRows(t, []row{
		{"a footer is no reason", dsn("Delivery to the following recipients failed.\n\n       "+
			"nobody@example.com\n\n____\nChecked for viruses by Example Scan.",
			"Final-Recipient: rfc822;nobody@example.com\nAction: failed\nStatus: 5.1.1\n"),
			"bounce: nobody@example.com 5.1.1 hard; original@example.net"},
		{"Postfix, no such user", dsn(`
<nobody@example.com>: host mx.example.com[192.0.2.1] said: 550 5.1.1
    <nobody@example.com>: Recipient address rejected: User unknown (in reply to
    RCPT TO command)`, `
Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; nobody@example.com
Original-Recipient: rfc822;nobody@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <nobody@example.com>: Recipient address
    rejected: User unknown
`), "bounce: nobody@example.com 5.1.1 hard" + id},
		{"the words know more than the status", oneDSN("failed", "5.0.0", "smtp; 552 5.2.2 mailbox full"),
			"bounce: nobody@example.com 5.2.2" + id},
		{"status alone", oneDSN("failed", "5.1.1", ""), "bounce: nobody@example.com 5.1.1 hard" + id},
		{"status with a comment", oneDSN("failed", "5.1.1 (bad destination mailbox)", ""),
			"bounce: nobody@example.com 5.1.1 hard" + id},
		{"no host", oneDSN("failed", "5.4.4", "X-Postfix; Host or domain name not found. Name service error for "+
			"name=example.com type=AAAA: Host not found"),
			"bounce: nobody@example.com 5.4.4 hard" + id},
		{"host answers nonsense", oneDSN("failed", "5.4.4", "X-Postfix; Name service error for name=example.com "+
			"type=MX: Malformed or unexpected name server reply"),
			"bounce: nobody@example.com 5.4.4" + id},
		{"null MX", oneDSN("failed", "5.1.0", "X-Postfix; Domain example.com does not accept mail (nullMX)"),
			"bounce: nobody@example.com 5.1.0 hard" + id},
		{"556 without words", oneDSN("failed", "5.0.0", "smtp; 556 no"), "bounce: nobody@example.com 5.0.0 hard" + id},
		{"disabled at Google", oneDSN("failed", "5.2.1", "smtp; 550-5.2.1 The email account that you tried to reach "+
			"is disabled."),
			"bounce: nobody@example.com 5.2.1" + id},
		{"unknown at Google", oneDSN("failed", "5.1.1", "smtp; 550-5.1.1 The email account that you tried to reach "+
			"does not exist. Please try\n "+
			"550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces."),
			"bounce: nobody@example.com 5.1.1 hard" + id},
		{"Exchange Online", oneDSN("failed", "5.1.10", "smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient "+
			"nobody@example.com not found"),
			"bounce: nobody@example.com 5.1.10 hard" + id},
		{"Exchange Online behind an edge that knows its addresses",
			oneDSN("failed", "5.4.1", "smtp;550 5.4.1 Recipient address rejected: Access denied."),
			"bounce: nobody@example.com 5.4.1 hard" + id},
		{"Exchange Online, no domain", oneDSN("failed", "5.4.310", "smtp;550 5.4.310 DNS domain example.com does not "+
			"exist [Message=InfoDomainNonexistent]"),
			"bounce: nobody@example.com 5.4.310 hard" + id},
		{"banned address of the server", oneDSN("failed", "5.7.606", "smtp;550 5.7.606 Access denied, banned sending "+
			"IP [192.0.2.9]."),
			"bounce: nobody@example.com 5.7.606" + id},
		{"the sender's domain is the one not found", oneDSN("failed", "5.1.8", "smtp; 550 5.1.8 <agent@example.net>: "+
			"Sender address rejected: Domain not found"),
			"bounce: nobody@example.com 5.1.8" + id},
		{"the server's name is the one not found", oneDSN("failed", "5.7.1", "smtp; 550 5.7.1 Client host rejected: "+
			"cannot find your hostname"),
			"bounce: nobody@example.com 5.7.1" + id},
		{"IronPort's own words", oneDSN("failed", "5.0.0", "smtp; 5.1.0 - Unknown address error 550-'5.2.2 "+
			"<nobody@example.com>... Mailbox Full' (delivery attempts: 0)"),
			"bounce: nobody@example.com 5.2.2" + id},
		{"Domino", oneDSN("failed", "5.0.0", "X-Notes; User nobody (nobody@example.com) not listed in Domino Directory"), "bounce: nobody@example.com 5.0.0 hard" + id},
		{"given up after days", oneDSN("failed", "4.4.7", "smtp; 421 4.4.0 [internal] no MXs for this domain could "+
			"be reached"), "bounce: nobody@example.com 4.4.0" + id},
		{"always told that there is no such user", oneDSN("failed", "4.1.1", "smtp; 450 4.1.1 <nobody@example.com>: "+
			"Recipient address rejected: User unknown in virtual alias table"),
			"bounce: nobody@example.com 4.1.1 hard" + id},
		{"said to DATA", dsn("<nobody@example.com>: host mx.example.com[192.0.2.1] said: 550 User unknown (in "+
			"reply\n    to end of DATA command)",
			"Final-Recipient: rfc822; nobody@example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 "+
				"User unknown\n"),
			"bounce: nobody@example.com 5.0.0 hard" + id},
		{"said to RCPT", dsn("<nobody@example.com>: host mx.example.com[192.0.2.1] said: 550 User unknown (in "+
			"reply\n    to RCPT TO command)",
			"Final-Recipient: rfc822; nobody@example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 "+
				"User unknown\n"),
			"bounce: nobody@example.com 5.0.0 hard" + id},
		{"Sendmail's transcript", dsn(`
   ----- The following addresses had permanent fatal errors -----
<nobody@example.com>
    (reason: 550 : User unknown)

   ----- Transcript of session follows -----
... while talking to mx.example.com.:
>>> DATA
<<< 550 : User unknown
554 5.0.0 Service unavailable
`, "Final-Recipient: RFC822; nobody@example.com\nAction: failed\nStatus: 5.2.0\nDiagnostic-Code: SMTP; 550 : User unknown\n"),
			"bounce: nobody@example.com 5.2.0" + id},
		{"OpenSMTPD has the words in its text", dsn("    An error has occurred while attempting to deliver a message "+
			"for\n    the following list of recipients:\n\n"+
			"nobody@example.com: 550 5.1.1 <nobody@example.com>: no such user",
			"Final-Recipient: rfc822; nobody@example.com\nAction: failed\nStatus: 5.0.0\n"),
			"bounce: nobody@example.com 5.1.1 hard" + id},
		{"Amazon SES", oneDSN("failed", "5.1.1", "smtp; Amazon SES did not send the message to this address because "+
			"it is on the suppression list for your account."),
			"bounce: nobody@example.com 5.1.1 hard" + id},
		{"Barracuda", oneDSN("failed", "5.7.1", "smtp; 550 5.7.1 Message content rejected, UBE, id=1"),
			"bounce: nobody@example.com 5.7.1" + id},
		{"SendGrid", oneDSN("expired", "", "Connection timed out"), "bounce: nobody@example.com 4.4.1" + id},
		{"delayed", oneDSN("delayed", "4.4.1", "smtp; connect to mx.example.com[192.0.2.1]:25: Connection timed out"),
			"delayed: nobody@example.com 4.4.1" + id},
		{"delayed is never hard", oneDSN("delayed", "5.1.1", "smtp; 550 5.1.1 user unknown"),
			"delayed: nobody@example.com 5.1.1" + id},
		{"delivered", oneDSN("delivered", "2.0.0", "smtp; 250 2.0.0 Ok: queued as 4711"),
			"delivered: nobody@example.com 2.0.0" + id},
		{"relayed", oneDSN("relayed (to non-DSN-aware mailer)", "2.1.9", ""), "delivered: nobody@example.com 2.1.9" +
			id},
		{"expanded", oneDSN("expanded", "2.2.0", ""), "delivered: nobody@example.com 2.2.0" + id},
		{"no action, but success", oneDSN("", "2.6.0", ""), "delivered: nobody@example.com 2.6.0" + id},
	})
}

// TestDeliveryStatusShapes is about how the fields are laid out.
func TestDeliveryStatusShapes(t *testing.T) {
	const id = "; original@example.net"
	many := strings.Repeat("Final-Recipient: rfc822; n@example.com\nAction: failed\nStatus: 5.1.1\n\n", 3)
	checkRows(t, []row{
		{"one failed, one delayed, one delivered", dsn("Some failed.", `
Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; a@example.com
Action: delivered
Status: 2.0.0

Final-Recipient: rfc822; b@example.com
Action: delayed
Status: 4.2.2

Final-Recipient: rfc822; c@example.com
Action: failed
Status: 5.1.1
`), "bounce: b@example.com 4.2.2, c@example.com 5.1.1 hard" + id},
		{"no empty line between groups", dsn("Failed.", "Reporting-MTA: dns; mx.example.net\nFinal-Recipient: "+
			"rfc822; a@example.com\nAction: failed\nStatus: 5.1.1\n"+
			"Final-Recipient: rfc822; b@example.com\nAction: failed\nStatus: 5.2.2\n"), "bounce: a@example.com 5.1.1 " +
			"hard, b@example.com 5.2.2" + id},
		{"one recipient three times", dsn("Failed.", many), "bounce: n@example.com 5.1.1 hard" + id},
		{"as the sender knows it", dsn("Failed.", "Original-Recipient: rfc822;list@example.com\nFinal-Recipient: "+
			"rfc822; member@example.org\nAction: failed\nStatus: 5.1.1\n"),
			"bounce: list@example.com 5.1.1 hard" + id},
		{"escaped", dsn("Failed.", "Original-Recipient: rfc822;a+2Btag@example.com\nAction: failed\nStatus: 5.1.1\n"),
			"bounce: a+tag@example.com 5.1.1 hard" + id},
		{"internationalised", dsn("Failed.", "Final-Recipient: utf-8;jörg@example.com\nAction: failed\nStatus: 5.1.1\n"), "bounce: jörg@example.com 5.1.1 hard" + id},
		{"in brackets, without a type", dsn("Failed.", "Original-Recipient: <nobody@example.com>\nAction: "+
			"failed\nDiagnostic-Code: smtp; 550 5.1.1 unknown\n"),
			"bounce: nobody@example.com 5.1.1 hard" + id},
		{"no final recipient", dsn("Failed.", "Original-Recipient: rfc822;<a@example.com>\nFinal-Recipient: "+
			"system;<>\nAction: failed\nStatus: 5.0.0\n"),
			"bounce: a@example.com 5.0.0" + id},
		{"only a host", dsn("<nobody@example.com>\n    (reason: 550 Host unknown)",
			"Final-Recipient: RFC822; @relay.example\nAction: failed\nStatus: 5.1.2\n"),
			"bounce: nobody@example.com 5.1.2 hard" + id},
		{"an id of its own", dsn("Failed.", "X-Original-Message-ID: <other@example.net>\n\nFinal-Recipient: rfc822; "+
			"a@example.com\nAction: failed\nStatus: 5.1.1\n"),
			"bounce: a@example.com 5.1.1 hard; other@example.net"},
		{"nothing in it: the text tells", dsn("Delivery to the following recipients failed permanently:\n\n   * "+
			"nobody@example.com\n", "Reporting-MTA: dns; mx.example.net\n"),
			"bounce: nobody@example.com 5.0.0" + id},
		{"headers returned", crlf("From: MAILER-DAEMON@mx.example.net\nSubject: Returned mail\nContent-Type: " +
			"multipart/report; boundary=b\n\n" +
			"--b\n\nFailed.\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: " +
			"rfc822;a@example.com\nAction: failed\nStatus: 5.1.1\n\n" +
			"--b\nContent-Type: text/rfc822-headers\n\nSubject: x\nMessage-ID:\n <folded@example.net>\n\n--b--\n"),
			"bounce: a@example.com 5.1.1 hard; folded@example.net"},
		{"in base64", crlf("From: MAILER-DAEMON@mx.example.net\nSubject: Returned mail\nContent-Type: " +
			"multipart/report; boundary=b\n\n" +
			"--b\n\nFailed.\n--b\nContent-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n" +
			"RmluYWwtUmVjaXBpZW50OiByZmM4MjI7YUBleGFtcGxlLmNvbQ0KQWN0aW9uOiBmYWlsZWQNClN0YXR1czogNS4xLjENCg==\n--b--\n"),
			"bounce: a@example.com 5.1.1 hard"},
		{"nothing but fields", crlf("Content-Type: message/delivery-status\n\nReporting-MTA: dns; " +
			"mx.example.net\n\nFinal-Recipient: RFC822; <a@example.com>\nAction: failed\nStatus: 4.2.2\n"),
			"bounce: a@example.com 4.2.2"},
		{"no Content-Type: the fields are in the text", plain("Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>",
			"Returned mail: see transcript for details",
			"This is a MIME-encapsulated message\n\n--b\n\nFailed.\n\n--b\nContent-Type: "+
				"message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n"+
				"Final-Recipient: RFC822; a@example.com\nAction: failed\nStatus: 5.1.1\n\n--b\nContent-Type: "+
				"message/rfc822\n\nReturn-Path: <agent@example.net>\n"+
				"Message-ID: <original@example.net>\n"), "bounce: a@example.com 5.1.1 hard" + id},
	})
}
