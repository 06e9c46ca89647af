package link

import (
	"fmt"
	"strings"
	"testing"
)

// sampleHTML is a mail of about 4 KB with ten links, as senders lay them out.
func sampleHTML() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><title>Verify</title><style>.x{color:#333} @media(max-width:600px){.y{width:100%}}</style></head>
<body style="margin:0;background:#f6f6f6"><div style="display:none;max-height:0;overflow:hidden">Confirm your address to get started &zwnj;&nbsp;&zwnj;</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px;font-family:Arial,sans-serif">
<a href="https://acme.example/?utm_source=mail"><img src="https://cdn.acme.example/logo.png" alt="Acme" width="120"></a>
<h1 style="font-size:24px;line-height:32px;margin:0 0 16px">Please confirm your e-mail address</h1>
<p style="font-size:16px;line-height:24px">Hello Jo,<br>thank you for signing up. We need to know that this address is yours before you can use your account. Until then you can look around, but you cannot invite others, and what you save is kept for a week only.</p><p style="font-size:16px;line-height:24px;margin:0 0 16px;color:#333333">We are glad that you are here. Should anything be unclear, just answer this mail: we are a small team, and all of us read what you write.</p>
<table role="presentation"><tr><td style="border-radius:4px;background:#0a62ff"><a href="https://click.mail.acme.example/ls/click?upn=u001.ab12Cd34eF56Gh78Ij90" style="display:inline-block;padding:12px 24px;color:#fff;mso-hide:all" target="_blank">Get started</a></td></tr></table>
<p style="font-size:14px">If the button does not work, copy this link into your browser:<br><a href="https://acme.example/u/verify?token=4f6d2a9c8b7e1035">https://acme.example/u/verify?token=4f6d2a9c8b7e1035</a></p>
<p style="font-size:14px">If you did not sign up, you can ignore this message.</p>
<p style="font-size:14px">What others read:</p><ul>`)
	for i := range 4 {
		fmt.Fprintf(&b, `<li style="margin:0 0 8px"><a href="https://acme.example/blog/how-to-%d?utm_source=mail&amp;utm_campaign=welcome" style="color:#0a62ff">How to do more with Acme, part %d</a> &ndash; a short text about it, which says why one should read it, and what there is to learn in it for those who are new and for those who have been here for a while.</li>`, i, i)
	}
	b.WriteString(`</ul></td></tr><tr><td style="font-size:12px;color:#888;padding:16px">You receive this mail because somebody signed up with your address at Acme Inc., 1 Main Street, Springfield.<br>
<a href="https://acme.example/privacy" style="color:#888">Privacy</a> | <a href="https://acme.example/settings/mail" style="color:#888">Preferences</a> |
<a href="https://click.mail.acme.example/wf/u?id=9s8d7f6g5h4j3k2l1" style="color:#888">Unsubscribe</a></td></tr></table></body></html>`)
	return b.String()
}

func BenchmarkFindHTML(b *testing.B) {
	m := Mail{Subject: "Welcome to Acme", View: seen(sampleHTML())}
	b.SetBytes(int64(len(sampleHTML())))
	b.ReportMetric(float64(len(Find(m))), "links")
	b.ReportAllocs()
	for b.Loop() {
		Find(m)
	}
}

func BenchmarkFindText(b *testing.B) {
	m := Mail{Subject: "Confirm your address", Text: strings.Repeat("A line of text that says nothing at all, and "+
		"then another.\n", 30) +
		"Click the link below to confirm your " +
		"address:\n\nhttps://acme.example/u/verify?token=4f6d2a9c8b7e1035\n\nUnsubscribe: https://acme.example/out\n"}
	b.SetBytes(int64(len(m.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(m)
	}
}

func BenchmarkAny(b *testing.B) {
	m := Mail{View: seen(sampleHTML())}
	for b.Loop() {
		Any(m)
	}
}

// hostile are documents of a given number of bytes that are made to take long.
func hostile(size int) map[string]Mail {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]Mail{
		"anchors":           {View: seen(fill(`<a href="https://a.example/">x</a>`))},
		"open anchors":      {View: seen(fill(`<a href="https://a.example/">`))},
		"open tags":         {View: seen(fill(`<a `))},
		"angle brackets":    {View: seen(fill(`<`))},
		"comments":          {View: seen(fill(`<!-- `))},
		"dashes":            {View: seen("<!--" + fill(`--`))},
		"quotes":            {View: seen(fill(`<a href="`))},
		"attributes":        {View: seen("<a " + fill(`b=c `) + ">")},
		"many tags":         {View: seen(fill(`<td style="display:none">`))},
		"styles":            {View: seen(fill(`<p style="a:b;c:d">`))},
		"scripts":           {View: seen(fill(`<script>`))},
		"script ends":       {View: seen("<script>" + fill(`</`))},
		"ampersands":        {View: seen(`<a href="https://a.example/?` + fill(`&amp`) + `">x</a>`)},
		"text ampersands":   {View: seen("<p>" + fill(`&amp`))},
		"blanks in anchors": {View: seen(fill(`<a href="https://a.example/">` + strings.Repeat(" ", 100) + "<br>"))},
		"addresses":         {Text: fill("https://a.example ")},
		"glued addresses":   {Text: fill("https://a.example")},
		"www":               {Text: fill("www.")},
		"colons":            {Text: fill("http:")},
		"brackets":          {Text: fill("<https://")},
		"open parentheses":  {Text: "(https://a.example/" + fill("(")},
		"closed":            {Text: "https://a.example/" + fill(")")},
		"dots":              {Text: "https://a.example/" + fill(".")},
		"one line":          {Text: fill("click ") + "https://a.example/?token=1"},
		"markdown":          {Text: fill("[](https://a.example/x)")},
		"blank lines":       {Text: fill(strings.Repeat("\n", 600) + "https://a.example/?token=1 ")},
		"header":            {Unsubscribe: fill("<https://a.example/>")},
		"open header":       {Unsubscribe: fill("<")},
		"subject":           {Subject: fill("confirm "), Text: "https://a.example/?token=1"},
		"hidden in text":    {View: seen(fill("<b>\u200b</b>"))},
		"one word":          {View: seen(`<a href="https://a.example/">` + fill("a.b") + "</a>")},
		"new addresses": {View: seen(func() string {
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				fmt.Fprintf(&b, `<p>click <a href="https://a%d.example/?token=abc">here</a></p>`, i)
			}
			return b.String()
		}())},
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, m := range hostile(1 << 20) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				Find(m)
			}
		})
	}
}
