package view_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mailkin/mailkin/internal/view"
	"github.com/mailkin/mailkin/internal/view/viewtest"
)

// differs are cases whose words are not quite those of a browser. The values in them are read right.
var differs = map[string]string{
	"display-kinds": "the children of a flex box are not parted",
	"svg-text":      "text in pictures is not read",
}

// What a person cannot see is in no visible run and under no visible link, and says by which rule it is hidden. What
// everybody sees next to it is there.
func TestHidden(t *testing.T) {
	shown := viewtest.Shown(t, "testdata/shown.txt")
	for _, c := range viewtest.Load(t, "testdata/hidden") {
		for _, k := range withAlone(c.Kinds) {
			t.Run(c.Name+"/"+k.Name, func(t *testing.T) {
				v := view.Read([]byte(c.Fill(k)))
				if text := v.Text(); holds(text, k.Decoy.Needles) {
					t.Errorf("%s: the text has the hidden value: %q", c.Note, text)
				}
				checkVisible(t, v, c, k, shown["hidden/"+c.Name])
				if k.Decoy.Href != "" && visibleLink(v, k.Decoy.Href) {
					t.Errorf("%s: the hidden link counts as visible", c.Note)
				}
				needles := k.Decoy.Needles
				if c.Elsewhere {
					needles = append(slices.Clone(needles), k.Decoy.Datum)
				}
				if !c.AnyFinding && !holds(unseenText(v), needles) {
					t.Errorf("%s: neither a hidden run nor markup has the value: %+v", c.Note, v.Runs)
				}
			})
		}
	}
}

// Layouts that only look like hiding lose nothing.
func TestPlain(t *testing.T) {
	shown := viewtest.Shown(t, "testdata/shown.txt")
	for _, c := range viewtest.Load(t, "testdata/plain") {
		for _, k := range c.Kinds {
			t.Run(c.Name+"/"+k.Name, func(t *testing.T) {
				checkVisible(t, view.Read([]byte(c.Fill(k))), c, k, shown["plain/"+c.Name])
			})
		}
	}
}

// BenchmarkRead reads ordinary mail.
func BenchmarkRead(b *testing.B) {
	var docs []string
	size := 0
	for _, c := range viewtest.Load(b, "testdata/plain") {
		docs = append(docs, c.Fill(viewtest.Kinds[0]))
		size += len(docs[len(docs)-1])
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, doc := range docs {
			view.ReadString(doc)
		}
	}
}

// checkVisible wants the words that a browser shows, all of them and no others, and the link that it shows.
func checkVisible(t *testing.T, v *view.View, c viewtest.Case, k viewtest.Kind, shown string) {
	t.Helper()
	want := words(strings.NewReplacer("{{real}}", k.Real.Sentence, "{{decoy}}", "").Replace(shown))
	got := words(v.Text())
	if len(c.Also) > 0 {
		got, want = without(got, c.Also), without(want, c.Also)
	}
	if same := slices.Equal(got, want); same == (differs[c.Name] != "") {
		t.Errorf("%s: the words are\n%q, a browser shows\n%q", c.Note, got, want)
	}
	if !holds(v.Text(), k.Real.Needles) || k.Real.Href != "" && !visibleLink(v, k.Real.Href) {
		t.Errorf("%s: the visible value is missing in %q, %+v", c.Note, v.Text(), v.Links)
	}
}

// withAlone adds a hidden code without a visible one, where codes are tried at all.
func withAlone(kinds []viewtest.Kind) []viewtest.Kind {
	if len(kinds) < len(viewtest.Kinds) {
		return kinds
	}
	return append(slices.Clone(kinds), viewtest.Alone)
}

func without(list, left []string) []string {
	return slices.DeleteFunc(list, func(w string) bool { return slices.Contains(left, w) })
}

func visibleLink(v *view.View, href string) bool {
	return slices.ContainsFunc(v.Links, func(l view.Link) bool { return l.Href == href && l.Hidden == 0 })
}

func holds(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// unseenText is that of hidden runs and of markup.
func unseenText(v *view.View) string {
	var out strings.Builder
	for _, r := range v.Runs {
		if r.Hidden != 0 {
			out.WriteString(r.Text)
		}
	}
	for _, a := range v.Asides {
		if a.Kind == view.Script {
			out.WriteString(a.Text)
		}
	}
	for _, it := range v.Items {
		out.WriteString(it.Value)
	}
	return out.String()
}

// words are the words of a text in small letters, without characters that have no width.
func words(text string) []string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || r == '\u034f' {
			return -1
		}
		return r
	}, strings.ToLower(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
}
