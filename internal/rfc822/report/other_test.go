package report

import (
	"strings"
	"testing"
)

// TestComplaints is about feedback reports.
func TestComplaints(t *testing.T) {
	const id = "; original@example.net"
	arf := func(fields string) string {
		return typed("From: <fbl@example.org>\nTo: abuse@example.net\nSubject: FW: Invoice\nAuto-Submitted: "+
			"auto-generated",
			"message/feedback-report", "This is an email abuse report for an email message received from IP 192.0.2.2.",
			fields)
	}
	checkRows(t, []row{
		{"abuse", arf("Feedback-Type: abuse\nUser-Agent: Example/1.0\nVersion: 1\nOriginal-Rcpt-To: <a@example.com>\n"),
			"complaint: a@example.com (abuse)" + id},
		{"two recipients", arf("Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: a@example.com\nOriginal-Rcpt-To: " +
			"b@example.com\n"),
			"complaint: a@example.com, b@example.com (abuse)" + id},
		{"recipient from the original", arf("Feedback-Type: Fraud\nVersion: 1\n"), "complaint: nobody@example.com " +
			"(fraud)" + id},
		{"authentication", arf("Feedback-Type: auth-failure\nAuth-Failure: dmarc\nOriginal-Rcpt-To: a@example.com\n"),
			"complaint: a@example.com (auth-failure)" + id},
		{"unsubscribed", arf("Feedback-Type: opt-out\nRemoval-Recipient: a@example.com\n"),
			"complaint: a@example.com (opt-out)" + id},
		{"no type", arf("Version: 1\nOriginal-Rcpt-To: a@example.com\n"), "complaint: a@example.com" + id},
		{"Microsoft, without a part for programs",
			strings.Replace(mixed("staff@hotmail.com", "complaint about message from 192.0.2.2", "\n"),
				"Message-ID: <original", "X-HmXmrOriginalRecipient: <a@hotmail.com>\r\nMessage-ID: <original", 1),
			"complaint: a@hotmail.com (abuse)" + id},
		{"Amazon's notice as text", plain("SES <no-reply@sns.amazonaws.com>", "AWS Notification Message",
			`{"eventType":"Complaint","complaint":{"complainedRecipients":[{"emailAddress":"a@example.com"}],"complaintFeedbackType":"abuse"},"mail":{"messageId":"0101"}}`),
			"complaint: a@example.com (abuse); 0101"},
	})
}

// TestReceipts is about read receipts.
func TestReceipts(t *testing.T) {
	mdn := func(text, disposition string) string {
		return typed("From: Nobody <nobody@example.com>\nTo: agent@example.net\nSubject: Read: Invoice",
			"message/disposition-notification", text,
			"Reporting-UA: example; mail\nOriginal-Recipient: rfc822;nobody@example.com\nFinal-Recipient: "+
				"rfc822;nobody@example.com\n"+
				"Original-Message-ID: <original@example.net>\nDisposition: "+disposition+"\n")
	}
	checkRows(t, []row{
		{"read", mdn("Your message was displayed.", "manual-action/MDN-sent-manually; displayed"),
			"delivered: nobody@example.com; original@example.net"},
		{"deleted unread", mdn("Your message was deleted without being read.",
			"automatic-action/MDN-sent-automatically; deleted"),
			"delivered: nobody@example.com; original@example.net"},
		{"refused by Sieve", mdn("Your message to <nobody@example.com> was automatically rejected:\nQuota exceeded",
			"automatic-action/MDN-sent-automatically; deleted"),
			"bounce: nobody@example.com 5.2.2; original@example.net"},
	})
}

