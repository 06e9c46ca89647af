package resend_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/door/resend"
)

var update = flag.Bool("update", false, "write the table of routes into docs/resend.md")

const (
	manual      = "../../../docs/resend.md"
	tableBegins = "<!-- routes -->\n"
	tableEnds   = "<!-- end of routes -->\n"
)

// The page says of every route what the table of routes does.
func TestManual(t *testing.T) {
	b, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), tableBegins)
	_, after, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		t.Fatal("the page has no place for the routes")
	}
	want := before + tableBegins + door.Table(resend.New(nil)) + tableEnds + after
	if want == string(b) {
		return
	}
	if !*update {
		t.Fatal("docs/resend.md does not show the routes as they are: run this test with -update")
	}
	if err := os.WriteFile(manual, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
