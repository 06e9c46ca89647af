package code

import (
	"hash/fnv"
	"testing"
)

// freshSets are mails and short texts that were written before the rules were read. No rule is made for a single one
// of them. Their names are those of the files, those of the sets what make eval prints.
var freshSets = []struct {
	name      string
	files     []string
	precision float64 // at least, on each half
	recall    float64 // at least
	falsely   float64 // at most
}{
	{"fresh mail", []string{"fresh_mail", "fresh_without"}, 0.985, 0.93, 0.01},
	{"fresh short texts", []string{"fresh_sms"}, 0.985, 0.98, 0.01},
	{"second fresh mail", []string{"second_mail", "second_without"}, 0.985, 0.87, 0.01},
	{"second fresh short texts", []string{"second_sms"}, 0.97, 0.85, 0.2},
	{"third fresh mail", []string{"third_mail", "third_without"}, 0.94, 0.96, 0.045},
	{"third fresh short texts", []string{"third_sms"}, 0.985, 0.92, 0.01},
	{"fourth fresh mail", []string{"fourth_mail", "fourth_without"}, 0.985, 0.66, 0.01},
	{"fifth fresh mail", []string{"fifth_mail", "fifth_without"}, 0.88, 0.93, 0.11},
	{"sixth fresh mail", []string{"sixth_mail", "sixth_without"}, 0.9, 0.96, 0.08},
}

// heldOut says in which half of its set a mail is. What is missed in the half that is held out is counted, and not
// looked at.
func heldOut(s *sample) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s.mail.Subject + "\n" + s.mail.Text))
	return h.Sum32()&1 == 1
}

// TestCorporaFresh holds the figures on both halves of the fresh sets, and names what is missed in the half for
// development.
func TestCorporaFresh(t *testing.T) {
	for _, set := range freshSets {
		var halves [2]corpusFigures
		for _, file := range set.files {
			for _, s := range samples(t, file) {
				var c corpusCase
				if s.want != "" {
					c.Expect = &s.want
				}
				code := Best(s.mail)
				if heldOut(&s) {
					halves[1].add(&c, code)
					continue
				}
				if halves[0].add(&c, code); !c.right(code) {
					t.Logf("%s: %s: got %q", file, s.name, code)
				}
			}
		}
		for i, half := range [2]string{"development", "held out"} {
			f := &halves[i]
			t.Logf("%s, %s: %s", set.name, half, f)
			if f.precision() < set.precision || f.recall() < set.recall || f.falsePositives() > set.falsely {
				t.Errorf("%s, %s: below precision %.3f or recall %.2f, or above false positives %.2f", set.name, half,
					set.precision, set.recall, set.falsely)
			}
		}
	}
}
