package screen

import "testing"

// TestHiddenIsNormal takes what marketing hides.
func TestHiddenIsNormal(t *testing.T) {
	for _, html := range []string{
		`<div style="display:none;max-height:0">Save 20 % today only! Your code is inside.</div><p>Sale</p>`,
		`<!--[if mso]><table width="600"><tr><td><![endif]--><p>Sale</p><!--[if mso]></td></tr></table><![endif]-->`,
		`<img alt="Our new collection" src="x"><img width="1" height="1" src="https://t.example/p.gif" alt="">`,
		`<div style="font-size:0;line-height:0">&nbsp;&zwnj;&nbsp;&zwnj;</div><p style="color:#fff;background:#c00">Buy now</p>`,
		`<div style="display:none">Prompt injection explained: what it is and how to defend against it</div>`,
	} {
		if s := Screen(Mail{View: seenHTML(html)}); s.Verdict != Clean {
			t.Errorf("%s: %v", html, s)
		}
	}
}

// A hidden code is reported also where the mail shows the same number as something else.
func TestHiddenCodeShownElsewhere(t *testing.T) {
	const hidden = `<div style="display:none">Your verification code is 771206.</div>`
	for html, want := range map[string]Verdict{
		`<p>Your verification code is 482913.</p><p>Customer number: 771206</p>`: Flagged,
		`<p>Your verification code is 771206.</p><p>Customer number: 482913</p>`: Clean,
		`<p>Welcome.</p><p>771206</p>`:                                           Clean,
	} {
		if s := Screen(Mail{View: seenHTML(hidden + html)}); s.Verdict != want {
			t.Errorf("%s: %v", html, s)
		}
	}
}
