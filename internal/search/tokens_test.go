package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// show writes tokens as text@position, with the span where it is not 1, by position.
func show(tokens []Token) string {
	tokens = slices.Clone(tokens)
	slices.SortStableFunc(tokens, func(a, b Token) int { return int(a.Pos) - int(b.Pos) })
	var out []string
	for _, t := range tokens {
		if t.Span == 1 {
			out = append(out, fmt.Sprintf("%s@%d", t.Text, t.Pos))
		} else {
			out = append(out, fmt.Sprintf("%s@%d+%d", t.Text, t.Pos, t.Span))
		}
	}
	return strings.Join(out, " ")
}

func tokensOf(text string) []Token {
	tokens, _ := Tokenize(nil, Body, text, 0)
	return tokens
}

func TestTokenize(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"nothing but signs", " -- ,;:!? \t\r\n", ""},
		{"words", "Hello,  World!", "hello@0 world@1"},
		{"hyphen", "e-mail", "e@0 email@0+2 mail@1"},
		{"hyphens", "state-of-the-art", "state@0 stateoftheart@0+4 of@1 the@2 art@3"},
		{"other hyphens", "e\u2011mail 2010–2012", "e@0 email@0+2 mail@1 2010@2 20102012@2+2 2012@3"},
		{"a dash parts", "yes—no", "yes@0 no@1"},
		{"apostrophe", "don't l’avion", "don@0 dont@0+2 t@1 l@2 lavion@2+2 avion@3"},
		{"underscore", "foo_bar __init__", "foo@0 foobar@0+2 bar@1 init@2"},
		{"hyphen at the end", "pre- and post-", "pre@0 and@1 post@2"},
		{"code", "482-915", "482@0 482915@0+2 915@1"},
		{"code with a space", "482 915.", "482@0 482915@0+2 915@1"},
		{"code in capitals", "AB12-CD34", "ab12@0 ab12cd34@0+2 cd34@1"},
		{"telephone", "0171 555-1234", "0171@0 0171555@0+2 01715551234@0+3 555@1 5551234@1+2 1234@2"},
		{"thousands", "1,234.56", "1@0 1234.56@0+3 234@1 56@2"},
		{"thousands, German", "1.234,56", "1@0 1234.56@0+3 234@1 56@2"},
		{"thousands, Swiss", "1'234.50", "1@0 1234.50@0+3 234@1 50@2"},
		{"thousands without a fraction", "1.234.567", "1@0 1234567@0+3 234@1 567@2"},
		{"price", "$12.50", "12@0 12.50@0+2 50@1"},
		{"date", "2024-05-01", "2024@0 20240501@0+3 05@1 01@2"},
		{"German date", "1.2.2024", "1@0 122024@0+3 2@1 2024@2"},
		{"time", "12:30", "12@0 1230@0+2 30@1"},
		{"version", "v1.2.3", "v1@0 v1.2.3@0+3 2@1 2.3@1+2 3@2"},
		{"file", "Report_2024-final.PDF", "report@0 report2024final@0+3 report_2024-final.pdf@0+4 2024@1 final@2 pdf@3"},
		{"initials", "U.S.A. today", "u@0 u.s.a@0+3 usa@0+3 s@1 a@2 today@3"},
		{"domain", "Mail.Example.com.", "mail@0 mail.example.com@0+3 example@1 example.com@1+2 com@2"},
		{"domain with a country", "a.b.example.co.uk",
			"a@0 a.b.example.co.uk@0+5 b@1 b.example.co.uk@1+4 example@2 example.co.uk@2+3 co@3 co.uk@3+2 uk@4"},
		{"address", "<Kim.Lee@mail.example.com>", "kim@0 kim.lee@0+2 kim.lee@mail.example.com@0+5 lee@1 mail@2 " +
			"mail.example.com@2+3 " +
			"example@3 example.com@3+2 com@4"},
		{"address with a tag", "kim+tag@example.com", "kim@0 kim+tag@0+2 kim+tag@example.com@0+4 tag@1 example@2 " +
			"example.com@2+2 com@3"},
		{"url", "https://example.com/a-b?token=XYZ#top", "https@0 example@1 example.com@1+2 com@2 a@3 ab@3+2 b@4 " +
			"token@5 xyz@6 top@7"},
		{"uuid", "0198C2A0-7b1c-7def-8123-456789abcdef",
			"0198c2a0@0 0198c2a07b1c7def8123456789abcdef@0+5 7b1c@1 7def@2 8123@3 456789abcdef@4"},
		{"ligature and width", "ﬁn ＡＢＣ１２３ ①②", "fin@0 abc123@1 12@2"},
		{"mathematical letters", "𝐇𝐞𝐥𝐥𝐨 𝟜𝟚", "hello@0 42@1"},
		{"trade mark", "Widget™ x²", "widget@0 x2@1"},
		{"soft hyphen and zero width", "pass\u00ADword hel\u200Blo\uFEFF", "password@0 hello@1"},
		{"combining and precomposed", "Cafe\u0301 Café CAFÉ", "cafe@0 cafe@1 cafe@2"},
		{"emoji", "ok👍🏽👍", "ok@0 👍@1 👍@2"},
		{"flag", "🇩🇪 x", "🇩@0 🇩🇪@0+2 🇪@1 x@2"},
		{"keycap", "1️⃣", "1@0"},
		{"not UTF-8", "a\xffb\xc3", "a@0 b@1"},
		{"digits of scripts", "١٢٣ ४५६ ๗๘", "123@0 456@1 123456@0+2 78@2 45678@1+2 12345678@0+3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := strings.Fields(tt.want)
			got := strings.Fields(show(tokensOf(tt.text)))
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s\n got %s\nwant %s", tt.text, show(tokensOf(tt.text)), tt.want)
			}
		})
	}
}

