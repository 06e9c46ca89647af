// Package viewtest reads the two tables that the reader of HTML is tested with: ways of hiding a text, and layouts
// that hide nothing. They are mail bodies with places for values, so that tests of every layer fill in the same ones.
//
// The files are called *.mail: they are data, and no pages. Each begins with a comment that says what it shows.
// {{real}} stands for the value that a person sees, {{decoy}} for the one that nobody sees; {{real ATTRIBUTES}} puts
// the attributes on the element of the value itself, {{real|text}} is the value as plain text, for places where no
// element can stand, and {{real|datum}} is what is to be found in it, for markup and small print.
package viewtest

import (
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Value is what a mail is about.
type Value struct {
	Sentence string   // what a reader sees
	Href     string   // of a link; empty for the other kinds
	Needles  []string // the parts of the sentence, and of the link, that stand nowhere else
	Datum    string   // what is to be found in it: the code, the address of the link, the total
}

// Kind is a kind of value: one that everybody sees and one that is hidden, of the same length.
type Kind struct {
	Name        string
	Real, Decoy Value
}

// Kinds are all of them.
var Kinds = []Kind{
	{
		Name:  "code",
		Real:  Value{Sentence: "Your verification code is 482913.", Needles: []string{"482913"}, Datum: "482913"},
		Decoy: Value{Sentence: "Your verification code is 771206.", Needles: []string{"771206"}, Datum: "771206"},
	},
	{
		Name: "link",
		Real: Value{Sentence: "Verify your email address", Href: "https://accounts.example.com/verify?token=real7Yk2",
			Needles: []string{"Verify your email"}, Datum: "https://accounts.example.com/verify?token=real7Yk2"},
		Decoy: Value{Sentence: "Confirm your mail account", Href: "https://accounts.example.net/verify?token=fake9Qm4",
			Needles: []string{"Confirm your mail"}, Datum: "https://accounts.example.net/verify?token=fake9Qm4"},
	},
	{
		Name: "record",
		Real: Value{Sentence: "Order number: 48-2210. Total: $42.50", Needles: []string{"48-2210", "42.50"},
			Datum: "42.50"},
		Decoy: Value{Sentence: "Order number: 77-3981. Total: $97.60", Needles: []string{"77-3981", "97.60"},
			Datum: "97.60"},
	},
	{
		Name:  "text",
		Real:  Value{Sentence: "The review moves to Thursday, room Alder.", Needles: []string{"Thursday", "Alder"}},
		Decoy: Value{Sentence: "The review moves to Saturday, room Birch.", Needles: []string{"Saturday", "Birch"}},
	},
}

// Alone is a hidden code where no code is to be seen.
var Alone = Kind{Name: "alone", Real: Kinds[3].Real, Decoy: Kinds[0].Decoy}

// Case is a file of a table.
type Case struct {
	Name string
	Note string // what it shows

	// Kinds that it can be filled with.
	Kinds []Kind
	// AnyFinding says that screening may report it or not: what is hidden is no text of the mail at all, as in a
	// comment.
	AnyFinding bool
	// Elsewhere says that the datum that is hidden is also shown, as something else: it is none of the decoy's needles.
	Elsewhere bool
	// Shown says why a browser shows what is hidden.
	Shown string
	// Also are words that may be read or not: they are on the screen, and are no text of the page, as numbers of lists.
	Also []string

	template string
}

// Load reads a folder of the tables.
func Load(t testing.TB, dir string) []Case {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no table at %s: %v", dir, err)
	}
	var list []Case
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parse(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), string(file))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, c)
	}
	return list
}

// Shown reads what a browser shows of each case, by table and name. {{real}} stands in place of the values.
func Shown(t testing.TB, path string) map[string]string {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for part := range strings.SplitSeq(string(file), "\n== ") {
		name, text, _ := strings.Cut(strings.TrimPrefix(part, "== "), "\n")
		shown[name] = strings.TrimSuffix(text, "\n")
	}
	return shown
}

// FormatShown is the file that Shown reads.
func FormatShown(shown map[string]string) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		fmt.Fprintf(&out, "== %s\n%s\n", name, shown[name])
	}
	return out.String()
}

// LeaveOut puts {{real}} and {{decoy}} for the values of a kind.
func LeaveOut(text string, k Kind) string {
	return strings.NewReplacer(k.Real.Sentence, "{{real}}", k.Decoy.Sentence, "{{decoy}}").Replace(text)
}

func parse(name, file string) (Case, error) {
	first, rest, _ := strings.Cut(file, "\n")
	head, ok := strings.CutPrefix(strings.TrimSuffix(first, "-->"), "<!--view: ")
	note, options, _ := strings.Cut(head, " | ")
	c := Case{Name: name, Note: note, Kinds: Kinds, template: rest}
	if !ok {
		return c, fmt.Errorf("its first line does not say what it shows")
	}
	for option := range strings.SplitSeq(options, "; ") {
		switch key, value, _ := strings.Cut(option, "="); key {
		case "":
		case "kinds":
			c.Kinds = slices.DeleteFunc(slices.Clone(Kinds), func(k Kind) bool {
				return !slices.Contains(strings.Split(value, ","), k.Name)
			})
		case "finding":
			c.AnyFinding = value == "any"
		case "elsewhere":
			c.Elsewhere = value == "yes"
		case "also":
			c.Also = strings.Fields(value)
		case "chromium":
			c.Shown = strings.TrimPrefix(value, "shown: ")
		default:
			return c, fmt.Errorf("unknown option %q", key)
		}
	}
	if len(c.Kinds) == 0 {
		return c, fmt.Errorf("it has no kind")
	}
	if c.Elsewhere {
		c.Kinds = slices.Clone(c.Kinds)
		for i := range c.Kinds {
			decoy := &c.Kinds[i].Decoy
			decoy.Needles = slices.DeleteFunc(slices.Clone(decoy.Needles),
				func(n string) bool { return n == decoy.Datum })
		}
	}
	return c, nil
}

var place = regexp.MustCompile(`\{\{(real|decoy)(\|text|\|datum| [^}]*)?\}\}`)

// Fill puts the values of a kind into the places.
func (c Case) Fill(k Kind) string { return c.FillWith(k.Real, k.Decoy) }

// FillWith puts two values into the places.
func (c Case) FillWith(real, decoy Value) string {
	return place.ReplaceAllStringFunc(c.template, func(p string) string {
		m := place.FindStringSubmatch(p)
		v := real
		if m[1] == "decoy" {
			v = decoy
		}
		switch m[2] {
		case "|text":
			return v.text()
		case "|datum":
			return html.EscapeString(v.Datum)
		}
		return v.element(m[2])
	})
}

// text is the value as plain text, as it can stand in an attribute.
func (v Value) text() string {
	if v.Href != "" {
		return html.EscapeString(v.Sentence + ": " + v.Href)
	}
	return html.EscapeString(v.Sentence)
}

// element is the value as HTML, with attributes of its element. The colour of a link is that of the text around it.
func (v Value) element(attributes string) string {
	switch {
	case v.Href != "" && attributes == "":
		return `<a href="` + html.EscapeString(v.Href) + `" style="color:inherit">` + html.EscapeString(v.Sentence) +
			`</a>`
	case v.Href != "":
		return `<a href="` + html.EscapeString(v.Href) + `"` + attributes + `>` + html.EscapeString(v.Sentence) + `</a>`
	case attributes != "":
		return `<span` + attributes + `>` + html.EscapeString(v.Sentence) + `</span>`
	}
	return html.EscapeString(v.Sentence)
}
