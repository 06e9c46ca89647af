package rfc822

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
)

// TestCorporaHold parses every file of the MIME corpora, also those that are no mail.
func TestCorporaHold(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var files []string
	root := filepath.Join(corpustest.Dir(t), "mime")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cut := map[[sha256.Size]byte]bool{} // some mails are in several sets; they would be cut at the same places
	for _, path := range files {
		rel, _ := filepath.Rel(root, path)
		t.Run(rel, func(t *testing.T) {
			raw := readFile(t, path)
			m := Parse(raw, Limits{})
			checkMessage(t, raw, m)
			if sum := sha256.Sum256(raw); len(raw) < 100_000 && !cut[sum] {
				checkChunks(t, raw, m, Limits{}, 1)
				cut[sum] = true
			}
		})
	}
	t.Logf("%d files", len(files))
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expected lists the messages of a set that come with expectations.
func expected(t *testing.T, set string) map[string][]string {
	t.Helper()
	var index struct {
		Files map[string]struct {
			Expect struct {
				Files []string `json:"expected_files"`
			} `json:"expect"`
		} `json:"files"`
	}
	if err := json.Unmarshal(readFile(t, filepath.Join(set, "index.json")), &index); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for name, f := range index.Files {
		if len(f.Expect.Files) > 0 {
			out[name] = f.Expect.Files
		}
	}
	return out
}

// score counts, field by field, how often the parser and an expectation agree.
type score struct {
	t      *testing.T
	file   string
	right  map[string]int
	all    map[string]int
	tastes map[string]string // what was judged a matter of taste, by differenceID
	errors int               // differences that were not
}

func newScore(t *testing.T) *score {
	return &score{t: t, right: map[string]int{}, all: map[string]int{}, tastes: judgedTastes(t)}
}

func (s *score) compare(field string, want, got any) {
	w, g := fmt.Sprintf("%q", want), fmt.Sprintf("%q", got)
	s.check(field, w == g, fmt.Sprintf("want %.300s\n got %.300s", w, g))
}

func (s *score) check(field string, ok bool, difference string) {
	s.all[field]++
	if ok {
		s.right[field]++
		return
	}
	id := differenceID(s.file, field, difference)
	if reason := s.tastes[id]; reason != "" {
		s.t.Logf("%s: %s differs (%s, judged: %s):\n%s", s.file, field, id, reason, difference)
		return
	}
	s.errors++
	s.t.Logf("%s: %s differs (%s):\n%s", s.file, field, id, difference)
}

// differenceID names a difference without a word of the mail that it is in.
func differenceID(file, field, difference string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, file+"\x00"+field+"\x00"+difference)
	return fmt.Sprintf("%016x", h.Sum64())
}

// judgedTastes reads testdata/judged.txt: the differences that somebody looked at and found to be no errors, and why.
func judgedTastes(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "judged.txt"))
	if err != nil {
		t.Fatal(err)
	}
	judged := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if id, reason, ok := strings.Cut(strings.TrimSpace(line), " "); ok && id != "#" {
			judged[id] = reason
		}
	}
	return judged
}

// report prints the score and fails where less than a given percentage agrees.
func (s *score) report(percent int) {
	s.t.Helper()
	fields := make([]string, 0, len(s.all))
	right, all := 0, 0
	for f, n := range s.all {
		fields = append(fields, f)
		right, all = right+s.right[f], all+n
	}
	sort.Strings(fields)
	for _, f := range fields {
		s.t.Logf("%-12s %d of %d", f, s.right[f], s.all[f])
	}
	s.t.Logf("all %d of %d: %.1f %%", right, all, 100*float64(right)/float64(max(all, 1)))
	s.t.Logf("real errors in fields %d of %d", s.errors, all)
	const most = 2 // of each of the three sets, 5 of 1,454 together
	if s.errors > most {
		s.t.Errorf("%d differences of %d are no matter of taste", s.errors, all)
	}
	if right*100 < all*percent || all == 0 {
		s.t.Errorf("only %d of %d fields are as expected", right, all)
	}
}

// words is s with its white space made plain: expectations differ in how they end and join lines.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }
