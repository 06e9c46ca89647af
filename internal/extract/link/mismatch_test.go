package link

import "testing"

func TestMismatch(t *testing.T) {
	for _, tt := range []struct {
		name, text, url string
		want            bool
	}{
		{"no domain", "Click here", "https://evil.example/", false},
		{"same", "https://paypal.com", "https://paypal.com/", false},
		{"same, bare", "paypal.com", "https://www.paypal.com/login", false},
		{"subdomain", "www.paypal.com", "https://login.paypal.com/x", false},
		{"case", "PayPal.COM", "https://PAYPAL.com/", false},
		{"final dot", "Go to paypal.com.", "https://paypal.com/", false},
		{"port", "https://paypal.com:8443/x", "https://paypal.com/", false},
		{"path", "paypal.com/signin", "https://paypal.com/", false},
		{"country suffix", "www.amazon.co.uk", "https://pay.amazon.co.uk/", false},

		{"another", "paypal.com", "https://evil.example/", true},
		{"another, in words", "Log in to paypal.com now", "https://evil.example/", true},
		{"another, with scheme", "https://paypal.com/login", "https://evil.example/", true},
		{"another, quoted", "“paypal.com”", "https://evil.example/", true},
		{"another, in brackets", "PayPal (www.paypal.com)", "https://evil.example/", true},
		{"name in front", "paypal.com", "https://paypal.com.evil.example/", true},
		{"name with hyphen", "paypal.com", "https://paypal.com-login.example/", true},
		{"name in the path", "paypal.com", "https://evil.example/paypal.com", true},
		{"same suffix", "amazon.co.uk", "https://evil.co.uk/", true},
		{"private suffix", "alice.github.io", "https://mallory.github.io/", true},
		{"address", "paypal.com", "http://192.0.2.7/", true},
		{"wrapped by a gateway", "https://wiki.acme.com/a",
			"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwiki.acme.com%2Fa&data=1", false},
		{"wrapped, to another", "https://wiki.acme.com/a",
			"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.test%2Fa&data=1", true},
		{"wrapped by Proofpoint", "https://wiki.acme.com/a",
			"https://urldefense.proofpoint.com/v2/url?u=https-3A__wiki.acme.com_a&d=1", false},
		{"wrapped by Proofpoint, v3", "wiki.acme.com", "https://urldefense.com/v3/__https://wiki.acme.com/a__;!!x",
			false},
		{"wrapped by Amazon", "https://acme.com/e/1",
			"https://x1.r.us-east-1.awstrack.me/L0/https:%2F%2Facme.com%2Fe%2F1/1/abc", false},
		{"short domain", "youtube.com/watch?v=a", "https://youtu.be/a", false},
		{"tracking wrapper", "www.acme.com", "https://click.mailer.net/ls?u=1", true},

		{"user name", "paypal.com", "https://paypal.com@evil.example/", true},
		{"user name with slash", "paypal.com", `https://paypal.com\@evil.example/`, false},
		{"user name and password", "paypal.com", "https://paypal.com:443@evil.example/", true},
		{"user name that is seen", "https://paypal.com@evil.example/", "https://paypal.com@evil.example/", true},
		{"user name that is no domain", "https://jo@acme.com/", "https://jo@acme.com/", false},
		{"escaped host", "paypal.com", "https://%65vil.com/", true},
		{"escaped host that is right", "paypal.com", "https://%70aypal.com/", false},

		{"punycode and Unicode", "bücher.de", "https://xn--bcher-kva.de/", false},
		{"Unicode and Unicode", "пример.рф", "https://пример.рф/", false},
		{"Cyrillic and punycode", "пример.рф", "https://xn--e1afmkfd.xn--p1ai/", false},
		{"look-alike that is seen", "pаypal.com", "https://xn--pypal-4ve.com/", true},
		{"look-alike that is gone to", "paypal.com", "https://pаypal.com/", true},
		{"look-alike of the whole name", "аррӏе.com", "https://аррӏе.com/", true},
		{"look-alike, harmless", "pаypal.com", "https://paypal.com/", false},
		{"width", "ｐａｙｐａｌ．ｃｏｍ", "https://evil.example/", true},
		{"width, right", "ｐａｙｐａｌ．ｃｏｍ", "https://paypal.com/", false},
		{"dot of Chinese", "paypal。com", "https://evil.example/", true},
		{"invisible", "pay\u200bpal.com", "https://evil.example/", true},
		{"invisible, right", "pay\u200bpal.com", "https://paypal.com/", false},
		{"soft hyphen, right", "pay\u00adpal.com", "https://paypal.com/", false},

		{"e-mail address", "jo@gmail.com", "https://acme.example/", false},
		{"file", "README.md", "https://github.com/x", false},
		{"script", "deploy.sh was changed", "https://github.com/x", false},
		{"number", "Version 2.0", "https://acme.example/", false},
		{"price", "9.99", "https://acme.example/", false},
		{"address of a host", "10.0.0.1", "https://acme.example/", false},
		{"ellipsis", "Read more...", "https://acme.example/", false},
		{"abbreviation", "e.g. this", "https://acme.example/", false},
		{"sentence without a space", "Done.Next", "https://acme.example/", false},
		{"headline about a site", "How Booking.com grew from a student's idea into a giant", "https://news.example/",
			false},
		{"headline with an address", "How https://booking.com/ grew from a student's idea into a giant",
			"https://news.example/", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if shows, _ := mismatch(tt.text, tt.url); (shows != "") != tt.want {
				t.Errorf("%q to %s: got %q", tt.text, tt.url, shows)
			}
		})
	}
}

