package search

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// matches tells whether a mail is what a query asks for.
func matches(q Query, d *Doc) (Hits, bool) { return NewMatcher(q).Match(d) }

// TestFinds goes through languages: what finds a text, and what does not.
func TestFinds(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		yes, no    []string
	}{
		{"English", "Don't forget: your e-mail address isn't verified yet. Order no. 482-915, total $1,234.56.",
			[]string{"dont", "don't", "don’t", "email", "e-mail", "mail", `"email address"`, `"e-mail address"`,
				`"e mail address"`, "482915",
				"482-915", "482 915", "915", "1234.56", "1,234.56", `"your email address isnt verified"`,
				"ADDRESS VERIFIED", "-missing",
				"missing OR verified", "(missing OR order) total", `"total 1234.56"`, "“order no”"},
			[]string{"donot", `"address email"`, `"forget email"`, "48291", "-order", "order missing", `"no total"`,
				"verif"}},
		{"compounds over words", "a nonstop flight, a well-known on-line shop", []string{`"non-stop flight"`,
			"nonstop-flight", "wellknown", "online", `"known online shop"`}, []string{`"non flight"`}},
		{"code parted by a space", "Your code is 482 915", []string{"482915", "482-915", "482 915", "915 482", "915"},
			[]string{"482916", `"915 482"`}},
		{"code in one", "Your code is 482915", []string{"482915", "482-915", "482 915"}, []string{"482", "915"}},
		{"amount with spaces", "Total 1 234,56 € of 1\u202f234\u00a0567,8 kr", []string{"1234,56", "1234.56",
			"1 234,56", "1,234.56", "1234567,8", "1 234 567,8"}, []string{"234567.89", "1234.57"}},
		{"amount without spaces", "Total 1234,56 € of 12345.67", []string{"1 234,56", "1 234.56", "1,234.56",
			"12 345,67", "total 12 345,67"}, []string{"2 234,56", "12 345,68", `"1 234,56"`}},
		{"telephone number in one", "Call +4930901820 or 15551234567", []string{"+49 30 901820", "+49-30-901820",
			"1 555 123 4567", "+1 555 1234567"}, []string{"49 30", "1 555", "5 10"}},
		{"version", "Release 10.0.0.1 of 1.2.3", []string{"10.0.0.1", "1.2.3", "-1.2.4"},
			[]string{"1.2.4", "10.0.0.2"}},
		{"no version", "Room 10001, 123 pages, 1234567 words", []string{"1.234.567", "1,234,567"},
			[]string{"10.0.0.1", "1.2.3", "12.3.4567"}},
		{"IBAN with spaces", "To DE89 3704 0044 0532 0130 00 and GB82 WEST 1234 5698 7654 32.",
			[]string{"DE89370400440532013000", "de89370400440532013000", "DE89 3704 0044 0532 0130 00",
				"GB82WEST12345698765432", "GB82 WEST"}, []string{"DE89370400440532013001", "GB82WEST12345698765433"}},
		{"IBAN without spaces", "To DE89370400440532013000 and GB82WEST12345698765432.",
			[]string{"DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "to DE89 3704 0044 0532 0130 00 and",
				"GB82 WEST 1234 5698 7654 32"}, []string{"DE89 3704 0044 0532 0130 01", "GB82 WEST 1234 5698 7654 33"}},
		{"IDNA domain", "Write to ann@xn--bcher-kva.example", []string{"bücher.example", "ann@bücher.example",
			"ann@BÜCHER.example", "xn--bcher-kva.example"}, []string{"bäcker.example", "bob@bücher.example"}},
		{"addresses", "Write to Kim.Lee@mail.example.com, see https://shop.example.co.uk/returns/form-12.",
			[]string{"kim", "lee", "kim.lee", "kim.lee@mail.example.com", "KIM.LEE@MAIL.EXAMPLE.COM",
				"mail.example.com", "example.com", "example",
				"com", "shop.example.co.uk", "example.co.uk", "returns", "form-12", "form12",
				"https://shop.example.co.uk/returns", "lee@mail",
				"mail.example"},
			[]string{"lee.kim", "kim@mail.example.com", "mailexamplecom", "example.org"}},
		{"a domain with more behind it", "example.com's shop, node.js-based", []string{"example.com", "node.js",
			"nodejs-based", "based"}[:2], []string{"shop.example"}},
		{"German", "Schöne Grüße aus München, Straße 5", []string{"grüße", "GRÜSSE", "grusse", "munchen", "MÜNCHEN",
			"strasse", "straße"}, []string{"gruse"}},
		{"French", "L’œuvre d'art est déjà à l'hôtel", []string{"oeuvre", "œuvre", "l'œuvre", "art", "deja", "hotel",
			"hôtel", "lhotel"}, []string{"hot"}},
		{"Turkish", "İstanbul'da ışık var", []string{"istanbul", "ISTANBUL", "İSTANBUL", "ıstanbul", "isik", "ışık",
			"IŞIK"}, []string{"isi"}},
		{"Greek", "Καλημέρα σας, ο Οδυσσεύς", []string{"καλημερα", "ΚΑΛΗΜΕΡΑ", "ΟΔΥΣΣΕΥΣ", "οδυσσεύς", "ΣΑΣ"},
			[]string{"καλη"}},
		{"Russian", "Ваш ещё не подтверждённый заказ", []string{"еще", "ЕЩЁ", "заказ", "подтвержденный",
			`"ваш еще не"`}, []string{"зак"}},
		{"Arabic", "مَرْحَبًا، رمز التحقق هو ١٢٣٤٥٦ إلى أحمد", []string{"مرحبا", "رمز", "123456", "احمد", "الى", "إلى",
			`"رمز التحقق"`}, []string{"سلام"}},
		{"Hebrew", "שָׁלוֹם, קוד האימות של צה\"ל", []string{"שלום", "קוד", "צהל", "צה\"ל", "צה״ל", `"קוד האימות"`},
			[]string{"שלו"}},
		{"Hindi", "आपका सत्यापन कोड ४८२९१५ है", []string{"सत्यापन", "कोड", "482915", `"सत्यापन कोड"`},
			[]string{"सतयापन", "आपक"}},
		{"Thai", "รหัสยืนยันของคุณคือ 482915", []string{"รหัส", "ยืนยัน", "รหัสยืนยัน", "คุณ", "482915", `"ของคุณ"`},
			[]string{"รหส", "ยืนคุณ"}},
		{"Chinese", "您的验证码是482915，请勿泄露", []string{"验证码", "验证", "验", "码", "482915", "请勿泄露", `"验证码是482915"`, "您的 泄露"},
			[]string{"证验", "码请", "验码"}},
		{"Chinese, wrapped", "请输入验\n证码", []string{"验证码"}, []string{"码验"}},
		{"Japanese", "データの確認コードはこちらです。ﾒｰﾙを確認", []string{"データ", "確認コード", "コード", "ー", "メール", "確認", "ﾃﾞｰﾀ"},
			[]string{"デタ", "確認です"}},
		{"Korean", "인증번호는 482915 입니다", []string{"인증", "인증번호", "번호", "인", "482915", "번호는"}, []string{"번인", "호증"}},
		{"Vietnamese", "Mã xác minh của bạn là 482915, Đà Nẵng", []string{"mã xác minh", "ma xac minh", "da nang",
			"ĐÀ NẴNG", `"xác minh"`}, []string{"xacminh"}},
		{"emoji", "Great 🎉👍🏽 from 🇩🇪", []string{"🎉", "👍", "👍🏿", "🇩🇪", "🎉👍"}, []string{"🇩🇫", "🇪🇩", "👎"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &Doc{Tokens: tokensOf(tt.text)}
			for _, text := range tt.yes {
				q := Parse(text, noon)
				if _, ok := matches(q, d); !ok {
					t.Errorf("%s is not found", text)
				} else if !q.Plan().candidate(d) {
					t.Errorf("%s is not planned for: %+v", text, q.Plan())
				}
			}
			for _, text := range tt.no {
				if _, ok := matches(Parse(text, noon), d); ok {
					t.Errorf("%s is found", text)
				}
			}
		})
	}
}

