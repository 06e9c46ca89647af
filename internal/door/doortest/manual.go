// Package doortest has what the tests of all doors share.
package doortest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
)

var update = flag.Bool("update", false, "write the table of routes into the door's page")

const begins, ends = "<!-- routes -->\n", "<!-- end of routes -->"

// Manual compares the table of routes in a door's page with the routes, or writes it there.
func Manual(t *testing.T, d *door.Door) {
	t.Helper()
	page := "../../../docs/" + d.Name + ".md"
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(b), begins)
	_, after, ended := strings.Cut(rest, ends)
	if !begun || !ended {
		t.Fatalf("%s has no place for the routes", page)
	}
	want := before + begins + "\n" + door.Table(d) + "\n" + ends + after
	if want == string(b) {
		return
	}
	if !*update {
		t.Fatalf("%s does not show the routes as they are: run this test with -update", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
