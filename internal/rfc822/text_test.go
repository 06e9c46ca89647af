package rfc822

import "testing"

func TestCharsets(t *testing.T) {
	for _, c := range []struct{ charset, in, want string }{
		{"", "plain", "plain"},
		{"us-ascii", "caf\xc3\xa9", "café"},
		{"us-ascii", "caf\xe9 \x93x\x94", "café “x”"},
		{"utf-8", "\xef\xbb\xbfcafé", "café"},
		{"utf-8", "caf\xe9", "café"},
		{"utf-8", "ééé\xff", "ééé\uFFFD"},
		{"iso-8859-1", "\x80\xe9", "€é"},
		{"ISO8859_15", "\xa4", "€"},
		{"latin-1", "\xe9", "é"},
		{"cp1251", "\xcf\xf0", "Пр"},
		{"win-1251", "\xcf\xf0", "Пр"},
		{"koi8-r", "\xf0\xd2", "Пр"},
		{"gb2312", "\xc4\xe3\xba\xc3", "你好"},
		{"gbk", "\xc4\xe3", "你"},
		{"big5", "\xa7\x41", "你"},
		{"ks_c_5601-1987", "\xb0\xa1", "가"},
		{"euc-kr", "\xb0\xa1", "가"},
		{"iso-2022-kr", "\x1b$)C\x0e0!\x0f a", "가 a"},
		{"shift_jis", "\x82\xb1", "こ"},
		{"cp932", "\x82\xb1", "こ"},
		{"iso-2022-jp", "\x1b$B$3\x1b(B", "こ"},
		{"euc-jp", "\xa4\xb3", "こ"},
		{"hz-gb-2312", "~{VPND~}", "中文"},
		{"utf-7", "A+ImIDkQ. Hi Mom -+Jjo--+-", "A≢Α. Hi Mom -☺-+"},
		{"utf-7", "+2D3cqQ-!", "💩!"},
		{"utf-7", "+2D3-x + \xe9", "\uFFFDx + é"},
		{"iso8859-15", "\xa4", "€"},
		{"windows1251", "\xcf", "П"},
		{"x-cp1251", "\xcf", "П"},
		{"cp-850", "\x82", "é"},
		{"koi8r", "\xf0", "П"},
		{"iso_8859-2", "\xb1", "ą"},
		{"csisolatin2", "\xb1", "ą"},
		{"utf-16", "\xff\xfeh\x00i\x00", "hi"},
		{"utf-16", "h\x00i\x00", "hi"},
		{"utf-16be", "\x00h\x00i", "hi"},
		{"utf-16le", "h\x00i\x00\n", "hi"},
		{"utf-32le", "h\x00\x00\x00", "h"},
		{"tis-620", "\xa1", "ก"},
		{"windows-1256", "\xc7", "ا"},
		{"iso-8859-8-i", "\xe0", "א"},
		{"macintosh", "\x8e", "é"},
		{"ibm850", "\x82", "é"},
		{"cp437", "\x82", "é"},
		{"unknown-8bit", "\xe9", "é"},
		{"x-nobody-knows", "caf\xc3\xa9", "café"},
		{"\"utf-8\"", "é", "é"},
	} {
		t.Run(c.charset, func(t *testing.T) {
			if got, _ := decodeText([]byte(c.in), c.charset, false, false); got != c.want {
				t.Errorf("%q gives %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestHTMLDeclaresItsCharset(t *testing.T) {
	for _, doc := range []string{
		"<html><head><meta charset=\"koi8-r\"></head>\xf0\xd2",
		"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>\xf0\xd2",
	} {
		if m := parse(t, "Content-Type: text/html\n\n"+doc); m.Text != "Пр" {
			t.Errorf("%q", m.Text)
		}
	}
}

func TestUnflow(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		delSp          bool
	}{
		{name: "paragraph", in: "one \ntwo \nthree\nfour\n", want: "one two three\nfour\n"},
		{name: "DelSp", in: "日 \n本\n", want: "日本\n", delSp: true},
		{name: "stuffing", in: " From here\n >not quoted\n", want: "From here\n>not quoted\n"},
		{name: "quotes", in: "> a \n> b\n>> c \nd\n", want: "> a b\n>> c \nd\n"},
		{name: "signature", in: "text \n-- \nme\n", want: "text \n-- \nme\n"},
		{name: "open at the end", in: "one \n", want: "one "},
		{name: "no line end", in: "one \ntwo", want: "one two"},
		{name: "empty lines", in: "a\n\nb\n", want: "a\n\nb\n"},
		{name: "empty quote", in: ">\n> a\n", want: ">\n> a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := unflow(c.in, c.delSp); got != c.want {
				t.Errorf("%q gives %q, want %q", c.in, got, c.want)
			}
		})
	}
}
