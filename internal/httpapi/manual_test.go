package httpapi

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The manual has every route, and no other.
func TestManual(t *testing.T) {
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var written, served []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\|").FindAllStringSubmatch(string(page), -1) {
		written = append(written, m[1])
	}
	for _, r := range routes {
		served = append(served, r.method+" "+r.paths()[0])
	}
	slices.Sort(written)
	slices.Sort(served)
	if !slices.Equal(written, served) {
		t.Errorf("docs/api.md has\n%s\nand the routes are\n%s", strings.Join(written, "\n"), strings.Join(served, "\n"))
	}
}
