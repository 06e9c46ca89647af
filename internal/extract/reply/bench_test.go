package reply

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// benchPlain is a reply of about 4 KB: what was written, a signature and a quoted history.
func benchPlain() Mail {
	var b strings.Builder
	b.WriteString("Hello Ann,\n\n")
	for i := 0; b.Len() < 1500; i++ {
		fmt.Fprintf(&b, "This is line %d of what I wanted to say, and it is about as long as lines are.\n", i)
	}
	b.WriteString("\nBest regards,\nBob\n\n-- \nBob Roe\nBoats Inc.\n\nOn Mon, Feb 1, 2016 at 6:32 PM, Ann Lee " +
		"<\nann@example.com> wrote:\n\n")
	for i := 0; b.Len() < 4096; i++ {
		fmt.Fprintf(&b, "> This is line %d of what Ann wrote, and it is about as long as lines are.\n", i)
	}
	return plain(b.String())
}

// benchHTML is the same as Gmail marks it up.
func benchHTML() Mail {
	var b strings.Builder
	b.WriteString(`<div dir="ltr">Hello Ann,<div><br></div>`)
	for i := 0; b.Len() < 2000; i++ {
		fmt.Fprintf(&b, `<div style="font-family:Arial,sans-serif">This is line %d of what I <b>wanted</b> to say &amp; more.</div>`, i)
	}
	b.WriteString(`<div class="gmail_signature">Bob Roe</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Feb 1, 2016 at 6:32 PM Ann Lee &lt;<a href="mailto:ann@example.com">ann@example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">`)
	for i := 0; b.Len() < 4050; i++ {
		fmt.Fprintf(&b, `<p class="MsoNormal">This is line %d of what Ann wrote, and it is long.</p>`, i)
	}
	b.WriteString("</blockquote></div>")
	return page(b.String())
}

func BenchmarkPlain(b *testing.B) { bench(b, benchPlain()) }

func BenchmarkHTML(b *testing.B) { bench(b, benchHTML()) }

func BenchmarkBoth(b *testing.B) {
	m := benchHTML()
	m.Text, m.Plain = benchPlain().Text, true
	bench(b, m)
}

func bench(b *testing.B, m Mail) {
	b.ReportAllocs()
	b.SetBytes(int64(len(m.Text)))
	for b.Loop() {
		Text(m)
	}
}

// hostile are large texts that make rules work hard.
func hostile() map[string]Mail {
	const large = 1 << 18
	fill := func(s string) string { return strings.Repeat(s, large/len(s)) }
	return map[string]Mail{
		"colons":        plain(fill("On 1 Feb 2016 at 18:32 somebody said this:\n")),
		"verbs":         plain(fill("schrieb wrote escribió 18:32\n")),
		"short colons":  plain(fill("a:\n")),
		"marks":         plain(fill("> a\nb\n")),
		"deep marks":    plain(fill(">")),
		"deep lines":    plain(fill(strings.Repeat(">", 500) + "x\n")),
		"fields":        plain(fill("From: x\nTo:\n")),
		"one field":     plain(fill("To: x\n")),
		"separators":    plain(fill("--- x ---\n")),
		"rulers":        plain(fill("----\n")),
		"rulers, words": plain(fill("----\nx y\n")),
		"breaks":        plain(fill("x\n\n---\n\nCould you mend the sails before Friday?\n\n")),
		"columns":       plain(fill("          To\n          cc\n")),
		"settings":      plain(fill("x:\n\nFrom: a@example.com\nTo: x\nSubject: x\n")),
		"run in":        plain(fill("On 1 Feb 2016 at 18:32 ann@example.com said:  x\n")),
		"notices":       plain(fill("confidential intended recipient\n\n")),
		"one notice":    plain(fill("confidential ")),
		"devices":       plain(fill("Sent from my iPhone\n")),
		"cards":         plain(fill("Bob Roe\nbob@example.com\n+1 555 0100 100\n\n")),
		"fences":        plain(fill("```\n")),
		"initials":      plain(fill("AL> x\nBM> y\nBM> z\n")),
		"tables":        plain(fill("| x | y |\n")),
		"one line":      plain(fill("x")),
		"blank lines":   plain(fill("\n")),
		"padding":       plain(fill("\u200b")),
		"wide":          plain(fill("写道：\n")),
		"quotes":        page(fill("<blockquote>")),
		"closed quotes": page(fill("<blockquote>x</blockquote>y")),
		"containers":    page(fill(`<div class="gmail_quote">x`)),
		"hard":          page(fill(`<div id="divRplyFwdMsg">x</div>`)),
		"signatures":    page(fill(`<div class="gmail_signature">x</div>`)),
		"rules":         page(fill(`<hr>x:`)),
		"classes":       page(`<div class="` + fill("x ") + `">y</div>`),
	}
}

// TestHostile bounds the time for texts that make rules work hard. It is generous: these take some hundredths of a
// second, and what is not linear takes a minute.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for name, m := range hostile() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got, _ := Text(m)
			if d := time.Since(start); d > 15*time.Second {
				t.Errorf("took %v", d)
			} else if testing.Verbose() {
				t.Logf("%v, %d bytes", d, len(got))
			}
		})
	}
}
