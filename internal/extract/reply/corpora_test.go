package reply

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// expectation is what the index of a set says about a file.
type expectation struct {
	Trimmed  string `json:"trimmed"`            // a file with the reply
	Reply    string `json:"reply"`              // the reply
	NoSpace  string `json:"reply_text_nospace"` // the reply without white space
	Stripped string `json:"stripped_dir"`       // a folder with the signature
}

// TestCorpora measures over the expectations of the sets of replies.
func TestCorpora(t *testing.T) {
	root := filepath.Join(corpustest.Dir(t), "quotes")
	sets, err := filepath.Glob(filepath.Join(root, "*", "index.json"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no sets in %s: %v", root, err)
	}
	right, all := 0, 0
	for _, index := range sets {
		r, n := measure(t, filepath.Dir(index))
		right, all = right+r, all+n
	}
	t.Logf("all sets: %d of %d, %.1f %%", right, all, 100*float64(right)/float64(all))
	if float64(right) < 0.94*float64(all) {
		t.Errorf("%d of %d are fewer than 94 %%", right, all)
	}
}

// measure counts the right answers in one set and names the others.
func measure(t *testing.T, dir string) (right, all int) {
	t.Helper()
	var index struct {
		Files map[string]struct {
			Expect *expectation `json:"expect"`
		} `json:"files"`
	}
	if err := json.Unmarshal(readFile(t, dir, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for name, f := range index.Files {
		if f.Expect == nil {
			continue
		}
		all++
		m, want := mailOf(t, filepath.Join(dir, "files"), name), wanted(t, filepath.Join(dir, "files"), name, f.Expect)
		got, _ := Text(m)
		if squeeze(got) == squeeze(want) {
			right++
			continue
		}
		wrong = append(wrong, name)
		if testing.Verbose() {
			t.Logf("%s\ngot  %q\nwant %q", name, got, want)
		}
	}
	sort.Strings(wrong)
	t.Logf("%s: %d of %d; wrong: %s", filepath.Base(dir), right, all, strings.Join(wrong, ", "))
	return right, all
}

// squeeze removes white space, as the tests of the sets do.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// wanted is the reply that a file should give.
func wanted(t *testing.T, dir, name string, e *expectation) string {
	t.Helper()
	switch {
	case e.Trimmed != "":
		return string(readFile(t, dir, e.Trimmed))
	case e.Reply != "":
		return e.Reply
	case e.NoSpace != "":
		return e.NoSpace
	}
	// QUIRK: this set marks the lines of signatures in the mail itself, so the marks are not part of it.
	base := strings.TrimSuffix(filepath.Base(name), "_body")
	signature := string(readFile(t, dir, filepath.Join(e.Stripped, base+"_signature")))
	body := string(readFile(t, dir, name))
	return strings.TrimSuffix(strings.TrimSpace(body), strings.TrimSpace(signature))
}

// mailOf reads a file: raw messages through the parser, HTML and text as they are.
func mailOf(t *testing.T, dir, name string) Mail {
	t.Helper()
	raw := readFile(t, dir, name)
	switch filepath.Ext(name) {
	case ".eml":
		m := rfc822.Parse(raw, rfc822.Limits{})
		return Mail{Text: m.Text, View: m.View(), Plain: !m.TextFromHTML}
	case ".html":
		return page(string(raw))
	}
	return plain(strings.ReplaceAll(strings.ToValidUTF8(string(raw), ""), "#sig#", ""))
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
