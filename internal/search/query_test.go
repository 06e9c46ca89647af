package search

import (
	"os"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func TestParse(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "kim " + strings.Repeat(")", n) }
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"a word", "invoice ", "invoice"},
		{"a word that is being typed", "inv", "inv*"},
		{"words", "Kim invoice", "Kim invoice*"},
		{"too short to be a beginning", "invoice k", "invoice k"},
		{"a sentence that has ended", "kim lee.", "kim lee"},
		{"a star", "inv* kim ", "inv* kim"},
		{"a phrase", `"order confirmed"`, `"order confirmed"`},
		{"a phrase with a star", `"order conf"*`, `"order conf"*`},
		{"smart quotes", "“order confirmed” x", `"order confirmed" x`},
		{"not", "invoice -draft", "invoice -draft"},
		{"NOT", "invoice NOT draft", "invoice -draft"},
		{"not a phrase", `invoice -"a draft"`, `invoice -"a draft"`},
		{"not a group", "-(a b) ", "-(a b)"},
		{"not not", "NOT -draft ", "draft"},
		{"only negations", "-a -b", "-a -b"},
		{"or", "invoice OR receipt ", "invoice OR receipt"},
		{"or by a bar", "invoice | receipt ", "invoice OR receipt"},
		{"or binds tighter", "a b OR c d ", "a (b OR c) d"},
		{"or of three", "a OR b OR c ", "a OR b OR c"},
		{"or and not", "a OR -b ", "a OR -b"},
		{"and", "a AND b && c ", "a b c"},
		{"group", "(kim invoice) OR lee ", "(kim invoice) OR lee"},
		{"groups in each other", "((a OR b) (c OR d)) e ", "(a OR b) (c OR d) e"},
		{"group without spaces", "x(a OR b)y ", "x (a OR b) y"},
		{"empty group", "a () b ", "a b"},
		{"from", "from:kim@example.com ", "from:kim@example.com"},
		{"from, being typed", "from:kim@exa", "from:kim@exa*"},
		{"case of operators", "FROM:Kim Subject:hi ", "from:Kim subject:hi"},
		{"wide colon", "from：kim ", "from:kim"},
		{"quoted value", `from:"Kim Lee" x`, `from:"Kim Lee" x`},
		{"group of values", "from:(kim OR lee) x ", "(from:kim OR from:lee) x"},
		{"not from", "-from:kim ", "-from:kim"},
		{"cc", "cc:kim bcc:lee ", "to:kim to:lee"},
		{"file", "filename:report.pdf ", "filename:report.pdf"},
		{"no beginnings in bodies", "body:inv", "body:inv"},
		{"label", "label:Code ", "label:code"},
		{"labels", "label:(code OR personal)", "label:code OR label:personal"},
		{"has", "has:attachment has:code has:links", "has:attachment has:code has:link"},
		{"is", "is:unseen is:read is:unread", "is:unseen is:seen is:unseen"},
		{"in", "in:sent in:inbox", "in:sent in:inbox"},
		{"days", "after:2026-01-02 before:2026/3/4", "after:2026-01-02 before:2026-03-04"},
		{"times", "after:2026-01-02T03:04:05+01:00 before:2026-01-02t03:04:05.5z", "after:2026-01-02T02:04:05Z " +
			"before:2026-01-02T03:04:05.5Z"},
		{"ago", "after:7d before:2w after:3m after:1y after:12h",
			"after:2026-03-08T12:00:00Z before:2026-03-01T12:00:00Z after:2025-12-15T12:00:00Z " +
				"after:2025-03-15T12:00:00Z after:2026-03-15"},
		{"by name", "after:yesterday before:today", "after:2026-03-14 before:2026-03-15"},
		{"as elsewhere", "newer_than:7d older_than:1d", "after:2026-03-08T12:00:00Z before:2026-03-14T12:00:00Z"},

		{"quote not closed", `"kim lee `, "kim lee"},
		{"quote not opened", `kim" lee `, "kim lee"},
		{"quote in a word", `צה"ל `, `צה"ל`},
		{"parenthesis not closed", "(kim lee ", "kim lee"},
		{"parenthesis not opened", "kim) lee ", "kim lee"},
		{"wrong way round", ")kim( ", "kim"},
		{"operator without a value", "from: kim ", "from kim"},
		{"operator at the end", "kim from:", "kim from"},
		{"operator before a parenthesis", "(from:) kim ", "from kim"},
		{"operator with an open parenthesis", "from:(kim ", "from kim"},
		{"operator with an open quote", `from:"kim `, "from kim"},
		{"unknown operator", "foo:bar ", "foo bar"},
		{"unknown values", "has:wings is:odd in:space before:never label:a.b ", "has wings is odd in space before " +
			"never label a.b"},
		{"OR without a side", "OR kim OR ", "or kim or"},
		{"OR twice", "kim OR OR lee ", "kim (or OR lee)"},
		{"AND without a side", "AND kim AND ", "and kim and"},
		{"NOT without a side", "kim NOT ", "kim not"},
		{"a minus alone", "kim - lee ", "kim lee"},
		{"minuses", "--help ", "help"},
		{"signs alone", "!!! :) ", ""},
		{"signs beside words", "!!! kim ", "kim"},
		{"a path", "a/b,c ", "a b c"},
		{"url", "https://example.com/reset ", "https example.com reset"},
		{"script changes are no gap", "Windows版 ", "Windows版"},
		{"digits", "482 915 ", "482 915"},
		{"digits among words", "code 482 915", "code (482 915*)"},
		{"digits in a group", "(482) 915 ", "482 915"},
		{"not digits", "-(482 915) ", "-(482 915)"},
		{"digits of a telephone", "+49 30 901820 ", "49 30 901820"},
		{"an IBAN", "to DE89 3704 0044 0532 0130 00", "to (DE89 3704 0044 0532 0130 00*)"},
		{"an amount", "1 234,56 OR 1234,56 ", "1 (234,56 OR (1234,56))"},
		{"too many digits", "11 22 33 44 55 66 77 ", "11 22 33 44 55 66 77"},
		{"not UTF-8", "kim\xff\xfelee ", "kim lee"},
		{"spaces of all kinds", "kim\u3000lee\u00a0park\n", "kim lee park"},
		{"deep", deep(maxDepth), "kim"},
		{"too deep", deep(maxDepth * 20), "kim"},
		{"too many", strings.Repeat("a ", maxTerms+10), strings.TrimSpace(strings.Repeat("a ", maxTerms))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := Parse(tt.text, noon)
			if got := q.String(); got != tt.want {
				t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
			}
			if again := Parse(q.String()+" ", noon).String(); again != q.String() {
				t.Errorf("again: %s", again)
			}
			if void := strings.TrimSpace(tt.text) != "" && tt.want == ""; q.Void != void {
				t.Errorf("void: %v", q.Void)
			}
		})
	}
}