// TestAutoReplies is about what answers by itself.
func TestAutoReplies(t *testing.T) {
	const want = "autoreply: person@example.com"
	answer := func(field, subject string) string {
		return field + "\r\n" + plain("Person <person@example.com>", subject, "\nI am away until Monday.\n")
	}
	checkRows(t, []row{
		{"RFC 3834", "In-Reply-To: <original@example.net>\r\n" + answer("Auto-Submitted: auto-replied (vacation)",
			"Re: Invoice"), want + "; original@example.net"},
		{"from the empty return path", answer("Return-Path: <>\r\nAuto-Submitted: auto-replied", "Re: Invoice"), want},
		{"by precedence", answer("Precedence: auto_reply", "Re: Invoice"), want},
		{"by a field of old", answer("X-Autoreply: yes", "Away"), want},
		{"Outlook", answer("X-Auto-Response-Suppress: All", "Automatic reply: Invoice"), want},
		{"Outlook in German", answer("X-Mailer: x", "Automatische Antwort: Rechnung"), want},
		{"in brackets", answer("X-Mailer: x", "[Automatic reply] Invoice"), want},
		{"in Polish, in brackets", answer("X-Mailer: x", "[Automatyczna odpowiedź] Faktura"), want},
		{"in French", answer("X-Mailer: x", "Réponse automatique : Facture"), want},
		{"in Japanese", answer("X-Mailer: x", "自動応答: 請求書"), want},
		{"in Russian", answer("X-Mailer: x", "Автоответ: счёт"), want},
		{"in Ukrainian", answer("X-Mailer: x", "Автоматична відповідь: рахунок"), want},
		{"in Greek", answer("X-Mailer: x", "Αυτόματη απάντηση: τιμολόγιο"), want},
		{"in Arabic", answer("X-Mailer: x", "رد تلقائي: فاتورة"), want},
		{"in Hebrew", answer("X-Mailer: x", "תשובה אוטומטית: חשבונית"), want},
		{"in Haitian Creole", answer("X-Mailer: x", "Repons otomatik: Fakti"), want},
		{"in Romanian", answer("X-Mailer: x", "Răspuns automat: factură"), want},
		{"in Slovak", answer("X-Mailer: x", "Automatická odpoveď: faktúra"), want},
		{"in Chinese", answer("X-Mailer: x", "自动答复: 发票"), want},
		{"nothing but the empty return path", null("Person <person@example.com>", "Absence",
			"\nJe suis absent jusqu'au 12 mars.\n"), want},
		{"the phrase comes later", answer("X-Mailer: x", "Person is out of office: Invoice"), want},
		{"calls itself generated", "Auto-Submitted: auto-generated\r\n" + plain("Person <person@example.com>",
			"Re: Invoice", "\nI am on vacation until Monday.\n"), want},
		{"references alone", "References: <first@example.net> <original@example.net>\r\n" + answer("X-Mailer: x",
			"Out of Office Re: Invoice"),
			want + "; original@example.net"},
		{"it speaks of delivery", "Return-Path: <>\r\n" + plain("Person <person@example.com>",
			"Automatic reply: Invoice",
			"\nI have left the company. Your message could not be delivered to me.\n550 5.1.1 user unknown\n"), want},
	})
}

