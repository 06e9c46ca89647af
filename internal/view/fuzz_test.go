package view

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// oracleText returns the letters and digits of a document as a browser's parser finds them, in text that is no script.
func oracleText(doc string) (string, bool) {
	root, err := html.ParseWithOptions(strings.NewReader(doc), html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", false
	}
	var b strings.Builder
	ok := true
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode:
			switch n.DataAtom {
			case atom.Script, atom.Style, atom.Title, atom.Noframes, atom.Noembed:
				return
			case atom.Svg, atom.Math, atom.Frameset, atom.Select, atom.Plaintext, atom.Colgroup, atom.Template,
				atom.Image, atom.Isindex, atom.Keygen:
				ok = false // where the two are known to differ
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return letters(b.String()), ok
}

// letters are the letters and digits of a text, sorted: text that stands in a table next to its cells is moved before
// it by browsers.
func letters(s string) string {
	out := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s))
	slices.Sort(out)
	return string(out)
}

func allText(v *View) string {
	var b strings.Builder
	for _, r := range v.Runs {
		if r.Style&Alt == 0 {
			b.WriteString(r.Text)
		}
	}
	return letters(b.String())
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"<p>a<div>b", "<b><i>x</b>y</i>", "<table><tr><td>1<td>2<tr><td>3</table>", "<a href=x>a<a href=y>b</a>",
		"<!--x--!>a<!-->b",
		"<script><!--<script>x</script>--></script>y", "<style>p{display:none}</style><p>a</p>b",
		"<p style='display:none'>a<p>b",
		"<font color=white>a<p>b</font>c", "<div hidden><table><td></div>x", "a&amp;b&#x41;&nbsp&notit;",
		"<ul><li>a<li>b</ul>",
		"<x y='>'>a", "<title>a</title>b", "<td>x</td>", "</p>a</br>b", "<h1>a<h2>b</h3>c", "<textarea>a</textarea>b",
		"<noscript>a</noscript>",
		"<style>@media(max-width:1px){a{}}b c>d+e~f:not(.x):nth-child(2n+1)[a^='b' i]{opacity:0}</style><b class='x'>a",
		"<pre>\n a\n b</pre>",
		"<img alt='x y'>", "<map><area href=x></map>", "<p itemscope><i itemprop=a content=b>c</i>",
		"<?xml?><![if !mso]>a<![endif]>",
		"<button>a<button>b", "<form>a<form>b</form>c", "<dl><dt>a<dd>b</dl>", "<option>a<option>b",
		"<svg><text>a</svg>b", "<a color='000(0\bx'>a", "<p style='color:rgb(0\b1)'>a",
		"&#0A0<", "&#x4Ag<p title='&#9'>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if len(doc) > 4<<10 {
			return
		}
		doc = strings.ToValidUTF8(strings.ReplaceAll(doc, "\x00", ""), "")
		v := ReadString(doc)
		for _, r := range v.Runs {
			if r.Text == "" || int(r.Link) >= len(v.Links) ||
				r.Hidden == 0 && !strings.HasPrefix(v.text[min(int(r.At), len(v.text)):]+r.Text, r.Text[:1]) {
				t.Fatalf("run %+v", r)
			}
		}
		for _, l := range v.Links {
			if l.Run > l.End || int(l.End) > len(v.Runs) {
				t.Fatalf("link %+v of %d runs", l, len(v.Runs))
			}
		}
		for _, x := range v.Boxes {
			if x.First > x.Last || int(x.Last) >= len(v.Runs) {
				t.Fatalf("box %+v of %d runs", x, len(v.Runs))
			}
		}
		if strings.IndexByte(doc, '<') < 0 {
			return
		}
		want, ok := oracleText(doc)
		if got := allText(v); ok && got != want {
			t.Fatalf("%q\n got %q\nwant %q", doc, got, want)
		}
	})
}

// The text of real mail is what x/net/html finds in it.
func TestCorporaText(t *testing.T) {
	for path, doc := range corpora(t) {
		want, ok := oracleText(doc)
		if got := allText(ReadString(doc)); ok && got != want {
			t.Errorf("%s: %d letters, not %d", path, len(got), len(want))
		}
	}
}
