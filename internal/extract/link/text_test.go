package link

import (
	"slices"
	"strings"
	"testing"
)

func urls(links []Link) []string {
	var out []string
	for _, l := range links {
		out = append(out, l.URL)
	}
	return out
}

func TestAddressesInText(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"alone", "https://a.example/x", []string{"https://a.example/x"}},
		{"http", "http://a.example", []string{"http://a.example"}},
		{"capitals", "HTTPS://A.example/X", []string{"HTTPS://A.example/X"}},
		{"full stop", "See https://a.example/x.", []string{"https://a.example/x"}},
		{"stops of all kinds", "(https://a.example/1), https://a.example/2! https://a.example/3; 'https://a.example/4'?",
			[]string{"https://a.example/1", "https://a.example/2", "https://a.example/3", "https://a.example/4"}},
		{"three dots", "https://a.example/x...", []string{"https://a.example/x"}},
		{"cut short", "https://a.example/verify/abc…", nil},
		{"brackets of its own", "https://a.example/wiki/X_(y)", []string{"https://a.example/wiki/X_(y)"}},
		{"brackets around its own", "(https://a.example/wiki/X_(y))", []string{"https://a.example/wiki/X_(y)"}},
		{"bracket, then letters", "(https://a.example/x)y", []string{"https://a.example/x"}},
		{"square", "[https://a.example/x]", []string{"https://a.example/x"}},
		{"square of its own", "https://a.example/?a[]=1", []string{"https://a.example/?a[]=1"}},
		{"angle", "<https://a.example/x>", []string{"https://a.example/x"}},
		{"angle, named", "<URL:https://a.example/x>", []string{"https://a.example/x"}},
		{"angle over two lines", "<https://a.example/long/\n  rest?token=1>",
			[]string{"https://a.example/long/rest?token=1"}},
		{"angle that is not closed", "<https://a.example/x\nand more text", []string{"https://a.example/x"}},
		{"after a word, as Outlook writes", "Verify<https://a.example/x> now", []string{"https://a.example/x"}},
		{"quotes", `"https://a.example/x"`, []string{"https://a.example/x"}},
		{"typographic quotes", "“https://a.example/x”", []string{"https://a.example/x"}},
		{"bold", "*https://a.example/x*", []string{"https://a.example/x"}},
		{"token that ends in signs", "https://a.example/?t=ab-_", []string{"https://a.example/?t=ab-_"}},
		{"equals sign", "https://a.example/?t=YWJj==", []string{"https://a.example/?t=YWJj=="}},
		{"ampersand", "https://a.example/?a=1&b=2", []string{"https://a.example/?a=1&b=2"}},
		{"fragment", "https://a.example/#/verify/1", []string{"https://a.example/#/verify/1"}},
		{"port and user", "https://jo:x@a.example:8443/x", []string{"https://jo:x@a.example:8443/x"}},
		{"IPv4", "http://192.0.2.1/x", []string{"http://192.0.2.1/x"}},
		{"IPv6", "http://[2001:db8::1]:80/x", []string{"http://[2001:db8::1]:80/x"}},
		{"localhost", "http://localhost:3000/verify", []string{"http://localhost:3000/verify"}},
		{"name without a dot", "https://intranet/x", nil},
		{"IDN", "https://bücher.example/straße", []string{"https://bücher.example/straße"}},
		{"Cyrillic", "Сайт https://пример.рф/путь.", []string{"https://пример.рф/путь"}},
		{"Chinese after it", "请点击https://a.example/x完成验证。", []string{"https://a.example/x"}},
		{"Chinese after the host", "请访问https://a.example查看", []string{"https://a.example"}},
		{"Chinese sign after it", "网址：https://a.example/x，谢谢", []string{"https://a.example/x"}},
		{"Chinese in the path", "https://a.example/wiki/日本", []string{"https://a.example/wiki/日本"}},
		{"Thai after it", "คลิกhttps://a.example/xที่นี่", []string{"https://a.example/x"}},
		{"Markdown", "[Verify](https://a.example/x) and ![i](https://a.example/y.png)", []string{"https://a.example/x",
			"https://a.example/y.png"}},
		{"www", "Visit www.a.example/x, please", []string{"https://www.a.example/x"}},
		{"www alone", "www. is short for", nil},
		{"www in a word", "awww.example.com", nil},
		{"www in an address", "jo@www.a.example", nil},
		{"bare domain", "a.example/x", nil},
		{"mail address", "mailto:jo@a.example jo@a.example", nil},
		{"other schemes", "ftp://a.example javascript:alert(1) data:text/html,x", nil},
		{"template", "https://{{host}}/x https://%HOST%/y https:///z", nil},
		{"twice", "https://a.example/x https://a.example/x", []string{"https://a.example/x"}},
		{"one after the other", "https://a.example/https://b.example/",
			[]string{"https://a.example/https://b.example/"}},
		{"table", "|https://a.example/x|https://a.example/y|", []string{"https://a.example/x", "https://a.example/y"}},
		{"CRLF", "https://a.example/x\r\nhttps://a.example/y\r\n", []string{"https://a.example/x",
			"https://a.example/y"}},
		{"none", "Hello: nothing here, www or not.", nil},
		{"too long", "https://a.example/" + strings.Repeat("x", maxURL), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Mail{Text: tt.text}
			if got := urls(Find(m)); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := Any(m); got != (len(tt.want) > 0) {
				t.Errorf("Any is %v", got)
			}
		})
	}
}

func TestTextOfBareAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"see https://a.example/x.":                                   "https://a.example/x",
		"see www.a.example":                                          "www.a.example",
		"[Verify now](https://a.example/x)":                          "Verify now",
		"[](https://a.example/x)":                                    "https://a.example/x",
		"<https://a.example/\nx>":                                    "https://a.example/x",
		"https://a.example/?" + strings.Repeat("é", 300) + " and on": "https://a.example/?" + strings.Repeat("é", 181),
	} {
		got := Find(Mail{Text: text})
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}
