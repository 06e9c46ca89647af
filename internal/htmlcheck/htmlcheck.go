// Package htmlcheck tells which features of HTML and CSS a mail uses that not every mail program shows, by a coarse
// table of its own, and which links it has. Nothing is asked of anybody: no link is followed.
package htmlcheck

import (
	_ "embed"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// support is what mail programs do with features, in a coarse table of our own.
//
//go:embed support.txt
var support string

// Program is a mail program: a column of the table.
type Program struct{ Family, Name, Platform, Title string }

// Programs lists those that the table knows.
func Programs() []Program {
	return []Program{
		{"gmail", "Gmail", "desktop-webmail", "Desktop Webmail"}, {"outlook", "Outlook", "windows", "Windows"},
		{"outlook", "Outlook", "outlook-com", "Outlook.com"}, {"apple-mail", "Apple Mail", "macos", "macOS"},
		{"yahoo", "Yahoo! Mail", "desktop-webmail", "Desktop Webmail"},
		{"thunderbird", "Mozilla Thunderbird", "windows", "Windows"},
	}
}

// Support is what a mail program does with a feature.
type Support string

// What programs do.
const (
	Yes     Support = "yes"
	Partial Support = "partial"
	No      Support = "no"
)

// Feature is one that a mail uses.
type Feature struct {
	Slug, Title, Advice string
	Found               int       // how often it is used
	Programs            []Support // in the order of Programs
}

// Share is how many of the programs do that, in percent.
func (f Feature) Share(s Support) float32 {
	n := 0
	for _, p := range f.Programs {
		if p == s {
			n++
		}
	}
	return 100 * float32(n) / float32(len(f.Programs))
}

// Result is what a check has found.
type Result struct {
	Elements                        int
	Tests                           int       // features that were looked for
	Features                        []Feature // that are used, those with the least support first
	Supported, Partial, Unsupported float32   // in percent, weighed by how much of the mail uses a feature
}

// row is a line of the table.
type row struct{ slug, finds, title, advice, support string }

var table = sync.OnceValue(func() (list []row) {
	for line := range strings.Lines(support) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) == 5 && line[0] != '#' {
			list = append(list, row{f[0], f[1], f[3], f[4], strings.ReplaceAll(f[2], " ", "")})
		}
	}
	return list
})

// Check looks for the features of the table in the HTML of a mail.
func Check(markup string) Result {
	used := usedIn(markup)
	out := Result{Elements: used.elements, Tests: len(table())}
	for _, r := range table() {
		n := used.counts[r.finds]
		if n == 0 {
			continue
		}
		f := Feature{Slug: r.slug, Title: r.title, Advice: r.advice, Found: n}
		for i := range Programs() {
			f.Programs = append(f.Programs, map[byte]Support{'y': Yes, 'p': Partial, 'n': No}[r.support[i]])
		}
		out.Features = append(out.Features, f)
		share := min(1, float32(n)/float32(max(1, used.elements)))
		out.Partial = max(out.Partial, f.Share(Partial)*share)
		out.Unsupported = max(out.Unsupported, f.Share(No)*share)
	}
	out.Supported = 100 - out.Partial - out.Unsupported
	slices.SortStableFunc(out.Features, func(a, b Feature) int {
		return int(1000 * (a.Share(Yes) - b.Share(Yes)))
	})
	return out
}

// usage is how often a document uses each feature.
type usage struct {
	elements int
	counts   map[string]int // by what the table looks for
}

func usedIn(markup string) usage {
	u := usage{counts: make(map[string]int)}
	z := html.NewTokenizer(strings.NewReader(markup))
	sheet := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return u
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			u.elements++
			u.counts["<"+t.Data+">"]++
			sheet = t.Data == "style"
			for _, a := range t.Attr {
				u.counts["["+a.Key+"]"]++
				if a.Key == "style" {
					u.style(a.Val)
				}
			}
		case html.TextToken:
			if sheet {
				u.style(string(z.Text()))
			}
		case html.EndTagToken:
			sheet = false
		}
	}
}

// style counts what a style sheet, or the style of an element, uses.
func (u *usage) style(css string) {
	css = strings.ToLower(css)
	for _, name := range []string{"@media", "@font-face", "@import", ":hover"} {
		u.counts["css:"+name] += strings.Count(css, name)
	}
	for _, call := range []string{"linear-gradient(", "var(", "calc("} {
		u.counts["css:"+call+")"] += strings.Count(css, call)
	}
	for decl := range strings.FieldsFuncSeq(css, func(r rune) bool { return r == ';' || r == '{' || r == '}' }) {
		name, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		name = strings.TrimSpace(name)
		u.counts["css:"+name]++
		value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
		u.counts["css:"+name+"="+value]++
	}
}

// linkMost is how many links of a message are looked at.
const linkMost = 100

// Link is a link of a message, or the address of a picture or style sheet.
type Link struct {
	URL string
	In  string // the element that has it, or text
	OK  bool   // it can be an address; whether anything is there is not known
}

var webLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bhttps?://[^\s<>"']+`)
})

// Links lists links, pictures and style sheets of the HTML, and links in the text, each once.
func Links(text, markup string) (list []Link) {
	seen := make(map[string]bool)
	add := func(address, in string) {
		if len(list) < linkMost && !seen[address] {
			seen[address] = true
			u, err := url.Parse(address)
			list = append(list, Link{URL: address, In: in, OK: err == nil && u.Hostname() != ""})
		}
	}
	z := html.NewTokenizer(strings.NewReader(markup))
	for len(list) < linkMost {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		t := z.Token()
		name := map[string]string{"a": "href", "link": "href", "img": "src"}[t.Data]
		for _, a := range t.Attr {
			if v := strings.TrimSpace(a.Val); a.Key == name && webLink().MatchString(v) {
				add(v, t.Data)
			}
		}
	}
	for _, l := range webLink().FindAllString(text, 3*linkMost) {
		add(strings.TrimRight(l, ".,;:!?)]}"), "text")
	}
	return list
}
