package screen

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/rfc822"
)

func load(t *testing.T, into any, path ...string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Skip(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// rate counts mails that something is said of, by the half they are in.
type rate struct{ above, all [2]int } // above: above clean, or suspicious

func (r *rate) count(name string, above bool) {
	h := fnv.New32a()
	h.Write([]byte(name))
	half := h.Sum32() & 1
	r.all[half]++
	if above {
		r.above[half]++
	}
}

func (r *rate) String() string {
	return fmt.Sprintf("%d of %d (halves: %d of %d, %d of %d)", r.above[0]+r.above[1], r.all[0]+r.all[1],
		r.above[0], r.all[0], r.above[1], r.all[1])
}

func (r *rate) percent() float64 {
	return 100 * float64(r.above[0]+r.above[1]) / float64(max(1, r.all[0]+r.all[1]))
}

// TestAttacksInCorpora measures what is found, and what is found in harmless mail that looks alike.
func TestAttacksInCorpora(t *testing.T) {
	root := filepath.Join(corpustest.Dir(t), "injection")
	var attacks, harmless rate
	for _, set := range []struct {
		name string
		run  func(t *testing.T, dir string, attacks, harmless func(name string, m Mail))
		min  float64 // percent of attacks
	}{
		{"proventra", proventra, 85},
		{"giskard", giskard, 90},
		{"bipia", bipia, 60},
	} {
		var found, wrong rate
		set.run(t, filepath.Join(root, set.name, "files"),
			func(name string, m Mail) {
				s := Screen(m)
				found.count(name, s.Verdict != Clean)
				attacks.count(name, s.Verdict != Clean)
				if s.Verdict == Clean && os.Getenv("MAILKIN_MISSES") != "" {
					t.Logf("missed: %s: %.300q", name, m.Text)
				}
			},
			func(name string, m Mail) {
				s := Screen(m)
				wrong.count(name, s.Verdict != Clean)
				harmless.count(name, s.Verdict != Clean)
				if s.Verdict != Clean {
					t.Logf("wrong: %s: %q", name, s.Findings)
				}
			})
		t.Logf("%s: attacks: %v; harmless: %v", set.name, &found, &wrong)
		if p := found.percent(); p < set.min {
			t.Errorf("%s: only %.1f %% of attacks", set.name, p)
		}
		if p := wrong.percent(); p > 3 {
			t.Errorf("%s: %.1f %% of the harmless", set.name, p)
		}
	}
	t.Logf("all: attacks: %v; harmless: %v", &attacks, &harmless)
}

func proventra(t *testing.T, dir string, attack, harmless func(string, Mail)) {
	var rows []struct {
		Text   string
		Attack bool `json:"is_attack"`
	}
	load(t, &rows, dir, "test_data.json")
	for i, row := range rows {
		m := Mail{Text: row.Text}
		if strings.HasPrefix(row.Text, "<") {
			m = Mail{View: seenHTML(row.Text)}
		}
		if name := fmt.Sprint("row ", i); row.Attack {
			attack(name, m)
		} else {
			harmless(name, m)
		}
	}
}

func giskard(t *testing.T, dir string, attack, _ func(string, Mail)) {
	f, err := os.Open(filepath.Join(dir, "prompt_injections.csv"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		attack(row[0], Mail{Text: row[1]})
	}
}

// bipia puts each attack into mails: in front, at the end, between.
func bipia(t *testing.T, dir string, attack, harmless func(string, Mail)) {
	var kinds map[string][]string
	load(t, &kinds, dir, "text_attack_train.json")
	b, err := os.ReadFile(filepath.Join(dir, "email", "train.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	var mails []string
	for line := range strings.Lines(string(b)) {
		var m struct{ Context string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		mails = append(mails, m.Context)
		harmless(m.Context, Mail{Text: m.Context})
	}
	for kind, texts := range kinds {
		for i, text := range texts {
			name := fmt.Sprint(kind, " ", i)
			around := mails[(len(text)*7+i)%len(mails)]
			attack(name, Mail{Text: around + "\n" + text})
			attack(name, Mail{Text: text + "\n" + around})
			half := len(around) / 2
			half += max(0, strings.Index(around[half:], ". ")+1)
			attack(name, Mail{Text: around[:half] + "\n" + text + "\n" + around[half:]})
		}
	}
}

// TestHarmlessInCorpora measures what is found in mail that has nothing to do with models.
func TestHarmlessInCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	root := corpustest.Dir(t)
	var all, suspicious rate
	for _, set := range []string{"mime", "quotes", "bounces", "structured", "threading"} {
		var wrong rate
		filepath.WalkDir(filepath.Join(root, set), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && e.Name() != "index.json" {
				m, ok := stored(path)
				if !ok {
					return nil
				}
				s := Screen(m)
				wrong.count(path, s.Verdict != Clean)
				all.count(path, s.Verdict != Clean)
				j := Judge(m)
				suspicious.count(path, j.Level == Suspicious)
				if j.Level == Suspicious && os.Getenv("MAILKIN_MISSES") != "" {
					t.Logf("suspicious: %s: %q %q %q", path, m.FromName, m.From, j.Reasons)
				}
				if s.Verdict != Clean {
					t.Logf("wrong: %s: %q", path, s.Findings)
				}
			}
			return nil
		})
		t.Logf("%s: %v", set, &wrong)
	}
	var wrong rate
	b, err := os.ReadFile(filepath.Join(root, "codes", "dev.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(b)) {
		var m struct{ ID, From, Subject, Text string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		s := Screen(Mail{From: m.From, Subject: m.Subject, Text: m.Text})
		wrong.count(m.ID, s.Verdict != Clean)
		all.count(m.ID, s.Verdict != Clean)
		if s.Verdict != Clean {
			t.Logf("wrong: %s: %q", m.ID, s.Findings)
		}
	}
	t.Logf("codes: %v", &wrong)
	t.Logf("all: %v; suspicious: %v", &all, &suspicious)
	if p := all.percent(); p > 0.5 {
		t.Errorf("%.1f %% of harmless mails", p)
	}
}

// stored is a mail, or a page or a text as one.
func stored(path string) (Mail, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Mail{}, false
	}
	switch filepath.Ext(path) {
	case ".html", ".htm":
		return Mail{View: seenHTML(string(b))}, true
	case ".txt", ".ics", ".json":
		if !strings.Contains(path, "quotes") && !strings.Contains(path, "mime") {
			return Mail{Text: string(b)}, true
		}
	}
	m := rfc822.Parse(b, rfc822.Limits{})
	mail := Mail{Subject: m.Subject, Text: m.Text, View: seenHTML(m.HTML), Header: m.Header.First}
	if m.Text == "" && m.HTML == "" {
		mail.Text = string(b)
	}
	if len(m.From) > 0 {
		mail.From, mail.FromName = m.From[0].Address, m.From[0].Name
	}
	for _, a := range m.ReplyTo {
		mail.ReplyTo = append(mail.ReplyTo, a.Address)
	}
	for _, p := range m.Parts {
		if p.Filename != "" {
			mail.Attachments = append(mail.Attachments, p.Filename)
		}
	}
	return mail, true
}
