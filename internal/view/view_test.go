package view

import (
	"fmt"
	"strings"
	"testing"
)

// The text of a document, as lines.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"blocks", "<p>a</p><div>b</div><div>c</div>", "a\n\nb\nc"},
		{"words go on in inline elements", "<b>12</b><b>34</b>", "1234"},
		{"breaks", "a<br>b<br><br>c", "a\nb\n\nc"},
		{"cells", "<table><tr><td>a<td>b<tr><td>c</td></tr></table>", "a\tb\nc"},
		{"lists", "<ol start=3><li>a<li>b</ol><ul><li>c</ul>", "3. a\n4. b\n\n- c"},
		{"references", "a&amp;b &lt;c&gt; &euro;&#49;&nbsp;d", "a&b <c> €1 d"},
		{"white space", " a\n\t b  <i> c</i> ", "a b c"},
		{"preformatted", "<pre>a\n  b</pre>", "a\n  b"},
		{"images", "<img alt='Acme Ltd'><img alt=no width=1 height=1>x", "Acme Ltd x"},
		{"invisible characters", "12\u200b34\u00ad5", "12345"},
		{"display", "<span style='display:block'>a</span><span style='display:block'>b</span><div " +
			"style='display:inline'>c</div>", "a\nb\nc"},
		{"no tags", "a\nb &amp; c", "a\nb & c"},
		{"comments", "a<!--[if mso]>b<![endif]-->c<!--[if !mso]><!-->d<!--<![endif]-->", "acd"},
		{"a sheet behind its text", "<p class=x>a</p>b<style>.x{display:none}</style>", "b"},
		{"an end tag beyond a cell", "<div hidden><table><tr><td></div>a</table></div>b", "b"},
		{"a block in a hidden format", "<font style='display:none'>a<p>b</p></font>c", "c"},
		{"a format goes on in the next block", "<p><b style='display:none'>a</p><p>b</b>c", "c"},
		{"twins for Outlook", "<!--[if mso]>x<![endif]--><a href=y style='mso-hide:all'>Go</a>", "Go"},
		{"one without a twin", "a<p style='mso-hide:all'>b</p>", "a"},
		{"blocks", "<p>one</p><p>two</p><div>three</div>four", "one\n\ntwo\n\nthree\nfour"},
		{"code split over elements", "<b>1</b><b>2</b><span>3</span>4", "1234"},
		{"breaks", "a<br>b<br><br><br>c", "a\nb\n\nc"},
		{"white space in elements", "<p> a \n\t b&nbsp;&nbsp;c </p>", "a b c"},
		{"entities", "<p>&lt;&amp;&euro;&#8364;&#x20ac; &copy &unknown;</p>", "<&€€€ © &unknown;"},
		{"skipped elements", "<title>t</title><style>p{}</style><script>x<y</script><template>z</template><b>a</b>",
			"a"},
		{"comment", "a<!-- b --><!--[if mso]>c<![endif]--><b>d</b>", "ad"},
		{"display none", "<div style='DISPLAY : none'>x<div>y</div>z</div><p>a", "a"},
		{"hidden attribute", "<p hidden>x</p><p>a</p>", "a"},
		{"hidden and not closed", "<p style=display:none>x<p>a", "a"},
		{"hidden span in a cell", "<table><tr><td><span style='display:none'>x</td><td>a</td></tr></table>", "a"},
		{"visibility", "<span style='visibility:hidden'>x</span>a<i></i>", "a"},
		{"zero font", "<span style='font-size:0px'>x</span><span style='font-size:0.9em'>a</span>", "a"},
		{"zero font around cells", "<table><td style='font-size:0'><div style='font-size:13px'>a</div>x</td>", "a"},
		{"clipped box", "<div style='max-height:0;overflow:hidden'>x</div><p>a", "a"},
		{"opacity", "<div style='opacity:0'>x</div><div style='opacity:0.5'>a</div>", "a"},
		{"hidden by a class", "<style>/* x */ .a, p.b { color:red; display:none } @media x{.c{display:none}}</style>" +
			"<p class='q a'>x</p><p class=b>x</p><p class=c>y</p><p class=a style='display:block'>z", "y\n\nz"},
		{"hidden by an id", "<style>#a{font-size:0}</style><p id=a>x</p><p id=b>y</p>", "y"},
		{"preheader padding", "<div>Hi&nbsp;&zwnj;&#847;&nbsp;&#8203;&shy;&#65279;</div><p>a", "Hi\n\na"},
		{"joiners in words", "<p>می\u200cخواهم 👩\u200d💻</p>", "می\u200cخواهم 👩\u200d💻"},
		{"table", "<table><tr><td>a</td><td>b</td></tr><tr><th>c<th>d</table>e", "a\tb\nc\td\ne"},
		{"paragraphs in cells", "<table><tr><td><p>a</p></td><td><p>b</p><p>c</p></td><td></td></tr><tr><td>d</table>",
			"a\tb\n\nc\n\nd"},
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
		if got := ReadString(c.doc).Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A rule hides what it selects, and what it may select where that cannot be told.