func sample() *Doc {
	m := Mail{
		Subject: "Invoice for March", From: []mailbox.Address{{Name: "Kim Lee", Address: "kim.lee@mail.example.com"}},
		To:   []mailbox.Address{{Name: "Ann", Address: "ann@agents.test"}, {Address: "bo@agents.test"}},
		Body: "Please pay soon. Kimberly", Files: []string{"q1-report.pdf"}, FileTexts: []string{"total amount due"},
	}
	return &Doc{Tokens: m.Tokens(nil), Labels: []string{"code", "personal"}, Received: noon.AddDate(0, 0, -3),
		Files: true, Link: true}
}

func TestFields(t *testing.T) {
	d := sample()
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"", true}, {"  ", true}, {"!!!", false},
		{"kim ", true}, {"from:kim ", true}, {"to:kim ", false}, {"subject:kim ", false}, {`from:"kim lee"`, true},
		{`from:"lee kim"`, false},
		{"from:kim.lee@mail.example.com", true}, {"from:example.com ", true}, {"from:example ", true},
		{"from:@example.com ", true},
		{"from:mail.example.co ", false}, {"from:mail.example.co", true}, {"from:kim.l", true}, {"from:ki", true},
		{"from:ki ", false},
		{"to:ann ", true}, {"to:agents.test ", true}, {`"agents.test bo"`, false}, {"to:(ann bo) ", true},
		{"to:(ann -bo) ", false},
		{"subject:invoice ", true}, {"subject:inv", true}, {"subject:inv ", false}, {"subject:inv* x OR march ", true},
		{"body:invoice ", false},
		{"inv", true}, {"-inv", true}, {"-invoice", false}, {"plea", false}, {"please", true}, {"repo", true},
		{"tot", false}, {"total ", true},
		{"filename:q1-report.pdf ", true}, {"filename:report.pdf ", true}, {"report.pdf ", true},
		{"filetext:amount ", true},
		{`"invoice for"`, true}, {`"for march please"`, false}, {`"invoice for mar"`, false},
		{`"invoice for mar"*`, true},
		{"label:code", true}, {"label:bounce", false}, {"-label:bounce", true}, {"label:(bounce OR code)", true},
		{"has:attachment", true}, {"has:code", false}, {"has:link", true}, {"has:code OR has:link", true},
		{"after:7d", true}, {"after:2d", false}, {"before:2d", true}, {"after:2026-03-12 before:2026-03-13 ", true},
		{"before:2026-03-12", false},
		{"is:unseen", true}, {"is:seen", false}, {"in:inbox", true}, {"in:sent", false},
		{"invoice label:code is:unseen from:kim", true}, {"invoice (label:bounce OR from:lee) ", true},
		{"invoice -from:lee ", false},
		{"nothing OR (invoice -march) ", false}, {"nothing OR (invoice -april) ", true},
	} {
		q := Parse(tt.text, noon)
		if _, got := matches(q, d); got != tt.want {
			t.Errorf("%s: %v (%s)", tt.text, got, q)
		}
		p := q.Plan()
		if c := p.candidate(d); tt.want && !c || !p.Verify && c != tt.want {
			t.Errorf("%s: candidate %v, want %v; %+v", tt.text, c, tt.want, p)
		}
	}
}

