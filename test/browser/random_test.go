package browser

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// What is made of styles here must not depend on the size of a font or on the length of a line: each declaration hides
// clearly or not at all.
var (
	randomStyles = []string{
		"display:none", "display:block", "display:inline", "display:none !important", "display:inline-block",
		"visibility:hidden", "visibility:visible", "visibility:inherit", "visibility:collapse",
		"opacity:0", "opacity:1", "opacity:.9", "font-size:0", "font-size:14px", "font-size:1em", "font-size:inherit",
		"font-size:1px",
		"font-size:120%", "font-size:large", "color:#fff", "color:white", "color:black", "color:#333 !important",
		"color:rgb(255,255,255)",
		"color:inherit", "color:transparent", "color:rgba(0,0,0,0)", "background:#fff", "background-color:#000",
		"background:none",
		"background-color:transparent", "background:black", "max-height:0;overflow:hidden", "overflow:hidden",
		"height:0;overflow:hidden",
		"height:auto", "overflow:visible", "max-height:none", "position:absolute;left:-9999px", "position:static",
		"left:0",
		"text-indent:-9999px", "text-indent:0", "transform:scale(0)", "transform:none", "clip-path:inset(100%)",
		"clip-path:none",
		"mso-line-height-rule:exactly", "color:bogus", "display:bogus", "font:14px Arial", "font:0/0 a", "margin:4px",
	}
	randomParts = []string{
		"div", "p", "span", "b", "td", "section", ".a", ".b", ".c", "#i", "#j", "*", "[title]", "[title=x]",
		"[class~=a]", "[class^=b]", "[class*=c]",
		":first-child", ":last-child", ":nth-child(2)", ":nth-child(odd)", ":not(.a)", ":not(#i)", ":nth-of-type(2)",
		":only-child",
		":is(.a, .b)", ":where(.c)", ":hover", ":empty", "::before", ":bogus", ":root", ":nth-last-child(2)",
		":nth-child(-n+2)", ":not(.a, .b)",
	}
	randomMedia = []string{
		"@media screen", "@media print", "@media (min-width:600px)", "@media (max-width:600px)",
		"@media only screen and (max-width:480px)",
		"@media (prefers-color-scheme:dark)", "@media not print",
		"@media screen and (min-width:700px) and (max-width:900px)", "@supports (display:none)",
	}
	randomTags = []string{"div", "p", "span", "b", "section", "a href=#", "font color=#ffffff", "em", "table", "ul"}
)

// writer makes a random mail.
type writer struct {
	*rand.Rand
	strings.Builder
	words int
}

func (w *writer) one(list []string) string { return list[w.IntN(len(list))] }

func (w *writer) mail() string {
	w.WriteString("<html><head><style>\n")
	for range 1 + w.IntN(5) {
		rule := w.selectors() + " { " + w.style() + " }\n"
		if w.IntN(5) == 0 {
			rule = w.one(randomMedia) + " { " + rule + "}\n"
		}
		w.WriteString(rule)
	}
	w.WriteString("</style></head><body>\n")
	for range 1 + w.IntN(3) {
		w.element(0)
	}
	w.WriteString("</body></html>\n")
	return w.String()
}

func (w *writer) selectors() string {
	list := make([]string, 1+w.IntN(5)/4)
	for i := range list {
		for n := range 1 + w.IntN(3) {
			if n > 0 {
				list[i] += w.one([]string{" ", " ", " > ", " + ", " ~ "})
			}
			part := w.one(randomParts)
			more := w.one(randomParts)
			if w.IntN(3) == 0 && strings.ContainsAny(more[:1], ".#[:") && !strings.Contains(part, "::") {
				part += more
			}
			list[i] += part
		}
	}
	return strings.Join(list, ", ")
}

func (w *writer) style() string {
	list := make([]string, 1+w.IntN(2))
	for i := range list {
		list[i] = w.one(randomStyles)
	}
	return strings.Join(list, ";")
}

func (w *writer) element(depth int) {
	tag := w.one(randomTags)
	name, _, _ := strings.Cut(tag, " ")
	if name == "p" && depth > 0 || name == "a" && depth > 1 { // they end where they must not stand
		name, tag = "span", "span"
	}
	w.WriteString("<" + tag)
	if w.IntN(2) == 0 {
		w.WriteString(` class="` + w.one([]string{"a", "b", "c", "a b", "b c", "ba", "a b c"}) + `"`)
	}
	if w.IntN(5) == 0 {
		w.WriteString(` id="` + w.one([]string{"i", "j"}) + `"`)
	}
	if w.IntN(6) == 0 {
		w.WriteString(` title="x"`)
	}
	if w.IntN(3) == 0 {
		w.WriteString(` style="` + w.style() + `"`)
	}
	if w.IntN(20) == 0 {
		w.WriteString(" hidden")
	}
	w.WriteString(">")
	switch name {
	case "table":
		w.WriteString("<tr><td>")
	case "ul":
		w.WriteString("<li>")
	}
	w.words++
	fmt.Fprintf(w, "word%d ", w.words)
	for depth < 3 && w.IntN(2) == 0 {
		if name == "p" || name == "span" || name == "b" || name == "em" || name == "a" || name == "font" {
			depth = 3 // text alone: blocks inside of lines are laid out in too many ways
		}
		w.element(depth + 1)
	}
	w.WriteString("</" + name + ">\n")
}

// Random style sheets on random mail hide the same words as in a browser.
func TestReadingOfRandomMail(t *testing.T) {
	if *agreement == "" {
		t.Skip("-agreement says where to write the differences")
	}
	r := newRenderer(t)
	var all []compared
	for seed := range uint64(*randomMails) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
		html := w.mail()
		made := body{"random", fmt.Sprint("seed ", seed), html}
		all = append(all, r.compare(made))
	}
	all = slices.DeleteFunc(all, func(c compared) bool { return c.both == c.either })
	slices.SortFunc(all, func(a, b compared) int { return len(a.html) - len(b.html) })
	var out strings.Builder
	fmt.Fprintf(&out, "%d of %d random mails differ; the shortest:\n", len(all), *randomMails)
	for _, c := range all[:min(len(all), 40)] {
		fmt.Fprintf(&out, "\n%s: shown, not read: %q; read, not shown: %q\n%s", c.name, c.missing, c.extra, c.html)
	}
	if err := os.WriteFile(*agreement+".random", []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if len(all) > 0 {
		t.Errorf("%d of %d random mails are read in another way than a browser shows them", len(all), *randomMails)
	}
}
