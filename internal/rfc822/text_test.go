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

func TestHTMLText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"blocks", "<p>one</p><p>two</p><div>three</div>four", "one\n\ntwo\n\nthree\nfour"},
		{"code split over elements", "<b>1</b><b>2</b><span>3</span>4", "1234"},
		{"breaks", "a<br>b<br><br><br>c", "a\nb\n\nc"},
		{"white space in elements", "<p> a \n\t b&nbsp;&nbsp;c </p>", "a b c"},
		{"entities", "<p>&lt;&amp;&euro;&#8364;&#x20ac; &copy &unknown;</p>", "<&€€€ © &unknown;"},
		{"skipped elements", "<title>t</title><style>p{}</style><script>x<y</script><template>z</template><b>a</b>", "a"},
		{"comment", "a<!-- b --><!--[if mso]>c<![endif]--><b>d</b>", "ad"},
		{"display none", "<div style='DISPLAY : none'>x<div>y</div>z</div><p>a", "a"},
		{"hidden attribute", "<p hidden>x</p><p>a</p>", "a"},
		{"hidden and not closed", "<p style=display:none>x<p>a", "a"},
		{"hidden span in a cell", "<table><tr><td><span style='display:none'>x</td><td>a</td></tr></table>", "a"},
		{"visibility", "<span style='visibility:hidden'>x</span>a<i></i>", "a"},
		{"hidden from Outlook alone", "<span style='mso-hide:all'>x</span>a", "xa"},
		{"zero font", "<span style='font-size:0px'>x</span><span style='font-size:0.9em'>a</span>", "a"},
		{"zero font around cells", "<td style='font-size:0'><div style='font-size:13px'>a</div>x</td>", "a"},
		{"clipped box", "<div style='max-height:0;overflow:hidden'>x</div><p>a", "a"},
		{"opacity", "<div style='opacity:0'>x</div><div style='opacity:0.5'>a</div>", "a"},
		{"hidden by a class", "<style>/* x */ .a, p.b { color:red; display:none } @media x{.c{display:none}}</style>" +
			"<p class='q a'>x</p><i class=b>x</i><p class=c>y</p><p class=a style='display:block'>z", "y\n\nz"},
		{"hidden by an id", "<style>#a{font-size:0}</style><p id=a>x</p><p id=b>y</p>", "y"},
		{"preheader padding", "<div>Hi&nbsp;&zwnj;&#847;&nbsp;&#8203;&shy;&#65279;</div><p>a", "Hi\n\na"},
		{"joiners in words", "<p>می\u200cخواهم 👩\u200d💻</p>", "می\u200cخواهم 👩\u200d💻"},
		{"table", "<table><tr><td>a</td><td>b</td></tr><tr><th>c<th>d</table>e", "a\tb\nc\td\ne"},
		{"paragraphs in cells", "<table><tr><td><p>a</p></td><td><p>b</p><p>c</p></td><td></td></tr><tr><td>d</table>", "a\tb\n\nc\n\nd"},
		{"columns", "<table><tr><td>a<br>b</td><td>c<br>d</td></tr></table>", "a\nb\nc\nd"},
		{"layout table", "<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>", "a"},
		{"list", "<ul><li>a<li>b</ul><ol start=3><li>c</li><li>d</li></ol>", "- a\n- b\n\n3. c\n4. d"},
		{"empty item", "<ul><li></li><li>a</li></ul>", "- a"},
		{"link", "<a href='https://x.example/'>Go <b>there</b></a>.", "Go there."},
		{"image", "<p>a<img alt='Logo'>b<img src=x><img alt=p width=1></p>", "a Logo b"},
		{"pre", "<pre>a  b\n  c</pre>d", "a  b\n  c\n\nd"},
		{"no tags at all", "line one\nline two &amp; a\n\nb", "line one\nline two & a\n\nb"},
		{"less-than in text", "<p>1 < 2 and 3 > 2</p>", "1 < 2 and 3 > 2"},
		{"ends inside a tag", "<p>a</p><p style='x", "a"},
		{"unknown elements", "<o:p>a</o:p><foo-bar>b</foo-bar>", "ab"},
		{"NUL", "<p>a\x00b</p>", "ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := HTMLText(c.in, 1000); got != c.want {
				t.Errorf("%q gives %q, want %q", c.in, got, c.want)
			}
		})
	}
	if got := HTMLText("<p>ééé</p>", 3); got != "é" {
		t.Errorf("cut at three bytes: %q", got)
	}
}