// TestOrdinaryMail is about mail that is no report.
func TestOrdinaryMail(t *testing.T) {
	checkRows(t, []row{
		{"a person writes about it", plain("Person <person@example.com>", "delivery failed",
			"\nHi, my mail to bob@example.org bounced:\n\n550 5.1.1 user unknown\n\nCan you help?\n"), ""},
		{"a person asks with the word first", plain("Person <person@example.com>", "Undelivered mail?",
			"\nYour message could not be delivered, I was told.\n"), ""},
		{"a person forwards a bounce", mixed("Person <person@example.com>", "Fwd: Undelivered Mail Returned to Sender",
			"\nWhat is this? It could not be delivered.\n"), ""},
		{"a bounce forwarded whole", crlf("From: Person <person@example.com>\nSubject: FYI\nContent-Type: "+
			"multipart/mixed; boundary=f\n\n--f\n\nSee below.\n\n--f\nContent-Type: message/rfc822\n\n") +
			oneDSN("failed", "5.1.1", "smtp; 550 5.1.1 unknown") + "\r\n--f--\r\n", ""},
		{"a bounce taken apart and forwarded", crlf("From: Person <person@example.com>\nSubject: FW: " +
			"Undeliverable\nContent-Type: multipart/mixed; boundary=f\n\n--f\n\nSee below.\n\n" +
			"--f\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@example.com\nAction: " +
			"failed\nStatus: 5.1.1\n\n--f--\n"), ""},
		{"a reply to a bounce", plain("Person <person@example.com>", "Re: Delivery Status Notification (Failure)",
			"\nIt could not be delivered.\n\n> 550 5.1.1 user unknown\n"), ""},
		{"a reply to an automatic answer", plain("Person <person@example.com>", "Re: Automatic reply: Invoice",
			"\nEnjoy.\n"), ""},
		{"a newsletter about bounces", "List-Unsubscribe: <https://example.com/u>\r\nList-Id: <news.example.com>\r\n" +
			plain("Deliverability News <news@example.com>", "Undeliverable: why your mail bounces",
				"\nA message that could not be delivered returns 550 5.1.1 user unknown.\n"+
					"\n----- Original message -----\n\nReceived: from x\nMessage-ID: <a@b>\n"), ""},
		{"a newsletter of a postmaster", "List-Id: <news.example.com>\r\n" +
			plain("Postmaster Tools <postmaster@example.com>", "Your monthly report",
				"\n12 messages could not be delivered. 550 5.1.1 was the most frequent.\n"), ""},
		{"a shop about a parcel", plain("Shop <orders@example.com>", "Delivery failed: parcel 4711",
			"\nYour parcel could not be delivered to 1 Main Street.\n"), ""},
		{"a digest of a list", crlf("From: list-request@example.org\nTo: list@example.org\nSubject: List Digest, Vol " +
			"1, Issue 1\nPrecedence: list\n" +
			"Content-Type: multipart/digest; boundary=d\n\n--d\n\nFrom: a@example.com\nSubject: Undelivered Mail " +
			"Returned to Sender\n\n<x@example.com>: 550 5.1.1 user unknown\n--d--\n"), ""},
		{"a calendar reply", crlf("From: Person <person@example.com>\nSubject: Accepted: Meeting\nContent-Type: " +
			"multipart/alternative; boundary=c\n\n" +
			"--c\nContent-Type: text/plain\n\nPerson has accepted.\n--c\nContent-Type: text/calendar; " +
			"method=REPLY\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--c--\n"), ""},
		{"a notice by a program", "Auto-Submitted: auto-generated\r\nX-Auto-Response-Suppress: All\r\n" +
			plain("CI <ci@example.com>", "Build failed", "\nStep 3 failed with 550.\n"), ""},
		{"a notice of what a person wrote", "Auto-Submitted: auto-generated\r\n" + plain("Forum <forum@example.com>",
			"Bob has answered", "\nBob: I am on vacation until Monday.\n"), ""},
		{"the same in a thread of a list", "Auto-Submitted: auto-generated\r\nList-Id: " +
			"<forum.example.com>\r\nIn-Reply-To: <original@example.net>\r\n" +
			plain("Forum <forum@example.com>", "Re: Boats", "\nBob: I am on vacation until Monday.\n"), ""},
		{"a report about TLS", typed("From: tls@example.com\nSubject: Report Domain: example.net",
			"application/tlsrpt+gzip", "This is an aggregate TLS report.", "x\n"), ""},
		{"a DMARC aggregate", plain("noreply-dmarc-support@example.com", "Report domain: example.net Submitter: "+
			"example.com", "\n"), ""},
		{"a signature with the word", plain("Person <person@example.com>", "Lunch", "\nLunch?\n\n-- \nHead of mail "+
			"delivery, MAILER-DAEMON fan\n"), ""},
		{"nothing at all", "\r\n\r\n", ""},
	})
}

// TestOriginalIsNotRead is about what only looks like the report.
func TestOriginalIsNotRead(t *testing.T) {
	inner := "Final-Recipient: rfc822; victim@example.org\nAction: failed\nStatus: 5.1.1\n"
	checkRows(t, []row{
		{"an original that speaks like one", mixed("MAILER-DAEMON@mx.example.net", "Undelivered Mail",
			"\n<nobody@example.com>: mailbox full\n"),
			"bounce: nobody@example.com 5.2.2; original@example.net"},
		{"fields in the original", strings.Replace(mixed("MAILER-DAEMON@mx.example.net", "Undelivered Mail",
			"\n<nobody@example.com>: mailbox full\n"),
			"<victim@example.org>: 550", crlf(inner)+"550", 1),
			"bounce: nobody@example.com 5.2.2; original@example.net"},
		{"a status in the original", crlf("From: MAILER-DAEMON@mx.example.net\nSubject: Undelivered "+
			"Mail\nContent-Type: multipart/mixed; boundary=m\n\n--m\n\n"+
			"<nobody@example.com>: mailbox full\n\n--m\nContent-Type: message/rfc822\n\nMessage-ID: "+
			"<original@example.net>\nContent-Type: multipart/report; boundary=i\n\n"+
			"--i\nContent-Type: message/delivery-status\n\n") + crlf(inner) + crlf("\n--i--\n\n--m--\n"),
			"bounce: nobody@example.com 5.2.2; original@example.net"},
		{"text after the separator", null("MAILER-DAEMON@mx.example.net", "failure notice",
			"\n<nobody@example.com>:\nmailbox full\n\n"+
				"--- Below this line is a copy of the message.\n\nMessage-ID: "+
				"<original@example.net>\n\n<victim@example.org>:\n550 5.1.1 user unknown\n"),
			"bounce: nobody@example.com 5.2.2; original@example.net"},
	})
}
