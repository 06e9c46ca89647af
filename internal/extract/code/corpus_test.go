package code

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
)

// corpusCase is a line of the set of real mails.
type corpusCase struct {
	ID, Lang, From, Subject, Text, HTML, Kind, Channel string
	Expect                                             *string
	Accept                                             []string
}

func (c *corpusCase) mail() Mail {
	m := Mail{From: c.From, Subject: c.Subject, Text: c.Text, View: seen(c.HTML)}
	if name, address, ok := strings.Cut(c.From, "<"); ok {
		m.FromName, m.From = strings.TrimSpace(name), strings.TrimSuffix(address, ">")
	}
	return m
}

// right says whether code is what was expected: spaces, hyphens and case do not matter.
func (c *corpusCase) right(code string) bool {
	if c.Expect == nil {
		return code == ""
	}
	for _, want := range append([]string{*c.Expect}, c.Accept...) {
		if code != "" && bare(want) == bare(code) {
			return true
		}
	}
	return false
}

var bareForm = strings.NewReplacer(" ", "", "\u00a0", "", "-", "", "\u2010", "", "\u2011", "", "\u2012", "", "\u2013",
	"", "\u2014", "", "\u2015", "")

func bare(s string) string { return strings.ToUpper(bareForm.Replace(s)) }

// corpusFigures count what was right and wrong.
type corpusFigures struct{ positives, negatives, right, wrong, falsely int }

func (f *corpusFigures) add(c *corpusCase, code string) {
	ok := c.right(code)
	switch {
	case c.Expect == nil:
		f.negatives++
		if !ok {
			f.falsely++
		}
	default:
		f.positives++
		if ok {
			f.right++
		} else if code != "" {
			f.wrong++
		}
	}
}

func (f *corpusFigures) precision() float64 {
	return float64(f.right) / float64(max(1, f.right+f.wrong+f.falsely))
}
func (f *corpusFigures) recall() float64 { return float64(f.right) / float64(max(1, f.positives)) }
func (f *corpusFigures) falsePositives() float64 {
	return float64(f.falsely) / float64(max(1, f.negatives))
}

func readCorpus(t *testing.T) []corpusCase {
	file, err := os.Open(filepath.Join(corpustest.Dir(t, "codes"), "dev.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	var cases []corpusCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c corpusCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// TestCorpus holds the figures on real mail, and on those that came by mail alone.
func TestCorpus(t *testing.T) {
	var all, mails corpusFigures
	for _, c := range readCorpus(t) {
		code := Best(c.mail())
		all.add(&c, code)
		if c.Channel == "mail" {
			mails.add(&c, code)
		}
		if !c.right(code) {
			t.Logf("%s (%s, %s): got %q", c.ID, c.Lang, c.Kind, code)
		}
	}
	for name, f := range map[string]*corpusFigures{"all": &all, "mail": &mails} {
		t.Logf("%s: precision %.4f, recall %.4f, false positives %.4f; %+v", name, f.precision(), f.recall(),
			f.falsePositives(), *f)
		if f.precision() < 0.97 || f.recall() < 0.95 || f.falsePositives() > 0.02 {
			t.Errorf("%s: below precision 0.97, recall 0.95 or above false positives 0.02", name)
		}
	}
}

func (f *corpusFigures) String() string {
	return fmt.Sprintf("precision %.3f, recall %.3f (%d of %d), false positives %.3f (%d of %d)", f.precision(), f.recall(),
		f.right, f.positives, f.falsePositives(), f.falsely, f.negatives)
}
