package lexicon

import (
	"strings"
	"testing"
)

// row is phrases and what they mean.
type row struct {
	means   Set
	phrases string
}

func tableOf(s Section, rows ...row) *Table {
	var all []Phrase
	for _, r := range rows {
		all = s.add(all, List{Phrases: r.phrases}, Value{Means: r.means})
	}
	return Compile(all, s.DigitsEnd)
}

func TestIn(t *testing.T) {
	const (
		confirm Set = 1 << iota
		mail
		here
		login
		both
		failed
	)
	table := tableOf(Section{Joined: ^Set(0)},
		row{confirm, "confirm*, bestätig*,確認,تأكيد*,подтверд*"}, row{mail, "mail*,メール,البريد*"},
		row{here, "here,ici"}, row{login, "log in*,q"}, row{both | mail, "mailbox*"},
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
		"here5":              0,
		"ici même":           here,
		"LOG\nIN":            login,
		"blog in":            0,
		"a q":                login,
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
	anywhere := tableOf(Section{}, row{failed, "*undeliver*,*spf"})
	for text, want := range map[string]Set{
		"mail-undeliverable": failed, "xundeliver": failed, "hispf": failed, "spfx": 0, "ünundeliver": failed,
	} {
		if got := anywhere.In(text); got != want {
			t.Errorf("%q: got %b, want %b", text, got, want)
		}
	}
}

func TestAtStartWholeAtEnd(t *testing.T) {
	table := tableOf(Section{}, row{1, "confirm*,from:,送信"}, row{2, "mail,log in"}, row{4, "(mail from"})
	for _, tt := range []struct {
		text                  string
		start, whole, endWith Set
	}{
		{"Confirm it", 1, 0, 0}, {"«mail", 0, 0, 2}, {"a mail", 0, 0, 2}, {"log  in", 2, 2, 2}, {"", 0, 0, 0},
		{"mails", 0, 0, 0},
		{"From: me", 1, 0, 0}, {"from:", 1, 1, 1}, {"confirm", 1, 1, 1},
		{"iPhoneから送信", 0, 0, 1}, {"送信しない", 1, 0, 0}, {"(mail from x", 4, 0, 0},
	} {
		if got := table.AtStart(tt.text); got != tt.start {
			t.Errorf("at the start of %q: got %b, want %b", tt.text, got, tt.start)
		}
		if got := table.Whole(tt.text); got != tt.whole {
			t.Errorf("the whole of %q: got %b, want %b", tt.text, got, tt.whole)
		}
		if got := table.AtEnd(tt.text); got != tt.endWith {
			t.Errorf("at the end of %q: got %b, want %b", tt.text, got, tt.endWith)
		}
	}
}

func TestCount(t *testing.T) {
	table := tableOf(Section{}, row{1, "confidential*,recipient*,in error,受信者"}, row{2, "other"})
	for text, want := range map[string]int{
		"": 0, "confidential, confidentially": 1, "the recipient in error, other": 2,
		"受信者 recipients errors in error confidential": 3,
	} {
		if got := table.Count(text, 1, 3); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	table := tableOf(Section{}, row{1, "order, order number, order #, bestell*, 订单, 订单号, no, #"})
	for text, want := range map[string]string{
		"the order number is": "order number|", "orders": "", "reorder": "", "order #12": "order #|",
		"order,":            "order|",
		"bestellungen hier": "bestellungen|", "我的订单号是": "订单号|", "订单abc": "订单|",
		"no 5": "no|", "nobody": "", "": "", "a # b": "#|",
		"order bestell order": "order|bestell|order|",
	} {
		got := ""
		for m := range table.Find(text) {
			got += text[m.From:m.To] + "|"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSets(t *testing.T) {
	if s := Set(6); !s.Has(2) || !s.Has(6) || s.Has(3) || !s.Any(3) || s.Any(9) {
		t.Error("sets are not compared")
	}
	s := LanguageSet(1<<3 | 1<<60)
	var all []int
	for i := range s.All() {
		all = append(all, i)
	}
	if len(all) != 2 || all[0] != 3 || all[1] != 60 || s.Len() != 2 || !s.Meets(1<<60) || s.Meets(1<<4) {
		t.Errorf("languages: %v", all)
	}
}

// A text in ASCII is looked through as it is written, and any other once it is folded: both find the same.
func FuzzIn(f *testing.F) {
	table := tableOf(Section{Joined: ^Set(0)},
		row{1, "confirm*,確認,تأكيد*,here"}, row{2, "re:,log in*,a b*,x (y*,you"}, row{4, "in"}, row{8, "*ee*"})
	f.Add("Confirm 確認 تأكيد here\xff")
	f.Add("RE: a  b, log\r\n\tin. Here, x\x00(y) confirms a b you")
	f.Add("you see")
	f.Fuzz(func(t *testing.T, s string) {
		folded := string(Fold(nil, s))
		if again := string(Fold(nil, folded)); again != folded {
			t.Errorf("%q folds to %q, and that to %q", s, folded, again)
		}
		if got, want := table.AtStart(s), table.AtStart(folded); got != want && len(s) < table.longest {
			t.Errorf("%q begins with %b, and %q with %b", s, got, folded, want)
		}
		if got, want := table.Whole(s), table.Whole(folded); got != want && len(s) < table.longest {
			t.Errorf("%q is %b, and %q is %b", s, got, folded, want)
		}
		table.AtEnd(s)
		table.Count(s, 1, 2)
		if got, want := table.In(s), table.inFolded(s); got != want {
			t.Errorf("%q: got %b, want %b", s, got, want)
		}
		for m := range table.Find(folded) {
			if m.From >= m.To || m.To > len(folded) {
				t.Errorf("%q: %+v", folded, m)
			}
		}
	})
}

func BenchmarkIn(b *testing.B) {
	table := tableOf(Section{}, row{1, "confirm*,verify*,reset*,password*,sign in*,click*,here,order*,invoice*," +
		"unsubscri*,確認,подтверд*"})
	text := strings.Repeat("We could meet at the old place by the river, if it does not rain. ", 15)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		table.In(text)
	}
}
