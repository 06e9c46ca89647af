package view

import (
	"testing"

	"github.com/mailkin/mailkin/internal/costtest"
)

// costUnits are what is repeated in hostile documents, between two ends.
var costUnits = [][3]string{
	{"", "<", ""}, {"", "<a", ""}, {"", "<a>", ""}, {"", "<b>x", ""}, {"", "</b>", ""}, {"", "<p><b>x", ""},
	{"", "<div>", "x"},
	{"", "<div hidden>x", ""}, {"", "<font color=#1><p>x</p>", ""}, {"", "<i><b></i>x", ""}, {"", "<b><div></b>x", ""},
	{"", "<table><tr><td>", "x"}, {"<table>", "<td>x", ""}, {"", "<ul><li>x", ""}, {"", "<select><option>x", ""},
	{"", "<!--", ""}, {"", "<!-->", ""}, {"<script>", "<!--<", ""}, {"<script><!--", "<script", ""},
	{"<a x='", "\"", ""}, {"<a ", "b ", ">x"},
	{"<a ", "b=c ", ">x"}, {"<p style='", "color:red;", "'>x"}, {"<p style='", "(", "'>x"}, {"<p class='", "a ", "'>x"},
	{"", "&amp", ""},
	{"", "&", ""}, {"<pre>", "\n", ""}, {"", "<br>", "x"}, {"", "<img alt=x>", ""}, {"", "<a href=x>x", ""},
	{"", "<p itemprop=a itemscope>x", ""},
	{"<style>", "a{", ""}, {"<style>", "@media{", ""}, {"<style>", ":is(", ""}, {"<style>", "[", ""},
	{"<style>", "(", ""}, {"<style>", "\"", ""},
	{"<style>", ".a{display:none}", "</style>" + costBody}, {"<style>", ".a .b{display:none}", "</style>" + costBody},
	{"<style>", "*{color:red}", "</style>" + costBody}, {"<style>", "* * *{color:red}", "</style>" + costBody},
	{"<style>", "p~p~p{color:red}", "</style>" + costBody}, {"<style>", ".a,", ".b{display:none}</style>" + costBody},
	{"<style>", "a ", "{display:none}</style>" + costBody}, {"<style>", "p+", "p{display:none}</style>" + costBody},
	{"<style>", "a,", "&{b,c{display:none}}</style>" + costBody},
	{"<style>", ":not(", "a{display:none}</style>" + costBody},
	{"<style>a{", "b,c{", "</style>" + costBody}, {"<style>* * * * * *{color:red}</style>", "<div><p>x</p>", ""},
	{"<style>p:nth-of-type(3)~p~p{color:red}</style>", "<p>x</p>", ""}, {"<style>p:last-child{color:red}</style>",
		"<p>x</p>", ""},
	{"<style>[a*=b]{color:red}</style><p a='", "b", "'>x"}, {"<style>:root{--a:var(--a)}p{color:", "var(--a)",
		"}</style><p>x"},
	{"<style>@media ", "(", "</style>x"}, {"<p style='--a:0;", "color:var(--a);", "'>x"}, {"", "--a:b;var(", ""},
}

// costBody is something that rules apply to.
const costBody = "<div class='a b'><p class='a'>x</p><p class='b'>y</p></div>"

// No document costs much more than its bytes.
func TestCost(t *testing.T) {
	for _, u := range costUnits {
		doc := costtest.Long(u[0], u[1], u[2], 64<<10)
		if why := costtest.Excess(len(doc), func() { ReadString(doc) }); why != "" {
			t.Errorf("%q, %q again and again, %q: %s", u[0], u[1], u[2], why)
		}
	}
	// As many elements as rules, each of which could match.
	rules := costtest.Long("<style>", ".a .b .a{display:none}*~.b{color:red}", "</style>", 64<<10)
	doc := costtest.Long(rules, "<div class='a b'><p class=a>x</p>", "", 128<<10)
	if why := costtest.Excess(len(doc), func() { ReadString(doc) }); why != "" {
		t.Errorf("many rules and elements: %s", why)
	}
}

// FuzzCost looks for a document that costs more than its bytes.
func FuzzCost(f *testing.F) {
	for _, u := range costUnits {
		f.Add(u[0], u[1], u[2])
	}
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		if len(unit) > 64 || len(before)+len(after) > 200 {
			return
		}
		doc := costtest.Long(before, unit, after, 32<<10)
		if why := costtest.Excess(len(doc), func() { ReadString(doc) }); why != "" {
			t.Error(why)
		}
	})
}
