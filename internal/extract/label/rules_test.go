package label

import (
	"slices"
	"strings"
	"testing"
)

// head makes a header of lines "Name: value".
func head(lines ...string) func(string) string {
	return func(name string) string {
		for _, l := range lines {
			if n, value, _ := strings.Cut(l, ": "); strings.EqualFold(n, name) {
				return value
			}
		}
		return ""
	}
}

const (
	jo     = "jo.doe@people.example"
	robot  = "no-reply@acme.example"
	daemon = "MAILER-DAEMON@mx.acme.example"
)

// fired lists the rules that hold for a mail, each by itself.
func fired(m Mail) []string {
	v := newView(m)
	var names []string
	for _, s := range steps {
		for _, r := range s.rules {
			if r.when(v) {
				names = append(names, r.name)
			}
		}
	}
	return names
}

// ruleRows has mails in which one rule holds, and mails that are nearly so in which it does not.
var ruleRows = []struct {
	rule string
	mail Mail
	want bool
}{
	{"delivery report", Mail{From: "x@y.example", EnvelopeFrom: "x@y.example", Types: []string{"multipart/report",
		"text/plain", "message/delivery-status"}}, true},
	{"delivery report", Mail{Types: []string{"multipart/report", "text/plain", "message/global-delivery-status"}},
		true},
	{"delivery report", Mail{Types: []string{"multipart/report"},
		Header: head(`Content-Type: multipart/report; boundary=x; Report-Type="delivery-status"`)}, true},
	{"delivery report", Mail{Types: []string{"multipart/report"},
		Header: head("Content-Type: multipart/report; report-type=feedback-report")}, false},
	{"delivery report", Mail{Types: []string{"multipart/mixed", "message/delivery-status"}}, false},
	{"delivery report", Mail{Subject: "Delivery Status Notification (Success)", Types: []string{"multipart/report",
		"message/delivery-status"}}, false},
	{"delivery report", Mail{Subject: "Delivered: Hello", Types: []string{"multipart/report",
		"message/delivery-status"}}, false},
	{"delivery report", Mail{Subject: "Report", Text: "Your message was successfully delivered to the destination.",
		Types: []string{"multipart/report", "message/delivery-status"}}, false},
	{"delivery report", Mail{Subject: "Report", Text: "This could not be delivered:",
		Types: []string{"multipart/report", "message/delivery-status"}}, true},

	{"delivery status from the mail system", Mail{From: daemon, EnvelopeFrom: "x@y.example",
		Types: []string{"multipart/mixed", "message/delivery-status"}}, true},
	{"delivery status from the mail system", Mail{From: jo, EnvelopeFrom: jo, Types: []string{"multipart/mixed",
		"message/delivery-status"}}, false},

	{"failed recipients", Mail{From: "Mailer-Daemon@mx.example", Header: head("X-Failed-Recipients: a@b.example")},
		true},
	{"failed recipients", Mail{From: jo, EnvelopeFrom: jo, Header: head("X-Failed-Recipients: a@b.example")}, false},

	{"returned mail from the null sender", Mail{From: robot, Types: []string{"multipart/mixed", "text/plain",
		"message/rfc822"}, Text: "Could not be delivered to: <a@b.example>"}, true},
	{"returned mail from the null sender", Mail{From: jo, EnvelopeFrom: jo, Types: []string{"multipart/mixed",
		"message/rfc822"}, Text: "It could not be delivered, see below."}, false},

	{"worded by the mail system", Mail{From: daemon, EnvelopeFrom: daemon, Subject: "failure notice"}, true},
	{"worded by the mail system", Mail{From: "postmaster@x.example", EnvelopeFrom: "postmaster@x.example", Subject: "E",
		Text: "Your message did not reach some or all of the recipients."}, true},
	{"worded by the mail system", Mail{From: "postmaster@x.example", EnvelopeFrom: "postmaster@x.example",
		Subject: "Planned maintenance", Text: "On Sunday."}, false},
	{"worded by the mail system", Mail{From: jo, EnvelopeFrom: jo, Subject: "Undeliverable: my parcel"}, false},

	{"worded, from the null sender", Mail{From: jo, Subject: "Undeliverable: Hello"}, true},
	{"worded, from the null sender", Mail{From: jo, Subject: "Unzustellbar: Hallo"}, true},
	{"worded, from the null sender", Mail{From: jo, Subject: "Re: Undeliverable: Hello"}, false},
	{"worded, from the null sender", Mail{From: jo, EnvelopeFrom: jo, Subject: "Undeliverable: Hello"}, false},

	{"Auto-Submitted: auto-replied", Mail{EnvelopeFrom: jo, From: jo, Header: head("Auto-Submitted: auto-replied")},
		true},
	{"Auto-Submitted: auto-replied", Mail{EnvelopeFrom: jo, From: jo,
		Header: head("Auto-Submitted: Auto-Replied (vacation)")}, true},
	{"Auto-Submitted: auto-replied", Mail{EnvelopeFrom: jo, From: jo,
		Header: head(`auto-submitted: auto-replied; owner-email="a@b"`)}, true},
	{"Auto-Submitted: auto-replied", Mail{EnvelopeFrom: jo, From: jo, Header: head("Auto-Submitted: no")}, false},
	{"Auto-Submitted: auto-replied", Mail{Types: []string{"multipart/report"},
		Header: head("Auto-Submitted: auto-replied")}, false},

	{"X-Autoreply", Mail{EnvelopeFrom: jo, Header: head("X-Autoreply: yes")}, true},
	{"X-Autoreply", Mail{EnvelopeFrom: jo, Header: head("X-Autoreply: no")}, false},
	{"X-Autorespond", Mail{EnvelopeFrom: jo, Header: head("X-Autorespond: Hello")}, true},
	{"Precedence: auto_reply", Mail{EnvelopeFrom: jo, Header: head("Precedence: auto_reply")}, true},
	{"Precedence: auto_reply", Mail{EnvelopeFrom: jo, Header: head("Precedence: bulk")}, false},
	{"delivered to an autoresponder", Mail{EnvelopeFrom: jo, Header: head("Delivered-To: Autoresponder")}, true},
	{"delivered to an autoresponder", Mail{EnvelopeFrom: jo, Header: head("Delivered-To: jo@people.example")}, false},
	{"X-AutoGenerated: reply", Mail{EnvelopeFrom: jo, Header: head("X-AutoGenerated: Reply")}, true},
	{"read receipt", Mail{EnvelopeFrom: jo, Types: []string{"multipart/report", "message/disposition-notification"}},
		true},
	{"read receipt", Mail{EnvelopeFrom: jo, Types: []string{"multipart/report", "message/delivery-status"}}, false},

	{"subject of an automatic reply", Mail{EnvelopeFrom: jo, Subject: "Automatic reply: Hello"}, true},
	{"subject of an automatic reply", Mail{EnvelopeFrom: jo, Subject: "Re: Automatic reply: Hello"}, false},
	{"subject of an automatic reply", Mail{EnvelopeFrom: jo, Subject: "How to write an autoresponder"}, false},
	{"subject of an automatic reply", Mail{EnvelopeFrom: jo, Subject: "Automatic replies, done right",
		Header: head("List-Id: <a.b>")}, false},
	{"absent, by the subject", Mail{EnvelopeFrom: jo, Subject: "I am out of the office",
		Header: head("In-Reply-To: <1@x>")}, true},
	{"absent, by the subject", Mail{EnvelopeFrom: jo, Subject: "Away until May 5",
		Header: head("Auto-Submitted: auto-generated")}, true},
	{"absent, by the subject", Mail{EnvelopeFrom: jo, Subject: "Who is on vacation next week?"}, false},
	{"absent, by the subject", Mail{EnvelopeFrom: jo, Subject: "Re: out of office policy",
		Header: head("In-Reply-To: <1@x>")}, false},
	{"absent, by the text", Mail{From: jo, Subject: "Your message", Text: "I am currently out of the office."}, true},
	{"absent, by the text", Mail{From: jo, EnvelopeFrom: jo, Subject: "Re: lunch",
		Text: "I am on holiday, so next week?"}, false},
	{"answer from the null sender", Mail{From: jo, Subject: "Re: Hello", Text: "We have your mail."}, true},
	{"answer from the null sender", Mail{From: jo, Subject: "Hello", Header: head("References: <1@x>")}, true},
	{"answer from the null sender", Mail{From: jo, EnvelopeFrom: jo, Subject: "Re: Hello"}, false},
	{"answer from the null sender", Mail{From: daemon, Subject: "Re: Hello"}, false},

	{"List-Id", Mail{EnvelopeFrom: jo, Header: head("List-ID: Talk <talk.people.example>")}, true},
	{"List-Post", Mail{EnvelopeFrom: jo, Header: head("List-Post: <mailto:talk@people.example>")}, true},
	{"mailing list program", Mail{EnvelopeFrom: jo, Header: head("X-Mailman-Version: 2.1")}, true},
	{"Precedence: list", Mail{EnvelopeFrom: jo, Header: head("Precedence: list"), Code: true}, true},
	{"List-Unsubscribe", Mail{EnvelopeFrom: jo, Header: head("List-Unsubscribe: <mailto:x@y.example>")}, true},
	{"List-Unsubscribe", Mail{EnvelopeFrom: jo, Header: head("List-Unsubscribe: <mailto:x@y.example>"), Code: true},
		false},
	{"Precedence: bulk", Mail{EnvelopeFrom: jo, Header: head("Precedence: Bulk")}, true},
	{"Precedence: bulk", Mail{EnvelopeFrom: jo, Header: head("Precedence: bulk"), Links: true}, false},
	{"Precedence: bulk", Mail{EnvelopeFrom: jo, Header: head("Precedence: first-class")}, false},
	{"campaign", Mail{EnvelopeFrom: jo, Header: head("X-Campaign-Id: 7")}, true},
	{"campaign", Mail{EnvelopeFrom: jo, Header: head("X-Campaign-Id: 7"), Code: true}, false},
	{"sender of newsletters", Mail{EnvelopeFrom: jo, From: "newsletter@shop.example"}, true},
	{"sender of newsletters", Mail{EnvelopeFrom: jo, From: "the-weekly@shop.example"}, true},
	{"sender of newsletters", Mail{EnvelopeFrom: jo, From: "newsome@shop.example"}, false},
	{"sender of newsletters", Mail{EnvelopeFrom: jo, From: "deals@gmail.com"}, false},
	{"unsubscribe at the end", Mail{EnvelopeFrom: jo, From: jo, Text: strings.Repeat("News. ", 200) +
		"\nUnsubscribe: https://x.example/u"}, true},
	{"unsubscribe at the end", Mail{EnvelopeFrom: jo, From: jo, Text: "Unsubscribe me, please." +
		strings.Repeat(" News.", 200)}, false},
	{"unsubscribe at the end", Mail{EnvelopeFrom: jo, From: jo, Subject: "Fwd: News",
		Text: "See below.\n\nUnsubscribe here"}, false},
	{"unsubscribe at the end", Mail{EnvelopeFrom: jo, From: "hello@shop.example", Subject: "Your order has shipped",
		Text: "Unsubscribe here"}, false},
	{"unsubscribe at the end", Mail{EnvelopeFrom: jo, From: jo, Types: []string{"text/calendar"},
		Text: "Unsubscribe here"}, false},

	{"Auto-Submitted: auto-generated", Mail{EnvelopeFrom: jo, Header: head("Auto-Submitted: auto-generated")}, true},
	{"Auto-Submitted: auto-generated", Mail{EnvelopeFrom: jo, Header: head("Auto-Submitted: auto-notified; x=y")},
		true},
	{"application", Mail{EnvelopeFrom: jo, Header: head("X-GitHub-Reason: mention")}, true},
	{"link to verify, sign in or reset", Mail{EnvelopeFrom: jo, Links: true}, true},
	{"sender of notifications", Mail{EnvelopeFrom: jo, From: "notifications@github.example"}, true},
	{"sender of notifications", Mail{EnvelopeFrom: jo, From: "order-update@shop.example"}, true},
	{"sender of notifications", Mail{EnvelopeFrom: jo, From: "root@server.example"}, true},
	{"sender of notifications", Mail{EnvelopeFrom: jo, From: "rooter@server.example"}, false},
	{"the mail system", Mail{EnvelopeFrom: jo, From: "postmaster@x.example", Subject: "Maintenance"}, true},
	{"report", Mail{EnvelopeFrom: jo, Types: []string{"multipart/report", "message/feedback-report"}}, true},
	{"worded as a notice", Mail{EnvelopeFrom: jo, From: "hello@shop.example", Subject: "Your receipt from Shop"}, true},
	{"worded as a notice", Mail{EnvelopeFrom: jo, From: "kim@shop.example", Subject: "Order #20931 has shipped"}, true},
	{"worded as a notice", Mail{EnvelopeFrom: jo, From: "kim@gmail.com", Subject: "Invoice 2024-03"}, false},
	{"worded as a notice", Mail{EnvelopeFrom: jo, From: jo, Subject: "Shall we order lunch?"}, false},
	{"worded as a notice", Mail{EnvelopeFrom: jo, From: jo, Subject: "Booking the hall for 2026"}, false},
	{"worded as a notice", Mail{EnvelopeFrom: jo, From: "support@shop.example", Subject: "Re: your order 20931"},
		false},
	{"entry in a tracker", Mail{EnvelopeFrom: jo, From: jo, Subject: "[Bug 381598] Re: it crashes"}, true},
	{"entry in a tracker", Mail{EnvelopeFrom: jo, From: jo, Subject: "[Bug squashing] who comes?"}, false},
	{"entry in a tracker", Mail{EnvelopeFrom: jo, From: jo, Subject: "Re: [Bug 381598] it crashes"}, false},
	{"sender takes no answers", Mail{EnvelopeFrom: jo, From: robot}, true},
	{"sender takes no answers", Mail{EnvelopeFrom: jo, From: "DoNotReply@acme.example"}, true},
	{"sender takes no answers", Mail{EnvelopeFrom: jo, From: "acme_noreply+1@acme.example"}, true},
	{"sender takes no answers", Mail{EnvelopeFrom: jo, From: "nicht-antworten@acme.example"}, true},
	{"sender takes no answers", Mail{EnvelopeFrom: jo, From: "noreen@acme.example"}, false},
	{"X-Auto-Response-Suppress", Mail{EnvelopeFrom: jo, Header: head("X-Auto-Response-Suppress: All")}, true},
	{"X-Auto-Response-Suppress", Mail{EnvelopeFrom: jo, Subject: "Re: Hello",
		Header: head("X-Auto-Response-Suppress: All")}, false},
	{"Feedback-ID", Mail{EnvelopeFrom: jo, Header: head("Feedback-ID: 1:2:3:acme")}, true},
	{"sending service", Mail{EnvelopeFrom: jo, Header: head("X-SES-Outgoing: 2024")}, true},
	{"worded as automatic", Mail{EnvelopeFrom: jo, From: jo, Text: "Your backup is done.\n\nPlease do not reply to " +
		"this email."}, true},
	{"worded as automatic", Mail{EnvelopeFrom: jo, From: jo, Subject: "Re: x", Text: "> Please do not reply to " +
		"this email."}, false},

	{"code", Mail{EnvelopeFrom: jo, Code: true}, true},
	{"calendar part", Mail{EnvelopeFrom: jo, Types: []string{"multipart/alternative", "text/plain", "Text/Calendar"}},
		true},
	{"calendar part", Mail{EnvelopeFrom: jo, Types: []string{"multipart/mixed", "application/ics"}}, true},
	{"worded as a notice, by a program", Mail{From: "eva@shop.example", EnvelopeFrom: "bounce+x1@mailer.example",
		Subject: "Your parcel was shipped"}, true},
	{"worded as a notice, by a program", Mail{From: "eva@shop.example", EnvelopeFrom: "bounce+x1@mailer.example",
		Subject: "Lunch?"}, false},
	{"worded as a notice, by a program", Mail{From: "eva@shop.example", EnvelopeFrom: "eva@shop.example",
		Subject: "Your parcel was shipped"}, false},
	{"worded as a notice, by a program", Mail{From: jo, EnvelopeFrom: "talk-bounces@lists.example",
		Subject: "[talk] my password", Header: head("List-Id: <talk.lists.example>")}, false},

	{"worded as advertising", Mail{EnvelopeFrom: jo, From: "info@inn.example", Name: "Inn", Subject: "Summer",
		Text: "Dear guests, four nights from € 389."}, true},
	{"worded as advertising", Mail{EnvelopeFrom: jo, From: "info@inn.example", Name: "Inn", Subject: "Summer",
		Text: "The room costs € 389."}, false},
	{"worded as advertising", Mail{From: "hello@shop.example", EnvelopeFrom: "hello@shop.example",
		Subject: "40% off all jackets", Text: "Shop now! Free shipping."}, true},
	{"worded as advertising", Mail{From: "jan@shop.example", EnvelopeFrom: "jan@shop.example", Name: "Shop",
		Subject: "Nur heute: 20 % Rabatt", Text: "Jetzt shoppen!"}, true},
	{"worded as advertising", Mail{From: jo, EnvelopeFrom: jo, Name: "Jo Doe", Subject: "40% off all jackets",
		Text: "They have free shipping, this weekend only."}, false},
	{"worded as advertising", Mail{From: "info@shop.example", EnvelopeFrom: "info@shop.example",
		Subject: "Re: your table", Text: "We can offer 20% off, with free delivery."}, false},
	{"worded by a machine", Mail{EnvelopeFrom: jo, From: "pump@works.example", Subject: "Pump 3",
		Text: "Device: pump 3\nState: stopped\nSince: 10:02"}, true},
	{"worded by a machine", Mail{EnvelopeFrom: jo, From: jo, Name: "Jo Doe", Subject: "Pump 3",
		Text: "Device: pump 3\nState: stopped\nSince: 10:02"}, false},
	{"worded by a machine", Mail{EnvelopeFrom: jo, From: "pump@works.example", Subject: "plan",
		Text: "From: Jo <jo@x.example>\nDate: Monday\nSubject: plan\n\nWhat do you think?"}, false},
	{"worded by a machine", Mail{EnvelopeFrom: jo, From: "office@works.example", Name: "Watcher Alert",
		Subject: "es-data-4"}, true},
	{"worded by a machine", Mail{From: "jo@web1.example", EnvelopeFrom: "jo@web1.example",
		Subject: "RECOVERY: db1 is up"}, true},
	{"worded by a machine", Mail{From: jo, EnvelopeFrom: jo, Name: "Jo Doe", Subject: "Motion detected on the camera?"},
		false},
	{"worded by a machine", Mail{From: "dse@sign.example", EnvelopeFrom: "dse@sign.example", Name: "Bob via Sign",
		Subject: "contract.pdf"}, true},

	{"calendar part", Mail{EnvelopeFrom: jo, Types: []string{"text/plain"}, Text: "BEGIN:VCALENDAR"}, false},
	{"Content-Class", Mail{EnvelopeFrom: jo, Header: head("Content-Class: urn:content-classes:calendarmessage")}, true},
	{"Content-Class", Mail{EnvelopeFrom: jo, Header: head("Content-Class: urn:content-classes:message")}, false},
}

func TestRules(t *testing.T) {
	for _, tt := range ruleRows {
		if got := slices.Contains(fired(tt.mail), tt.rule); got != tt.want {
			t.Errorf("%s: got %v for %+v", tt.rule, got, tt.mail)
		}
	}
}

func TestEveryRuleHasATest(t *testing.T) {
	tested := map[string]bool{}
	for _, tt := range ruleRows {
		tested[tt.rule] = tested[tt.rule] || tt.want
	}
	for _, s := range steps {
		for _, r := range s.rules {
			if !tested[r.name] {
				t.Errorf("%s: %q has none", s.label, r.name)
			}
			delete(tested, r.name)
		}
	}
	for name := range tested {
		t.Errorf("%q is no rule", name)
	}
}
