package report

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// expectation is what a project says about one of its files.
type expectation struct {
	Class, Code, Type string
	Recipients        int
	Results           []struct {
		Status, Reason string
		HardBounce     bool
	}
}

// sameClass compares with what the projects call a class. They have none for delays, which they count as bounces;
// and bounce_email's "not-a-bounce" is mostly automatic answers.
func sameClass(want string, got Class) bool {
	switch want {
	case "bounce":
		return got == Bounce || got == Delayed
	case "not-a-bounce":
		return got == None || got == AutoReply
	}
	return want == string(got)
}

// hards is which recipients a project calls hard, in no order. sisimai's "hardbounce" is its reasons userunknown,
// hostunknown, hasmoved, and notaccept with a permanent code; all others are soft: mailboxfull and suspend, which
// may end, filtered, which is "user unknown" said to DATA, and everything about the message or its sender.
// bounce_email calls hard what has a code of class 5. Here "user unknown" is hard wherever it is said, so "filtered" is
// whatever was got.
func (e expectation) hards(got []bool) (out []bool) {
	for i, r := range e.Results {
		out = append(out, r.HardBounce || r.Reason == "filtered" && i < len(got) && got[i])
	}
	switch e.Type {
	case "hard_fail":
		return []bool{true}
	case "soft_fail":
		return []bool{false}
	}
	return out
}

// statuses is which codes a project expects. sisimai's own codes for its reasons, such as 5.0.911, are not in mail.
func (e expectation) statuses() (out []string) {
	for _, r := range e.Results {
		if len(strings.TrimLeft(r.Status, "45.0")) < 3 || !strings.HasPrefix(r.Status[1:], ".0.9") {
			out = append(out, r.Status)
		} else {
			out = append(out, "")
		}
	}
	if e.Code != "" && e.Code != "unknown" {
		out = append(out, e.Code)
	}
	return out
}

// tally counts how often something is as expected.
type tally struct{ right, all int }

func (n *tally) count(ok bool) {
	n.all++
	if ok {
		n.right++
	}
}

func (n tally) percent() float64 { return 100 * float64(n.right) / float64(max(n.all, 1)) }

// TestCorpora reads the public collections of bounces. The rules were written from one half of each, by a hash of the
// name; the other half checked them. Both are logged.
func TestCorpora(t *testing.T) {
	root := corpustest.Dir(t, "bounces")
	scores := map[string]*tally{}
	score := func(name string, ok bool) {
		if scores[name] == nil {
			scores[name] = &tally{}
		}
		scores[name].count(ok)
	}
	for _, set := range []string{"bounce_email", "flanker-bounce", "sisimai"} {
		for name, e := range index(t, filepath.Join(root, set)) {
			raw, err := os.ReadFile(filepath.Join(root, set, "files", name))
			if err != nil {
				t.Fatal(err)
			}
			got := Read(rfc822.Parse(raw, rfc822.Limits{}), bytes.NewReader(raw))
			half := halfOf(set + "/" + name)
			compare(e, got, func(field string, ok bool) {
				score(field+" "+set+" "+half, ok)
				score(field, ok)
				if !ok {
					t.Logf("%s %s: %s differs: %+v\nwant %+v", half, name, field, got, e)
				}
			})
		}
	}
	logScores(t, scores)
	for name, least := range map[string]float64{"class": 97, "recipient": 95, "hard": 95} {
		if scores[name].percent() < least {
			t.Errorf("%s: only %.1f %% are as expected", name, scores[name].percent())
		}
	}
}

// logScores prints the counts in the order of their names.
func logScores(t *testing.T, scores map[string]*tally) {
	names := make([]string, 0, len(scores))
	for name := range scores {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Logf("%-40s %4d of %4d  %5.1f %%", name, scores[name].right, scores[name].all, scores[name].percent())
	}
}

func halfOf(name string) string {
	if sum := sha1.Sum([]byte(name)); sum[0]&1 == 1 {
		return "held out"
	}
	return "seen"
}

// index reads what a set says about its files.
func index(t *testing.T, set string) map[string]expectation {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(set, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Files map[string]struct{ Expect expectation }
	}
	if err := json.Unmarshal(b, &x); err != nil {
		t.Fatal(err)
	}
	out := map[string]expectation{}
	for name, f := range x.Files {
		if f.Expect.Class != "" {
			out[name] = f.Expect
		}
	}
	return out
}

// byValue sorts what is true to the front.
func byValue(list []bool) { sort.Slice(list, func(i, j int) bool { return list[i] && !list[j] }) }

// compare says field by field whether a report is as expected. Of recipients only the number is known.
func compare(e expectation, got Report, score func(field string, ok bool)) {
	score("class", sameClass(e.Class, got.Class))
	if e.Recipients > 0 {
		score("recipient", e.Recipients == len(got.Recipients))
	}
	var hard []bool
	for _, r := range got.Recipients {
		hard = append(hard, r.Hard)
	}
	for name, want := range map[string][]bool{"hard by labels": e.hards(nil), "hard": e.hards(hard)} {
		got := slices.Clone(hard)
		byValue(want)
		byValue(got)
		for i := range want {
			score(name, i < len(got) && want[i] == got[i])
		}
	}
	for i, s := range e.statuses() {
		if s != "" && i < len(got.Recipients) {
			score("status", got.Recipients[i].Status == s)
		}
	}
}
