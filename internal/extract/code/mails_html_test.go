package code

// htmlMails carry evidence in their HTML; where Text is empty, the HTML is all there is.
var htmlMails = []sample{
	{"cells", Mail{Subject: "Verify your email", View: seen(
		`<html><head><style>td{padding:4px 1234px}</style></head><body><p>Enter this code to verify your email:</p><table><tr><td style="font-size:28px">4</td><td width=8></td><td style="font-size:28px">0</td><td style="font-size:28px">8</td><td style="font-size:28px">1</td><td style="font-size:28px">2</td><td style="font-size:28px">9</td></tr></table><p>It expires in 10 minutes.</p></body></html>`)}, "408129"},
	{"cells with text", Mail{Subject: "Verify your email", Text: "Enter this code to verify your " +
		"email:\n\n4\t0\t8\t1\t2\t9\n\nIt expires in 10 minutes.",
		View: seen(`<p>Enter this code to verify your email:</p><table><tr><td>4</td><td>0</td><td>8</td><td>1</td><td>2</td><td>9</td></tr></table><p>It expires in 10 minutes.</p>`)}, "408129"},
	{"spans", Mail{Subject: "Your login code", View: seen(
		`<div>Your login code</div><div><span class="d">5</span><span class="d">0</span><span class="d">7</span><span class="d">3</span></div>`)}, "5073"},
	{"spans with white space", Mail{Subject: "Your login code",
		View: seen("<div>Your login code</div><div>\n<span class=d>5</span>\n<span class=d>0</span>\n<span " +
			"class=d>7</span>\n<span class=d>3</span>\n<span class=d>9</span></div>")}, "50739"},
	{"inline blocks", Mail{Subject: "Sign in", View: seen(
		`<p>Use this code to sign in</p><div style="display:inline-block">5</div><div style="display:inline-block">0</div><div style="display:inline-block">7</div><div style="display:inline-block">3</div>`)}, "5073"},
	{"letter cells", Mail{Subject: "Your sign-in code",
		View: seen(`<p>Your sign-in code:</p><table><tr><td>K</td><td>7</td><td>P</td><td>2</td><td>X</td></tr></table>`)}, "K7P2X"},
	{"large alone", Mail{Subject: "Welcome to Acme",
		View: seen(`<h1>Welcome!</h1><p>To finish, type this in:</p><p style="font-size:32px;letter-spacing:8px;font-weight:bold">448120</p><p>Acme Inc, 100 Market St, San Francisco, CA 94105</p>`)}, "448120"},
	{"hidden preheader", Mail{Subject: "Your verification code",
		View: seen(`<div style="display:none;max-height:0">999111 is not it</div><p>Your verification code is</p><h2>338201</h2><style>.x{color:#123456}</style>`)}, "338201"},
	{"entities", Mail{Subject: "Code de connexion",
		View: seen(`<p>Votre code de v&eacute;rification&nbsp;:</p><p><strong>559&nbsp;120</strong></p>`)}, "559120"},
	{"plain part without it", Mail{Subject: "Confirm your email", Text: "Your mail program does not show HTML. Open " +
		"this mail in a browser.", View: seen(`<p>Your confirmation code:</p><p><b>771204</b></p>`)}, "771204"},
	{"comment and script", Mail{Subject: "Login code",
		View: seen(`<!-- code 111222 --><script>var code = 333444;</script><p>Your login code is <code>448120</code></p>`)}, "448120"},
	{"upper case tags", Mail{Subject: "Login code",
		View: seen(`<TABLE><TR><TD>Your login code</TD></TR><TR><TD><FONT SIZE=6>448120</FONT></TD></TR></TABLE>`)},
		"448120"},
	{"attribute values", Mail{Subject: "Confirm it's you",
		View: seen(`<a href="https://example.com/c?code=999888" title="a > b">Confirm</a><p>or type the code</p><div style='font-family:monospace'>QX4-T9Z</div><img src="x.png" width="123456" alt="logo">`)}, "QX4-T9Z"},
	{"code in a copy button", Mail{Subject: "Sign-in code",
		View: seen(`<td>Your sign-in code</td><td><span>559120</span> <a href="#">Copy</a></td>`)}, "559120"},
	{"list mail", Mail{Subject: "Sign in to Acme",
		View: seen(`<ul><li>Device: iPhone 15</li><li>Code: 4412</li><li>Time: 12 March 2024 10:44</li></ul>`)},
		"4412"},
	{"rtl", Mail{Subject: "رمز التحقق", View: seen(
		`<div dir="rtl"><p>رمز التحقق الخاص بك</p><p><b>٥٥٩١٢٠</b></p></div>`)}, "559120"},
	{"cut html", Mail{Subject: "Your login code", View: seen(
		`<p>Your login code is <b>448120</b><p>thanks <a href="https://example.com/`)}, "448120"},
	{"pagination", Mail{Subject: "How did we do?",
		View: seen(`<p>How likely are you to recommend us? Enter a score.</p><table><tr><td>0</td><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td><td>6</td><td>7</td><td>8</td><td>9</td><td>10</td></tr></table>`)}, ""},
	{"stars", Mail{Subject: "Rate your stay", View: seen(
		`<p>Rate your stay</p><table><tr><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr></table>`)}, ""},
	{"order html", Mail{Subject: "Your order is confirmed",
		View: seen(`<h1>Thanks for your order</h1><p>Order number</p><h2>40291183</h2><table><tr><td>Blue socks</td><td>2</td><td>$12.00</td></tr></table>`)}, ""},
	{"promo html", Mail{Subject: "20% off everything",
		View: seen(`<h1>20% OFF</h1><p>Use code</p><div style="font-size:30px;letter-spacing:4px">SPRING24</div><p>at checkout. Unsubscribe</p>`)}, ""},
	{"only hidden", Mail{Subject: "News", View: seen(
		`<div style="display:none">Your verification code is 448120</div><p>Read our latest stories.</p>`)}, ""},
	{"half in each cell", Mail{Subject: "Verification",
		View: seen(`<p>Your code is</p><table><tr><td>338</td><td>120</td></tr></table>`)}, "338120"},
	{"half in each cell, dash between", Mail{Subject: "Verification",
		View: seen(`<p>Your code is</p><table><tr><td>338</td><td>&ndash;</td><td>120</td></tr></table>`)}, "338120"},
	{"cells of a table", Mail{Subject: "Codes per day",
		View: seen(`<p>Codes sent</p><table><tr><td>Monday</td><td>338</td><td>120</td></tr><tr><td>Tuesday</td><td>402</td><td>118</td></tr></table>`)}, ""},
	{"spans with a dot between", Mail{Subject: "Your login code",
		View: seen("<div>Code for signing in</div><div>\n<span>3</span>\n<span>3</span>\n<span>8</span>\n<span " +
			"class=sep>·</span>\n<span>1</span>\n<span>2</span>\n<span>0</span></div><div>expires in 15 minutes</div>")}, "338120"},
	{"spans joined by a bullet", Mail{Subject: "Your login code",
		View: seen(`<div>Code for signing in</div><div><span>3</span><span>3</span><span>8</span><span>•</span><span>1</span><span>2</span><span>0</span></div>`)}, "338120"},
	{"boxes with a bullet between", Mail{Subject: "Sign in",
		View: seen(`<p>Use this code to sign in</p><div style="display:flex"><div>3</div><div>3</div><div>8</div><div>&bull;</div><div>1</div><div>2</div><div>0</div></div>`)}, "338120"},
	{"cells with a dash between", Mail{Subject: "Sign in",
		View: seen(`<p>Use this code to sign in</p><table><tr><td>3</td><td>3</td><td>8</td><td>&ndash;</td><td>1</td><td>2</td><td>0</td></tr></table>`)}, "338120"},
	{"cells with a dot between", Mail{Subject: "Sign in",
		View: seen(`<p>Use this code to sign in</p><table><tr><td>3</td><td>3</td><td>8</td><td>·</td><td>1</td><td>2</td><td>0</td></tr></table>`)}, "338120"},
	{"paragraphs with a dash between", Mail{Subject: "Sign in",
		View: seen(`<p>Use this code to sign in</p><p>3</p><p>3</p><p>-</p><p>8</p><p>1</p>`)}, "3381"},
	{"four and four with a dot", Mail{Subject: "Sign in",
		View: seen(`<p>Use this code to sign in</p><div>3381·2047</div>`)}, "33812047"},
	{"pages with dots", Mail{Subject: "Results", View: seen(`<p>Enter a page</p><p>1 · 2 · 3 · 4 · 5</p>`)}, ""},
}
