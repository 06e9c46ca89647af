package code

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestCorporaMissingPhrase reads the halves for development once for each phrase of a mail, as if no list had it: new
// mail has words that the lists lack. It holds what is found then, and what is wrongly found.
func TestCorporaMissingPhrase(t *testing.T) {
	var all corpusFigures
	for _, set := range freshSets {
		var f corpusFigures
		for _, file := range set.files {
			for _, s := range samples(t, file) {
				if heldOut(&s) {
					continue
				}
				var c corpusCase
				if s.want != "" {
					c.Expect = &s.want
				}
				for _, phrase := range phrasesOf(&s.mail) {
					code := bestWithout(&s.mail, phrase)
					f.add(&c, code)
					all.add(&c, code)
				}
			}
		}
		t.Logf("%s without a phrase: %s", set.name, &f)
	}
	t.Logf("all without a phrase: %s", &all)
	if all.recall() < 0.875 || all.falsePositives() > 0.015 {
		t.Errorf("below recall 0.875 or above false positives 0.015: %s", &all)
	}
}

// phrasesOf are the phrases of a mail.
func phrasesOf(m *Mail) (list []string) {
	r := new(reader)
	r.read(m)
	r.findLabels()
	for p := range r.pages() {
		for _, l := range p.labels {
			list = append(list, strings.ToLower(string(p.text[l.start:l.end])))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// bestWithout reads a mail without a phrase. Of several words the last is read by itself, as are those before it.
func bestWithout(m *Mail, phrase string) string {
	r := new(reader)
	r.read(m)
	r.findLabels()
	for p := range r.pages() {
		var kept []label
		for _, l := range p.labels {
			if !strings.EqualFold(string(p.text[l.start:l.end]), phrase) {
				kept = append(kept, l)
				continue
			}
			last := l.start + bytes.LastIndexByte(p.text[l.start:l.end], ' ')
			for _, part := range [2]span{{l.start, last}, {last + 1, l.end}} {
				if last < l.start {
					break
				}
				for _, in := range findLabels(nil, []byte(string(p.text[part.start:part.end])+" ")) {
					in.start, in.end = in.start+part.start, in.end+part.start
					kept = append(kept, in)
				}
			}
		}
		p.labels = kept
	}
	from := newSender(m)
	r.weigh(&from)
	return r.best(m)
}
