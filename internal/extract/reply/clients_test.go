package reply

import (
	"crypto/sha1"
	"strings"
	"testing"
)

// TestClientsCorpus reads testdata/clients.txt, whose replies were written before they were measured. Only misses of
// the half that is seen are named.
func TestClientsCorpus(t *testing.T) {
	right, all := map[string]int{}, map[string]int{}
	for _, part := range strings.Split(string(readFile(t, "testdata", "clients.txt")), "\n== ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		half := "seen"
		if sum := sha1.Sum([]byte("clients/" + name)); sum[0]&1 == 1 {
			half = "held out"
		}
		m, want := example(body)
		got, _ := Text(m)
		all[half]++
		if squeeze(got) == squeeze(want) {
			right[half]++
		} else if half == "seen" {
			t.Logf("%s\ngot  %q\nwant %q", name, got, want)
		}
	}
	for _, half := range []string{"seen", "held out"} {
		percent := 100 * float64(right[half]) / float64(all[half])
		t.Logf("clients, %s: %d of %d, %.1f %%", half, right[half], all[half], percent)
		if percent < 90 {
			t.Errorf("%s: fewer than 90 %% are as expected", half)
		}
	}
}

// example reads a mail of the set: HTML with the answer below it, or text with marks around the answer.
func example(body string) (m Mail, want string) {
	if html, answer, ok := strings.Cut(body, "\n=>\n"); ok {
		return page(html), answer
	}
	var text, answer []string
	inside := false
	for line := range strings.SplitSeq(body, "\n") {
		switch line {
		case "{{", "}}":
			inside = line == "{{"
			continue
		}
		text = append(text, line)
		if inside {
			answer = append(answer, line)
		}
	}
	return plain(strings.Join(text, "\n")), strings.Join(answer, "\n")
}
