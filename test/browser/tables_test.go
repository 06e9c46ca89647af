package browser

import (
	"flag"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/view/viewtest"
)

// cross has every case of the tables rendered with every kind of value, and as pictures. Without it each has one kind.
var cross = flag.Bool("cross", false, "render every case of the tables with every kind of value, and compare pictures")

const tables = "../../internal/view/testdata/"

// The tables of hidden and of harmless mail are right: a browser shows of them what they say it shows.
func TestTablesInBrowser(t *testing.T) {
	t.Parallel()
	r := newRenderer(t)
	for i, c := range viewtest.Load(t, tables+"hidden") {
		for _, k := range chosen(c, i) {
			text := r.visible(c.Fill(k))
			if leak := holds(text, k.Decoy); (leak != "") != (c.Shown != "") {
				t.Errorf("hidden/%s: %s (%s): the hidden value shown: %q, as the table says: %q", c.Name, k.Name, c.Note, leak, c.Shown)
			}
			if !strings.Contains(text, k.Real.Sentence) {
				t.Errorf("hidden/%s: %s (%s): the visible value is not shown in %q", c.Name, k.Name, c.Note, text)
			}
		}
	}
	for i, c := range viewtest.Load(t, tables+"plain") {
		for _, k := range chosen(c, i) {
			if text := r.visible(c.Fill(k)); !strings.Contains(text, k.Real.Sentence) {
				t.Errorf("plain/%s: %s (%s): the value is not shown in %q", c.Name, k.Name, c.Note, text)
			}
		}
	}
}

// chosen are the kinds of value that a case is rendered with.
func chosen(c viewtest.Case, i int) []viewtest.Kind {
	if *cross {
		return c.Kinds
	}
	return c.Kinds[i%len(c.Kinds):][:1]
}

// holds gives the first part of a value that is in a text.
func holds(text string, v viewtest.Value) string {
	for _, part := range v.Needles {
		if strings.Contains(text, part) {
			return part
		}
	}
	return ""
}
