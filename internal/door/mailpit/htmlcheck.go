package mailpit

import (
	"cmp"
	_ "embed"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

// support is what mail programs do with features, in a coarse table of our own.
//
//go:embed support.txt
var support string

// clients are the columns of the table.
var clients = []struct{ family, name, platform, title string }{
	{"gmail", "Gmail", "desktop-webmail", "Desktop Webmail"}, {"outlook", "Outlook", "windows", "Windows"},
	{"outlook", "Outlook", "outlook-com", "Outlook.com"}, {"apple-mail", "Apple Mail", "macos", "macOS"},
	{"yahoo", "Yahoo! Mail", "desktop-webmail", "Desktop Webmail"},
	{"thunderbird", "Mozilla Thunderbird", "windows", "Windows"},
}

// feature is a line of the table.
type feature struct{ slug, finds, title, advice, support string }

var features = sync.OnceValue(func() (list []feature) {
	for line := range strings.Lines(support) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) == 5 && line[0] != '#' {
			list = append(list, feature{f[0], f[1], f[3], f[4], strings.ReplaceAll(f[2], " ", "")})
		}
	}
	return list
})

type htmlCheck struct {
	Platforms map[string][]string
	Total     struct {
		Nodes, Tests                    int
		Supported, Partial, Unsupported float32
	}
	Warnings []warning
}

type warning struct {
	Slug, Title, Description, URL string
	Tags                          []string
	Keywords, Category            string
	NotesByNumber                 map[string]string
	Results                       []clientResult
	Score                         score
}

type clientResult struct{ Family, Platform, Version, Name, Support, NoteNumber string }

type score struct {
	Found                           int
	Supported, Partial, Unsupported float32
}

// htmlCheck says which of the features that a message uses not every mail program has.
func (e *edge) htmlCheck(c *door.Call, in service.Access) error {
	_, _, markup, err := e.read(c, in)
	if err != nil {
		return err
	}
	if markup == "" {
		return bad("message does not contain HTML")
	}
	return c.JSON(http.StatusOK, checkHTML(markup))
}

func checkHTML(markup string) htmlCheck {
	used := usedIn(markup)
	out := htmlCheck{Platforms: make(map[string][]string), Warnings: []warning{}}
	out.Total.Nodes, out.Total.Tests = used.nodes, len(features())
	for _, client := range clients {
		if names := out.Platforms[client.platform]; !slices.Contains(names, client.name) {
			out.Platforms[client.platform] = append(names, client.name)
		}
	}
	for _, f := range features() {
		n := used.counts[f.finds]
		if n == 0 {
			continue
		}
		w := warn(f, n)
		out.Warnings = append(out.Warnings, w)
		share := min(1, float32(n)/float32(max(1, used.nodes)))
		out.Total.Partial = max(out.Total.Partial, w.Score.Partial*share)
		out.Total.Unsupported = max(out.Total.Unsupported, w.Score.Unsupported*share)
	}
	out.Total.Supported = 100 - out.Total.Partial - out.Total.Unsupported
	slices.SortStableFunc(out.Warnings, func(a, b warning) int {
		return cmp.Compare(b.Score.Unsupported+b.Score.Partial, a.Score.Unsupported+a.Score.Partial)
	})
	return out
}

// warn tells what each mail program does with a feature.
func warn(f feature, found int) warning {
	category, _, _ := strings.Cut(f.slug, "-")
	w := warning{Slug: f.slug, Title: f.title, Description: f.advice, Category: category, Tags: []string{},
		NotesByNumber: map[string]string{}, Score: score{Found: found}}
	each := 100 / float32(len(clients))
	for i, client := range clients {
		r := clientResult{Family: client.family, Platform: client.platform, Name: client.name + " " + client.title,
			Support: "no"}
		switch f.support[i] {
		case 'y':
			r.Support = "yes"
			w.Score.Supported += each
		case 'p':
			r.Support = "partial"
			w.Score.Partial += each
		default:
			w.Score.Unsupported += each
		}
		w.Results = append(w.Results, r)
	}
	return w
}

// usage is how often a document uses each feature.
type usage struct {
	nodes  int
	counts map[string]int // by what the table looks for
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
			u.nodes++
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