func TestTokenizeScripts(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"German", "Straße STRASSE Grüße", "strasse@0 strasse@1 grusse@2"},
		{"French", "Œuvre, déjà Noël", "oeuvre@0 deja@1 noel@2"},
		{"Turkish", "İSTANBUL ısı IŞIK ışık", "istanbul@0 isi@1 isik@2 isik@3"},
		{"Polish", "Łódź zażółć", "lodz@0 zazolc@1"},
		{"Danish", "smørrebrød Ærø", "smorrebrod@0 aero@1"},
		{"Vietnamese", "Việt Nam đồng", "viet@0 nam@1 dong@2"},
		{"Vietnamese, decomposed", "Vie\u0323\u0302t", "viet@0"},
		{"Greek", "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", "οδυσσευσ@0 οδυσσευσ@1"},
		{"Russian", "Ёлка мой мои", "елка@0 мой@1 мои@2"},
		{"Russian, decomposed and stressed", "мои\u0306 за\u0301мок", "мой@0 замок@1"},
		{"Ukrainian", "Київ об'єкт обʼєкт", "київ@0 об@1 обєкт@1+2 єкт@2 об@3 обєкт@3+2 єкт@4"},
		{"Arabic", "مَرْحَبًا إلى أحمد مكتبة ســلام", "مرحبا@0 الي@1 احمد@2 مكتبه@3 سلام@4"},
		{"Persian", "می\u200cخواهم کتاب", "ميخواهم@0 كتاب@1"},
		{"Arabic forms", "ﷺ ﻻ", "صلي@0 الله@1 عليه@2 وسلم@3 لا@4"},
		{"Hebrew", "שָׁלוֹם צה״ל צה\"ל", "שלום@0 צה@1 צהל@1+2 ל@2 צה@3 צהל@3+2 ל@4"},
		{"Hindi", "हिन्दी में", "हिन्दी@0 में@1"},
		{"Hindi, two spellings", "क़लम क\u093Cलम", "क़लम@0 क़लम@1"},
		{"Tamil", "தமிழ்", "தமிழ்@0"},
		{"Thai", "ที่นี่ ดี", "ที่@0 ที่นี่@0+2 นี่@1 ดี@2"},
		{"Lao", "ລາວ", "ລ@0 ລາ@0+2 າ@1 າວ@1+2 ວ@2"},
		{"Khmer", "ខ្មែរ", "ខ្@0 ខ្មែ@0+2 មែ@1 មែរ@1+2 រ@2"},
		{"Burmese", "မြန်မာ", "မြ@0 မြန်@0+2 န်@1 န်မာ@1+2 မာ@2"},
		{"Chinese", "验证码", "验@0 验证@0+2 证@1 证码@1+2 码@2"},
		{"Chinese, parted", "验证，码", "验@0 验证@0+2 证@1 码@2"},
		{"Chinese, wrapped", "验\r\n证\n\n码", "验@0 验证@0+2 证@1 码@2"},
		{"Chinese, compatibility", "豈 㐀", "豈@0 㐀@1"},
		{"Chinese and Latin", "Windows版10个", "windows@0 版@1 10@2 个@3"},
		{"Chinese, beyond the first plane", "𠮷野", "𠮷@0 𠮷野@0+2 野@1"},
		{"Japanese", "食べる", "食@0 食べ@0+2 べ@1 べる@1+2 る@2"},
		{"Japanese, long vowel", "データ", "デ@0 デー@0+2 ー@1 ータ@1+2 タ@2"},
		{"Japanese, half width", "ﾃﾞｰﾀ", "デ@0 デー@0+2 ー@1 ータ@1+2 タ@2"},
		{"Japanese, voiced apart", "か\u3099", "が@0"},
		{"Japanese, repeated", "人々", "人@0 人々@0+2 々@1"},
		{"Korean", "인증 번호", "인@0 인증@0+2 증@1 번@2 번호@2+2 호@3"},
		{"Korean, decomposed", "\u1112\u1161\u11ab글", "한@0 한글@0+2 글@1"},
		{"Korean, wrapped", "인\n증", "인@0 증@1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := show(tokensOf(tt.text)); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestLongWords(t *testing.T) {
	a, b := strings.Repeat("é", 100)+"a", strings.Repeat("é", 100)+"b"
	got := tokensOf(a + " " + b + " " + strings.ToUpper(a) + " " + strings.Repeat("x", MaxText))
	if len(got) != 4 || got[0].Text == got[1].Text || got[0].Text != got[2].Text || got[3].Text != strings.Repeat("x",
		MaxText) {
		t.Fatalf("%v", got)
	}
	for _, tok := range got {
		if len(tok.Text) > MaxText || !utf8.ValidString(tok.Text) {
			t.Errorf("%q", tok.Text)
		}
	}
	if !strings.HasPrefix(got[0].Text, "eeee") {
		t.Errorf("cut to %q", got[0].Text)
	}
}

