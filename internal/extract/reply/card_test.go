package reply

import "testing"

// TestNameAgain has cards that repeat the name that somebody signed with, and paragraphs that only look like one.
func TestNameAgain(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a card without address or number",
			"It comes tomorrow.\n\nBest regards,\n\nRob\n\nRob Stone\nLogistics Manager\nCargoline Ltd.\n4 Mill Lane, Leeds",
			"It comes tomorrow.\n\nBest regards,\n\nRob"},
		{"with a banner", "Thanks.\n\nBest,\nBo\n\nBo Lind\nAccount Executive\nJoin us at PewterConf!", "Thanks.\n\nBest,\nBo"},
		{"somebody else", "Please ask.\n\nBest,\nBo\n\nAnn Lind\nAccount Executive",
			"Please ask.\n\nBest,\nBo\n\nAnn Lind\nAccount Executive"},
		{"not signed", "Ship it to\n\nRob\n\nRob Stone\n4 Mill Lane", "Ship it to\n\nRob\n\nRob Stone\n4 Mill Lane"},
	} {
		if got, _ := Text(plain(test.text)); squeeze(got) != squeeze(test.want) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
