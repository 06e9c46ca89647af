package screen

import (
	"slices"
	"testing"
)

var aligned = Auth{SPF: "pass", DKIM: "pass", DMARC: "pass", FromAligned: true, Checked: true}

// onTheWay is what is found of mail that a list or a forwarding service passed on.
var onTheWay = Auth{SPF: "pass", DKIM: "fail", DMARC: "fail", Checked: true}

// trustTests have a row for each rule, and rows that come close.
var trustTests = []struct {
	name string
	rule string // that applies
	mail Mail
	want Level
}{
	{"verified", "", Mail{From: "ann@example.com", Auth: aligned, Known: true}, Verified},
	{"verified by DKIM", "", Mail{From: "ann@example.com", Known: true, Auth: Auth{DKIM: "pass", DMARC: "none",
		FromAligned: true, Checked: true}}, Verified},
	{"not aligned", "not passed", Mail{From: "ann@example.com", Known: true, Auth: Auth{DKIM: "pass", DMARC: "none",
		Checked: true}}, Unverified},
	{"verified, first contact", "first contact", Mail{From: "ann@example.com", Auth: aligned}, Verified},
	{"not checked", "not checked", Mail{From: "ann@example.com", Known: true}, Unverified},
	{"nothing checked counts", "not checked", Mail{From: "ann@example.com", Known: true,
		Auth: Auth{DMARC: "pass", FromAligned: true}}, Unverified},
	{"no sender", "no sender", Mail{Known: true}, Unverified},
	{"no author", "no author", Mail{NoAuthor: true, Auth: aligned, Known: true}, Suspicious},
	{"several authors", "several authors", Mail{From: "ann@example.com", SeveralAuthors: true, Auth: aligned,
		Known: true}, Suspicious},
	{"DMARC", "dmarc fail", Mail{From: "ann@example.com", Known: true, Auth: Auth{DMARC: "fail", Checked: true}},
		Suspicious},

	{"DMARC, through a list", "passed on", Mail{From: "ann@example.com", Known: true, Auth: onTheWay,
		EnvelopeFrom: "talk-bounces@lists.club.example", Header: header("List-Id", "Talk <talk.lists.club.example>")},
		Unverified},
	{"DMARC, through a list of another", "dmarc fail", Mail{From: "ann@example.com", Known: true, Auth: onTheWay,
		EnvelopeFrom: "x@evil.example", Header: header("List-Id", "Talk <talk.lists.club.example>")}, Suspicious},
	{"DMARC, through a list, with a policy", "dmarc fail", Mail{From: "ann@example.com", Known: true, Auth: onTheWay,
		Policy: "reject", EnvelopeFrom: "talk-bounces@lists.club.example",
		Header: header("List-Id", "Talk <talk.lists.club.example>")}, Suspicious},
	{"DMARC, through a list, urgent", "urgent and unknown", Mail{From: "ann@example.com", Auth: onTheWay,
		Subject: "Your password expires", EnvelopeFrom: "talk-bounces@lists.club.example",
		Header: header("List-Id", "Talk <talk.lists.club.example>")}, Suspicious},
	{"DMARC, forwarded", "passed on", Mail{From: "ann@mail.example.com", Known: true, Auth: onTheWay,
		EnvelopeFrom: "SRS0=ab1=XY=example.com=ann@forward.example"}, Unverified},
	{"DMARC, forwarded twice", "passed on", Mail{From: "ann@example.com", Known: true, Auth: onTheWay,
		EnvelopeFrom: "SRS1=ab=first.example==ab1=XY=example.com=ann@forward.example"}, Unverified},
	{"DMARC, forwarded for another", "dmarc fail", Mail{From: "ann@example.com", Known: true, Auth: onTheWay,
		EnvelopeFrom: "SRS0=ab1=XY=evil.com=ann@forward.example"}, Suspicious},
	{"promise", "promised money", Mail{From: "x@example.com", Auth: aligned, Text: "You won the lottery."},
		Suspicious},
	{"promise by somebody known", "", Mail{From: "x@example.com", Auth: aligned, Known: true,
		Text: "Guess who won the lottery."}, Verified},
	{"brand in a link", "brand in a link", Mail{From: "x@evil.example", Auth: Auth{SPF: "none", Checked: true},
		Mismatched: true, Shown: []string{"paypal.com"}}, Suspicious},
	{"brand in a link of a passed sender", "link elsewhere", Mail{From: "x@shop.example", Auth: aligned,
		Mismatched: true, Shown: []string{"instagram.com"}}, Verified},
	{"service that writes for somebody", "", Mail{From: "no-reply@dropbox.com", FromName: "ann@bank.com via Dropbox",
		Auth: aligned, Known: true}, Verified},
	{"service that is not who it says", "address as name", Mail{From: "x@evil.com",
		FromName: "ann@bank.com via Dropbox", Auth: aligned, Known: true}, Suspicious},
	{"address as name", "address as name", Mail{From: "x@evil.example", FromName: "ann@bank.com", Auth: aligned,
		Known: true}, Suspicious},
	{"address in name", "address as name", Mail{From: "x@evil.example", FromName: "Ann <ann@bank.com>", Auth: aligned,
		Known: true}, Suspicious},
	{"own address as name", "", Mail{From: "ann@mail.example.com", FromName: "ann@example.com", Auth: aligned,
		Known: true}, Verified},
	{"address by a list", "", Mail{From: "list@lists.example", FromName: "ann@bank.com", Auth: aligned, Known: true,
		Header: header("List-Id", "<l>")}, Verified},

	{"brand", "brand as name", Mail{From: "x@evil.example", FromName: "PayPal Support", Auth: aligned, Known: true},
		Suspicious},
	{"brand in other letters", "brand as name", Mail{From: "x@evil.example", FromName: "Páypal", Auth: aligned,
		Known: true}, Suspicious},
	{"brand through a forwarding service", "", Mail{From: "service_at_paypal_com_x1_z@privaterelay.appleid.com",
		FromName: "PayPal", Auth: aligned, Known: true}, Verified},
	{"another through a forwarding service", "brand as name", Mail{From: "x_at_evil_com_x1@privaterelay.appleid.com",
		FromName: "PayPal", Auth: aligned, Known: true}, Suspicious},
	{"brand in mixed letters", "brand as name", Mail{From: "x@evil.example", FromName: "рayPal", Auth: aligned,
		Known: true}, Suspicious},
	{"own name on a tracker", "", Mail{From: "x@acme.com", Subject: "Sign in to your account", Auth: aligned,
		Known: true, Mismatched: true, Shown: []string{"acme.com"}}, Verified},
	{"another's name on a tracker", "link and sign-in", Mail{From: "x@acme.com", Subject: "Sign in to your account",
		Auth: aligned, Known: true, Mismatched: true, Shown: []string{"other.com"}}, Suspicious},
	{"a brand's name on a list's tracker", "link and sign-in", Mail{From: "x@acme.com",
		Subject: "Sign in to your account", Auth: aligned, Known: true, Tracked: []string{"paypal.com"}}, Suspicious},
	{"brand at a free service", "brand as name", Mail{From: "paypal@gmail.com", FromName: "PayPal", Auth: aligned,
		Known: true}, Suspicious},
	{"brand's own domain", "", Mail{From: "service@mail.paypal.de", FromName: "PayPal", Auth: aligned, Known: true},
		Verified},
	{"another Apple", "", Mail{From: "hi@applepie.example", FromName: "Apple Pie Bakery", Auth: aligned, Known: true},
		Verified},
	{"a person", "", Mail{From: "chase@example.com", FromName: "Chase Miller", Auth: aligned, Known: true}, Verified},
	{"via", "", Mail{From: "noreply@service.example", FromName: "Google via Service", Auth: aligned, Known: true},
		Verified},

	{"correspondent as name", "correspondent as name", Mail{From: "x@evil.example", FromName: "acme.com Billing",
		Correspondents: []string{"acme.com"}, Auth: aligned, Known: true}, Suspicious},
	{"correspondent itself", "", Mail{From: "x@acme.com", FromName: "acme.com Billing",
		Correspondents: []string{"acme.com"}, Auth: aligned, Known: true}, Verified},

	{"one letter", "look-alike domain", Mail{From: "x@exampel.com", Correspondents: []string{"example.com"},
		Auth: aligned, Known: true}, Suspicious},
	{"letter dropped", "look-alike domain", Mail{From: "x@exmple.com", Correspondents: []string{"example.com"},
		Auth: aligned, Known: true}, Suspicious},
	{"digit", "look-alike domain", Mail{From: "x@examp1e.com", Correspondents: []string{"example.com"}, Auth: aligned,
		Known: true}, Suspicious},
	{"rn for m", "look-alike domain", Mail{From: "x@exarnple.com", Correspondents: []string{"example.com"},
		Auth: aligned, Known: true}, Suspicious},
	{"punycode", "look-alike domain", Mail{From: "x@xn--exmple-4nf.com", Correspondents: []string{"example.com"},
		Auth: aligned, Known: true}, Suspicious},
	{"accent", "look-alike domain", Mail{From: "x@éxample.com", Correspondents: []string{"example.com"}, Auth: aligned,
		Known: true}, Suspicious},
	{"word added", "look-alike domain", Mail{From: "x@example-login.com", Correspondents: []string{"example.com"},
		Auth: aligned, Known: true}, Suspicious},
	{"the same", "", Mail{From: "x@mail.example.com", Correspondents: []string{"exampel.com", "example.com"},
		Auth: aligned, Known: true}, Verified},
	{"another ending", "", Mail{From: "x@example.org", Correspondents: []string{"example.com"}, Auth: aligned,
		Known: true}, Verified},
	{"short ones", "", Mail{From: "x@abd.com", Correspondents: []string{"abc.com"}, Auth: aligned, Known: true},
		Verified},
	{"mixed", "mixed alphabets", Mail{From: "x@аpple.com", Auth: aligned, Known: true}, Suspicious},
	{"Cyrillic alone", "", Mail{From: "x@почта.рф", Auth: aligned, Known: true}, Verified},

	{"reply elsewhere", "reply elsewhere", Mail{From: "x@a.example", ReplyTo: []string{"y@b.example"}, Auth: aligned,
		Known: true}, Verified},
	{"reply elsewhere, SPF fails", "not aligned", Mail{From: "x@a.example", ReplyTo: []string{"y@b.example"},
		Known: true, Auth: Auth{SPF: "fail", Checked: true}}, Suspicious},
	{"reply elsewhere, link too", "link elsewhere", Mail{From: "x@a.example", ReplyTo: []string{"y@b.example"},
		Mismatched: true, Auth: aligned, Known: true}, Suspicious},
	{"reply elsewhere, urgent", "urgent and unknown", Mail{From: "x@a.example", ReplyTo: []string{"y@b.example"},
		Subject: "Urgent request"}, Suspicious},
	{"reply within", "", Mail{From: "x@a.example.com", ReplyTo: []string{"y@b.example.com"}, Auth: aligned,
		Known: true}, Verified},
	{"reply to a list", "", Mail{From: "x@a.example", ReplyTo: []string{"l@b.example"},
		Header: header("List-Id", "<l>"), Auth: aligned, Known: true}, Verified},
	{"free mail", "free mail for a company", Mail{From: "it.desk@gmail.com", FromName: "IT Department",
		ReplyTo: []string{"y@b.example"}, Auth: aligned, Known: true}, Suspicious},

	{"link and sign-in", "link and sign-in", Mail{From: "x@a.example", Mismatched: true,
		Text: "Please log in to confirm your account.", Auth: aligned, Known: true}, Suspicious},
	{"link and sign-in, de", "link and sign-in", Mail{From: "x@a.example", Mismatched: true,
		Text: "Bitte hier anmelden.", Auth: aligned, Known: true}, Suspicious},
	{"link and sign-in, ja", "link and sign-in", Mail{From: "x@a.example", Mismatched: true, Text: "こちらからログインしてください。",
		Auth: aligned, Known: true}, Suspicious},
	{"link alone", "link elsewhere", Mail{From: "x@a.example", Mismatched: true, Text: "See our offers.", Auth: aligned,
		Known: true}, Verified},

	{"double ending", "disguised attachment", Mail{From: "x@a.example", Attachments: []string{"Invoice.pdf.exe"},
		Auth: aligned, Known: true}, Suspicious},
	{"page as document", "disguised attachment", Mail{From: "x@a.example", Attachments: []string{"Scan.pdf.html"},
		Auth: aligned, Known: true}, Suspicious},
	{"right to left", "disguised attachment", Mail{From: "x@a.example", Attachments: []string{"inv\u202efdp.exe"},
		Auth: aligned, Known: true}, Suspicious},
	{"program", "executable attachment", Mail{From: "x@a.example", Attachments: []string{"a.txt", "setup.EXE"},
		Auth: aligned, Known: true}, Suspicious},
	{"documents", "", Mail{From: "x@a.example", Attachments: []string{"a.pdf", "report.v2.docx", "README", ".gitignore",
		""}, Auth: aligned, Known: true}, Verified},

	{"urgent payment", "urgent payment", Mail{From: "x@a.example", Text: "Please make the bank transfer immediately.",
		Auth: aligned}, Suspicious},
	{"urgent payment, fr", "urgent payment", Mail{From: "x@a.example", Subject: "Urgent",
		Text: "Merci de faire le virement.", Auth: aligned}, Suspicious},
	{"urgent payment, known", "", Mail{From: "x@a.example", Text: "Please make the bank transfer immediately.",
		Auth: aligned, Known: true}, Verified},
	{"payment", "first contact", Mail{From: "x@a.example", Text: "Thank you for the bank transfer.", Auth: aligned},
		Verified},
}

