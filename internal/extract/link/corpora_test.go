package link

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// TestKindsInCorpora takes mails that are sent for the sake of one link, and mails that are not.
func TestKindsInCorpora(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "codes", "dev.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	right, all := 0, 0
	for line := range strings.Lines(string(b)) {
		var m struct{ ID, Kind, Subject, Text, HTML, Source string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		links := Find(Mail{Subject: m.Subject, Text: m.Text, View: seen(m.HTML)})
		has := func(k Kind) bool { return slices.ContainsFunc(links, func(l Link) bool { return l.Kind == k }) }
		source := strings.ToLower(m.Source)
		var ok bool
		switch m.Kind {
		case "link":
			want := Verify
			if strings.Contains(source, "reset") || strings.Contains(source, "recovery") {
				want = Reset
			}
			ok = has(want)
		case "receipt", "order", "shipping", "newsletter", "promo", "notice", "bounce":
			ok = !has(Verify) && !has(SignIn) && !has(Reset)
		default:
			continue
		}
		all++
		if ok {
			right++
		} else {
			t.Logf("%s, %s: %+v", m.ID, m.Kind, links)
		}
	}
	t.Logf("%d of %d", right, all)
	if right*100 < all*97 {
		t.Errorf("only %d of %d", right, all)
	}
}

// TestCorporaHold looks for links in every file that is mail or HTML.
func TestCorporaHold(t *testing.T) {
	mails, links := 0, 0
	err := filepath.WalkDir(corpustest.Dir(t), func(path string, d os.DirEntry, err error) error {
		kind := filepath.Ext(path)
		if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".eml", ".html", ".raw", ".msg", ".txt"},
			kind) {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		m := Mail{View: seen(string(raw))}
		if kind != ".html" {
			parsed := rfc822.Parse(raw, rfc822.Limits{})
			m = Mail{Subject: parsed.Subject, Text: parsed.Text, View: seen(parsed.HTML),
				Unsubscribe: parsed.Header.First("List-Unsubscribe")}
		}
		found := Find(m)
		mails, links = mails+1, links+len(found)
		if Any(m) != (len(found) > 0) {
			t.Errorf("%s: Any is %v for %d links", path, Any(m), len(found))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d links in %d mails", links, mails)
}