func TestSelectors(t *testing.T) {
	const mail = "<div><p>a <b>1</b></p><i>b</i><p class=h lang=de-AT dir=rtl>c <u>2</u></p></div>"
	for _, c := range []struct{ selector, want string }{
		{"p:empty", "a 1 b c 2"}, {"*:empty", "a 1 b c 2"}, {"b:empty", "a 1 b c 2"}, {"p:not(:empty)", "b"},
		{"p:last-of-type", "a 1 b"}, {"p:first-of-type", "b c 2"}, {"i:only-of-type", "a 1 c 2"},
		{"p:only-of-type", "a 1 b c 2"}, {"p:nth-last-of-type(2)", "b c 2"}, {"p:last-child", "a 1 b"},
		{"p:nth-last-child(3)", "b c 2"}, {"div>:nth-last-child(-n+2)", "a 1"}, {"b:only-child", "a b c 2"},
		{"p:lang(de)", "a 1 b"}, {"p:lang(fr)", "a 1 b c 2"}, {"u:lang('de')", "a 1 b c"}, {"p:lang(d)", "a 1 b c 2"},
		{"p:dir(rtl)", "a 1 b"}, {"p:dir(ltr)", "b c 2"}, {"p:has(b)", "b c 2"}, {"div:has(> b)", "a 1 b c 2"},
		{"p:has(> u, b)", "b"}, {"div:has(.x)", "a 1 b c 2"}, {"p:has(+ i)", "b"},
		{"div:has(p u)", ""}, {"p:not(:has(+ i))", "b"}, {"p:has(:last-child)", "b"},
		{"p:not(:has(:last-child))", "b"}, {"p:not(:has(b))", "a 1 b"}, {"p:nth-child(1 of .h)", "b"},
		{"p:not(:not(.h))", "a 1 b"}, {"p:is(:not(.h))", "b c 2"}, {"b:is(.h b)", "a 1 b c 2"},
		{"u:is(.h u)", "a 1 b c"}, {"b:not(.h b)", "a b c 2"}, {"u:not(.h u)", "a 1 b c 2"},
		{"p:is(:is(.x,.h),.y)", "a 1 b"}, {"p:enabled", "a 1 b c 2"}, {"p:scope", "a 1 b c 2"},
		{"i + p:last-of-type", "a 1 b"}, {"p:empty + i", "a 1 b c 2"}, {"p:has(+ i), .h", "b"},
		{"p:hover, p:has(+ u)", "b"},
	} {
		doc := "<style>" + c.selector + "{display:none}</style>" + mail
		if got := strings.Join(strings.Fields(ReadString(doc).Text()), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.selector, got, c.want)
		}
	}
	const empties = "<style>:empty+b{display:none}</style><p>x</p><b>1</b><p></p><b>2</b><p> </p><b>3</b><p><!----></p><b>4"
	if got := strings.Join(strings.Fields(ReadString(empties).Text()), " "); got != "x 1 3" {
		t.Errorf("behind empty elements: %q", got)
	}
}

// Styles that hide, and those like them that do not.
func TestStyles(t *testing.T) {
	for style, hides := range map[string]bool{
		"position:absolute;bottom:-9999px": true, "position:absolute;bottom:-20px": false, "bottom:-9999px": false,
		"font-size:calc(1px*0)": true, "font-size:calc(30px/2)": false, "opacity:calc(0)": true,
		"opacity:calc(1*0)": true, "opacity:calc(1)": false, "opacity:calc(50%)": false,
		"color:hwb(0 100% 0%)": true, "color:hwb(0 0% 0%)": false, "color:hwb(0 0% 100%)": false,
		"color:oklch(1 0 0)": true, "color:oklch(100% 0 0)": true, "color:oklch(0.2 0 0)": false,
		"color:oklch(1 0.2 90)": false, "color:lab(100 0 0)": true, "color:lab(100% 0 0)": true,
		"color:lab(20 0 0)": false, "color:color(srgb 1 1 1)": true, "color:color(srgb 0 0 0)": false,
		"background:oklab(0 0 0)": true, "background:oklab(0 0 0);color:lch(100 0 0)": false,
	} {
		if got := ReadString("<p style='"+style+"'>a</p>").Text() == ""; got != hides {
			t.Errorf("%s: hides %v, want %v", style, got, hides)
		}
	}
}

// A sheet that takes too much work to read hides everything, wherever it stands.
func TestExceeded(t *testing.T) {
	const deep = 3000
	sheet := "<style>" + strings.Repeat("@media screen{", deep) + "p{display:none}" + strings.Repeat("}", deep) +
		"</style>"
	for _, doc := range []string{sheet + "<p>a</p>", "<p>a</p>" + sheet} {
		if got := ReadString(doc).Text(); got != "" {
			t.Errorf("%.20q: %q", doc, got)
		}
	}
}