func header(name, value string) func(string) string {
	return func(n string) string {
		if n == name {
			return value
		}
		return ""
	}
}

func TestJudge(t *testing.T) {
	tested := map[string]bool{}
	for _, test := range trustTests {
		got := Judge(test.mail)
		if got.Level != test.want || len(got.Reasons) == 0 {
			t.Errorf("%s: %v", test.name, got)
		}
		if test.rule == "" {
			continue
		}
		tested[test.rule] = true
		i := slices.IndexFunc(trustRules, func(r trustRule) bool { return r.name == test.rule })
		if i < 0 || !slices.Contains(got.Reasons, trustRules[i].reason) {
			t.Errorf("%s: rule %q is not among %q", test.name, test.rule, got.Reasons)
		}
	}
	for _, r := range trustRules {
		if !tested[r.name] {
			t.Errorf("rule %q has no test", r.name)
		}
	}
}

// TestRules has each rule of the table apply to some attack.
func TestRules(t *testing.T) {
	applied := map[string]bool{}
	for _, test := range attacks {
		for _, f := range Screen(Mail{Text: test.text}).Findings {
			applied[f.Rule] = true
		}
	}
	for _, r := range rules {
		if !applied[r.name] {
			t.Errorf("no test finds %q", r.name)
		}
	}
}
