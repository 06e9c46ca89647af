package meaning

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPassage(t *testing.T) {
	for _, tt := range []struct{ name, subject, text, want string }{
		{"subject and text", "Lunch", "Are you free?", "Lunch. Are you free?"},
		{"subject that ends", "Free for lunch?", "Tell me", "Free for lunch? Tell me"},
		{"no subject", "", "Are you free?", "Are you free?"},
		{"no text", "Lunch", "", "Lunch."},
		{"nothing", " ", "\n", ""},
		{"lines and rules", "News", "== One ==\r\n-----\r\n\r\n * two\n", "News. One two"},
		{"pages", "News", "Read https://example.org/x or www.example.org today", "News. Read or today"},
		{"endless words", "Key", "it is " + strings.Repeat("a1b2", 20) + " for you", "Key. it is for you"},
		{"a language without spaces", "", strings.Repeat("漢字", 30), strings.Repeat("漢字", 30)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Passage(tt.subject, tt.text); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestLead(t *testing.T) {
	for _, tt := range []struct{ name, subject, text, want string }{
		{"one sentence", "Lunch", "Are you free on Friday at one? I pay.", "Lunch. Are you free on Friday at one?"},
		{"a greeting", "Lunch", "Hi! Are you free on Friday? I pay.", "Lunch. Hi! Are you free on Friday?"},
		{"dashes and pages", "Lunch", "----\nhttps://example.org/ Are you free on Friday? I pay.",
			"Lunch. Are you free on Friday?"},
		{"short", "Lunch", "I pay", "Lunch. I pay"},
		{"no text", "Lunch", "", "Lunch."},
		{"nothing", "", "", ""},
		{"without an end", "", strings.Repeat("on ", 200), strings.TrimSpace(strings.Repeat("on ", maxLead))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Lead(tt.subject, tt.text); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzPassage(f *testing.F) {
	f.Add("subject", "text\xff")
	f.Fuzz(func(t *testing.T, subject, text string) {
		for _, p := range []string{Passage(subject, text), Lead(subject, text)} {
			if len(p) > maxPassage+1 || !utf8.ValidString(p) {
				t.Errorf("%d bytes: %q", len(p), p)
			}
		}
	})
}

func TestForeign(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"English", "Where is my parcel?", true},
		{"Polish", "Gdzie jest moja paczka, żółta?", true},
		{"Russian", "Где моя посылка?", false},
		{"Chinese", "我的包裹在哪里", false},
		{"Arabic", "أين طردي", false},
		{"Chinese with a product's name", "我的 Example 包裹现在到底在哪里啊", false},
		{"English with a Russian name", "Dinner with Наташа on Friday evening", true},
		{"digits", "12345", false},
		{"nothing", "", false},
		{"Latin after a very long beginning", strings.Repeat("я", maxText) + strings.Repeat("x", 9*maxText), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Says(tt.text) && !foreign(tt.text); got != tt.want {
				t.Errorf("%t", got)
			}
		})
	}
}

// A Chinese text has no spaces, and is no endless word.
func TestPassageWithoutSpaces(t *testing.T) {
	p := Passage("通知", strings.Repeat("包裹放在小区门口的自提柜里，请在三天内取走。", 100))
	if len(p) < maxPassage-10 || len(p) > maxPassage+1 || !utf8.ValidString(p) {
		t.Errorf("%d bytes: %q", len(p), p)
	}
}
