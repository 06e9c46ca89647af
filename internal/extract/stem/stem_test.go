package stem

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Reset  Your\n\tPassword!":  "reset your password!",
		"E-Mail-Adresse bestätigen": "e-mail-adresse bestatigen",
		"ÆØÅ æøå ß œ đ Ł":           "aeoa aeoa ss oe d l",
		"Şifreyi SIFIRLA İı":        "sifreyi sifirla ii",
		"Đặt lại mật khẩu":          "dat lai mat khau",
		"Подтвёрждение Й ї":         "подтверждение и і",
		"Επιβεβαίωση Σας":           "επιβεβαιωση σασ",
		"e\u0301":                   "e",
		"pass\u200bword\u00ad":      "password",
		"Ｌｏｇｉｎ　こちら":                 "login こちら",
		"確認、してください。":                "確認 してください ",
		"l’adresse “x”":             "l'adresse x ",
		"تأكيد الإشْتِراك":          "تاكيد الاشتراك",
		"کلمهٔ عبور":                "كلمه عبور",
		"דוא״ל סִיסְמָה":            "דוא ל סיסמה",
		"हज़ार पढ़ें।":              "हजार पढें ",
		"\x80\xff":                  " ",
		"Ⱥẚ":                        " ",
	} {
		if got := string(Fold(nil, in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	const (
		confirm Set = 1 << iota
		mail
		here
		login
		both
	)
	table := NewTable(
		Row{confirm, "confirm, bestätig,確認,تأكيد,подтверд"}, Row{mail, "mail,メール,البريد"},
		Row{here, "here.,ici."}, Row{login, "log in,ab"}, Row{both | mail, "mailbox"},
	)
	for text, want := range map[string]Set{
		"":                   0,
		"Confirmation":       confirm,
		"unconfirmed":        0,
		"re-confirm":         confirm,
		"Bestätigen: e-mail": confirm | mail,
		"gmail":              0,
		"mailbox":            mail | both,
		"click here":         here,
		"hereby":             0,
		"here!":              here,
		"ici même":           here,
		"LOG\nIN":            login,
		"blog in":            0,
		"ab":                 0, // too short to be a stem
		"メールを確認":             confirm | mail,
		"Eメール":               mail,
		"このmailを確認":          confirm | mail,
		"لتأكيد بالبريد":     confirm | mail,
		"وتأكيد":             confirm,
		"Подтвердите":        confirm,
		"неподтвердите":      0,
		"xподтвердите":       confirm,
		"con\u200bfirm":      confirm,
		"a very long text " + string(make([]byte, 600)) + " confirm": confirm,
	} {
		if got := table.In(text); got != want {
			t.Errorf("%q: got %b, want %b", text, got, want)
		}
	}
	for text, want := range map[string]Set{
		"Confirm it": confirm, " «mail": mail, "a mail": 0, "log in": login, "": 0, "x": 0, "here": here, "hereby": 0,
	} {
		if got := table.AtStart(text); got != want {
			t.Errorf("at the start of %q: got %b, want %b", text, got, want)
		}
	}
}

func TestSet(t *testing.T) {
	if s := Set(6); !s.Has(2) || !s.Has(6) || s.Has(3) || !s.Any(3) || s.Any(9) {
		t.Error("sets are not compared")
	}
}

func FuzzIn(f *testing.F) {
	table := NewTable(Row{1, "confirm,確認,تأكيد,here."}, Row{2, "re:,log in,a b,x (y,you."}, Row{4, "in."})
	f.Add("Confirm 確認 تأكيد here\xff")
	f.Add("RE: a  b, log\r\n\tin. Here, x\x00(y) confirms a b you")
	f.Add("you")
	f.Fuzz(func(t *testing.T, s string) {
		folded := string(Fold(nil, s))
		if again := string(Fold(nil, folded)); again != folded {
			t.Errorf("%q folds to %q, and that to %q", s, folded, again)
		}
		table.AtStart(s)
		if got, want := table.In(s), table.inFolded(s); got != want {
			t.Errorf("%q: got %b, want %b", s, got, want)
		}
	})
}

func BenchmarkIn(b *testing.B) {
	table := NewTable(Row{1, "confirm,verify,reset,password,sign in,click,here.,order,invoice,unsubscri,確認,подтверд"})
	text := strings.Repeat("We could meet at the old place by the river, if it does not rain. ", 15)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		table.In(text)
	}
}