func TestLimits(t *testing.T) {
	for f := Subject; int(f) < Fields; f++ {
		tokens, bytes := f.Limit()
		for _, text := range []string{strings.Repeat("ab ", bytes), strings.Repeat("a-b.c@", bytes/2),
			strings.Repeat("東京", bytes/2)} {
			if got, _ := Tokenize(nil, f, text, 0); len(got) > tokens || len(got) < tokens/2 {
				t.Errorf("%v: %d tokens of %.6s", f, len(got), text)
			}
		}
		last, end := Tokenize(nil, f, strings.Repeat("-", bytes-1)+"東京", 0)
		if len(last) != 0 || end != 0 {
			t.Errorf("%v reads on: %v", f, last)
		}
	}
	people := slices.Repeat([]mailbox.Address{{Name: "Kim Lee", Address: "kim@example.com"}}, 100_000)
	if most, _ := To.Limit(); len(Mail{To: people}.Tokens(nil)) != most {
		t.Error("recipients are not bounded")
	}
}

func TestMailTokens(t *testing.T) {
	m := Mail{
		Subject: "Hi", From: []mailbox.Address{{Name: "Kim", Address: "k@x.de"}},
		To:   []mailbox.Address{{Address: "a@b.c"}, {Name: "Bo"}},
		Body: "text", Files: []string{"a.b", "c"}, FileTexts: []string{"in it"},
	}
	by := map[Field][]Token{}
	for _, tok := range m.Tokens(nil) {
		by[tok.Field] = append(by[tok.Field], tok)
	}
	for f, want := range map[Field]string{
		Subject: "hi@0", From: "kim@0 k@2 k@x.de@2+3 x@3 x.de@3+2 de@4",
		To:   "a@0 a@b.c@0+3 b@1 b.c@1+2 bc@1+2 c@2 bo@4",
		Body: "text@0", File: "a@0 a.b@0+2 ab@0+2 b@1 c@3", FileText: "in@0 it@1",
	} {
		got, exp := strings.Fields(show(by[f])), strings.Fields(want)
		slices.Sort(got)
		slices.Sort(exp)
		if !slices.Equal(got, exp) {
			t.Errorf("%v: %s", f, show(by[f]))
		}
	}
}

// What is found does not depend on where memory for it was, and a second text does not change the tokens of the first.
func TestTokensStay(t *testing.T) {
	var all []Token
	all, next := Tokenize(all, Body, strings.Repeat("ÄÖÜ Straße E-Mail ", 300), 0)
	before := show(all)
	all2, _ := Tokenize(all, Body, strings.Repeat("XYZ ÑÑÑ ", 3000), next)
	if show(all2[:len(all)]) != before {
		t.Error("tokens changed")
	}
}

func TestNoAllocationsPerToken(t *testing.T) {
	text := english(64 << 10)
	dst := make([]Token, 0, 100_000)
	if n := testing.AllocsPerRun(5, func() { dst, _ = Tokenize(dst[:0], Body, text, 0) }); n > 5 {
		t.Errorf("%v allocations for %d tokens", n, len(dst))
	}
}
