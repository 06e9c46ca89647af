package view_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/costtest"
	"github.com/mailkin/mailkin/internal/view"
)

// hostile are documents made to be slow to read: before, what is repeated, after.
var hostile = [][3]string{
	// elements
	{"", "<div>", ""}, {"", "</div>", ""}, {"", "<b><p>", ""}, {"", "<table>", ""}, {"", "<table><tr><td>", "x"},
	{"", "<a href=x>", "y"},
	{"", "<p>x", ""}, {"", "<i>x<b>y</i>z", ""}, {"", "<select><option>", ""}, {"", "<template>", "x"},
	{"", "<!--", ""}, {"", "<!-- -->", ""},
	{"", "<", ""}, {"", "<a ", ">"}, {"<a ", "b=c ", ">"}, {"<a ", "class=c ", ">"}, {"", "&", ""},
	{"", "&amp", ""}, {"", "<![if", ">"},
	{"", "<!--[if mso]>", ""}, {"", "<svg><style>", ""}, {"", "<details>", "x"}, {"", "<font size=7>", "x"},
	{"", "<noscript>", "x"},
	{"", "<script>", "x"}, {"", "<style></style>", ""}, {"", "<style>x{y:z}</style>", ""},
	{"", "<td bgcolor=white><font color=white>", "x"},
	{"", "<div style='font-size:.9em'>", "x"}, {"", "<div style='opacity:.99'>", "x"},
	{"", "<div style='color:inherit'>", "x"},
	// the style attribute
	{"<p style='", "display:none;", "'>x"}, {"<p style='", "(", "'>x"}, {"<p style='", "a:b(", "'>x"},
	{"<p style='", "/*", "'>x"},
	{"<p style='", `\`, "'>x"}, {"<p style='", `\64`, "'>x"}, {"<p style='", "&quot;", "'>x"},
	{"<p style='transform:", "scale(1) ", "'>x"},
	{"<p style='font-size:calc(", "1px + ", "1px)'>x"}, {"<p style='font-size:", "calc(", "1px'>x"},
	{"<p style='clip-path:polygon(", "0 0,", "0 0)'>x"},
	{"<p style='background:", "linear-gradient(", "'>x"}, {"<p style='filter:", "opacity(1) ", "'>x"},
	{"<p class='", "a ", "'>x"},
	// sheets
	{"<style>", "{", "</style>x"}, {"<style>", "}", "</style>x"}, {"<style>", "a{", "</style>x"},
	{"<style>", "@media screen{", "</style>x"},
	{"<style>", "@media ", "{}</style>x"}, {"<style>@media ", "not ", "screen{}</style>x"},
	{"<style>@media ", "(", "{}</style>x"},
	{"<style>@media ", "screen,", "x{}</style>x"}, {"<style>", "@import x;", "</style>x"},
	{"<style>", "/*", "</style>x"}, {"<style>", "<!--", "</style>x"},
	{"<style>", `"`, "</style>x"}, {"<style>", `\`, "</style>x"}, {"<style>", "abcdef,", "b{display:none}</style><b>x"},
	{"<style>", "a ", "b{display:none}</style><b>x"},
	{"<style>", "a>", "b{display:none}</style><b>x"}, {"<style>", "*+", "b{display:none}</style><b>x"},
	{"<style>", "*~", "b{display:none}</style><b>x"},
	{"<style>", ":not(", "b{display:none}</style><b>x"}, {"<style>", ":is(", "b{display:none}</style><b>x"},
	{"<style>", ":has(", "b{display:none}</style><b>x"},
	{"<style>", ".a", "{display:none}</style><b class=a>x"}, {"<style>", "[a]", "{display:none}</style><b a>x"},
	{"<style>", "a{b:c}", "</style><a>x"},
	{"<style>", ".a{display:none}", "</style><b class=a>x"}, {"<style>", "*{display:none}", "</style><b>x"},
	{"<style>", ":nth-child(2n+1)", "{a:b}</style><b>x"},
	{"<style>a{", "display:none;", "}</style><a>x"}, {"<style>", "@supports (", "</style>x"},
	{"<style>", "@layer a{", "</style>x"}, {"<style>", "@x;", "</style>x"},
}

// Reading costs so much for each byte and no more, however long and odd the document is.
func TestHostileCost(t *testing.T) {
	const size = 20_000
	for _, h := range hostile {
		doc := []byte(costtest.Long(h[0], h[1], h[2], size))
		if excess := costtest.Excess(len(doc), func() { view.Read(doc) }); excess != "" {
			t.Errorf("%.40q %q %.40q: %s", h[0], h[1], h[2], excess)
		}
	}
}

// Nor do many rules cost more on many elements.
func TestHostileRules(t *testing.T) {
	const size = 10_000
	for _, selector := range []string{
		".x%d", ".a .b%d", "* * * * * .c%d", "div div div div div div p%d", ".a ~ .a ~ .a ~ .z%d",
		".a + .a + .a + .z%d", "*", ".a", ".a *", "div > *",
		"[class]", "[class*=a]", "[style*=zzz%d]", ":not(.z%d)", ":not(:not(:not(.a%d)))", ":nth-child(%dn+1)",
		":nth-last-child(%dn)", ":is(.a,.b,.c) *",
		":has(.z%d)", ":has(* ~ * > .z%d)", "*:first-child:last-child", "div:empty", "a%d", "#i%d",
		"p, div, .a, .b%d",
	} {
		var sheet strings.Builder
		for n := 0; sheet.Len() < size; n++ {
			s := selector
			if strings.Contains(s, "%d") {
				s = fmt.Sprintf(s, n)
			}
			sheet.WriteString(s + "{display:block}")
		}
		for name, elements := range map[string]string{
			"beside":  costtest.Long("", "<div class=a>x</div>", "", size),
			"inside":  costtest.Long("", "<div class='a b c'>", "x", size),
			"classes": costtest.Long("", "<p class='a b c d e f g h i j k l'>x", "", size),
		} {
			doc := []byte("<style>" + sheet.String() + "</style>" + elements)
			if excess := costtest.Excess(len(doc), func() { view.Read(doc) }); excess != "" {
				t.Errorf("%s on elements %s each other: %s", selector, name, excess)
			}
		}
	}
}
