package alternative

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/view"
)

// html makes paragraphs of lines; a line with an address becomes a link that says the line before it.
func html(lines ...string) string {
	var b strings.Builder
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && strings.Contains(lines[i+1], "://") {
			b.WriteString("<p><a href='" + lines[i+1] + "'>" + lines[i] + "</a></p>")
			i++
			continue
		}
		b.WriteString("<p>" + lines[i] + "</p>")
	}
	return b.String()
}

// What contradicts the HTML counts no more; what only the plain text says is noted.
func TestCompare(t *testing.T) {
	const verify = "Verify your email address"
	for name, c := range map[string]struct {
		text, html string
		defects    []string
		replaced   bool
	}{
		"the same": {"Your verification code is 482913.", html("Your verification code is 482913."), nil, false},
		"code": {"Your verification code is 771206.", html("Your verification code is 482913."),
			[]string{DefectCode}, true},
		"code, digits parted": {"Your verification code is:\n\n7 7 1 2 0 6\n",
			html("Your verification code is:", "482913", "Call 1 2 7 0 6"), []string{DefectCode}, true},
		"code of the same digits, parted": {"Your verification code is:\n\n482 913\n",
			html("Your verification code is:", "482913"), nil, false},
		"code of capitals": {"Your verification code is:\n\nXBKVN\n", html("Your verification code is:", "QWRTZ"),
			[]string{DefectCode}, true},
		"code of other digits": {"Your verification code is ٧٧١٢٠٦.", html("Your verification code is 482913."),
			[]string{DefectCode}, true},
		"code in the plain text alone": {"Your verification code is 771206.", html("Your code is in the picture."),
			[]string{DefectCode}, false},
		"code that the HTML hides": {"Your verification code is 771206.",
			"<p style='display:none'>Your verification code is 771206.</p>" + html("Your verification code is 482913."),
			[]string{DefectCode}, true},
		"link": {verify + ": https://a.example.net/verify?token=fake9Qm4",
			html(verify, "https://a.example.com/verify?token=real7Yk2"), []string{DefectLink}, true},
		"the same link": {verify + ": <https://a.example.com/verify?token=real7Yk2>.",
			html(verify, "https://a.example.com/verify?token=real7Yk2"), nil, false},
		"link that the HTML hides": {verify + ": https://a.example.net/verify?token=fake9Qm4",
			"<div style='display:none'><a href='https://a.example.net/verify?token=fake9Qm4'>x</a></div>" +
				html(verify, "https://a.example.com/verify?token=real7Yk2"), []string{DefectLink}, true},
		"total": {"Order number: 48-2210\nTotal: $97.60", html("Order number: 48-2210", "Total: $42.50"),
			[]string{DefectTotal}, true},
		"total without places": {"Order number: 48-2210\nTotal: $97", html("Order number: 48-2210", "Total: $42"),
			[]string{DefectTotal}, true},
		"total written otherwise": {"Order number: 48-2210\nTotal: $1042.50",
			html("Order number: 48-2210", "Total: $1,042.50"), nil, false},
		"another sentence": {"The review moves to Saturday.", html("The review moves to Thursday."), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			defects, replaced := Compare(Mail{From: "no-reply@acme.example", FromName: "Acme", Subject: "Your order",
				Text: c.text, View: view.ReadString(c.html)})
			if !slices.Equal(defects, c.defects) || replaced != c.replaced {
				t.Errorf("%v, replaced %v; want %v, %v", defects, replaced, c.defects, c.replaced)
			}
		})
	}
}

// Forms that repeat each other are not read in full.
func TestRepeats(t *testing.T) {
	v := view.ReadString(html("Order 48-2210 of 3 May", "Total: $42.50", "ACME", "See it",
		"https://acme.example/o?id=7"))
	for text, want := range map[string]bool{
		"Order 48-2210 of 3 May\nTotal: $42.50\nACME":  true,
		"See it: https://acme.example/o?id=7.":         true,
		"See it: https://acme.example/o?id=8":          false,
		"Total: $42.51":                                false,
		"Order\nABCDE":                                 false,
		strings.Repeat("Total: $42.50\n", 2*maxLooked): false,
	} {
		if repeats(text, "Subject", v) != want {
			t.Errorf("%.40q: want %v", text, want)
		}
	}
}
