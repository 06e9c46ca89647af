package code

import (
	"strings"
	"testing"
)

func FuzzFind(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s.mail.FromName, s.mail.Subject, s.mail.Text, pageOf(s.mail.View))
	}
	f.Add("", "\xff1234", "code \x00 1234\u200b56", "<td>1<td>2<td>3<td>4<!--")
	f.Fuzz(func(t *testing.T, from, subject, text, html string) {
		m := Mail{FromName: from, Subject: subject, Text: text, View: seen(html)}
		best, all := Find(m)
		check(t, best, all)
		if again := Best(m); again != best {
			t.Errorf("Best gives %q, Find %q", again, best)
		}
	})
}

// check holds what is true of every answer.
func check(t *testing.T, best string, all []Candidate) {
	t.Helper()
	if len(all) > maxCandidates {
		t.Errorf("%d candidates", len(all))
	}
	if best != "" && (len(all) == 0 || all[0].Code != best || all[0].Score < threshold) {
		t.Errorf("best %q is not the first of %+v", best, all)
	}
	if best == "" && len(all) > 0 && all[0].Score >= threshold {
		t.Errorf("%+v was not given", all[0])
	}
	seen := map[string]bool{}
	for i, c := range all {
		if c.Score < 0 || c.Score > 1 || i > 0 && c.Score > all[i-1].Score {
			t.Errorf("score of %+v", c)
		}
		if len(c.Code) < 4 || len(c.Code) > 64 || strings.IndexFunc(c.Code, isNoCode) >= 0 || seen[c.Code] {
			t.Errorf("code %q", c.Code)
		}
		if why := strings.Join(c.Why, "; "); why == "" || strings.ContainsAny(why, "\n\t\x00") {
			t.Errorf("why %q", why)
		}
		seen[c.Code] = true
	}
}

func isNoCode(r rune) bool { return r >= 0x80 || !isAlnum(byte(r)) && r != '-' }

// TestBounded looks at mails made to cost much. That they end at all is what is tested; the benchmark has the figures.
func TestBounded(t *testing.T) {
	for name, m := range hostile {
		t.Run(name, func(t *testing.T) {
			best, all := Find(m)
			check(t, best, all)
		})
	}
}