func TestParseBounds(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"long", strings.Repeat("word ", 10_000)},
		{"one long word", strings.Repeat("x", 100_000)},
		{"long phrase", `"` + strings.Repeat("a ", 900) + `"`},
		{"Chinese", strings.Repeat("東京", 1_000)},
		{"compounds", strings.Repeat("a-b.c@", 1_000)},
		{"compounds in a phrase", `"` + strings.Repeat("a-b.c@d ", 200) + `"`},
		{"parentheses", strings.Repeat("(", 5_000)},
		{"minuses", strings.Repeat("-(", 900) + "a" + strings.Repeat(")", 900)},
		{"NOTs", strings.Repeat("NOT ", 490) + "a"},
		{"choices of conjunctions", strings.Repeat("(a b) OR ", 200) + "c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := Parse(tt.text, noon)
			if len(q.Words()) > maxTerms {
				t.Errorf("%d words", len(q.Words()))
			}
			for _, w := range q.Words() {
				if w.end > maxNodes || len(w.arcs) > 4*maxNodes {
					t.Errorf("%d nodes, %d arcs", w.end, len(w.arcs))
				}
			}
			p := q.Plan()
			if len(p.Must) > maxClauses {
				t.Errorf("%d clauses", len(p.Must))
			}
			for _, c := range p.Must {
				if len(c) > 2*maxTerms*maxPaths {
					t.Errorf("%d leaves", len(c))
				}
			}
			matches(q, &Doc{Tokens: tokensOf(tt.text)})
		})
	}
}

// examples are queries as docs/api.md has them.
var examples = []string{`invoice kim`, `inv`, `inv*`, `"order confirmed"`, `invoice -draft`, `NOT draft`,
	`invoice OR receipt`, `a b OR c`, `from:kim@example.com`, `to:"Kim Lee"`, `subject:(order OR invoice)`,
	`label:code`, `has:attachment`, `has:code`, `has:link`, `is:unseen`, `is:seen`, `in:sent`, `in:inbox`,
	`before:2026-03-01`, `after:7d`}

// The examples in docs/api.md are read as it says, and every operator is explained there.
func TestDocumentedQueries(t *testing.T) {
	docs, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range examples {
		q := Parse(example+" ", noon)
		if q.Root == nil || !strings.Contains(string(docs), "`"+example+"`") {
			t.Errorf("%s", example)
		}
		for _, w := range q.Words() {
			if name, _, ok := strings.Cut(example, ":"); ok && strings.Contains(w.Text, name) {
				t.Errorf("%s is read as words", example)
			}
		}
	}
	for name := range operators {
		if name != "since" && !strings.HasSuffix(name, "_than") && !strings.Contains(string(docs), "`"+name+":") {
			t.Errorf("%s: is not explained", name)
		}
	}
}