// What is seen counts, not what is written.
func TestMismatchInHTML(t *testing.T) {
	for doc, want := range map[string]bool{
		`<a href="https://evil.example/">https://<b>paypal</b>.com/</a>`:                                 true,
		`<a href="https://evil.example/">https://pay&#8203;pal.com/</a>`:                                 true,
		`<a href="https://evil.example/"><img alt="paypal.com" src="x"></a>`:                             true,
		`<a href="https://paypal.com/"><span style="display:none">evil.example</span>paypal.com</a>`:     false,
		`<a href="&#104;ttps://evil.example/">paypal.com</a>`:                                            true,
		`<a href=" https://paypal.com/ ">paypal.com</a>`:                                                 false,
		`<a href="https:/\evil.example/">paypal.com</a>`:                                                 true,
		`<a href="https://paypal.com@evil.example">paypal.com</a>`:                                       true,
		`<p>paypal.com: <a href="https://acme.example/">see</a></p>`:                                     false,
		`<a href="https://acme.example/">Acme</a> <a href="https://acme.example/">www.other.example</a>`: true,
	} {
		got := Find(Mail{View: seen(doc)})
		if len(got) != 1 || got[0].Mismatch != want {
			t.Errorf("%s: got %+v", doc, got)
		}
	}
	if got := Find(Mail{Text: "[www.paypal.com](https://evil.example/x)"}); len(got) != 1 || !got[0].Mismatch {
		t.Errorf("in Markdown: got %+v", got)
	}
}

// A service that counts the clicks of a list is known to lead on. Elsewhere it hides where a link leads.
func TestTrackerOfList(t *testing.T) {
	m := Mail{View: seen(`<a href="https://u1.ct.sendgrid.net/ls/click?upn=a">www.acme.com</a>`)}
	if s := Glance(m); !s.Mismatch || len(s.Shown) != 1 || s.Shown[0] != "acme.com" {
		t.Errorf("without a list: %+v", s)
	}
	m.Unsubscribe = "<https://u1.ct.sendgrid.net/u>"
	if s := Glance(m); s.Mismatch || len(s.Tracked) != 1 || s.Tracked[0] != "acme.com" {
		t.Errorf("of a list: %+v", s)
	}
}
