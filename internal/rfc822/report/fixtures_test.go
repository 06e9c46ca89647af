package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// row is one mail and what it says, in short: "bounce: nobody@example.com 5.1.1 hard; original@example.net".
type row struct{ name, raw, want string }

func checkRows(t *testing.T, rows []row) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			raw := []byte(tt.raw)
			got := Read(rfc822.Parse(raw, rfc822.Limits{}), bytes.NewReader(raw))
			checkReport(t, got)
			if s := short(got); s != tt.want {
				t.Errorf("got  %s\nwant %s\n%+v", s, tt.want, got)
			}
		})
	}
}

// short is the form that rows are written in.
func short(r Report) string {
	if r.Class == None {
		return ""
	}
	var list []string
	for _, one := range r.Recipients {
		s := one.Address
		if one.Status != "" {
			s += " " + one.Status
		}
		if one.Hard {
			s += " hard"
		}
		list = append(list, s)
	}
	s := string(r.Class) + ": " + strings.Join(list, ", ")
	if r.Feedback != "" {
		s += " (" + r.Feedback + ")"
	}
	if r.MessageID != "" {
		s += "; " + r.MessageID
	}
	return s
}

// crlf makes a message of lines.
func crlf(s string) string { return strings.ReplaceAll(strings.TrimLeft(s, "\n"), "\n", "\r\n") }

// original is a message that fixtures return. What its text says is not what the report says.
const original = "Received: from client.example.net by mx.example.net; Tue, 3 Nov 2026 10:11:12 +0000\n" +
	"From: Agent <agent@example.net>\nTo: nobody@example.com\nSubject: Invoice\n" +
	"Message-ID: <original@example.net>\n\n<victim@example.org>: 550 5.1.1 user unknown\n"

// plain is a mail of one text.
func plain(from, subject, text string) string {
	return crlf("From: " + from + "\nTo: agent@example.net\nSubject: " + subject + "\nDate: Tue, 3 Nov 2026 10:11:13 " +
		"+0000\n" +
		"Message-ID: <report@mx.example.net>\nContent-Type: text/plain; charset=utf-8\n\n" + strings.TrimLeft(text,
		"\n"))
}

// null is a mail with the empty return path.
func null(from, subject, text string) string {
	return "Return-Path: <>\r\n" + plain(from, subject, text)
}

// mixed is a mail with the original attached, but no part for programs.
func mixed(from, subject, text string) string {
	return crlf("From: " + from + "\nTo: agent@example.net\nSubject: " + subject + "\nMIME-Version: 1.0\n" +
		"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n" +
		strings.TrimLeft(text, "\n") +
		"\n--b\nContent-Type: message/rfc822\n\n" + original + "\n--b--\n")
}

// typed is a multipart/report of a text, a part for programs and the original.
func typed(head, kind, text, fields string) string {
	return crlf(head + "\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=" + strings.TrimPrefix(kind,
		"message/") +
		";\n\tboundary=\"=b\"\n\n--=b\nContent-Type: text/plain; charset=utf-8\n\n" + strings.TrimLeft(text, "\n") +
		"\n\n--=b\nContent-Type: " + kind + "\n\n" + strings.TrimLeft(fields, "\n") +
		"\n--=b\nContent-Type: message/rfc822\n\n" + original + "\n--=b--\n")
}

// dsn is a report with a message/delivery-status.
func dsn(text, fields string) string {
	return typed("Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net (Mail Delivery System)\nTo: agent@example.net\n"+
		"Subject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied", "message/delivery-status", text,
		fields)
}

// oneDSN is a dsn about nobody@example.com.
func oneDSN(action, status, diagnostic string) string {
	fields := "Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; nobody@example.com\nAction: " + action +
		"\nStatus: " + status + "\n"
	if diagnostic != "" {
		fields += "Diagnostic-Code: " + diagnostic + "\n"
	}
	return dsn("Your message could not be delivered to one or more recipients.", fields)
}

// checkReport holds for every report, whatever the mail.
func checkReport(t *testing.T, r Report) {
	t.Helper()
	if len(r.Recipients) > maxRecipients {
		t.Errorf("%d recipients", len(r.Recipients))
	}
	if r.Class == None && (len(r.Recipients) > 0 || r.MessageID != "" || r.Feedback != "") {
		t.Errorf("not a report, and yet %+v", r)
	}
	texts := []string{r.MessageID, r.Feedback}
	for _, one := range r.Recipients {
		texts = append(texts, one.Address, one.Status, one.Text)
		if len(one.Text) > maxWords || len(one.Address) > maxAddress {
			t.Errorf("too long: %+v", one)
		}
		if one.Hard && r.Class != Bounce {
			t.Errorf("hard in a %s", r.Class)
		}
		if one.Status != "" && statusCode("5"+one.Status[1:]) == "" {
			t.Errorf("no status: %q", one.Status)
		}
	}
	for _, s := range texts {
		if strings.ToValidUTF8(s, "") != s || strings.ContainsAny(s, "\x00\r\n") {
			t.Errorf("not one line of text: %q", s)
		}
	}
}
