package browser

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/view"
)

// randomMails is how many mails are made up.
var randomMails = flag.Int("random", 1000, "how many random mails are compared")

// agreement names a file. With it, the browser shows the HTML of all real mail, and what is read of it is compared word
// by word. The file gets the mails that differ most. They are other people's mails: it stays outside the repository.
var agreement = flag.String("agreement", "",
	"compare the reading of the mail in $MAILKIN_CORPORA with the browser's, and write the differences to this file")

// body is the HTML of a mail.
type body struct{ set, name, html string }

// compared is how far two readings of a mail agree.
type compared struct {
	body
	both, either int      // words in both, and in one or the other
	missing      []string // that the browser shows and the reading has not
	extra        []string // that the reading has and the browser does not show
}

// Of real mail at least 98 in 100 words are read just where a browser shows them.
func TestReadingOfCorpora(t *testing.T) {
	root := os.Getenv("MAILKIN_CORPORA")
	if root == "" || *agreement == "" {
		t.Skip("MAILKIN_CORPORA and -agreement say which mail to compare and where to write the differences")
	}
	r := newRenderer(t)
	var all []compared
	for _, b := range bodies(t, root) {
		all = append(all, r.compare(b))
	}
	share := report(t, *agreement, all)
	words := 0
	for _, c := range all {
		words += c.either
	}
	t.Logf("%d bodies, %.2f %% of %d words agree", len(all), share, words)
	if share < 98 {
		t.Errorf("only %.2f %% of words agree", share)
	}
}

// readText is the visible text as the project reads it.
func readText(html string) string { return view.Read([]byte(html)).Text() }

// bodies are the HTML of all mail under a folder, each once.
func bodies(t *testing.T, root string) (list []body) {
	t.Helper()
	seen := map[string]bool{}
	add := func(set, name, html string) {
		if strings.TrimSpace(html) != "" && !seen[html] {
			seen[html] = true
			list = append(list, body{set, name, html})
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		parts := strings.Split(name, string(filepath.Separator))
		set := strings.Join(parts[:min(2, len(parts)-1)], "/")
		switch filepath.Ext(path) {
		case ".html":
			add(set, name, rfc822.Text(file, "utf-8"))
		case ".jsonl":
			for line := range bytes.Lines(file) {
				var c struct{ ID, HTML string }
				if json.Unmarshal(line, &c) == nil {
					add(set, name+"#"+c.ID, c.HTML)
				}
			}
		case ".json", ".py", ".bin", ".xml", ".ics":
		default:
			inMessage(file, 0, func(html string) { add(set, name, html) })
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		t.Fatalf("%d bodies under %s: %v", len(list), root, err)
	}
	return list
}

// inMessage adds the HTML of a message, of what is attached to it, and of the messages in it.
func inMessage(raw []byte, depth int, use func(html string)) {
	m := rfc822.Parse(raw, rfc822.DefaultLimits())
	use(m.HTML)
	for _, p := range m.Parts {
		content, err := io.ReadAll(p.Decode(bytes.NewReader(raw[p.Offset:][:p.Length])))
		switch {
		case err != nil || depth == 5:
		case p.ContentType == "text/html":
			use(rfc822.Text(content, p.Charset))
		case strings.HasPrefix(p.ContentType, "message/") || p.ContentType == "text/rfc822-headers":
			inMessage(content, depth+1, use)
		}
	}
}

// words are the words of a text in small letters. A character of a script without spaces is a word of its own.
func words(text string) []string {
	var list []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			list = append(list, word.String())
			word.Reset()
		}
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			end()
			list = append(list, string(r))
		case unicode.In(r, unicode.L, unicode.N, unicode.M):
			word.WriteRune(r)
		case r == '\u00ad', unicode.Is(unicode.Cf, r): // soft hyphens and zero-width characters part nothing
		default:
			end()
		}
	}
	end()
	return list
}

// compare shows a mail body and reads it.
func (r *renderer) compare(b body) compared {
	r.t.Helper()
	text, besides := r.visible(b.html)
	shown, read := words(text), words(readText(b.html))
	c := compared{body: b}
	count, also := map[string]int{}, map[string]int{}
	for _, w := range shown {
		count[w]++
	}
	for _, w := range words(besides) {
		also[w]++
	}
	for _, w := range read {
		switch {
		case count[w] > 0:
			count[w]--
			c.both++
		case also[w] > 0:
			also[w]--
		default:
			c.extra = append(c.extra, w)
		}
	}
	for _, w := range shown { // in their order
		if count[w] > 0 {
			count[w]--
			c.missing = append(c.missing, w)
		}
	}
	c.either = c.both + len(c.missing) + len(c.extra)
	return c
}

// report writes what differs, the worst first, and returns the share of words that agree.
func report(t *testing.T, path string, all []compared) float64 {
	t.Helper()
	percent := func(list []compared) float64 {
		both, either := 0, 0
		for _, c := range list {
			both, either = both+c.both, either+c.either
		}
		return 100 * float64(both) / float64(max(either, 1))
	}
	var out bytes.Buffer
	sets := map[string][]compared{}
	for _, c := range all {
		sets[c.set] = append(sets[c.set], c)
	}
	fmt.Fprintf(&out, "all: %d bodies, %.2f %% of words\n", len(all), percent(all))
	names := make([]string, 0, len(sets))
	for name := range sets {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&out, "%-36s %4d bodies  %6.2f %%\n", name, len(sets[name]), percent(sets[name]))
	}
	slices.SortFunc(all, func(a, b compared) int { return cmp.Compare(b.either-b.both, a.either-a.both) })
	for _, c := range all {
		if c.either == c.both {
			break
		}
		fmt.Fprintf(&out, "\n%s: %d of %d words\n", c.name, c.both, c.either)
		for label, list := range map[string][]string{"shown, not read": c.missing, "read, not shown": c.extra} {
			if len(list) > 0 {
				fmt.Fprintf(&out, "  %s (%d): %s\n", label, len(list), strings.Join(list[:min(60, len(list))], " "))
			}
		}
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return percent(all)
}
