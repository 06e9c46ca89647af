package screen

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// meanings are what every language that has a table for screening must have words for. English has verbs without their
// form of an order.
var meanings = []struct{ name, english string }{
	{"ignore", ""}, {"prior", ""}, {"orders", ""}, {"model", ""}, {"becomes", ""}, {"persona", ""}, {"prompt", ""},
	{"mustReveal", "reveal"}, {"keepFrom", ""}, {"user", ""}, {"quietly", ""}, {"mustSend", "send"}, {"secret", ""},
	{"mails", ""}, {"helper", ""}, {"should", ""}, {"mustDelete", "delete"}, {"mustChange", "change"}, {"bank", ""},
	{"mustPay", "payNow"}, {"mustApprove", "approve"}, {"enter", ""}, {"visit", ""}, {"toUs", ""}, {"keys", ""},
	{"never", ""}, {"told", ""}, {"posts", ""}, {"corrects", ""},
}

// TestEveryLanguageHasEveryMeaning names the cells that are missing.
func TestEveryLanguageHasEveryMeaning(t *testing.T) {
	cells := map[string]map[string]string{}
	for l := range lexicon.Lists("screen") {
		if cells[l.Language] == nil {
			cells[l.Language] = map[string]string{}
		}
		cells[l.Language][l.Name] = strings.TrimSpace(l.Phrases)
		for p := range l.All {
			// One such phrase has the table look at every letter of every mail.
			if len(p) > 1 && p[0] == '*' && isLetter(p[1]) {
				t.Errorf("%s: %s: %s may begin within a word", l.Language, l.Name, p)
			}
		}
	}
	delete(cells, lexicon.Shared)
	for language, lists := range cells {
		for _, m := range meanings {
			name := m.name
			if language == "en" && m.english != "" {
				name = m.english
			}
			if lists[name] == "" {
				t.Errorf("%s has no words for %s", language, name)
			}
		}
	}
}
