package link

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLinksInHTML(t *testing.T) {
	for _, tt := range []struct {
		name, doc string
		want      []string // URL, space, text
	}{
		{"anchor", `<a href="https://a.example/x">Text</a>`, []string{"https://a.example/x Text"}},
		{"single quotes", `<a class=b href='https://a.example/x'>Text</a>`, []string{"https://a.example/x Text"}},
		{"no quotes", `<A HREF=https://a.example/x/>Text</A>`, []string{"https://a.example/x/ Text"}},
		{"spaces around the sign", "<a\nhref = \"https://a.example/x\" >Text</a>",
			[]string{"https://a.example/x Text"}},
		{"bracket in a value", `<a title="a>b" href="https://a.example/x">Text</a>`,
			[]string{"https://a.example/x Text"}},
		{"first of two", `<a href="https://a.example/1" href="https://a.example/2">x</a>`,
			[]string{"https://a.example/1 x"}},
		{"references", `<a href="https://a.example/?a=1&amp;b=2&#38;c=3">Q&amp;A</a>`,
			[]string{"https://a.example/?a=1&b=2&c=3 Q&A"}},
		{"what looks like references", `<a href="https://a.example/?a=1&copy=2&para=3&reg;=4&lt">x</a>`,
			[]string{"https://a.example/?a=1&copy=2&para=3®=4< x"}},
		{"line end in the target", "<a href=\"https://a.example/\n\tx\">x</a>", []string{"https://a.example/x x"}},
		{"space in the target", `<a href=" https://a.example/a b ">x</a>`, []string{"https://a.example/a%20b x"}},
		{"folded text", "<a href=\"https://a.example/\">\n  Two\n  <b>words</b>&nbsp;more </a>",
			[]string{"https://a.example/ Two words more"}},
		{"letters in elements", `<a href="https://a.example/"><b>Ver</b><i>ify</i></a>`,
			[]string{"https://a.example/ Verify"}},
		{"blocks in it", `<a href="https://a.example/"><div>One</div><div>Two</div></a>`,
			[]string{"https://a.example/ One Two"}},
		{"table in it", `<a href="https://a.example/"><table><tr><td>One</td><td>Two</td></tr></table></a>`,
			[]string{"https://a.example/ One Two"}},
		{"image", `<a href="https://a.example/"><img src="x" alt="Shop &amp; more"></a>`,
			[]string{"https://a.example/ Shop & more"}},
		{"image beside text", `<a href="https://a.example/"><img src="x" alt="Icon">Text</a>`,
			[]string{"https://a.example/ Text"}},
		{"image without text", `<a href="https://a.example/"><img src="https://cdn.example/x.png"></a>`,
			[]string{"https://a.example/ "}},
		{"area", `<img src="x" usemap="#m"><map name="m"><area href="https://a.example/" alt="Map"></map>`,
			[]string{"https://a.example/ Map"}},
		{"not closed", `<a href="https://a.example/1">One <a href="https://a.example/2">Two`,
			[]string{"https://a.example/1 One", "https://a.example/2 Two"}},
		{"not closed in a cell", `<table><tr><td><a href="https://a.example/1">One</td><td>Two</td></tr></table>`,
			[]string{"https://a.example/1 One"}},
		{"within a comment", `<!-- <a href="https://a.example/1">x</a> --><a href="https://a.example/2">y</a>`,
			[]string{"https://a.example/2 y"}},
		{"for Outlook alone", `<!--[if mso]><v:rect href="https://a.example/1"><![endif]--><![if !mso]><a href="https://a.example/2">y</a><![endif]>`, []string{"https://a.example/2 y"}},
		{"odd comments", `<!--><a href="https://a.example/1">x</a><!-- a --!><a href="https://a.example/2">y</a>`,
			[]string{"https://a.example/1 x", "https://a.example/2 y"}},
		{"within a script", `<script>"<a href='https://a.example/1'>"</script><style><a href="https://a.example/2"></style>`, nil},
		{"title", `<title>https://a.example/1</title><body>x`, nil},
		{"other schemes", `<a href="mailto:jo@a.example">a</a><a href="javascript:alert(1)">b</a><a href="data:text/html,x">c</a><a href="tel:1">d</a><a href="cid:1">e</a><a href="java` + "\n" + `script:x">f</a>`, nil},
		{"relative", `<a href="/x">a</a><a href="//a.example/x">b</a><a href="#top">c</a><a href="">d</a><a name="x">e</a>`, nil},
		{"slashes as browsers take them", `<a href="https:\\a.example\x">a</a>`, []string{`https://a.example\x a`}},
		{"templates", `<a href="https://{{unsubscribe}}">a</a><a href="http://%%x%%/">b</a><a href="http://">c</a>`,
			nil},
		{"bare", `<p>See https://a.example/x.</p>`, []string{"https://a.example/x https://a.example/x"}},
		{"bare between anchors", `<a href="https://a.example/1">1</a> https://a.example/2 <a href="https://a.example/3">3</a>`,
			[]string{"https://a.example/1 1", "https://a.example/2 https://a.example/2", "https://a.example/3 3"}},
		{"bare over elements", `<p>https://<wbr>a.example/<b>x</b>y</p>`,
			[]string{"https://a.example/xy https://a.example/xy"}},
		{"address that an anchor shows", `<a href="https://b.example/">https://a.example/</a>`,
			[]string{"https://b.example/ https://a.example/"}},
		{"twice", `<a href="https://a.example/"><img src=x></a><a href="https://a.example/">Text</a>`,
			[]string{"https://a.example/ Text"}},
		{"cut off in a tag", `<a href="https://a.example/1">x</a><a href="https://a.exa`,
			[]string{"https://a.example/1 x"}},
		{"no tags", "https://a.example/x &amp; more", []string{"https://a.example/x https://a.example/x"}},
		{"less-than signs", `1 < 2 <3 <<a href="https://a.example/">x</a>`, []string{"https://a.example/ x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range Find(Mail{View: seen(tt.doc)}) {
				got = append(got, l.URL+" "+l.Text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if Any(Mail{View: seen(tt.doc)}) != (len(tt.want) > 0) {
				t.Error("Any says something else")
			}
		})
	}
}

func TestHiddenLinks(t *testing.T) {
	const shown = `<a href="https://a.example/shown">x</a>`
	for _, tt := range []struct {
		name, doc string
		want      bool // hidden
	}{
		{"the anchor", `<a style="display:none" href="https://a.example/h">x</a>`, true},
		{"around it", `<div style="color:red; DISPLAY : None !important"><p><a href="https://a.example/h">x</a></p></div>`, true},
		{"attribute", `<div hidden><a href="https://a.example/h">x</a></div>`, true},
		{"visibility", `<span style="visibility:hidden"><a href="https://a.example/h">x</a></span>`, true},
		{"opacity", `<div style="opacity:0"><a href="https://a.example/h">x</a></div>`, true},
		{"template", `<template><a href="https://a.example/h">x</a></template>`, true},
		{"an address", `<div style="display:none">https://a.example/h</div>`, true},
		{"deep", `<div style="display:none">` + strings.Repeat("<div>", 100) + `<a href="https://a.example/h">x</a>` +
			strings.Repeat("</div>", 101), true},
		{"void element in it", `<div style="display:none"><br><img><a href="https://a.example/h">x</a></div>`, true},
		{"hidden image beside it", `<img style="display:none"><a href="https://a.example/h">x</a>`, false},
		{"from Outlook alone", `<a style="mso-hide:all" href="https://a.example/h">x</a>`, true},
		{"from Outlook, which has its own", `<!--[if mso]><v:rect></v:rect><![endif]--><a style="mso-hide:all" href="https://a.example/h">x</a>`, false},
		{"nothing to click on", `<a href="https://a.example/h"></a>`, true},
		{"half", `<div style="opacity:0.5"><a href="https://a.example/h">x</a></div>`, false},
		{"block", `<div style="display:block"><a href="https://a.example/h">x</a></div>`, false},
		{"closed by what is around it", `<table><tr><td><div style="display:none">Preheader</td><td><a href="https://a.example/h">x</a></td></tr></table>`, false},
		{"closed before", `<div style="display:none">Preheader</div><a href="https://a.example/h">x</a>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := urls(Find(Mail{View: seen(tt.doc + shown)}))
			want := []string{"https://a.example/h", "https://a.example/shown"}
			if tt.want {
				want = want[1:]
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// A mail in both forms: what the text adds comes after what the HTML has, and what the HTML only shows is no link.
func TestBothForms(t *testing.T) {
	m := Mail{
		View: seen(`<a href="https://a.example/1">One</a> <a href="https://wrap.example/2">https://a.example/2</a>`),
		Text: "One: https://a.example/1\nhttps://a.example/2\nMore: https://a.example/3\n",
	}
	want := []string{"https://a.example/1", "https://wrap.example/2", "https://a.example/3"}
	if got := urls(Find(m)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A target that is met twice has the kind of where it is said, at the place where it was first met.
func TestMetTwice(t *testing.T) {
	got := Find(Mail{View: seen(`<a href="https://a.example/x">Acme</a><a href="https://a.example/y">y</a><a href="https://a.example/x">Unsubscribe</a>`)})
	if len(got) != 2 || got[0] != (Link{URL: "https://a.example/x", Text: "Unsubscribe", Kind: Unsubscribe}) {
		t.Errorf("got %+v", got)
	}
}

func TestBounds(t *testing.T) {
	var b strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&b, `<a href="https://a.example/%d">%s</a> `, i, strings.Repeat("ö ", 500))
	}
	got := Find(Mail{View: seen(b.String()), Text: "https://b.example/", Unsubscribe: "<https://c.example/>"})
	if len(got) != maxLinks {
		t.Errorf("%d links", len(got))
	}
	for _, l := range got {
		if n := utf8.RuneCountInString(l.Text); n > maxText {
			t.Fatalf("a text of %d characters", n)
		}
	}
	for name, m := range hostile(100_000) {
		if got := Find(m); len(got) > maxLinks {
			t.Errorf("%s: %d links", name, len(got))
		}
	}
}
