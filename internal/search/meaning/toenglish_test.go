package meaning

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Mail in English is found by queries in other languages, in a mailbox with nothing else.
func TestFindEnglishFromOtherLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const least = 0.42
	data, err := os.ReadFile("testdata/toenglish.txt")
	if err != nil {
		t.Fatal(err)
	}
	box := newQualityBox(t, readQualitySet(t))
	var sum, count float64
	for line := range strings.Lines(string(data)) {
		name, query, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		want := box.numbers[name]
		sum += reciprocal(slices.IndexFunc(box.near(query), func(h Hit) bool { return h.ID == want }))
		count++
	}
	t.Logf("mean reciprocal rank %.3f of %v queries", sum/count, count)
	if count == 0 || sum/count < least {
		t.Errorf("less than %.2f", least)
	}
}