// The rules in @supports and the like apply where that is so, and those that hide where it cannot be told.
func TestConditions(t *testing.T) {
	for condition, applies := range map[string]bool{
		"@supports (display:none)": true, "@supports (foo:bar)": true, "@supports not (foo:bar)": true,
		"@media (foo:bar)":          false,
		"@supports (display:bogus)": false, "@supports not (display:bogus)": true,
		"@supports (display:block) and (foo:bar)": true, "@supports (foo:bar) or (display:block)": true,
		"@supports ((display:block) and (not (display:x)))": true, "@supports (--a:b)": true,
		"@supports selector(a > b)": true, "@supports selector(:foo)": true, "@supports": false,
		"@supports (display:block": false, "@container (width > 1px)": true, "@scope (p)": true, "@layer x": true,
	} {
		doc := "<style>" + condition + "{p{display:none}}</style><p>a</p>"
		if got := ReadString(doc).Text() == ""; got != applies {
			t.Errorf("%s: applies %v, want %v", condition, got, applies)
		}
	}
}

// outline writes runs as [reason|gap|style|quote|row.cell|link] text.
func outline(v *View) string {
	var b strings.Builder
	for _, r := range v.Runs {
		fmt.Fprintf(&b, "%s%d %q", map[bool]string{true: "- " + r.Hidden.String() + " "}[r.Hidden != 0], r.Gap, r.Text)
		if r.Style != 0 {
			fmt.Fprintf(&b, " style %d", r.Style)
		}
		if r.Quote != 0 {
			fmt.Fprintf(&b, " quote %d", r.Quote)
		}
		if r.Row != 0 {
			fmt.Fprintf(&b, " cell %d.%d", r.Row, r.Cell)
		}
		if r.Link >= 0 {
			fmt.Fprintf(&b, " to %s", v.Links[r.Link].Href)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRuns(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"links", `<p>a <a href="x?a=1&amp;b=2&copy=3">b <b>c</b></a></p>`,
			"5 \"a\"\n1 \"b\" to x?a=1&b=2&copy=3\n1 \"c\" style 1 to x?a=1&b=2&copy=3\n"},
		{"cells", "<table><tr><td>Total</td><td>12</td></tr></table>", "4 \"Total\" cell 1.1\n2 \"12\" cell 1.2\n"},
		{"quotes", "a<blockquote>b<blockquote>c</blockquote></blockquote>d", "0 \"a\"\n5 \"b\" quote 1\n5 \"c\" " +
			"quote 2\n5 \"d\"\n"},
		{"hidden", `a<span style="display:none">b</span><style>.x{opacity:0}</style><p class=x>c`,
			"0 \"a\"\n- display:none 0 \"b\"\n- opacity (style sheet) 5 \"c\"\n"},
		{"images", `<a href=x><img alt="Acme"></a>`, "1 \"Acme\" style 32 to x\n"},
		{"styles", "<h1>a</h1><code>b</code>", "5 \"a\" style 7\n5 \"b\" style 16\n"},
	} {
		if got := outline(ReadString(c.doc)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestLinksHidden(t *testing.T) {
	v := ReadString(`<a href=1>x</a><a href=2></a><a href=3><img src=y></a><a href=4><img src=y width=1></a>` +
		`<a href=5 style="display:none">x</a><a href=6><span hidden>x</span></a><a href=7><span hidden>x</span>y</a><a href=8><div>x</div></a>`)
	want := []Reason{0, Empty, 0, ZeroSize, DisplayNone, HiddenAttribute, 0, 0}
	for i, l := range v.Links {
		if l.Hidden != want[i] {
			t.Errorf("link %s: %q, want %q", l.Href, l.Hidden, want[i])
		}
	}
}

func TestMarksAndBoxes(t *testing.T) {
	v := ReadString(`<div>Hi</div><div class="gmail_quote"><div class="gmail_attr">On Monday</div><blockquote>old</blockquote></div><hr>` +
		`<b style="font-size:24px">123456</b>`)
	var kinds []MarkKind
	for _, m := range v.Marks {
		kinds = append(kinds, m.Kind)
	}
	if got, want := fmt.Sprint(kinds), fmt.Sprint([]MarkKind{HistoryIntro, Attribution, AttributionEnd, Quote, QuoteEnd,
		ThinRule}); got != want {
		t.Errorf("marks %s, want %s", got, want)
	}
	last := v.Boxes[len(v.Boxes)-1]
	for _, b := range v.Boxes {
		if v.Runs[b.First].Text == "123456" && b.Style == Bold|Large {
			return
		}
	}
	t.Errorf("no box of the code, the last is %+v", last)
}

// What stands below the budget of a hostile sheet is hidden, and never shown by mistake.
func TestUnread(t *testing.T) {
	var sheet strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&sheet, "* * .x%d *{display:block}", i)
	}
	doc := "<style>" + sheet.String() + ".y *{display:none}</style>" + strings.Repeat("<div><div>", 200) +
		strings.Repeat("<div><i>x</i></div>", 2000) + "<div class=y><p>771206</p></div>"
	v := ReadString(doc)
	if strings.Contains(v.Text(), "771206") {
		t.Error("hidden text is shown")
	}
	if last := v.Runs[len(v.Runs)-1]; last.Hidden.Rule() != Unread {
		t.Errorf("the last run is hidden by %q", last.Hidden)
	}
}
