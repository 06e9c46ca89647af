package meaning

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
)

// wanted is a query of testdata/languages.txt, or an English one of quality.json.
type wanted struct {
	text, mail, group string
	half              int // 0: for development, 1: held out
}

// readLanguages returns the mails of several languages and what is asked for, in their own language and across.
func readLanguages(t *testing.T) (mails [][3]string, queries []wanted) {
	t.Helper()
	data, err := os.ReadFile("testdata/languages.txt")
	if err != nil {
		t.Fatal(err)
	}
	english := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "- "):
			_, text, _ := strings.Cut(f[1], ": ")
			queries = append(queries, wanted{text, strings.TrimPrefix(f[0], "- "), "across languages", english % 2})
			english++
		case len(f) == 5:
			number, err := strconv.Atoi(f[0][2:])
			if err != nil {
				t.Fatal(err)
			}
			group := "German, Spanish, French"
			if f[0][:2] == "zh" || f[0][:2] == "ja" {
				group = "Chinese, Japanese"
			}
			_, other, _ := strings.Cut(f[4], ": ")
			half := (number + 1) % 2
			mails = append(mails, [3]string(f))
			queries = append(queries, wanted{f[3], f[0], group, half}, wanted{other, f[0], "across languages", half})
		}
	}
	return mails, queries
}

// TestCorpusLanguages asks in several languages, in a mailbox with mail of all of them. Nothing is chosen with the half
// that is held out.
func TestCorpusLanguages(t *testing.T) {
	corpustest.Dir(t)
	set := readQualitySet(t)
	mails, queries := readLanguages(t)
	set.Mails = append(set.Mails, mails...)
	for half, list := range [][][2]string{slices.Concat(set.Meaning, set.Asked, set.Late), set.Apart} {
		for _, q := range list {
			queries = append(queries, wanted{q[0], q[1], "English", half})
		}
	}
	box := newQualityBox(t, set)
	for _, tt := range []struct {
		group string
		least float64 // for development
	}{{"English", 0.65}, {"German, Spanish, French", 0.31}, {"Chinese, Japanese", 0.58}, {"across languages", 0.14}} {
		var sums, counts [2]float64
		for _, q := range queries {
			if q.group == tt.group {
				counts[q.half]++
				want := box.numbers[q.mail]
				at := slices.IndexFunc(box.near(q.text), func(h Hit) bool { return h.ID == want })
				sums[q.half] += reciprocal(at)
			}
		}
		t.Logf("%s: mean reciprocal rank %.3f of %v queries for development, %.3f of %v held out", tt.group,
			sums[0]/counts[0], counts[0], sums[1]/counts[1], counts[1])
		if sums[0]/counts[0] < tt.least {
			t.Errorf("%s: less than %.2f", tt.group, tt.least)
		}
	}
}

// Mail in the language of the query keeps its scores; what stands out of other mail comes first, what hardly does comes
// behind the first, and what does not, last.
func TestMergeOfLanguages(t *testing.T) {
	english := []Hit{{1, 0.5}, {2, 0.45}, {3, 0.3}, {4, 0.1}}
	for _, tt := range []struct {
		score float32 // of the other mail, among many at 0.1
		order []uint64
	}{
		{0.9, []uint64{9, 1, 2, 3}}, {0.28, []uint64{1, 9, 2, 3}},
		{0.22, []uint64{1, 2, 9, 3}}, {0.15, []uint64{1, 2, 3}},
	} {
		f := farQuery{}.find(5)
		for id := range uint64(100) {
			f.note(100+id, 0.05+float32(id%3)*0.03)
		}
		f.note(9, tt.score)
		var got []uint64
		for _, h := range f.merge(slices.Clone(english), 3) {
			got = append(got, h.ID)
			if h.ID < 4 && h != english[h.ID-1] {
				t.Errorf("%v became %v", english[h.ID-1], h)
			}
		}
		if !slices.Equal(got, tt.order) {
			t.Errorf("%v: %v", tt.score, got)
		}
	}
}
