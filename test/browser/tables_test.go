package browser

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/view/viewtest"
)

// cross has every case of the tables rendered with every kind of value, and as pictures. Without it each has one kind.
var cross = flag.Bool("cross", false, "render every case of the tables with every kind of value, and compare pictures")

const tables = "../../internal/view/testdata/"

// A browser shows of the tables of hidden and of harmless mail what they say it shows. What it shows is kept in a file,
// so that the reader of HTML is compared with it without a browser.
func TestTablesInBrowser(t *testing.T) {
	t.Parallel()
	r := newRenderer(t)
	shown := map[string]string{}
	for _, table := range []string{"hidden", "plain"} {
		for i, c := range viewtest.Load(t, tables+table) {
			for _, k := range chosen(c, i) {
				text, _ := r.visible(c.Fill(k))
				if leak := holds(text, k.Decoy); (leak != "") != (c.Shown != "") {
					t.Errorf("%s/%s: %s (%s): the hidden value is shown: %q, as the table says: %q",
						table, c.Name, k.Name, c.Note, leak, c.Shown)
				}
				if !strings.Contains(text, k.Real.Sentence) {
					t.Errorf("%s/%s: %s (%s): the visible value is not in %q", table, c.Name, k.Name, c.Note, text)
				}
				shown[table+"/"+c.Name] = strings.Join(strings.Fields(viewtest.LeaveOut(text, k)), " ")
			}
		}
	}
	if *update {
		if err := os.WriteFile(tables+"shown.txt", []byte(viewtest.FormatShown(shown)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(viewtest.Shown(t, tables+"shown.txt"), shown); diff != "" {
		t.Errorf("%sshown.txt is not what the browser shows; -update writes it\n%s", tables, diff)
	}
}

// chosen are the kinds of value that a case is rendered with.
func chosen(c viewtest.Case, i int) []viewtest.Kind {
	if *cross {
		return c.Kinds
	}
	return c.Kinds[i%len(c.Kinds):][:1]
}

// holds returns the first part of a value that is in a text.
func holds(text string, v viewtest.Value) string {
	for _, part := range v.Needles {
		if strings.Contains(text, part) {
			return part
		}
	}
	return ""
}
