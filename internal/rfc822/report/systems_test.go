package report

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// TestSystemsCorpus reads testdata/systems.txt, whose reports were written before they were measured. Each begins with
// its class and, for each recipient, how it failed. Only misses of the seen half are named.
func TestSystemsCorpus(t *testing.T) {
	file, err := os.ReadFile("testdata/systems.txt")
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]*tally{}
	for _, part := range strings.Split(string(file), "\n== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		want, raw, _ := strings.Cut(rest, "\n")
		got := Read(rfc822.Parse([]byte(raw), rfc822.Limits{}), bytes.NewReader([]byte(raw)))
		half := halfOf("systems/" + name)
		score := func(field string, ok bool) {
			for _, key := range []string{field + " of systems, " + half, field + " of systems"} {
				if scores[key] == nil {
					scores[key] = &tally{}
				}
				scores[key].count(ok)
			}
			if !ok && half == "seen" {
				t.Logf("%s: %s: want %q: %+v", name, field, want, got)
			}
		}
		class, recipients, _ := strings.Cut(want, " ")
		score("class", class == string(got.Class) || class == "none" && (got.Class == None || got.Class == AutoReply))
		if recipients != "" {
			compareRecipients(strings.Split(recipients, "; "), got.Recipients, score)
		}
	}
	logScores(t, scores)
	for field, least := range map[string]float64{"class": 97, "address": 95, "hard": 95} {
		if got := scores[field+" of systems"].percent(); got < least {
			t.Errorf("%s: only %.1f %% are as expected", field, got)
		}
	}
}

// compareRecipients compares with lines such as "hard a@example.com".
func compareRecipients(want []string, got []Recipient, score func(field string, ok bool)) {
	same := len(want) == len(got)
	for i, w := range want {
		how, address, _ := strings.Cut(w, " ")
		same = same && strings.EqualFold(got[i].Address, address)
		score("hard", i < len(got) && got[i].Hard == (how == "hard"))
	}
	score("address", same)
}