func TestHits(t *testing.T) {
	m := Mail{Subject: "kim kim", Body: "e-mail email e mail, kimono", Files: []string{"kimono"}}
	h, ok := matches(Parse("-absent e-mail kim", noon), &Doc{Tokens: m.Tokens(nil)})
	if !ok || len(h.Words) != 3 {
		t.Fatal(h, ok)
	}
	if h.Words[0].Any() || h.Words[1].Exact != [Fields]int{Body: 3} || h.Words[2].Exact != [Fields]int{Subject: 2} ||
		h.Words[2].Begun != [Fields]int{File: 1} {
		t.Errorf("%+v", h.Words)
	}
	if h.Length != [Fields]int{Subject: 2, Body: 6, File: 1} {
		t.Error(h.Length)
	}
}

// A matcher keeps nothing of one mail for the next.
func TestMatcherAgain(t *testing.T) {
	m := NewMatcher(Parse(`"a-b c"`, noon))
	for _, tt := range []struct {
		text string
		want bool
	}{{"a-b c", true}, {"a-b d", false}, {"", false}, {"x ab c", true}, {"c", false}} {
		if _, ok := m.Match(&Doc{Tokens: tokensOf(tt.text)}); ok != tt.want {
			t.Error(tt.text, ok)
		}
	}
}

// Words that fit nearly everywhere, in many ways, and never to the end: no more ways are kept than there are positions.
func TestMatchHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	d := &Doc{Tokens: tokensOf(repeatTo("a-a ", 40_000))}
	m := NewMatcher(Parse(`"`+repeatTo("a-a ", 200)+`b"`, noon))
	if _, ok := m.Match(d); ok {
		t.Error("found")
	}
	if len(m.ways) < 100 {
		t.Fatalf("%d nodes", len(m.ways))
	}
	for node, ways := range m.ways {
		if len(ways) > len(d.Tokens) {
			t.Fatalf("%d ways at %d, of %d tokens", len(ways), node, len(d.Tokens))
		}
	}
}
